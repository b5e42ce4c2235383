'use strict';
/* chat.js - OpenAI's chat completions, as OpenCode and those of sections.sh
 * speak them. */
const crypto = require('crypto');

const newId = (kind) => `${kind}_${crypto.randomBytes(9).toString('hex')}`;

/* What Qwen Code asks beside the turns. */
const side = /^Managed memory directory:/;

/* Qwen Code and Cline add the files of an @ after the text. */
const attached = /^\s*(--- Content from referenced files ---|<file_content )/;

function textsOf(message) {
	if (typeof message.content === 'string')
		return [message.content];
	const texts = (message.content || []).filter((c) => c.type === 'text')
		.map((c) => c.text);
	const files = texts.findIndex((t) => attached.test(t));
	return files < 0 ? texts : texts.slice(0, files);
}

/* What the program adds to the user's text: Copilot the time, and the files of
 * an @. */
const own = /^<(current_datetime)>[^<]*<\/\1>\s*|\s*<(tagged_files)>[^<]*<\/\2>$/g;

function read(body) {
	const messages = body.messages || [];
	const of = (role) => messages.filter((m) => m.role === role)
		.flatMap(textsOf);
	const texts = of('user').map((t) => t.replace(own, ''))
		.filter((t) => !/^\s*<[a-z_-]+>/.test(t));
	const last = messages[messages.length - 1] || {};
	const text = texts[texts.length - 1] || '';
	return { text, texts,
		after: last.role === 'tool', system: of('system'),
		tools: side.test(text) ? [] :
			(body.tools || []).map((t) => t.function.name) };
}

function tool(kind, arg, tools) {
	const input = { command: arg, description: 'a step' };
	if (kind !== 'bash')
		return null;
	if (tools.includes('run_commands'))
		return { name: 'run_commands', input: { commands: [arg] } };
	return { name: ['Bash', 'run_shell_command']
		.find((t) => tools.includes(t)) || 'bash', input };
}

/* Its prompt's tokens are also those of the cache. */
function usageOf({ input, output, read }) {
	return { prompt_tokens: input + read, completion_tokens: output,
		total_tokens: input + read + output,
		prompt_tokens_details: { cached_tokens: read } };
}

function calls(said) {
	return [{ index: 0, id: newId('call'), type: 'function', function:
		{ name: said.name, arguments: JSON.stringify(said.input) } }];
}

const finishOf = (said) => said.name ? 'tool_calls' : 'stop';

function whole(body, said) {
	return { id: newId('chatcmpl'), object: 'chat.completion', created: 1,
		model: body.model, usage: usageOf(said.usage), choices: [{ index: 0,
			finish_reason: finishOf(said), message: said.name ?
				{ role: 'assistant', content: null,
					tool_calls: calls(said) } :
				{ role: 'assistant', content: said.text } }] };
}

async function stream(res, body, said, pieces) {
	const base = { id: newId('chatcmpl'), created: 1, model: body.model,
		object: 'chat.completion.chunk' };
	const send = (data) =>
		res.write(`data: ${JSON.stringify({ ...base, ...data })}\n\n`);
	const delta = (d, finish) => send({ choices: [
		{ index: 0, delta: d, finish_reason: finish || null }] });

	delta({ role: 'assistant', content: '' });
	if (said.name)
		delta({ tool_calls: calls(said) });
	for await (const piece of pieces) {
		if (res.destroyed)
			return;
		delta({ content: piece });
	}
	delta({}, finishOf(said));
	send({ choices: [], usage: usageOf(said.usage) });
	res.write('data: [DONE]\n\n');
}

module.exports = { path: /\/chat\/completions$/, read, tool, whole, stream,
	streams: (url, body) => body.stream };
