#!/usr/bin/env node
'use strict';
/*
 * model_server.js LOG: a model on loopback that does what it is told, for
 * the tests that drive the real Claude Code CLI. Speaks the Anthropic
 * messages API (streaming or not) and count_tokens; no dependencies.
 *
 * Prints "READY <port>" when it listens (a port that the kernel chose).
 * LOG gets one JSON line for each request to /v1/messages:
 *   n        counts up from 1
 *   tools    how many tools were offered (0: a side request, a title)
 *   after    true where the last message brings a tool's result
 *   text     the last text of the user, without the program's reminders and
 *            without the wrapper that it puts round long pastes
 *   raw      the same text with that wrapper
 *   texts    all texts of the user in the conversation, oldest first
 *   system   true where LOOK_FOR (environment) is in the system prompt
 *
 * What the model does is said in the text, between double brackets:
 *   [[text=T]]        answers T
 *   [[think=S]]       is silent for S seconds first
 *   [[slow=S]]        spreads the answer over S seconds
 *   [[tool=bash:CMD]] calls Bash; after its result it answers "tool done"
 *   [[tool=write:PATH]] calls Write
 *   [[tool=NAME:{…}]] calls NAME with that JSON
 *   [[err=STATUS]]    fails with that HTTP status
 */
const http = require('http');
const fs = require('fs');
const crypto = require('crypto');

const log = process.argv[2];
const lookFor = process.env.LOOK_FOR || '';
let count = 0;

const pause = (s) => new Promise((done) => setTimeout(done, s * 1000));
const newId = (kind) => `${kind}_${crypto.randomBytes(9).toString('hex')}`;

function directive(text, name) {
	const start = text.indexOf(`[[${name}=`);
	if (start < 0)
		return null;
	const from = start + name.length + 3;
	const to = text.indexOf(']]', from);
	return to < 0 ? null : text.slice(from, to);
}

/* What the program adds of its own to the user's texts. */
const own = /^\s*(<(system-reminder|command-|local-command)|\[Request interrupted)/;

/* The text blocks of a message that the user wrote. */
function textsOf(message) {
	const blocks = typeof message.content === 'string' ?
		[{ type: 'text', text: message.content }] : message.content;
	return blocks
		.filter((b) => b.type === 'text' && !own.test(b.text))
		.map((b) => b.text);
}

/* A tool's result, and no text of the user behind it. */
function bringsResult(message) {
	const blocks = Array.isArray(message.content) ? message.content : [];
	const at = blocks.map((b) => b.type).lastIndexOf('tool_result');
	return at >= 0 && textsOf({ content: blocks.slice(at) }).length === 0;
}

/* Long pastes come in a wrapper, with blank lines round it. */
function unwrap(text) {
	return text.replace(
		/\n{0,2}<pasted_content( id="[^"]*")>\n([\s\S]*?)\n<\/pasted_content\1>\n?/g,
		'$2');
}

function read(body) {
	const users = (body.messages || []).filter((m) => m.role === 'user');
	const last = users[users.length - 1] || { content: [] };
	const texts = users.flatMap(textsOf);
	const raw = texts[texts.length - 1] || '';
	return { raw, text: unwrap(raw), after: bringsResult(last), texts: texts.map(unwrap),
		tools: (body.tools || []).map((t) => t.name) };
}

function toolCall(request) {
	const want = directive(request.text, 'tool');
	if (!want || request.after || request.tools.length === 0)
		return null;
	const colon = want.indexOf(':');
	const name = want.slice(0, colon), arg = want.slice(colon + 1);
	if (name === 'bash')
		return { name: 'Bash',
			input: { command: arg, description: 'a step' } };
	if (name === 'write')
		return { name: 'Write', input: { file_path: arg,
			content: 'written by the model\n' } };
	return { name, input: JSON.parse(arg) };
}

function answer(request) {
	const tool = toolCall(request);
	if (tool)
		return { type: 'tool_use', id: newId('toolu'), ...tool };
	let text = directive(request.text, 'text');
	if (text === null)
		text = request.after ? 'tool done' :
			`got ${Buffer.byteLength(request.text)} bytes`;
	return { type: 'text', text };
}

async function stream(res, body, block, slow) {
	const send = (type, data) =>
		res.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
	const whole = block.type === 'text' ? block.text :
		JSON.stringify(block.input);
	const step = Math.max(1, Math.ceil(whole.length / (slow ? 20 : 4)));

	res.writeHead(200, { 'content-type': 'text/event-stream' });
	send('message_start', { message: { id: newId('msg'), type: 'message',
		role: 'assistant', model: body.model, content: [],
		stop_reason: null, stop_sequence: null,
		usage: { input_tokens: 10, output_tokens: 1 } } });
	send('content_block_start', { index: 0, content_block:
		block.type === 'text' ? { type: 'text', text: '' } :
			{ ...block, input: {} } });
	for (let i = 0; i < whole.length && !res.destroyed; i += step) {
		const piece = whole.slice(i, i + step);
		send('content_block_delta', { index: 0,
			delta: block.type === 'text' ?
				{ type: 'text_delta', text: piece } :
				{ type: 'input_json_delta', partial_json: piece } });
		if (slow)
			await pause(slow * step / whole.length);
	}
	send('content_block_stop', { index: 0 });
	send('message_delta', { delta: { stop_sequence: null,
		stop_reason: block.type === 'text' ? 'end_turn' : 'tool_use' },
	usage: { output_tokens: 5 } });
	send('message_stop', {});
	res.end();
}

function json(res, status, object) {
	res.writeHead(status, { 'content-type': 'application/json' });
	res.end(JSON.stringify(object));
}

async function messages(res, body) {
	const request = read(body);
	fs.appendFileSync(log, JSON.stringify({
		n: ++count, tools: request.tools.length, after: request.after,
		text: request.text, raw: request.raw, texts: request.texts,
		system: lookFor !== '' &&
			JSON.stringify(body.system || '').includes(lookFor),
	}) + '\n');

	/* Side requests (titles) quote the prompt: they are not told. */
	if (request.tools.length === 0)
		request.text = '';
	const status = directive(request.text, 'err');
	if (status)
		return json(res, +status, { type: 'error', error: {
			type: 'invalid_request_error',
			message: `told to fail with ${status}` } });
	if (!request.after)
		await pause(+(directive(request.text, 'think') || 0));
	if (res.destroyed)
		return undefined;
	const block = answer(request);
	if (body.stream)
		return stream(res, body, block,
			request.after ? 0 : +(directive(request.text, 'slow') || 0));
	return json(res, 200, { id: newId('msg'), type: 'message',
		role: 'assistant', model: body.model, content: [block],
		stop_reason: block.type === 'text' ? 'end_turn' : 'tool_use',
		stop_sequence: null,
		usage: { input_tokens: 10, output_tokens: 5 } });
}

const server = http.createServer((req, res) => {
	const chunks = [];
	req.on('data', (c) => chunks.push(c));
	req.on('end', () => {
		const path = req.url.split('?')[0];
		let body = {};
		try {
			body = JSON.parse(Buffer.concat(chunks).toString());
		} catch (e) {
			/* HEAD and GET have none */
		}
		if (path === '/v1/messages/count_tokens')
			json(res, 200, { input_tokens: 10 });
		else if (path === '/v1/messages')
			messages(res, body).catch((e) =>
				json(res, 500, { error: String(e) }));
		else
			json(res, 404, { type: 'error', error: {
				type: 'not_found_error', message: path } });
	});
});
server.listen(0, '127.0.0.1', () =>
	console.log(`READY ${server.address().port}`));
