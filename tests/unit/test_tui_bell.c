/* test_tui_bell.c - what goes to the user's terminal. */
#include "tui/model/bell.h"
#include "support_unit.h"

#define HOSTILE "a\033]0;x\007b\x9c;c\xc2\x9b\n\xe2\x80\xaey\033\\z"

static void check(enum bell_osc osc, bool utf8, bool tmux, const char *title,
		  const char *text, const char *want)
{
	struct buf out = {0};

	bell_sequence(osc, title, text, utf8, tmux, &out);
	assert_string_equal(out.data ? out.data : "", want);
	buf_finish(&out);
}

TEST(tui_bell__is_as_terminals_have_it)
{
	check(BELL_OSC_NONE, true, false, "one waits", "Go on?", "");
	check(BELL_OSC_9, true, false, "one waits", "Go on?",
	      "\033]9;afw: one waits: Go on?\033\\");
	check(BELL_OSC_9, true, false, "one is done", "",
	      "\033]9;afw: one is done\033\\");
	check(BELL_OSC_777, true, false, "one is done", "",
	      "\033]777;notify;afw: one is done;\033\\");
	check(BELL_OSC_777, true, false, "one waits", "Go on?",
	      "\033]777;notify;afw: one waits;Go on?\033\\");
}

TEST(tui_bell__is_wrapped_for_tmux)
{
	check(BELL_OSC_9, true, true, "one", "x",
	      "\033Ptmux;\033\033]9;afw: one: x\033\033\\\033\\");
}

TEST(tui_bell__passes_no_control_byte)
{
	check(BELL_OSC_777, true, false, "a;b", HOSTILE,
	      "\033]777;notify;afw: a,b;a?]0,x?b?,c? ?y?\\z\033\\");
	check(BELL_OSC_9, true, false, "o", "\xc3\xa4",
	      "\033]9;afw: o: \xc3\xa4\033\\");
	/* 0x9c would end it where a terminal reads single bytes. */
	check(BELL_OSC_9, false, false, "o", "\xe2\x9c\x9c",
	      "\033]9;afw: o: ???\033\\");
}

TEST(tui_bell__is_bounded)
{
	char text[5000];
	struct buf out = {0};

	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	bell_sequence(BELL_OSC_777, text, text, true, true, &out);
	assert_in_range(out.len, 200, 400);
	buf_finish(&out);
}
