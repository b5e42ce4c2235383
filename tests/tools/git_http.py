"""git_http.py ROOT LOG - git's http-backend behind basic authentication.

Serves the bare repositories below ROOT on loopback to who gives the password
$TOKEN, prints its port, and logs each request's user into LOG. It ends with its
standard input.
"""
import base64
import http.server
import os
import subprocess
import sys
import threading

root, log = sys.argv[1:3]
token = os.environ["TOKEN"]
backend = os.path.join(
    subprocess.check_output(["git", "--exec-path"], text=True).strip(),
    "git-http-backend")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def log_message(self, *args):
        pass

    def answer(self):
        kind, _, code = self.headers.get("Authorization", "").partition(" ")
        user, _, password = base64.b64decode(code).decode().partition(":")
        with open(log, "a", encoding="ascii") as f:
            print(self.command, self.path, user or "-", file=f)
        if kind != "Basic" or password != token:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="git"')
            self.end_headers()
            return
        path, _, query = self.path.partition("?")
        size = int(self.headers.get("Content-Length") or 0)
        env = {"PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": root,
               "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
               "QUERY_STRING": query, "REQUEST_METHOD": self.command,
               "REMOTE_USER": user, "REMOTE_ADDR": "127.0.0.1",
               "CONTENT_TYPE": self.headers.get("Content-Type") or "",
               "HTTP_CONTENT_ENCODING":
                   self.headers.get("Content-Encoding") or "",
               "GIT_PROTOCOL": self.headers.get("Git-Protocol") or "",
               "CONTENT_LENGTH": str(size)}
        out = subprocess.run([backend], input=self.rfile.read(size), env=env,
                             stdout=subprocess.PIPE, check=False).stdout
        head, _, body = out.partition(b"\r\n\r\n")
        fields = [line.split(": ", 1)
                  for line in head.decode().split("\r\n") if line]
        status = dict(fields).get("Status", "200 OK")
        self.send_response(int(status.split()[0]))
        for name, value in fields:
            if name != "Status":
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
