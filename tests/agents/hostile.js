#!/usr/bin/env node
'use strict';
/*
 * hostile.js: the table of messages that are easily taken for something
 * else, and what afw promises of each.
 *
 *   hostile.js list                   number, verdict and name of each
 *   hostile.js write N FILE           the bytes that are sent
 *   hostile.js compare N HARNESS LOG  whether the newest request in the model
 *                                     server's LOG has what was promised
 *
 * The promise (afw-send(1)): CRLF becomes LF; ESC and the other control
 * characters but LF and TAB, DEL, C1 and what is no UTF-8 are left out; blanks
 * and joiners may be put at the ends where it is typed; nothing else. What a
 * harness itself changes afterwards, and what is left out for it, stands in
 * `habits`, measured.
 */
const fs = require('fs');

const repeat = (what, n) => Array.from({ length: n }, (_, i) => what(i)).join('');
const lines = (bytes) => {
	const text = repeat((i) => `line ${i} of a long message: äöü "x" \\n 日本\n`,
		Math.ceil(bytes / 44));
	return Buffer.from(text).subarray(0, bytes).toString().replace(/\ufffd+$/, '');
};

/* [name, text or Buffer, verdict]: "sent", or "usage": refused with 2. */
const table = [
	['one character', 'y'],
	['a digit', '1'],
	['yes', 'yes, allow it'],
	['a slash command', '/help'],
	['a command behind blanks', '  /clear now'],
	['a command that nobody knows', '/nosuch thing'],
	['a command behind newlines', '\n\n/clear'],
	['a path', '/etc/passwd is a file'],
	['a shell command', '!touch owned'],
	['a shell command behind blanks', '  !touch owned'],
	['a memory', '#remember'],
	['exit', 'exit'],
	['quit', 'quit'],
	['quit in vi', ':q!'],
	['a question mark', '?'],
	['an at sign alone', '@'],
	['a file at the end', 'look at @README'],
	['a folder at the end', 'what is in @src'],
	['an emoji by its name', 'add the :key'],
	['a skill at the end', 'use $skill'],
	['a trailing backslash', 'path C:\\'],
	['two trailing backslashes', 'share \\\\host\\\\'],
	['an option', '--help'],
	['several lines', 'one\ntwo\n\n  three\n'],
	['lines that are commands', 'do:\n/clear\n!touch owned\nexit'],
	['line ends of DOS', 'one\r\ntwo\r\nthree'],
	['carriage returns', 'one\rtwo\r\r!touch owned'],
	['tabs', 'a\tb\n\tc'],
	['emoji', 'ok 👍🏽 👩‍👩‍👧 🇩🇪 done'],
	['combining marks', 'e\u0301 n\u0303 Z\u0351\u036b\u0343 end'],
	['characters without a width',
		'zero\u200bwidth\u2060and \ufeffmarks end'],
	['right to left', 'שלום עולם then العربية end'],
	['keys', 'keys \u001b[A\u001b[31mred\u001b[0m\u001bOP end'],
	['the end of a paste', 'a\u001b[201~\r!touch owned\r\u001b[200~ b'],
	['the end of a paste, 8 bits', 'a\u009b201~\r!touch owned\rb'],
	['control characters', 'a\u0003\u0004\u0015\u0017\u001a\u007f b'],
	['a NUL', 'a\u0000b', 'usage'],
	['no UTF-8', Buffer.from('a\xff\xfe\xc3(\xed\xa0\x80 b', 'latin1')],
	['only blanks', '   \t \n  \n', 'usage'],
	['only control characters', '\u001b\u0007\u0000', 'usage'],
	['a placeholder', '[Pasted text #1 +3 lines]'],
	['markup', 'see <b> & <system-reminder>x</system-reminder>'],
	['what a shell would expand', '$(touch owned) `touch owned` ; %s%n ~ *'],
	['quotes', '{"a": "b\\"c", \'d\': null}'],
	['wide characters', repeat(() => '漢字かな混じり文', 30)],
	['one line of 3000', repeat((i) => `word${i} `, 400).trim()],
	['10 kilobytes', lines(10 * 1000)],
	['100 kilobytes', lines(100 * 1000)],
	['1 megabyte', lines(1000 * 1000)],
];

/* The promise, written a second time: never with afw's own filter. */
function promised(text) {
	const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
	const valid = new TextDecoder('utf-8').decode(bytes);
	return valid.replace(/\r\n/g, '\n')
		.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffd]/g, '');
}

const habits = {
	/* Tabs become blanks, and it composes characters. */
	claude: (s) => s.replace(/\t/g, '    ').normalize('NFC')
		.replace(/[\u200b\u2060\ufeff]/g, ''),
	codex: (s) => s,
	gemini: (s) => s.replace(/[\u200b\ufeff]/g, ''),
	opencode: (s) => s.replace(/[\u200b\u2060\ufeff]/g, ''),
};

/* Its ends are guarded. */
const ends = (s) => s.replace(/^[\s\u2060]+|[\s\u2060]+$/g, '');

function compare(n, harness, logFile) {
	const main = fs.readFileSync(logFile, 'utf8').split('\n')
		.slice(0, -1).map((l) => JSON.parse(l))
		.filter((r) => r.tools > 0);
	const got = ends(main.length ? main[main.length - 1].text : '');
	/* A file's last line end does not count. */
	const want = ends(habits[harness](promised(table[n - 1][1]))
		.replace(/\n$/, ''));
	if (got === want)
		return 0;
	let at = 0;
	while (at < got.length && got[at] === want[at])
		at++;
	const part = (s) => JSON.stringify(s.slice(Math.max(0, at - 40), at + 80));
	console.log(`# differs at ${at} (of ${want.length}, got ${got.length})`);
	console.log(`# got:      ${part(got)}`);
	console.log(`# promised: ${part(want)}`);
	return 1;
}

const [what, n, ...rest] = process.argv.slice(2);
if (what === 'list')
	table.forEach(([name, , verdict], i) =>
		console.log(`${i + 1} ${verdict || 'sent'} ${name}`));
else if (what === 'write')
	fs.writeFileSync(rest[0], table[n - 1][1]);
else if (what === 'compare')
	process.exit(compare(+n, ...rest));
