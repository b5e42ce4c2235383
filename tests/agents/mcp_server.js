#!/usr/bin/env node
'use strict';
/*
 * mcp_server.js FILE [HOLD]: an MCP server on standard input and output, a
 * JSON object a line, for the tests of --mcp. It has one tool, `ask`, whose
 * answer nobody else knows: "the server says WORD, NEKOT": what is in FILE, and
 * the variable TOKEN of its environment from back to front, so that the value
 * can be looked for where it must not be. While a file HOLD is there it does
 * not finish starting: `initialize` is not answered. No dependencies.
 */
const fs = require('fs');
const readline = require('readline');

const reply = (id, result) => process.stdout.write(
	`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);

const methods = {
	initialize: (params) => ({
		protocolVersion: params.protocolVersion,
		capabilities: { tools: {} },
		serverInfo: { name: 'own', version: '1.0.0' } }),
	ping: () => ({}),
	'tools/list': () => ({ tools: [{ name: 'ask',
		description: 'Asks the server for its word.',
		inputSchema: { type: 'object', properties:
			{ question: { type: 'string' } }, required: ['question'] },
		annotations: { readOnlyHint: true } }] }),
	'tools/call': () => ({ content: [{ type: 'text', text: `the server says ${
		fs.readFileSync(process.argv[2], 'utf8').trim()}, ${
		[...process.env.TOKEN || ""].reverse().join("")}` }] }),
};

const hold = process.argv[3];
const pause = () => new Promise((done) => setTimeout(done, 50));

readline.createInterface({ input: process.stdin }).on('line', async (line) => {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined)
		return;
	while (hold && method === 'initialize' && fs.existsSync(hold))
		await pause();
	if (methods[method])
		reply(id, methods[method](params || {}));
	else
		process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id,
			error: { code: -32601, message: `no ${method} here` } })}\n`);
});
