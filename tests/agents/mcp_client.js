#!/usr/bin/env node
'use strict';
/*
 * mcp_client.js NODE_MODULES RESULT: an agent that tries its MCP server `afw`
 * with the reference client (@modelcontextprotocol/sdk), which checks each
 * answer by the protocol's schemas. Writes into the file RESULT a line "ok
 * WHAT" or "not ok WHAT: WHY" for each claim, and "end".
 */
const fs = require('fs');
const assert = require('assert');
const path = require('path');

const [modules, result] = process.argv.slice(2);
const sdk = (file) => require(
	path.join(modules, '@modelcontextprotocol/sdk/dist/cjs', file));
const { Client } = sdk('client/index.js');
const { StdioClientTransport } = sdk('client/stdio.js');
const { SUPPORTED_PROTOCOL_VERSIONS, ErrorCode, EmptyResultSchema } =
	sdk('types.js');
const Ajv = require(path.join(modules, 'ajv')).default;

/* What afw knows of them: afw-tools(8). To who speaks another, the newest. */
const OURS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/* What each tool is called with; null: with nothing. */
const GOOD = {
	af_subtask_state: { state: 'working', detail: 'tries its tools' },
	af_spec_read: null,
	af_context_search: { query: 'line 7', limit: 1 },
	af_context_get: { name: 'lines', line: 7 },
	af_memory_note: { text: 'Tools are fine.' },
	af_memory_recall: { query: 'tools', limit: 1 },
	af_issues: { action: 'search', query: 'open' },
	af_ci_status: null,
	af_sessions: null,
	af_message: { to: 'other', text: 'hello' },
	af_wait: { seconds: 1 },
};

async function claim(what, check) {
	try {
		await check();
		fs.appendFileSync(result, `ok ${what}\n`);
	} catch (error) {
		const why = String(error && error.message).replace(/\s+/g, ' ');
		fs.appendFileSync(result, `not ok ${what}: ${why}\n`);
	}
}

/* A client that has said hello; its errors, and the version that is spoken. */
async function connect(version) {
	/* The client hands on little of its environment: what afw-mcp(1) says
	 * is enough. */
	const transport = new StdioClientTransport({ command: 'afw',
		args: ['mcp'], env: { AF_DOOR: process.env.AF_DOOR } });
	const client = new Client({ name: 'reference', version: '1' });
	const send = transport.send.bind(transport);
	const seen = { errors: [] };

	transport.send = (message) => send(message.method !== 'initialize' ?
		message : { ...message, params:
			{ ...message.params, protocolVersion: version } });
	transport.setProtocolVersion = (spoken) => { seen.version = spoken; };
	client.onerror = (error) => seen.errors.push(error.message);
	await client.connect(transport);
	return { client, seen };
}

const text = (answer) => answer.content[0].text;

async function versions() {
	for (const version of SUPPORTED_PROTOCOL_VERSIONS)
		await claim(`the version ${version}`, async () => {
			const { client, seen } = await connect(version);
			await client.ping();
			assert.strictEqual(seen.version,
				OURS.includes(version) ? version : OURS[0]);
			assert.strictEqual(client.getServerVersion().name, 'afw');
			assert((await client.listTools()).tools.length > 0);
			await client.close();
			assert.deepStrictEqual(seen.errors, []);
		});
}

/* Arguments that its schema refuses. */
function* mistakes(tool, good) {
	yield { ...good, nonsense: 1 };
	for (const name of tool.inputSchema.required)
		yield Object.fromEntries(Object.entries(good)
			.filter(([key]) => key !== name));
	for (const name of Object.keys(tool.inputSchema.properties))
		yield { ...good, [name]: [] };
}

async function tools() {
	const { client, seen } = await connect(OURS[0]);
	const { tools } = await client.listTools();

	await claim('all tools are listed', () => assert.deepStrictEqual(
		tools.map((tool) => tool.name).sort(), Object.keys(GOOD).sort()));
	for (const tool of tools)
		await claim(`${tool.name}, rightly and wrongly called`, async () => {
			const { name } = tool, good = GOOD[name] || {};
			const fits = new Ajv().compile(tool.inputSchema);
			const call = GOOD[name] ? { name, arguments: good } : { name };
			const answer = await client.callTool(call);
			assert(!answer.isError, text(answer));
			assert(fits(good), 'its schema refuses what it takes');
			for (const bad of mistakes(tool, good)) {
				const said = JSON.stringify(bad);
				assert(!fits(bad), `its schema takes ${said}`);
				assert((await client.callTool({ name, arguments: bad }))
					.isError, `it takes ${said}`);
			}
		});
	await claim('nothing of it was against the protocol',
		() => assert.deepStrictEqual(seen.errors, []));
	await client.close();
}

async function errors() {
	const { client, seen } = await connect(OURS[0]);

	await claim('a tool that is not there', () => assert.rejects(
		client.callTool({ name: 'af_spec_raed' }),
		{ code: ErrorCode.InvalidParams, message: /af_spec_read/ }));
	await claim('a method that is not there', () => assert.rejects(
		client.request({ method: 'prompts/list' }, EmptyResultSchema),
		{ code: ErrorCode.MethodNotFound }));
	await claim('twenty calls at once, each with its own answer', async () => {
		const lines = [...Array(20).keys()].map((i) => i + 1);
		const answers = await Promise.all(lines.map((line) =>
			client.callTool({ name: 'af_context_get',
				arguments: { name: 'lines', line } })));
		lines.forEach((line, i) => assert.strictEqual(
			text(answers[i]).split('\n')[0], `line ${line}`));
	});
	await claim('a call that is taken back, and the next', async () => {
		const stop = new AbortController();
		const call = client.callTool({ name: 'af_issues',
			arguments: { action: 'search', query: 'wait' } }, undefined,
		{ signal: stop.signal });
		stop.abort('enough');
		await assert.rejects(call, /enough/);
		fs.writeFileSync(`${result}.go`, '');
		await client.ping();
	});
	await claim('of which nothing else was against the protocol', () => assert(
		seen.errors.every((e) => /unknown message ID/.test(e)), seen.errors));
	await client.close();
}

(async () => {
	await claim('every version was tried', versions);
	await claim('and every tool', tools);
	await claim('and what goes wrong', errors);
	fs.appendFileSync(result, 'end\n');
})();
