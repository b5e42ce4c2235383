/* test_opencode_sse.c - a stream of events: lines, pieces, bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "opencode/sse.h"

static void note_event(void *ctx, const char *type, const char *data,
		       size_t len)
{
	assert_int_equal(strlen(data), len);
	buf_addf(ctx, "%s=%s;", type, data);
}

/* The events of text, fed in pieces of so many bytes. */
static char *events_of(const char *text, size_t len, size_t piece)
{
	struct buf out = {0};
	struct sse s = {.fn = note_event, .ctx = &out};

	for (size_t at = 0; at < len; at += piece)
		sse_feed(&s, text + at, len - at < piece ? len - at : piece);
	sse_finish(&s);
	return buf_steal(&out);
}

static void test_sse__reads_the_same_however_it_is_cut(void **state)
{
	static const char text[] =
	    "\xef\xbb\xbf: a comment\r\ndata: one\r\ndata: 1\r\n\r\n"
	    "event: x\rdata:two\rdata: and\r\r"
	    "id: 7\nretry: 1\ndata\n\nevent: lost\n\n"
	    "data: {\"a\": \"\xc3\xa4\"}\n\ndata: never ended\n";

	(void)state;
	for (size_t piece = 1; piece < sizeof text; piece++) {
		char *got = events_of(text, sizeof text - 1, piece);

		assert_string_equal(got, "message=one\n1;x=two\nand;message=;"
					 "message={\"a\": \"\xc3\xa4\"};");
		free(got);
	}
}

static void test_sse__skips_what_is_too_long_and_goes_on(void **state)
{
	struct buf text = {0}, out = {0};
	struct sse s = {.fn = note_event, .ctx = &out};
	char *much = mem_alloc(SSE_MAX + 2);

	(void)state;
	memset(much, 'x', SSE_MAX + 1);
	buf_addf(&text, "data: %s\n\n", much); /* one line */
	sse_feed(&s, text.data, text.len);
	much[SSE_MAX / 2] = '\0';
	buf_clear(&text);
	for (int i = 0; i < 3; i++) /* lines that are too many */
		buf_addf(&text, "data: %s\n", much);
	buf_adds(&text, "\ndata: after\n\n");
	sse_feed(&s, text.data, text.len);
	assert_string_equal(out.data, "message=after;");
	assert_int_equal(s.dropped, 2);
	assert_true(s.line.cap < 2 * SSE_MAX && s.data.cap < 2 * SSE_MAX);
	sse_finish(&s);
	buf_finish(&text);
	buf_finish(&out);
	free(much);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sse__reads_the_same_however_it_is_cut),
	    cmocka_unit_test(test_sse__skips_what_is_too_long_and_goes_on),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
