// pi-extension.ts - what pi lacks for afw: a mark in its composer, so that a
// draft can be told from an empty one, and its activity by OSC 7501.
// Installed with afw; share/adapters/pi.ini passes it to pi (-e).
import { CustomEditor, type ExtensionAPI } from "@mariozechner/pi-coding-agent";

const plain = (s: string) => s.replace(/\x1b\[[0-9;:]*m|\x1b_[^\x07\x1b]*(\x07|\x1b\\)/g, "");
const border = (s: string) => /^─{3}/.test(plain(s));

class Marked extends CustomEditor {
	render(width: number): string[] {
		let marked = false;
		let borders = 0; // 0: above, 1: in the composer, 2: below
		return super.render(width - 2).map((line) => {
			if (borders < 2 && border(line)) {
				borders++;
				return line + "──";
			}
			const mark = borders === 1 && !marked ? "> " : "  ";
			marked = marked || borders === 1;
			return mark + line;
		});
	}
}

const MSG_MAX = 2900; // bytes of an answer: with base64, what afw reads at once

function cut(text: string) {
	const bytes = Buffer.from(text);
	if (bytes.length <= MSG_MAX) return bytes;
	return Buffer.from(bytes.subarray(0, MSG_MAX).toString().replace(/\ufffd+$/, "") + "…");
}

function say(state: string, text = "") { // state: may have fields behind it
	const msg = cut(text).toString("base64");
	process.stdout.write(`\x1b]7501;state=${state}:app=pi${msg && ":msg=" + msg}\x07`);
}

export default function (pi: ExtensionAPI) {
	let start = () => {};

	// Without a model it asks for /login in a row only: until then its composer
	// has no mark, so that nothing is typed.
	pi.on("session_start", (_event, ctx) => {
		if (!ctx.hasUI) return;
		start = () => {
			ctx.ui.setEditorComponent((tui, theme, keys) => new Marked(tui, theme, keys));
			say("idle");
			start = () => {};
		};
		if (ctx.modelRegistry.getAvailable().length > 0) start();
		else say("blocked:kind=auth");
	});
	pi.on("model_select", () => start());
	pi.on("agent_start", () => say("working"));
	pi.on("agent_end", (event) => {
		const last: any = event.messages.findLast((m: any) => m.role === "assistant");
		const text = last?.content?.findLast?.((c: any) => c.type === "text")?.text;
		if (last?.stopReason === "error") say("error", last.errorMessage);
		else say(last?.stopReason === "aborted" ? "idle" : "done", text);
	});
	pi.on("session_shutdown", () => say("clear"));
}
