/*
 * fuzz_transcript.c - the text of an event in a transcript is written in runs
 * of printable characters; here it is compared with a writer that looks at one
 * character at a time.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/utf8.h"
#include "session/disk/transcript.h"

#define DATA_MAX ((size_t)16 * 1024) /* is one event */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_plain(struct buf *out, const char *data, size_t len)
{
	static const char from[] = "\"\\\n\r\t\b\f", to[] = "\"\\nrtbf";
	uint32_t cp;

	for (size_t i = 0, n; i < len; i += n) {
		unsigned char c = (unsigned char)data[i];
		const char *escaped = c ? strchr(from, c) : NULL;

		n = c >= 0x80 ? utf8_decode(data + i, len - i, &cp) : 1;
		if (c >= 0x80 && n == 0)
			buf_adds(out, "\xef\xbf\xbd");
		else if (c >= 0x80)
			buf_add(out, data + i, n);
		else if (escaped)
			buf_addf(out, "\\%c", to[escaped - from]);
		else if (c < 0x20 || c == 0x7f)
			buf_addf(out, "\\u%04x", c);
		else
			buf_addc(out, data[i]);
		n = n ? n : 1;
	}
	buf_adds(out, "\"]\n");
}

/* Writes data as the only event of a new transcript, and reads its text. */
static void write_event(const char *data, size_t len, struct buf *text)
{
	char dir[] = "/tmp/afw-fuzz.XXXXXX", *path;
	struct err err;
	struct transcript *t =
	    mkdtemp(dir) ? transcript_open(dir, 80, 24, 1 << 20, &err) : NULL;

	if (!t)
		abort();
	transcript_output(t, data, len);
	transcript_close(t);
	path = file_join(dir, "transcript");
	if (file_read(AT_FDCWD, path, 1 << 20, text, &err) < 0)
		abort();
	unlink(path);
	rmdir(dir);
	free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char start[] = "\"o\", \"";
	size_t len = size < DATA_MAX ? size : DATA_MAX;
	struct buf plain = {0}, text = {0};
	const char *event;

	if (len == 0)
		return 0;
	put_plain(&plain, (const char *)data, len);
	write_event((const char *)data, len, &text);
	event = strstr(text.data, start);
	if (!event || strcmp(event + strlen(start), plain.data) != 0)
		abort();
	buf_finish(&plain);
	buf_finish(&text);
	return 0;
}
