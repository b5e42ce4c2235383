/* test_transcript.c - what is printed, as JSON, against a plain writer. */
#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "session/disk/transcript.h"
#include "support_scratch.h"
#include "support_unit.h"

FIXTURE(scratch_make, scratch_remove)

/* Character by character, as the format says. */
static void plain_json(struct buf *out, const char *data, size_t len)
{
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t cp = 0;

		n = utf8_decode(data + i, len - i, &cp);
		if (n == 0) {
			buf_adds(out, "\xef\xbf\xbd");
			n = 1;
		} else if (cp == '"' || cp == '\\') {
			buf_addf(out, "\\%c", (int)cp);
		} else if (cp >= '\b' && cp <= '\r' && cp != '\v') {
			buf_addf(out, "\\%c", "btn?fr"[cp - '\b']);
		} else if (cp < 0x20 || cp == 0x7f) {
			buf_addf(out, "\\u%04x", (unsigned)cp);
		} else {
			buf_add(out, data + i, n);
		}
	}
}

/* The text of the one event in the transcript. */
static char *written_text(void)
{
	_free_ char *path = file_join(scratch, "transcript");
	_buf_ struct buf all = {0};
	char *from, *end;

	assert_int_equal(file_read(AT_FDCWD, path, 1 << 20, &all, NULL), 0);
	from = strstr(all.data, ", \"o\", \"");
	assert_non_null(from);
	from += strlen(", \"o\", \"");
	end = all.data + all.len - strlen("\"]\n");
	assert_string_equal(end, "\"]\n");
	*end = '\0';
	return mem_strdup(from);
}

static void expect_same(const char *data, size_t len)
{
	struct transcript *t = transcript_open(scratch, 80, 24, 1 << 20, NULL);
	_free_ char *path = file_join(scratch, "transcript");
	_free_ char *text = NULL;
	_buf_ struct buf plain = {0};

	assert_non_null(t);
	transcript_output(t, data, len);
	transcript_close(t);
	text = written_text();
	plain_json(&plain, data, len);
	assert_string_equal(text, plain.data);
	unlink(path);
}

TEST(transcript__escapes_each_byte)
{
	char all[256];

	for (int i = 0; i < 256; i++)
		all[i] = (char)i;
	expect_same(all, sizeof all);
}

TEST(transcript__escapes_as_a_plain_writer_does)
{
	static const char *const parts[] = {
	    "\033[31m", "word", "a longer run of text", "\"", "\\",
	    "\r\n",	"\x7f", "\xe2\x94\x80",		"é",  "\xff",
	    "\xe2\x94", "\x05", "\xf0\x9f\x98\x80",	"\t", "\x80",
	};
	uint32_t seed = 1;

	for (int round = 0; round < 500; round++) {
		_buf_ struct buf in = {0};

		for (int i = 0; i < 100; i++) {
			seed = seed * 1103515245 + 12345;
			buf_adds(&in, parts[(seed >> 16) %
					    (sizeof parts / sizeof *parts)]);
		}
		expect_same(in.data, in.len);
	}
}
