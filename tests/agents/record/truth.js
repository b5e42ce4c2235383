#!/usr/bin/env node
'use strict';
/*
 * truth.js RAW TRUTH SECRET-DIR: a recording as `afw logs --record` made it,
 * with what others knew (TRUTH) beside it and the truth of it as markers.
 *
 * TRUTH has lines "<ms since 1970> SOURCE WORD JSON", in any order:
 *   server request|begin|answer|error|abort   the model server's
 *   hook EVENT                                the agent's own hooks
 *   journal EVENT                             its own record of the conversation
 *   act submit|approve|deny|esc|rest|gone|starts
 *                                             what the person at the keys does
 *   act expect {"activity", "output"}         from the moment that the terminal
 *                                             prints that (a pattern)
 * They become events of kind "e" {"event": "known", "by", "what"}, and these
 * rules make markers of kind "m" "activity=…" out of them, "activity=" alone
 * where nothing is known:
 *
 *   working            from when the agent took a message (its hook, the
 *                      request that it makes of it, or its own word by OSC
 *                      7501 after Enter, whichever is first), or a person
 *                      approved
 *   waiting_for_input  from when the agent's hook said that it asks
 *   completed          from when the agent's hook said that the turn is over
 *                      (without one: from the model's last word), unless the
 *                      agent makes another request before the person says
 *                      more: then a message was queued, and it goes on
 *
 * Of an agent without hooks: not known from when the person pressed Enter until
 * it asks the model, for it may not have read that yet; waiting_for_input from
 * when the terminal prints the question; and not known after the model's last
 * word, which it has yet to show (Copilot's journal ends a turn up to 0.7 s
 * before its busy row goes). Each for 1 s at most, and that it does not wait is
 * known all the same (tests/bench/score).
 *
 *   idle               from when the model saw the connection go away after
 *                      Esc; where there was none, from Esc
 *
 * Of frames that only turn a spinner most are left out: see thin().
 */
const fs = require('fs');

const [raw, known, secret] = process.argv.slice(2);
const lines = fs.readFileSync(raw, 'utf8').split('\n').filter((l) => l);
const header = JSON.parse(lines.shift());
const events = lines.map((l) => JSON.parse(l));
const start = header.afw_start_ms;
const DOUBT_MS = 1000;
const facts = fs.readFileSync(known, 'utf8').split('\n').filter((l) => l)
	.map((l) => {
		const [, t, by, what, rest] = /^(\d+) (\S+) (\S+) ?(.*)$/.exec(l);
		let more = {};
		try {
			more = JSON.parse(rest);
		} catch (e) {
			/* cut off, or none */
		}
		return { t: +t - start, by, what, more };
	}).sort((a, b) => a.t - b.t);

/* afw's own hooks are the agent's word as well. */
for (const [t, kind, data] of events) {
	const o = kind === 'e' ? JSON.parse(data) : {};
	if (o.event === 'hook')
		facts.push({ t: Math.round(t * 1000), by: 'hook', what: o.hook,
			more: o.payload || {}, ours: true });
	else if (o.event === 'sent') /* afw pressed Enter */
		facts.push({ t: Math.round(t * 1000), by: 'act',
			what: 'submit', more: {}, ours: true });
}
facts.sort((a, b) => a.t - b.t);

/* So is OSC 7501, once somebody has pressed Enter. */
for (const { t } of facts.filter((f) => f.by === 'act' && f.what === 'submit')) {
	const said = events.find(([at, kind, data]) => kind === 'o' &&
		at * 1000 >= t && data.includes('\x1b]7501;state=working'));
	if (said && said[0] * 1000 < t + 2000)
		facts.push({ t: Math.round(said[0] * 1000), by: 'osc7501',
			what: 'working', more: {}, ours: true });
}
facts.sort((a, b) => a.t - b.t);

const began = (f) => /^(UserPromptSubmit|BeforeAgent|prompt|user\.message)$/.test(f.what) ||
	(f.what === 'session.status' && (f.more.status || {}).type === 'busy');
/* end, asks: of afw's plugin in Kilo, which has no others. */
const ended = /^(Stop|StopFailure|AfterAgent|end|session\.(idle|error)|assistant\.turn_end|abort)$/;

function asks(f) {
	return f.what === 'PermissionRequest' || f.what === 'asks' ||
		(f.what === 'PreToolUse' &&
			f.more.tool_name === 'request_user_input') ||
		/^(permission|question)\.(asked|requested)$/.test(f.what) ||
		(f.what === 'Notification' &&
			f.more.notification_type === 'ToolPermission');
}

/* When the terminal printed it, from t on; words may come in any pieces. */
function printedAt(t, pattern) {
	const re = new RegExp(pattern);
	let text = '';
	for (const [at, kind, data] of events) {
		if (kind !== 'o' || at * 1000 < t)
			continue;
		text = (text + data).slice(-20000);
		/* eslint-disable-next-line no-control-regex */
		const plain = text.replace(/\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\x1b[()].|\x1b./g, ' ')
			.replace(/\s+/g, ' ');
		if (re.test(plain))
			return Math.round(at * 1000);
	}
	throw new Error(`never printed: ${pattern}`);
}

const markers = [];
let now = null, rest = 'idle';

function set(t, activity) {
	if (activity === now)
		return;
	if (activity === 'idle' || activity === 'completed')
		rest = activity;
	markers.push([t, activity || '']);
	now = activity;
}

const next = (i, test, within) => facts.slice(i + 1)
	.find((f) => f.t <= facts[i].t + within && test(f));
const isRequest = (f) => f.by === 'server' && f.what === 'request';
const later = [];
const hooked = facts.some((f) => f.by === 'hook');
facts.filter((f) => f.by === 'journal').forEach((f) => {
	f.by = 'hook';
});

/* The agent says that it has ended, and asks the model no more for it. */
function saysItEnded(i)
{
	const then = next(i, (f) => isRequest(f) || (f.by === 'hook' &&
		ended.test(f.what)), 15000);
	return then !== undefined && !isRequest(then);
}

/* OpenCode says so twice of a turn with an error: it is wound up in between,
 * and takes no message. */
function again(end)
{
	const i = facts.indexOf(end);
	const failed = facts.slice(0, i).reverse().find((f) => f.t > end.t - 1000 &&
		f.what === 'session.error');
	return failed && next(i, (f) => f.what === 'session.idle', 5000) || end;
}

/* The turn's last word: it is over when the agent says so. */
function over(i, within) {
	const end = next(i, (f) => isRequest(f) || (f.by === 'hook' &&
		ended.test(f.what)), within);
	const t = end && !isRequest(end) ? again(end).t : facts[i].t;
	const then = next(i, (f) => f.t > facts[i].t && (isRequest(f) ||
		(f.by === 'act' && f.what === 'submit')), 60000);
	if (!then || !isRequest(then) || then.t > t + 5000) {
		if (!hooked)
			later.push([t, null], [t + DOUBT_MS, 'completed']);
		else
			later.push([t, 'completed']);
	}
}

/* It asks the model again before the person says more. */
function goesOn(i)
{
	const then = next(i, (f) => isRequest(f) || (f.by === 'act' &&
		/^(submit|esc)$/.test(f.what)), 60000);
	return then !== undefined && isRequest(then);
}

facts.forEach((f, i) => {
	later.sort((a, b) => a[0] - b[0]);
	while (later.length > 0 && later[0][0] <= f.t)
		set(...later.shift());
	if (f.by === 'server') {
		if (f.what === 'request' && now !== 'waiting_for_input')
			set(f.t, 'working');
		else if (f.what === 'answer' && !f.more.tool)
			over(i, 15000);
		else if (f.what === 'error' && saysItEnded(i))
			over(i, 15000);
		else if (f.what === 'error' && !hooked)
			goesOn(i) || over(i, 15000);
		else if (f.what === 'error' &&
			!next(i, (g) => isRequest(g) ||
				(g.by === 'act' && g.what === 'esc'), 60000) ||
			(f.what === 'error' && next(i, (g) => g.by === 'act' &&
				g.what === 'submit', 60000) &&
				!next(i, isRequest, 18000)))
			over(i, 15000);
		else if (f.what === 'abort' && now === 'working' &&
			facts.some((g) => g.by === 'act' && g.what === 'esc' &&
				g.t <= f.t && g.t > f.t - 4000))
			set(f.t, 'idle');
	} else if (f.by === 'osc7501') {
		if (now !== 'waiting_for_input')
			set(f.t, 'working');
	} else if (f.by === 'hook') {
		if (began(f) && now !== 'waiting_for_input')
			set(f.t, 'working');
		else if (asks(f))
			set(f.t, 'waiting_for_input');
	} else if (f.what === 'submit' && !hooked && now !== 'working') {
		set(f.t, null);
		if (!next(i, isRequest, DOUBT_MS))
			later.push([f.t + DOUBT_MS, 'working']);
	} else if (f.what === 'approve') {
		set(f.t, 'working');
	} else if (f.what === 'esc') {
		const end = now === 'waiting_for_input' && next(i, (g) =>
			g.by === 'hook' && ended.test(g.what), 5000);
		if (end) { /* OpenCode says when it is done with a "no" */
			set(f.t, 'working');
			later.push([end.t, 'idle']);
		} else if (now === 'waiting_for_input' && !hooked &&
			goesOn(i)) { /* it tells the model */
			set(f.t, 'working');
		} else if (now === 'waiting_for_input' ||
			!next(i, (g) => g.by === 'server' && g.what === 'abort', 4000)) {
			set(f.t, 'idle');
		}
	} else if (f.what === 'rest') {
		set(f.t, rest);
	} else if (f.what === 'gone' || f.what === 'starts') {
		set(f.t, null);
	} else if (f.what === 'expect') {
		later.push([printedAt(f.t, f.more.output), f.more.activity]);
	}
});
later.sort((a, b) => a[0] - b[0]).forEach((m) => set(...m));

/* -- out --------------------------------------------------------------- */

/* Names of the test's world, by others of the same length. */
const world = (text) => text.split(secret)
	.join(secret.replace(/[^/]*$/, (n) => `afw.${'0'.repeat(n.length - 4)}`));

/* Of what a hook brings nobody reads this. */
const UNUSED = /^(transcript_path|cwd|timestamp|hook_event_name)$/;

function short(value) {
	if (typeof value === 'string')
		return value.length > 200 ? value.slice(0, 200) : value;
	if (Array.isArray(value))
		return value.slice(0, 20).map(short);
	if (value && typeof value === 'object')
		return Object.fromEntries(Object.entries(value)
			.filter(([k]) => !UNUSED.test(k))
			.map(([k, v]) => [k, short(v)]));
	return value;
}

/*
 * A frame that erases all that the one before it drew, and is erased so
 * itself by the next: without it the screen is the same. Where it has the
 * words of the one before it, one stays in 480 ms.
 * It may come in several reads. What kind of frame it is stands in key: the
 * whole screen's; or so many rows', and then the one before it must have been
 * of that kind as well, for the rows to be the same.
 */
const FRAME_MS = 480, SAME_MS = 1920;
const WHOLE = '\x1b[2J\x1b[3J\x1b[H';
/* eslint-disable no-control-regex */
const ROWS = /^(?:\x1b\[\d*[AB])?(?:\x1b\[2K(?:\x1b\[1A)?)+\x1b\[G/;
const SEQUENCE = /\x1b\[[0-9;]*[A-Za-z]/g;
const TAIL = /(?:\x1b\[\d*[A-G])*$/;
const MORE = /\x1b(?!\[[0-9;]*m)/;
/* eslint-enable no-control-regex */

function frameKey(data) {
	const last = data.lastIndexOf(WHOLE);
	const head = last >= 0 ? [data.slice(0, last + WHOLE.length)] :
		ROWS.exec(data);
	if (!head || (last > 0 && !data.startsWith(WHOLE)))
		return null;
	const body = data.slice(head[0].length), tail = TAIL.exec(body)[0];
	if (MORE.test(body.slice(0, body.length - tail.length)))
		return null;
	return last >= 0 ? 'whole' :
		[head[0], tail, body.split('\n').length].join();
}

/* What is said in the lower rows, without spinners and counters. */
const words = (frame) => frame.data.split('\n').slice(-12).join()
	.replace(SEQUENCE, '').replace(/[^A-Za-z]+/g, ' ');

function frames(list) {
	const found = [];

	for (const e of list) {
		const before = found[found.length - 1];
		const starts = e[1] !== 'o' || e[2].startsWith(WHOLE) ||
			ROWS.test(e[2]);
		if (before && before.key && !starts && e[0] - before.t < 0.1 &&
			!TAIL.exec(before.data)[0] && frameKey(before.data + e[2])) {
			before.data += e[2];
			before.events.push(e);
			before.key = frameKey(before.data);
			continue;
		}
		found.push({ t: e[0], data: e[2], events: [e],
			key: e[1] === 'o' ? frameKey(e[2]) : null });
	}
	return found;
}

function thin(list) {
	const all = frames(list), kept = [];
	let last = 0;

	all.forEach((f, i) => {
		const before = all[i - 1], then = all[i + 1];
		if (f.key && then && then.key === f.key &&
			before && words(before) === words(f) &&
			(f.key === 'whole' || before.key === f.key) &&
			(f.t - last) * 1000 < FRAME_MS &&
			(then.t - f.t) * 1000 < FRAME_MS)
			return;
		kept.push(...f.events);
		if (f.events[0][1] === 'o')
			last = f.t;
	});
	return kept;
}

/*
 * The same for those who write only the cells that change, in one update
 * (2026) that leaves no attribute behind: a frame all of whose cells are
 * written again within 480 ms. What is above such a frame in the same read (a
 * title) stays. Characters that may be wide are not counted on.
 */
/* eslint-disable no-control-regex */
const UPDATE = /^((?:\x1b\][02];[^\x07\x1b]*\x07)*)\x1b\[\?2026h\x1b\[\?25l((?:\x1b\[\d+;\d+H|\x1b\[[0-9;]*m|[ -~·•…›─-◿⠀-⣿⬝])*)\x1b\[0m(?:\x1b\[\d+;\d+H)?(?:\x1b\[\?25h)?\x1b\[\?2026l$/u;
const TITLE = /^(?:\x1b\][02];[^\x07\x1b]*\x07)*$/;
/* eslint-enable no-control-regex */

function cells(update) {
	const found = [];
	let row = 0, col = 0;

	/* eslint-disable-next-line no-control-regex */
	for (const [part, y, x] of update.matchAll(/\x1b\[(\d+);(\d+)H|\x1b\[[0-9;]*m|./gu))
		if (y)
			[row, col] = [+y, +x];
		else if (part[0] !== '\x1b')
			found.push(`${row};${col++}`);
	return found;
}

function thinUpdates(list) {
	const kept = [];
	let again = new Map();

	for (const [t, kind, data] of [...list].reverse()) {
		const m = kind === 'o' && UPDATE.exec(data);
		const written = m ? cells(m[2]) : [];
		if (m && written.every((c) => again.has(c) &&
			(again.get(c) - t) * 1000 < FRAME_MS)) {
			if (m[1])
				kept.push([t, kind, m[1]]);
			continue;
		}
		kept.push([t, kind, data]);
		if (kind === 'r' || (kind === 'o' && !m && !TITLE.test(data)))
			again = new Map();
		written.forEach((c) => again.set(c, t));
	}
	return kept.reverse();
}

/*
 * And for those who go up and draw some rows again: a frame that says the same
 * as the ones before and after it, but for a spinner, a count and colours. It
 * may come in several reads; it ends in the row where it began.
 */
/* eslint-disable no-control-regex */
const STYLE = /\x1b\[[0-9;]*m|\x1b\]8;;\x07/g;
const TURNS = /[⠀-⣿○◎◉●⊶⊷≡=-]/gu;
const MOVES = /\x1b\[(\d*)([AB])|\n/g;
/* eslint-enable no-control-regex */

function climbs(data) {
	let up = 0;
	for (const [, n, way] of data.matchAll(MOVES))
		up += way === 'A' ? +(n || 1) : way === 'B' ? -(n || 1) : -1;
	return up;
}

function sameFrames(list) {
	const found = [];

	for (const e of list) {
		const before = found[found.length - 1];
		if (before && e[1] === 'o' && climbs(before.data) > 0 &&
			e[0] - before.t < 0.1) {
			before.data += e[2];
			before.events.push(e);
		} else {
			found.push({ t: e[0], events: [e],
				data: e[1] === 'o' ? e[2] : '' });
		}
	}
	for (const f of found)
		if (/\x1b\[\d*A/.test(f.data) && climbs(f.data) === 0)
			f.key = f.data.replace(STYLE, '').replace(TURNS, '*')
				.replace(/(?<!\x1b\[[0-9;]*)\d+/g, '0');
	return found;
}

function thinSame(list) {
	const all = sameFrames(list);
	let last = 0;

	return all.filter((f, i) => {
		const before = all[i - 1], then = all[i + 1];
		if (f.key && before && then && before.key === f.key &&
			then.key === f.key && (f.t - last) * 1000 < SAME_MS &&
			(then.t - f.t) * 1000 < FRAME_MS)
			return false;
		last = f.t;
		return true;
	}).flatMap((f) => f.events);
}

/* A rule that sets its colour again for each of its cells. */
/* eslint-disable-next-line no-control-regex */
const RULE = /(\x1b\[38;2;[0-9;]+m)─(?:\x1b\[39m\1─)+/g;
const plainRules = (text) => text.replace(RULE, (all, colour) =>
	colour + '─'.repeat(all.split('─').length - 1));

/* The process was looked at every second; one look in 5 s stays. */
let looked = -5;

function isOften([t, kind, data]) {
	if (kind !== 'e' || JSON.parse(data).event !== 'process')
		return false;
	if (t - looked < 5)
		return true;
	looked = t;
	return false;
}

const out = thinSame(thinUpdates(thin(events))).filter((e) => e[1] !== 'm' &&
	!isOften(e)).map(([t, kind, data]) =>
	[Math.round(t * 1000), kind, kind === 'e' ?
		JSON.stringify(short(JSON.parse(data))) :
		kind === 'o' ? plainRules(data) : data]);
for (const f of facts)
	if (!f.ours)
		out.push([f.t, 'e', JSON.stringify({ event: 'known', by: f.by,
			what: f.what })]);
for (const [t, activity] of markers)
	out.push([t, 'm', `activity=${activity}`]);

/* At the same time the truth is first; what was before the start is at 0. */
const order = { m: 0, e: 1, r: 2, o: 3 };
delete header.afw_start_ms;
console.log(world(JSON.stringify(header)));
out.map((e, i) => [Math.max(0, e[0]), ...e.slice(1), i])
	.sort((a, b) => a[0] - b[0] ||
		(a[1] === 'm' || b[1] === 'm' ? order[a[1]] - order[b[1]] : 0) ||
		a[3] - b[3])
	.forEach(([t, kind, data]) => console.log(world(
		`[${(t / 1000).toFixed(3)}, "${kind}", ${JSON.stringify(data)}]`)));
