/*
 * opencode-plugin.js - OpenCode's events as hooks: a JSON object a line in the
 * session's agent door (afw-supervisor(8)), so that nothing listens anywhere.
 *
 * A turn begins with a message of the user's and ends with "idle". One that is
 * aborted or fails says "idle" twice: it is wound up in between (git looks for
 * what has changed, seconds in a large repository), and a message that comes
 * then is taken and left without an answer (OpenCode 1.18). So the second one
 * counts. Of the conversations that agents begin only their questions do.
 */
import * as fs from "node:fs";
import { dirname, join } from "node:path";

const LINE_MAX = 4096; /* PIPE_BUF: longer ones would mix with others' */
const ANSWER_MAX = 256 * 1024;
/* Sooner than afw believes the screen instead, which rests before a turn
 * begins, and again while it is wound up; so long at most. */
const SAY_AGAIN_MS = 700, BEGINS_MS = 30000, WINDS_UP_MS = 120000;

const door = process.env.AF_OPENCODE_DOOR;
/* Not for an OpenCode, nor an npm, that its tools run. */
for (const name of ["AF_OPENCODE_DOOR", "npm_config_fetch_retries",
	"npm_config_fetch_timeout"])
	if (door)
		delete process.env[name];

const children = new Set(); /* conversations that agents have begun */
const busy = new Map();     /* those of the user's that work: until when */
const errors = new Map();   /* of those the turn's: {name, text, idle} */
const asked = new Map();    /* permissions and questions: what they ask */
const used = new Map();     /* by the turn's messages: tokens, dollars */
let model = "";             /* of the last one */
const answer = new Map();   /* parts of the newest message of the model's */
let ours = "";      /* the conversation that the user wrote to last */
let prompt = "";    /* id of that message */
let message = "";   /* … and of the one that answer is of */
let retry = "";
let began = Infinity; /* the turn: ms since 1970 */
let refused = false; /* what was asked last was answered with a "no" */
let said = "";
let timer;

/* The beginning of text, of whole characters. */
const cut = (text, max) =>
	String(text ?? "").slice(0, max).replace(/[\ud800-\udbff]$/, "")
		.toWellFormed();

function write(hook, payload)
{
	let line;

	while (Buffer.byteLength(line = JSON.stringify({ hook, payload }) +
		"\n") > LINE_MAX) {
		payload.answer = cut(payload.answer,
			Math.floor(payload.answer.length * 0.8));
		payload.afw_cut = true;
	}
	try {
		const fd = fs.openSync(door, fs.constants.O_WRONLY |
			fs.constants.O_NONBLOCK | fs.constants.O_NOFOLLOW);
		try {
			fs.writeSync(fd, line);
		} finally {
			fs.closeSync(fd);
		}
	} catch {
		/* nobody reads: afw has other signals */
	}
}

/* What is so now, unless it was said already. */
function say(again)
{
	const what = [...asked.values()][0];
	const hook = what === undefined ? "busy" : "asks";
	const detail = what ?? retry;

	if ((busy.size === 0 && asked.size === 0) ||
		(!again && said === hook + detail))
		return;
	said = hook + detail;
	write(hook, { session: ours, detail,
		retries: what === undefined && retry !== "" || undefined });
}

function sayAgain()
{
	if (asked.size === 0 &&
		[...busy.values()].some((until) => Date.now() < until))
		say(true);
}

/* The door has no room for a long one. */
function keepAnswer(text)
{
	try {
		fs.writeFileSync(join(dirname(door), "opencode-answer"), text,
			{ mode: 0o600 });
	} catch {
		/* its beginning is told */
	}
}

function ended(error)
{
	const text = [...answer.values()].join("\n\n").slice(0, ANSWER_MAX);
	const interrupted = error?.name === "MessageAbortedError" || refused;

	asked.clear();
	said = "";
	keepAnswer(text);
	const sum = (of) => [...used.values()].reduce((n, u) => n + of(u), 0);
	const tokens = used.size === 0 ? undefined :
		{ input: sum((u) => u.input), output: sum((u) => u.output),
			cache_read: sum((u) => u.read), cache_write: sum((u) => u.write) };

	write("end", { session: ours, interrupted, tokens,
		model: tokens && cut(model, 39),
		cost_micro: Math.round(sum((u) => u.cost) * 1e6) || undefined,
		failed: !interrupted && error !== undefined,
		detail: interrupted ? "" : cut(error?.text, 150),
		answer: cut(text, 3000),
		afw_cut: text.length > 3000 || undefined });
	used.clear();
}

function wentIdle(id)
{
	const error = errors.get(id);

	if (!busy.has(id))
		return;
	if (error && !error.idle) {
		error.idle = true;
		busy.set(id, Date.now() + WINDS_UP_MS);
		return;
	}
	errors.delete(id);
	busy.delete(id);
	if (busy.size > 0)
		say();
	else
		ended(error);
}

function took(session, id, parts)
{
	const text = parts.find((p) => p.type === "text" && !p.synthetic);

	if (children.has(session))
		return;
	errors.delete(session);
	ours = session;
	prompt = id;
	message = retry = "";
	began = Date.now();
	refused = false;
	answer.clear();
	keepAnswer("");
	busy.set(session, Date.now() + BEGINS_MS);
	write("prompt", { session, prompt: cut(text?.text, 200) });
	said = "busy";
}

function keepPart(part)
{
	if (part.type !== "text" || part.synthetic || !part.text ||
		part.sessionID !== ours || part.messageID === prompt)
		return;
	if (part.messageID !== message)
		answer.clear();
	message = part.messageID;
	answer.set(part.id, part.text);
}

/* One of before is told again when its summary is made. */
function keepUsed(info)
{
	const t = info.tokens;

	if (info.role !== "assistant" || !(info.time?.created >= began))
		return;
	model = info.modelID || model;
	used.set(info.id, { cost: Number(info.cost) || 0,
		input: t?.input || 0, output: (t?.output || 0) + (t?.reasoning || 0),
		read: t?.cache?.read || 0, write: t?.cache?.write || 0 });
}

const whatIsAsked = (p) => cut(p.questions?.[0]?.question ??
	p.metadata?.command ??
	`${p.permission ?? "asks"} ${p.patterns?.[0] ?? ""}`, 150);

function onStatus(id, status)
{
	if (children.has(id) || status.type === "idle")
		return; /* session.idle comes, too */
	ours ||= id;
	busy.set(id, Infinity);
	retry = status.type === "retry" ?
		cut(`tries again: ${status.message}`, 150) : "";
	refused = false;
	say();
}

function onSession(info)
{
	if (!info.parentID)
		return;
	children.add(info.id);
	busy.delete(info.id);
	if (ours === info.id) /* an agent goes on with it */
		ours = info.parentID;
}

function on(type, p)
{
	const id = p.sessionID;

	switch (type) {
	case "session.created":
	case "session.updated":
		return onSession(p.info);
	case "session.deleted":
		errors.delete(p.info.id);
		return wentIdle(p.info.id);
	case "session.status":
		return onStatus(id, p.status);
	case "session.idle":
		return wentIdle(id);
	case "session.error":
		if (busy.has(id) && !errors.has(id))
			errors.set(id, { name: p.error?.name,
				text: p.error?.data?.message ?? p.error?.name });
		return;
	case "message.updated":
		return keepUsed(p.info);
	case "message.part.updated":
		return keepPart(p.part);
	case "permission.asked":
	case "question.asked":
		asked.set(p.id, whatIsAsked(p));
		return say();
	case "permission.replied":
	case "question.replied":
	case "question.rejected":
		refused = p.reply === "reject" || type === "question.rejected";
		if (asked.delete(p.requestID))
			say();
	}
}

export const afw = async () => {
	if (!door)
		return {};
	write("start", {});
	timer ??= setInterval(sayAgain, SAY_AGAIN_MS);
	timer.unref();
	return {
		event: async ({ event }) => on(event.type, event.properties),
		"chat.message": async (input, output) =>
			took(input.sessionID, output.message.id, output.parts),
	};
};
