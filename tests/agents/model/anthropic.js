'use strict';
/*
 * anthropic.js - the Anthropic messages API, as Claude Code speaks it.
 *
 * What each file here exports:
 *   path            of its requests
 *   read(body)      {text, texts, after, tools, system}: see model_server.js
 *   streams(url, body)  whether the answer is to be streamed
 *   tool(kind, arg, tools)  {name, input} of a tool that is offered, or null
 *   whole(body, said)   the answer as one object
 *   stream(res, body, said, pieces)  writes it as events; said is {text} or
 *                   {name, input}, with what it used, pieces the text's
 */
const crypto = require('crypto');

const newId = (kind) => `${kind}_${crypto.randomBytes(9).toString('hex')}`;

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
	return { raw, text: unwrap(raw), after: bringsResult(last),
		texts: texts.map(unwrap), system: body.system,
		tools: (body.tools || []).map((t) => t.name) };
}

function tool(kind, arg) {
	if (kind === 'bash')
		return { name: 'Bash',
			input: { command: arg, description: 'a step' } };
	if (kind === 'write')
		return { name: 'Write', input: { file_path: arg,
			content: 'written by the model\n' } };
	return null;
}

function blockOf(said) {
	return said.name ? { type: 'tool_use', id: newId('toolu'),
		name: said.name, input: said.input } :
		{ type: 'text', text: said.text };
}

const stopOf = (said) => said.name ? 'tool_use' : 'end_turn';

function whole(body, said) {
	return { id: newId('msg'), type: 'message', role: 'assistant',
		model: body.model, content: [blockOf(said)],
		stop_reason: stopOf(said), stop_sequence: null,
		usage: { input_tokens: said.usage.input,
			cache_read_input_tokens: said.usage.read,
			cache_creation_input_tokens: said.usage.write,
			output_tokens: said.usage.output } };
}

async function stream(res, body, said, pieces) {
	const send = (type, data) =>
		res.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
	const delta = (data) =>
		send('content_block_delta', { index: 0, delta: data });

	send('message_start', { message: { ...whole(body, said), content: [],
		stop_reason: null } });
	send('content_block_start', { index: 0, content_block: said.name ?
		{ ...blockOf(said), input: {} } : { type: 'text', text: '' } });
	if (said.name)
		delta({ type: 'input_json_delta',
			partial_json: JSON.stringify(said.input) });
	for await (const piece of pieces) {
		if (res.destroyed)
			return;
		delta({ type: 'text_delta', text: piece });
	}
	send('content_block_stop', { index: 0 });
	send('message_delta', { delta: { stop_sequence: null,
		stop_reason: stopOf(said) },
	usage: { output_tokens: said.usage.output } });
	send('message_stop', {});
}

module.exports = { path: /\/v1\/messages$/, read, tool, whole, stream,
	streams: (url, body) => body.stream };
