'use strict';
/* gemini.js - Google's generateContent, as Gemini CLI speaks it. */
const crypto = require('crypto');

/* What the program adds of its own to the user's texts. */
const own = /^\s*(<session_context>|This is the Gemini CLI)/;

function textsOf(content) {
	const texts = (content.parts || [])
		.filter((p) => typeof p.text === 'string' && !own.test(p.text))
		.map((p) => p.text);
	/* Behind a text with @file comes the file. */
	const file = texts.findIndex((t) => /^\n--- Content from/.test(t));
	return file < 0 ? texts : texts.slice(0, file);
}

function read(body) {
	const contents = body.contents || [];
	const users = contents.filter((c) => c.role !== 'model');
	const texts = users.flatMap(textsOf);
	const last = contents[contents.length - 1] || {};
	return { text: texts[texts.length - 1] || '', texts,
		system: body.systemInstruction,
		after: (last.parts || []).some((p) => p.functionResponse) &&
			textsOf(last).length === 0,
		tools: (body.tools || []).flatMap((t) =>
			(t.functionDeclarations || []).map((f) => f.name)) };
}

function tool(kind, arg) {
	return kind === 'bash' ? { name: 'run_shell_command',
		input: { command: arg, description: 'a step' } } : null;
}

/* Its side requests want an object; these are all the keys they look for. */
const side = JSON.stringify({ reasoning: 'none', model_choice: 'flash',
	next_speaker: 'user', complexity_reasoning: 'none',
	complexity_score: 10 });

function chunk(body, { input, output, read }, parts, done) {
	return { candidates: [{ index: 0, content: { role: 'model', parts },
		...(done ? { finishReason: 'STOP' } : {}) }],
	modelVersion: body.model || 'model',
	responseId: crypto.randomBytes(9).toString('hex'),
	usageMetadata: { promptTokenCount: input + read,
		cachedContentTokenCount: read, candidatesTokenCount: output,
		totalTokenCount: input + read + output } };
}

function partOf(body, said) {
	const config = body.generationConfig || {};
	if (said.name)
		return { functionCall: { name: said.name, args: said.input } };
	return { text: config.responseMimeType === 'application/json' ?
		side : said.text };
}

function whole(body, said) {
	return chunk(body, said.usage, [partOf(body, said)], true);
}

async function stream(res, body, said, pieces) {
	const send = (data) => res.write(`data: ${JSON.stringify(data)}\n\n`);
	const part = partOf(body, said);

	if (said.name || part.text !== said.text)
		return send(chunk(body, said.usage, [part], true));
	for await (const piece of pieces) {
		if (res.destroyed)
			return undefined;
		send(chunk(body, said.usage, [{ text: piece }], false));
	}
	return send(chunk(body, said.usage, [{ text: '' }], true));
}

module.exports = { path: /\/models\/[^/]+:(streamG|g)enerateContent$/, read,
	tool, whole, stream, streams: (url) => url.includes(':stream') };
