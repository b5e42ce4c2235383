/*
 * test_screen_stream.c - what becomes of the stream: queries are answered,
 * titles and the like are told, clients get all else byte for byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "screen/screen.h"
#include "support_screen.h"

/* Feeds in; a query is expected to leave nothing for clients. */
static void expect_reply(const char *in, const char *reply)
{
	struct tape t;

	tape_init(&t);
	screen_feed(t.s, in, strlen(in));
	assert_string_equal(t.reply.data, reply);
	assert_string_equal(t.pass.data, "");
	tape_finish(&t);
	tape_splits_alike(in, strlen(in));
}

static void expect_notes(const char *in, const char *notes, const char *pass)
{
	struct tape t;

	tape_init(&t);
	screen_feed(t.s, in, strlen(in));
	assert_string_equal(t.notes.data, notes);
	assert_string_equal(t.pass.data, pass);
	tape_finish(&t);
	tape_splits_alike(in, strlen(in));
}

static void test_screen_stream__answers_what_a_terminal_is_asked(void **state)
{
	(void)state;
	expect_reply("\033[c", "\033[?62;22c");
	expect_reply("\033[0c", "\033[?62;22c");
	expect_reply("\033Z", "\033[?62;22c");
	expect_reply("\033[>c", "\033[>1;0;0c");
	expect_reply("\033[>0q", "\033P>|afw " AFW_VERSION "\033\\");
	expect_reply("\033[5n", "\033[0n");
	expect_reply("\033[6n", "\033[1;1R");
	expect_reply("\033[?6n", "\033[?1;1R");
	expect_reply("\033[?996n", "\033[?997;1n");
	expect_reply("\033[?u", "\033[?0u");
	expect_reply("\033[?2026$p", "\033[?2026;2$y");
	expect_reply("\033[?25$p", "\033[?25;1$y");
	expect_reply("\033[?7777$p", "\033[?7777;0$y");
	expect_reply("\033[4$p", "\033[4;2$y");
	expect_reply("\033[18t", "\033[8;5;20t");
	expect_reply("\033[?4m", "\033[>4;0m");
	expect_reply("\033]7501;?\a", "\033]7501;?\033\\");
	expect_reply("\033]7501;?\033\\", "\033]7501;?\033\\");
	expect_reply("\033]10;?\a", "\033]10;rgb:ffff/ffff/ffff\a");
	expect_reply("\033]11;?\033\\", "\033]11;rgb:0000/0000/0000\033\\");
	expect_reply("\033]10;?;?\a", "\033]10;rgb:ffff/ffff/ffff\a"
				      "\033]11;rgb:0000/0000/0000\a");
	expect_reply("\033]4;1;?;196;?\a", "\033]4;1;rgb:cdcd/0000/0000\a"
					   "\033]4;196;rgb:ffff/0000/0000\a");
	expect_reply("\033P+q544e\033\\", "\033P0+r\033\\");
	expect_reply("\033P$q q\033\\", "\033P1$r0 q\033\\");
	expect_reply("\033P$qr\033\\", "\033P1$r1;5r\033\\");
	expect_reply("\033P$qm\033\\", "\033P1$r0m\033\\");
	expect_reply("\033P$q\"p\033\\", "\033P0$r\033\\");
}

static void test_screen_stream__keeps_queries_it_cannot_answer(void **state)
{
	(void)state;
	expect_reply("\033]52;c;?\a", "");
	expect_reply("\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\", "");
	expect_reply("\033[14t", "");
	expect_reply("\033[21t", "");
	expect_reply("\033[x", "");
	expect_reply("\033[?1;1;0S", "");
	expect_reply("\005", "");
}

static void test_screen_stream__answers_in_the_order_of_the_stream(void **state)
{
	struct tape t;
	const char in[] = "ab\033[6n\r\ncde\033[6n\033[c\033[?1u\033[?u"
			  "\033[2;4r\033[?6h\033[2;3H\033[6nx";

	(void)state;
	tape_init(&t);
	screen_feed(t.s, in, strlen(in));
	assert_string_equal(t.reply.data, "\033[1;3R\033[2;4R\033[?62;22c"
					  "\033[?0u\033[?0u\033[2;3R");
	assert_string_equal(t.pass.data, "ab\r\ncde\033[2;4r\033[?6h"
					 "\033[2;3Hx");
	screen_expect_row(t.s, 2, "  x");
	tape_finish(&t);
	tape_splits_alike(in, strlen(in));
}

static void test_screen_stream__passes_all_else_byte_for_byte(void **state)
{
	static const char *const cases[] = {
	    "plain\ttext\r\n",
	    "\033[1;31mred\033[0m",
	    "\033]8;;http://x/\033\\link\033]8;;\a",
	    "\033]52;c;aGVsbG8=\a",
	    "\033]10;#ffffff\a\033]4;1;rgb:1/2/3\033\\",
	    "\033_Ga=T,f=100;AAAA\033\\",
	    "\033Pq#0;2;0;0;0~-\033\\",
	    "\033[>1u\033[<u\033[=5;1u\033[>4;2m",
	    "\033[?2004h\033[?1049h\033[?1006;1003h\033[?1049l",
	    "\033(0lqk\033(B\033=\033>\0337\0338\033M",
	    "\033[22;0t\033[23t",
	    "\xe4\xb8\x96\xc3\xa9\xf0\x9f\x98\x80",
	    "\x9b\x31m\xff\xc3\x28",
	    "\033[3\x18m\033]0;x\x1a",
	    "\033X\033\\\033^pm\033\\",
	    "\033[>0;1;2p",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tape t;

		tape_init(&t);
		screen_feed(t.s, cases[i], strlen(cases[i]));
		assert_string_equal(t.pass.data, cases[i]);
		assert_string_equal(t.reply.data, "");
		tape_finish(&t);
		tape_splits_alike(cases[i], strlen(cases[i]));
	}
}

static void
test_screen_stream__drops_what_a_new_sequence_breaks_off(void **state)
{
	struct tape t;
	/* Were `ESC[3` passed, the query's removal would complete it. */
	const char in[] = "\033[3\033[cm|\033]2;a\033[cb|";

	(void)state;
	tape_init(&t);
	screen_feed(t.s, in, strlen(in));
	assert_string_equal(t.pass.data, "m|b|");
	assert_string_equal(t.reply.data, "\033[?62;22c\033[?62;22c");
	screen_expect_row(t.s, 0, "m|b|");
	tape_finish(&t);
	tape_splits_alike(in, strlen(in));
}

static void test_screen_stream__drops_window_manipulation(void **state)
{
	struct tape t;

	(void)state;
	tape_init(&t);
	tape_feed(&t, "a\033[8;10;10t\033[2t\033[3;0;0tb");
	assert_string_equal(t.pass.data, "ab");
	tape_finish(&t);
}

static void test_screen_stream__bounds_what_it_holds(void **state)
{
	struct tape t;
	struct buf in = {0};

	(void)state;
	buf_adds(&in, "\033]52;c;");
	for (int i = 0; i < 5000; i++)
		buf_adds(&in, "QUJD");
	buf_adds(&in, "\ax\033]2;");
	for (int i = 0; i < 5000; i++)
		buf_adds(&in, "long");
	buf_adds(&in, "\033[6ny\033[");
	for (int i = 0; i < 5000; i++)
		buf_adds(&in, "1;");
	buf_adds(&in, "mz");
	for (size_t step = 1; step <= in.len; step = step * 7 + 1) {
		tape_init(&t);
		for (size_t i = 0; i < in.len; i += step)
			screen_feed(t.s, in.data + i,
				    in.len - i < step ? in.len - i : step);
		screen_expect_row(t.s, 0, "xyz");
		assert_string_equal(t.reply.data, "\033[1;2R");
		assert_memory_equal(t.pass.data, in.data, 20000);
		/* The broken-off string was begun: it is ended for clients. */
		assert_non_null(strstr(t.pass.data, "\033\\yz"));
		tape_finish(&t);
	}
	buf_finish(&in);
}

/* A client that comes in the midst of a long string must not show its rest. */
static void test_screen_stream__redraws_within_a_long_string(void **state)
{
	static const char *const starts[] = {"\033]52;c;", "\033Pq",
					     "\033_Ga;"};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct tape t;
		struct buf out = {0};
		struct screen *late =
		    screen_create(TAPE_COLS, TAPE_ROWS, 0, NULL);

		tape_init(&t);
		tape_feed(&t, "text");
		tape_feed(&t, starts[i]);
		for (int k = 0; k < 10000; k++)
			tape_feed(&t, "A");
		screen_redraw(t.s, 0, &out);
		screen_feed(late, out.data, out.len);
		buf_clear(&t.pass);
		tape_feed(&t, i == 0 ? "AAA\a+" : "AAA\033\\+");
		screen_feed(late, t.pass.data, t.pass.len);
		screen_expect_row(late, 0, "text+");
		screen_destroy(late);
		buf_finish(&out);
		tape_finish(&t);
	}
}

static void test_screen_stream__reports_titles_and_status(void **state)
{
	struct tape t;
	struct buf in = {0};

	(void)state;
	expect_notes("\033]0;one\a\033]2;two\033\\\033]1;icon\a",
		     "title=one;title=two;",
		     "\033]0;one\a\033]2;two\033\\\033]1;icon\a");
	expect_notes("\033]2;a\tb\xffg\a", "title=a b?g;",
		     "\033]2;a\tb\xffg\a");
	expect_notes("\033]7501;state=working:app=x\033\\",
		     "status=state=working:app=x;",
		     "\033]7501;state=working:app=x\033\\");
	expect_notes("\033]9;done now\a", "notify=done now;",
		     "\033]9;done now\a");
	expect_notes("\033]9;4;1;50\a", "", "\033]9;4;1;50\a");
	expect_notes("\033]777;notify;T;body\a", "notify=T: body;",
		     "\033]777;notify;T;body\a");
	expect_notes("a\ab", "bell;", "a\ab");

	/* A title is at most 255 bytes, whole characters. */
	buf_adds(&in, "\033]2;x");
	for (int i = 0; i < 300; i++)
		buf_adds(&in, "\xc3\xa9");
	buf_adds(&in, "\a");
	tape_init(&t);
	screen_feed(t.s, in.data, in.len);
	assert_int_equal(strlen(screen_title(t.s)), 255);
	tape_finish(&t);

	buf_finish(&in);
}

/* Claude Code's, with 2 KiB of a command that it asks for, is one; of more
 * than 4 KiB it is nobody's. */
static void test_screen_stream__bounds_a_status(void **state)
{
	struct buf in = {0};
	struct tape t;

	(void)state;
	for (int n = 4096; n <= 4097; n++) {
		buf_clear(&in);
		buf_adds(&in, "\033]7501;");
		for (int i = 0; i < n; i++)
			buf_addc(&in, 'x');
		buf_adds(&in, "\a");
		tape_init(&t);
		screen_feed(t.s, in.data, in.len);
		assert_int_equal(t.notes.len,
				 n > 4096 ? 0 : strlen("status=;") + 4096);
		tape_finish(&t);
	}
	buf_finish(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		test_screen_stream__answers_what_a_terminal_is_asked),
	    cmocka_unit_test(
		test_screen_stream__keeps_queries_it_cannot_answer),
	    cmocka_unit_test(
		test_screen_stream__answers_in_the_order_of_the_stream),
	    cmocka_unit_test(test_screen_stream__passes_all_else_byte_for_byte),
	    cmocka_unit_test(
		test_screen_stream__drops_what_a_new_sequence_breaks_off),
	    cmocka_unit_test(test_screen_stream__drops_window_manipulation),
	    cmocka_unit_test(test_screen_stream__bounds_what_it_holds),
	    cmocka_unit_test(test_screen_stream__redraws_within_a_long_string),
	    cmocka_unit_test(test_screen_stream__reports_titles_and_status),
	    cmocka_unit_test(test_screen_stream__bounds_a_status),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
