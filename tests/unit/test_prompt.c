/* test_prompt.c - the filter, prompts, and keys that no person pressed. */
#include "session/typable.h"
#include "supervisor/typed_keys.h"
#include "supervisor/sender/sender.h"
#include "support_unit.h"

static void check(const char *text, size_t len, const char *want, size_t drop)
{
	struct buf out = {0};

	assert_int_equal(typable_filter(text, len, &out), drop);
	assert_int_equal(out.len, strlen(want));
	assert_memory_equal(out.data, want, out.len);
	buf_finish(&out);
}

#define CHECK(text, want, drop) check(text, sizeof(text) - 1, want, drop)

TEST(prompt__keeps_text)
{
	CHECK("", "", 0);
	CHECK("one\ntwo\tthree", "one\ntwo\tthree", 0);
	CHECK("\n first line empty", "\n first line empty", 0);
	CHECK("gr\303\274n \360\237\230\200 e\314\201 \327\251\327\234",
	      "gr\303\274n \360\237\230\200 e\314\201 \327\251\327\234", 0);
	CHECK("\302\240nbsp \342\200\217rlm", "\302\240nbsp \342\200\217rlm",
	      0);
}

TEST(prompt__ends_lines_with_lf)
{
	CHECK("a\r\nb\r\n", "a\nb", 0);
	CHECK("a\r\r\nb", "a\nb", 1);
	CHECK("a\rb\r", "ab", 2);
	CHECK("a\n\n\n", "a", 0);
}

TEST(prompt__drops_controls_and_counts_them)
{
	CHECK("a\033[201~b", "a[201~b", 1);
	CHECK("a\0b\003c\004d\025e\177f", "abcdef", 5);
	CHECK("a\302\233201~b", "a201~b", 2);
	CHECK("\302\200\302\237", "", 4);
}

TEST(prompt__drops_what_is_no_utf8)
{
	CHECK("a\377b\376", "ab", 2);
	CHECK("a\303", "a", 1);
	CHECK("\303\033\251", "", 3); /* must not grow together */
	CHECK("\355\240\200x", "x", 3);
	CHECK("\300\257\233x", "x", 3);
}

TEST(prompt__knows_blank)
{
	assert_true(typable_blank("", 0));
	assert_true(typable_blank(" \t\n", 3));
	assert_false(typable_blank(" .\n", 3));
}

static bool is_prompt(const char *text, const char *prompt, size_t max)
{
	return prompt_is_of(text, strlen(text), prompt, max);
}

TEST(prompt__recognises_its_prompt)
{
	assert_true(is_prompt("fix it", "fix it", 200));
	assert_true(is_prompt("/x\ny", " /x y", 200));
	assert_true(is_prompt("fix it", "", 200));
	assert_true(is_prompt("a\342\200\217b", "a?b", 200));
	assert_true(is_prompt("fix @src", "fix @src ", 200));
	assert_true(is_prompt("0123456789abcdef", "0123456789", 16));
	assert_false(is_prompt("0123456789abcdef", "0123456789", 200));
	assert_true(is_prompt("one line\n\n  two", "one line", 200));
	assert_true(is_prompt("\n one line\ntwo", "one line", 200));
	assert_false(is_prompt("one line\ntwo", "one", 200));
	assert_false(is_prompt("fix it", "fix that", 200));
	assert_false(is_prompt("yes please", "yes", 200));
}

#define TYPED(s) typed_keys_find(s, sizeof(s) - 1)

TEST(typed_keys__sees_a_person)
{
	assert_true(TYPED("a"));
	assert_true(TYPED("\r"));
	assert_true(TYPED("\033"));
	assert_true(TYPED("\033[A"));	     /* up */
	assert_true(TYPED("\033OP"));	     /* F1 */
	assert_true(TYPED("\033[1;2R"));     /* Shift-F3 */
	assert_true(TYPED("\033[200~x"));    /* a paste */
	assert_true(TYPED("\033[97;5u"));    /* kitty Ctrl-a */
	assert_true(TYPED("\033[<0;1;1Mx")); /* a click, then a key */
	assert_true(TYPED("\033[<0;1;"));    /* cut */
	assert_true(TYPED("\033]"));
}

TEST(typed_keys__know_enter)
{
	assert_true(typed_keys_find("go\r", 3) & TYPED_ENTER);
	assert_true(typed_keys_find("\033[13u", 5) & TYPED_ENTER); /* kitty's */
	assert_false(typed_keys_find("\033[13;2u", 7) &
		     TYPED_ENTER); /* with Shift */
	assert_false(typed_keys_find("go", 2) & TYPED_ENTER);
	assert_false(typed_keys_find("", 0) & TYPED_ENTER);
}

/* With the locks, which kitty's protocol adds to the modifiers. */
TEST(typed_keys__know_a_key_in_all_its_forms)
{
	static const struct {
		const char *bytes;
		unsigned keys;
	} cases[] = {
	    {"\033", TYPED_INTERRUPT},
	    {"\033[27u", TYPED_INTERRUPT},
	    {"\033[27;129u\033[27;129:3u", TYPED_INTERRUPT}, /* Num Lock */
	    {"\033[27;65:1u", TYPED_INTERRUPT},		     /* Caps Lock */
	    {"\033[99;133u", TYPED_INTERRUPT},
	    {"\033[1089::99;5u", TYPED_INTERRUPT}, /* in a Cyrillic layout */
	    {"\003\003", TYPED_INTERRUPT},
	    {"\033[27;2u", 0}, /* with Shift */
	    {"\033[27;129ux", 0},
	    {"\033[27;129", 0},
	    {"a\032", TYPED_CTRL_Z},
	    {"\033[122;5u", TYPED_CTRL_Z},
	    {"a\033[122;133u", TYPED_CTRL_Z},
	    {"\033[27;5;122~", TYPED_CTRL_Z},
	    {"\033[122;133:3u", 0}, /* released */
	    {"\033[122;6u", 0},
	    {"\033[13;193u", TYPED_ENTER},
	    {"\033[13;130u", 0},
	    {"\033[13;1:3u", 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (typed_keys_find(cases[i].bytes, strlen(cases[i].bytes)) !=
		    (TYPED_KEY | cases[i].keys))
			fail_msg("%zu", i);
}

TEST(typed_keys__passes_reports_over)
{
	assert_false(TYPED(""));
	assert_false(TYPED("\033[I"));
	assert_false(TYPED("\033[O\033[I"));
	assert_false(TYPED("\033[<35;10;20M\033[<0;1;1m"));
	assert_false(TYPED("\033[M !!"));
	assert_false(TYPED("\033[?62;22c"));
	assert_false(TYPED("\033[>41;354;0c"));
	assert_false(TYPED("\033[24;80R"));
	assert_false(TYPED("\033[?997;1n"));
	assert_false(TYPED("\033[?2026;2$y"));
	assert_false(TYPED("\033[?1u"));
	assert_false(TYPED("\033[0n"));
	assert_false(TYPED("\033]11;rgb:0000/0000/0000\033\\"));
	assert_false(TYPED("\033]11;rgb:0/0/0\a"));
	assert_false(TYPED("\033P>|xterm(390)\033\\"));
}
