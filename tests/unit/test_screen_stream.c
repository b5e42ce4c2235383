/* test_screen_stream.c - the handling of the stream: queries are answered,
 * titles and the like are reported, clients get what is allowed. */
#include "base/version.h"
#include "screen/screen.h"
#include "support_screen.h"
#include "support_unit.h"

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

TEST(screen_stream__answers_what_a_terminal_is_asked)
{
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

TEST(screen_stream__keeps_queries_it_cannot_answer)
{
	expect_reply("\033]52;c;?\a", "");
	expect_reply("\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\", "");
	expect_reply("\033[14t", "");
	expect_reply("\033[21t", "");
	expect_reply("\033[x", "");
	expect_reply("\033[?1;1;0S", "");
	expect_reply("\005", "");
}

TEST(screen_stream__answers_in_the_order_of_the_stream)
{
	struct tape t;
	const char in[] = "ab\033[6n\r\ncde\033[6n\033[c\033[?1u\033[?u"
			  "\033[2;4r\033[?6h\033[2;3H\033[6nx";

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

TEST(screen_stream__passes_what_is_allowed_byte_for_byte)
{
	static const char *const cases[] = {
	    "plain\ttext\r\n",
	    "\033[1;31mred\033[0m",
	    "\033]8;;http://x/\033\\link\033]8;;\a",
	    "\033[>1u\033[<u\033[=5;1u\033[>4;2m",
	    "\033[?2004h\033[?1049h\033[?1006;1003h\033[?1049l",
	    "\033(0lqk\033(B\033=\033>\0337\0338\033M",
	    "\xe4\xb8\x96\xc3\xa9\xf0\x9f\x98\x80",
	    "\xc2\xb7 \xc2\xa0\xc2\xbf",
	    "\033]9;done\a\033]777;notify;T;body\033\\",
	    "\033[4h\033[20l\033[?1007h\033[!p\033[4 q\033[2J\033[1K",
	};

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

/* What a client gets of it; the text around it always. */
static void passes(const char *in, const char *want)
{
	struct tape t;

	tape_init(&t);
	tape_feed(&t, "<");
	tape_feed(&t, in);
	tape_feed(&t, ">");
	t.pass.data[t.pass.len - 1] = '\0';
	assert_string_equal(t.pass.data + 1, want);
	tape_finish(&t);
	tape_splits_alike(in, strlen(in));
}

TEST(screen_stream__drops_what_a_terminal_keeps)
{
	static const char *const cases[] = {
	    "\033[2h",		      /* KAM: the keyboard is locked */
	    "\033[12l",		      /* SRM */
	    "\033P0;1|17/6c73\033\\", /* DECUDK: a key types ls */
	    "\033[?3h\033[?40h\033[?8l\033[?67h\033[?1001h",
	    "\033]4;1;rgb:1/2/3\033\\\033]10;#ffffff\a\033]104\a",
	    "\033]50;fixed\a\033]46;/tmp/log\a\033]7;file:///\a",
	    "\033]1337;SetProfile=x\a\033]133;A\a\033]9;4;1;50\a",
	    "\033]7501;state=working\a",
	    "\033_Ga=T,f=100;AAAA\033\\\033Pq#0;2;0~-\033\\",
	    "\033Ptmux;\033\033[2h\033\\",
	    "\033X\033\\\033^pm\033\\\033P+p544e\033\\",
	    "\033[22;0t\033[23t\033[8;10;10t\033[2t",
	    "\033[5i\033[?5i\033[3J\033[2q\033[61\"p\033[>0;1;2p",
	    "\033[?1004h\033[?1;1004s\033[?1004r\033[#P\033[$~",
	    "\033[1;2;3;4;5T\033[?5W\033[3g\033H",
	    "\033%@\033 G\033#3\033l\033|\033}\033~\0336",
	    "\033[3\x18\033]0;x\x1a\033[1;<2h",
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		passes(cases[i], "");
}

TEST(screen_stream__passes_a_part_or_another)
{
	passes("\033[?1000;8;1006h", "\033[?1000h\033[?1006h");
	passes("\033[4;2h", "\033[4h");
	passes("\033(A", "\033(B");
	passes("\033]2;a\tb\a", "\033]2;a b\033\\");
	/* Controls in the midst act first; ENQ asks. */
	passes("\033[3\005\r1m", "\r\033[31m");
	passes("\033[3\005\n4n", "\n");
	/* U+009B is CSI to some terminals, U+009C ends a string. */
	passes("a\xc2\x9b"
	       "2hb",
	       "a2hb");
	passes("\033]8;;x\xc2\x9c\a", "");
	passes("\033]8;;x\x9c\a\033]9;\x9d\a", "");
	passes("\033]2;x\xc2\x9c\a", "\033]2;x?\033\\");
}

#define BAD "\xef\xbf\xbd" /* U+FFFD */

/* What the terminal gets for bytes that are not UTF-8; the model shows the
 * same. */
static void shows(const char *in, const char *want)
{
	struct tape t;

	tape_init(&t);
	screen_feed(t.s, in, strlen(in));
	screen_expect_row(t.s, 0, want);
	tape_finish(&t);
	passes(in, want);
}

/* The bytes 0x80 to 0x9f are C1 controls to some terminals, unless they are
 * within a character. */
TEST(screen_stream__passes_no_byte_outside_a_character)
{
	shows("\x9d"
	      "52;c;QQ==\x9c",
	      BAD "52;c;QQ==" BAD);
	shows("a\x9b"
	      "2J\x90q\x9c",
	      "a" BAD "2J" BAD "q" BAD);
	shows("\xff\xc3(", BAD BAD "(");
	shows("\xe2\x9b\x84 \xc4\x9b \xf0\x9f\x9b\x9b", /* within some */
	      "\xe2\x9b\x84 \xc4\x9b \xf0\x9f\x9b\x9b");
	shows("\xe2\x9b"
	      "2J",
	      BAD "2J");
	shows("\xf0\x9f\x9b\xc4\x9b\x9b", BAD "\xc4\x9b" BAD);
	shows("a\xc2\033[5i\x9bz", "a" BAD BAD "z");
	shows("a\xe2\x9b\033[5i\x84z", "a" BAD BAD "z");
	shows("\033[1\x9b"
	      "2hb",
	      BAD "2hb");
	/* Neither overlong, nor half of UTF-16, nor above all characters. */
	shows("\xc0\x9b|\xe0\x82\x9b|\xed\xa0\x9b|\xf4\x90\x9b\x9b",
	      BAD BAD "|" BAD BAD BAD "|" BAD BAD BAD "|" BAD BAD BAD BAD);
}

/* The user's own colours stay where the harness resets its terminal. */
TEST(screen_stream__a_reset_is_a_redraw)
{
	struct tape t;

	tape_init(&t);
	tape_feed(&t, "text\033[?2004h\033c");
	assert_null(strstr(t.pass.data, "\033c"));
	assert_non_null(strstr(t.pass.data, "\033[?2004l"));
	screen_expect_row(t.s, 0, "");
	tape_finish(&t);
}

TEST(screen_stream__drops_what_a_new_sequence_breaks_off)
{
	struct tape t;
	/* Were `ESC[3` passed, the query's removal would complete it. */
	const char in[] = "\033[3\033[cm|\033]2;a\033[cb|";

	tape_init(&t);
	screen_feed(t.s, in, strlen(in));
	assert_string_equal(t.pass.data, "m|b|");
	assert_string_equal(t.reply.data, "\033[?62;22c\033[?62;22c");
	screen_expect_row(t.s, 0, "m|b|");
	tape_finish(&t);
	tape_splits_alike(in, strlen(in));
}

TEST(screen_stream__bounds_what_it_holds)
{
	struct tape t;
	struct buf in = {0};

	buf_adds(&in, "\033]52;c;");
	for (int i = 0; i < 70000; i++)
		buf_adds(&in, "QUJD");
	buf_adds(&in, "\ax\033]2;");
	for (int i = 0; i < 5000; i++)
		buf_adds(&in, "long");
	buf_adds(&in, "\033[6ny\033[");
	for (int i = 0; i < 5000; i++)
		buf_adds(&in, "1;");
	buf_adds(&in, "mz");
	/* A query, and longer than any. */
	buf_adds(&in, "\033]52;");
	for (int i = 0; i < 9000; i++)
		buf_adds(&in, "c");
	buf_adds(&in, ";?\a");
	for (size_t step = 1; step <= in.len; step = step * 7 + 1) {
		tape_init(&t);
		for (size_t i = 0; i < in.len; i += step)
			screen_feed(t.s, in.data + i,
				    in.len - i < step ? in.len - i : step);
		screen_expect_row(t.s, 0, "xyz");
		assert_string_equal(t.reply.data, "\033[1;2R");
		assert_string_equal(t.pass.data, "xyz");
		assert_string_equal(t.notes.data, "");
		tape_finish(&t);
	}
	buf_finish(&in);
}

TEST(screen_stream__reports_titles_and_status)
{
	struct tape t;
	struct buf in = {0};

	expect_notes("\033]0;one\a\033]2;two\033\\\033]1;icon\a",
		     "title=one;title=two;",
		     "\033]0;one\033\\\033]2;two\033\\"
		     "\033]1;icon\033\\");
	expect_notes("\033]2;a\tb\xffg\a", "title=a b?g;",
		     "\033]2;a b?g\033\\");
	expect_notes("\033]7501;state=working:app=x\033\\",
		     "status=state=working:app=x;", "");
	expect_notes("\033]9;done now\a", "notify=done now;",
		     "\033]9;done now\a");
	expect_notes("\033]52;c;aGVsbG8=\a", "clipboard=c;aGVsbG8=;", "");
	expect_notes("\033]52;c;\033\\", "clipboard=c;;", "");
	expect_notes("\033]52;c;a b\a\033]52;aGVsbG8=\a", "", "");
	expect_notes("\033]777;notify;T;body\a", "notify=T: body;",
		     "\033]777;notify;T;body\a");
	expect_notes("a\ab", "bell;", "a\ab");

	/* Kitty's notifications: in parts, as base64; questions do not pass. */
	expect_notes("\033]99;;done; now\a", "notify=done; now;",
		     "\033]9;done; now\033\\");
	expect_notes("\033]99;i=1:d=0;Ti\a\033]99;i=1:d=0;tle\a"
		     "\033]99;i=1:d=0:p=body:e=1;Ym9keQ==\a"
		     "\033]99;i=1:p=icon;x\a",
		     "notify=Title: body;", "\033]9;Title: body\033\\");
	expect_notes("\033]99;i=1:d=0;lost\a\033]99;i=2:p=body;b\x01\xff\a",
		     "notify=b??;", "\033]9;b??\033\\");
	expect_notes("\033]99;i=1:p=?;\a\033]99;i=1:p=close;\a\033]99;x\a"
		     "\033]99;a=report:e=1;NDsx\a",
		     "", "");

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

/* Claude Code's status, with 2 KiB of a command that it asks for, is accepted;
 * one of more than 4 KiB is ignored. */
TEST(screen_stream__bounds_a_status)
{
	struct buf in = {0};
	struct tape t;

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
