#!/usr/bin/env node
'use strict';
/*
 * model_server.js LOG: a model on loopback that does what it is told, for
 * the tests that drive the real agents. The wire formats are in model/, one
 * file each; no dependencies.
 *
 * Prints "READY <port>" when it listens (a port that the kernel chose).
 * LOG gets one JSON line for each request for an answer:
 *   n        counts up from 1
 *   tools    how many tools were offered (0: a side request, a title)
 *   after    true where the last message brings a tool's result
 *   text     the last text of the user, without the program's reminders and
 *            without the wrapper that it puts round long pastes
 *   raw      the same text with that wrapper
 *   texts    all texts of the user in the conversation, oldest first
 *   system   true where LOOK_FOR (environment) is in the system prompt
 *   told     true where TOLD (environment) is anywhere in it: what a tool said
 * EVENTS (environment), a file, gets a line when a request that offers tools
 * comes, its answer begins, ends, fails, or its client goes away:
 *   <ms since 1970> server request|begin|answer|error|abort {"n":…}
 * The line of an answer has what it used: "usage":{"input":…}.
 *
 * What the model does is said in the text, between double brackets:
 *   [[text=T]]        answers T
 *   [[think=S]]       is silent for S seconds first
 *   [[until=FILE]]    is silent until FILE is there, before a failure, too
 *   [[slow=S]]        spreads the answer over S seconds
 *   [[tool=bash:CMD]] calls the shell; after its result it answers "tool done"
 *   [[tool=write:PATH]] writes a file (Claude Code)
 *   [[tool=NAME:{…}]] calls NAME with that JSON; *NAME: the tool that is
 *                     offered under a name that ends so (as with MCP servers)
 *   [[err=STATUS]]    fails with that HTTP status; [[err=STATUS:WORDS]], with
 *                     that message
 *   [[usage=I,O,R,W]] has used so many tokens for each of its answers: input, which
 *                     is in no cache, output, read from the cache, written to it;
 *                     without it 10, 5, 0, 0
 *   [[limit=S]]       fails for S seconds from its first request on, as at a
 *                     usage limit of that agent's own service (limits.js);
 *                     S,KIND: at another limit; Gemini: of its main model
 *   [[near=P]]        says that P percent of the usage limit are used (Codex)
 */
const http = require('http');
const fs = require('fs');
const formats = ['anthropic', 'responses', 'chat', 'gemini']
	.map((name) => ({ name, ...require(`./model/${name}.js`) }));
const limits = require('./model/limits.js');

const log = process.argv[2];
const lookFor = process.env.LOOK_FOR || '';
const told = process.env.TOLD || '';
const events = process.env.EVENTS || '';
let count = 0;
const limitEnds = new Map(); /* by the text: ms since 1970 */

const pause = (s) => new Promise((done) => setTimeout(done, s * 1000));
const appears = async (file) => {
	while (file && !fs.existsSync(file))
		await pause(0.05);
};

function directive(text, name) {
	const start = text.indexOf(`[[${name}=`);
	if (start < 0)
		return null;
	const from = start + name.length + 3;
	const to = text.indexOf(']]', from);
	return to < 0 ? null : text.slice(from, to);
}

/* {name, input}, or {text}. */
function answer(format, request) {
	const want = directive(request.text, 'tool');
	if (want && !request.after && request.tools.length > 0) {
		const colon = want.indexOf(':');
		const name = want.slice(0, colon), arg = want.slice(colon + 1);
		const offered = name[0] !== '*' ? name :
			request.tools.find((t) =>
				t.match(`(^|[^a-z])${name.slice(1)}$`));
		if (!offered)
			return { text: `no tool ${name}: ${request.tools}` };
		return format.tool(name, arg, request.tools) ||
			{ name: offered, input: JSON.parse(arg) };
	}
	const text = directive(request.text, 'text');
	if (text !== null)
		return { text };
	return { text: request.after ? 'tool done' :
		`got ${Buffer.byteLength(request.text)} bytes` };
}

function usageOf(text) {
	const [input, output, read, write] = (directive(text, 'usage') ||
		'10,5,0,0').split(',').map(Number);
	return { input, output, read, write };
}

/* The text in pieces, over so many seconds. */
async function* pieces(text, seconds) {
	const step = Math.max(1, Math.ceil(text.length / (seconds ? 20 : 4)));
	for (let i = 0; i < text.length; i += step) {
		yield text.slice(i, i + step);
		if (seconds)
			await pause(seconds * step / text.length);
	}
}

function json(res, status, object) {
	res.writeHead(status, { 'content-type': 'application/json' });
	res.end(JSON.stringify(object));
}

/* What a recording of the agent takes for the truth: see record. */
function tell(request, what, more) {
	if (events && request.tools.length > 0)
		fs.appendFileSync(events, `${Date.now()} server ${what} ${
			JSON.stringify({ n: request.n, ...more })}\n`);
}

async function respond(format, req, res, body) {
	const request = format.read(body);
	fs.appendFileSync(log, JSON.stringify({
		n: request.n = ++count, tools: request.tools.length, after: request.after,
		text: request.text, raw: request.raw || request.text,
		texts: request.texts,
		system: lookFor !== '' &&
			JSON.stringify(request.system || '').includes(lookFor),
		told: told !== '' && JSON.stringify(body).includes(told),
	}) + '\n');

	tell(request, 'request', { after: request.after });
	res.on('close', () => res.writableFinished || tell(request, 'abort'));
	/* Side requests (titles) quote the prompt: they are not told. */
	if (request.tools.length === 0)
		request.text = '';
	const failure = directive(request.text, 'err');
	if (failure) {
		const [status, words] = failure.split(/:(.*)/);
		await appears(directive(request.text, 'until'));
		tell(request, 'error', { status: +status });
		return json(res, +status, { type: 'error', error: {
			type: 'invalid_request_error', code: +status,
			message: words || `told to fail with ${status}` } });
	}
	const [seconds, kind] = (directive(request.text, 'limit') || '').split(',');
	if (seconds) {
		const end = limitEnds.get(request.text) ?? Date.now() + seconds * 1000;
		limitEnds.set(request.text, end);
		if (Date.now() < end) {
			tell(request, 'error', { limit: end });
			return limits.refuse(format.name, kind || 'usage', end, res);
		}
	}
	if (!request.after) {
		await pause(+(directive(request.text, 'think') || 0));
		await appears(directive(request.text, 'until'));
	}
	if (res.destroyed)
		return undefined;
	const usage = usageOf(request.text);
	const said = { ...answer(format, request), usage };
	if (!format.streams(req.url, body))
		return json(res, 200, format.whole(body, said));
	const near = directive(request.text, 'near');
	res.writeHead(200, { 'content-type': 'text/event-stream',
		...(near ? limits.near(near) : {}) });
	tell(request, 'begin', { tool: said.name });
	await format.stream(res, body, said, pieces(said.text || '',
		request.after ? 0 : +(directive(request.text, 'slow') || 0)));
	if (!res.destroyed)
		tell(request, 'answer', { tool: said.name, usage });
	return res.end();
}

const server = http.createServer((req, res) => {
	const chunks = [];
	req.on('data', (c) => chunks.push(c));
	req.on('end', () => {
		const path = req.url.split('?')[0];
		const format = formats.find((f) => f.path.test(path));
		let body = {};
		try {
			body = JSON.parse(Buffer.concat(chunks).toString());
		} catch (e) {
			/* HEAD and GET have none */
		}
		if (/(\/count_tokens|:countTokens)$/.test(path))
			json(res, 200, { input_tokens: 10, totalTokens: 10 });
		else if (format && req.method === 'POST')
			respond(format, req, res, body).catch((e) =>
				res.destroyed || json(res, 500, { error: String(e) }));
		else
			json(res, 404, { type: 'error', error: {
				type: 'not_found_error', message: path } });
	});
});
server.listen(0, '127.0.0.1', () =>
	console.log(`READY ${server.address().port}`));
