'use strict';
/* responses.js - the OpenAI responses API, as Codex speaks it. */
const crypto = require('crypto');

const newId = (kind) => `${kind}_${crypto.randomBytes(9).toString('hex')}`;

/* What the program adds of its own to the user's texts. */
const own = /^\s*(<[a-z_]+>|# AGENTS\.md instructions)/;

function textsOf(item) {
	if (typeof item.content === 'string')
		return [item.content];
	return (item.content || [])
		.filter((c) => c.type === 'input_text' && !own.test(c.text))
		.map((c) => c.text);
}

function read(body) {
	const items = Array.isArray(body.input) ? body.input :
		[{ role: 'user', content: body.input || '' }];
	const isUser = (i) => i.role === 'user' && textsOf(i).length > 0;
	const texts = items.filter((i) => i.role === 'user').flatMap(textsOf);
	const lastUser = items.map(isUser).lastIndexOf(true);
	const lastResult = items
		.map((i) => /_call_output$/.test(i.type || '')).lastIndexOf(true);
	return { text: texts[texts.length - 1] || '', texts,
		after: lastResult > lastUser,
		system: [body.instructions,
			...items.filter((i) => i.role === 'developer')],
		tools: (body.tools || []).flatMap((t) => t.tools ?
			t.tools.map((x) => `${t.name}__${x.name}`) :
			[t.name || t.type]) };
}

/* Outside of its sandbox, which is what it asks permission for. */
function tool(kind, arg, tools) {
	const ask = { sandbox_permissions: 'require_escalated',
		justification: 'a step' };
	if (kind !== 'bash')
		return null;
	if (tools.includes('exec_command'))
		return { name: 'exec_command', input: { cmd: arg, ...ask } };
	if (tools.includes('shell_command'))
		return { name: 'shell_command', input: { command: arg, ...ask } };
	return null;
}

function whole(body, said) {
	const input = said.usage.input + said.usage.read; /* both */
	/* An MCP server's tools are offered as a namespace. */
	const own = /^(mcp__.*)__(.*)$/.exec(said.name);
	const item = said.name ?
		{ type: 'function_call', id: newId('fc'), call_id: newId('call'),
			...(own ? { namespace: own[1], name: own[2] } :
				{ name: said.name }),
			arguments: JSON.stringify(said.input),
			status: 'completed' } :
		{ type: 'message', id: newId('msg'), role: 'assistant',
			status: 'completed', content: [{ type: 'output_text',
				text: said.text, annotations: [] }] };
	return { id: newId('resp'), object: 'response', created_at: 1,
		model: body.model, status: 'completed', output: [item],
		usage: { input_tokens: input, output_tokens: said.usage.output,
			total_tokens: input + said.usage.output,
			input_tokens_details: { cached_tokens: said.usage.read },
			output_tokens_details: { reasoning_tokens: 0 } } };
}

async function stream(res, body, said, pieces) {
	const response = whole(body, said), item = response.output[0];
	let n = 0;
	const send = (type, data) => res.write(`event: ${type}\ndata: ${
		JSON.stringify({ type, sequence_number: n++, ...data })}\n\n`);

	send('response.created', { response: { ...response, output: [],
		status: 'in_progress', usage: null } });
	send('response.output_item.added', { output_index: 0, item: {
		...item, status: 'in_progress',
		...(said.name ? { arguments: '' } : { content: [] }) } });
	for await (const piece of pieces) {
		if (res.destroyed)
			return;
		send('response.output_text.delta', { item_id: item.id,
			output_index: 0, content_index: 0, delta: piece });
	}
	send('response.output_item.done', { output_index: 0, item });
	send('response.completed', { response });
}

module.exports = { path: /\/responses$/, read, tool, whole, stream,
	streams: (url, body) => body.stream };
