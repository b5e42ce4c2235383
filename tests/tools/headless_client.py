"""headless_client.py REPO SERVER... - an orchestrator.

Drives SERVER (afw-supervisor --stdio, or what runs it) through the life of one
agent as afw-protocol(7) says, and prints each step that has come. An event that
does not come within a minute ends it with 1.
"""
import json
import queue
import subprocess
import sys
import threading
import time

WAIT = 60

AGENT = r"""
trap '' TERM HUP
read -r prompt
echo "task: $prompt"
echo "[debug] begun" >&2
read -r more
echo "more: $more"
git commit -q --allow-empty -m "$prompt"
echo done
while :; do sleep 0.1; done
"""


class Client:
    def __init__(self, argv):
        self.server = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.events = queue.Queue()
        self.text = {"agent:stdout": "", "agent:stderr": ""}
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.server.stdout:
            self.events.put(json.loads(line))
        self.events.put({"ev": "end"})

    def send(self, **request):
        self.server.stdin.write(json.dumps(request).encode() + b"\n")
        self.server.stdin.flush()

    def take(self):
        event = self.events.get(timeout=WAIT)
        if event["ev"] in self.text:
            self.text[event["ev"]] += event["data"]
        elif event["ev"] == "error":
            sys.exit(f"error: {event}")
        return event

    def wait(self, name):
        while True:
            event = self.take()
            if event["ev"] == name:
                return event
            if event["ev"] == "end":
                sys.exit(f"{name} did not come")

    def wait_text(self, name, text):
        while text not in self.text[name]:
            if self.take()["ev"] == "end":
                sys.exit(f"'{text}' did not come")


def step(*words):
    print(*words, flush=True)


client = Client(sys.argv[2:])
step("ready", client.wait("system:ready")["v"])

client.send(cmd="start", repo=sys.argv[1], branch="task-123",
            prompt="Implement feature X...", argv=["sh", "-c", AGENT])
step("workspace", client.wait("workspace:ready")["branch"])
step("started", client.wait("agent:started")["pid"] > 0)
client.wait_text("agent:stdout", "task: Implement feature X...\n")
client.wait_text("agent:stderr", "[debug] begun\n")
step("prompt")

client.send(cmd="chat", text="Can you also add tests?")
client.wait_text("agent:stdout", "more: Can you also add tests?\ndone\n")
step("chat")

client.send(cmd="exec", id="req-1", argv=["git", "log", "-1", "--format=%s %ae"])
result = client.wait("exec:result")
step("exec", result["id"], result["code"], result["stdout"].strip(),
     repr(result["stderr"]))

began = time.monotonic()
client.send(cmd="stop")
end = client.wait("agent:exit")
step("exit", end["code"], end["signal"],
     4.5 < time.monotonic() - began < 30)
client.wait("end")
step("server", client.server.wait(timeout=WAIT))
