/* test_detach_key.c - the detach key in a terminal's stream. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "supervisor/detach_key.h"

/* C-\ in three forms */
static void set_up(struct detach_key *d)
{
	*d = (struct detach_key){0};
	detach_key_add(d, "1c");
	detach_key_add(d, "1b5b32373b353b39327e"); /* ESC [27;5;92~ */
	detach_key_add(d, "1b5b39323b3575");       /* ESC [92;5u */
}

static void finds(struct detach_key *d, const char *data,
		  enum detach_found want, size_t want_at)
{
	size_t at;

	assert_int_equal(detach_key_find(d, data, strlen(data), &at), want);
	assert_int_equal(at, want_at);
}

static void test_detach_key__has_forms(void **state)
{
	struct detach_key d;

	(void)state;
	set_up(&d);
	assert_int_equal(d.n, 3);
	finds(&d, "abc", DETACH_NOTHING, 3);
	finds(&d, "ab\034c", DETACH_KEY, 2);
	finds(&d, "x\033[92;5u", DETACH_KEY, 1);
	finds(&d, "\033[27;5;92~", DETACH_KEY, 0);
	finds(&d, "\033[92;6u\033[A", DETACH_NOTHING, 10);
}

static void test_detach_key__may_come_in_parts(void **state)
{
	struct detach_key d;

	(void)state;
	set_up(&d);
	finds(&d, "ab\033", DETACH_BEGINNING, 2);
	finds(&d, "ab\033[9", DETACH_BEGINNING, 2);
	finds(&d, "\033[92;5", DETACH_BEGINNING, 0);
	finds(&d, "\033[92;5u", DETACH_KEY, 0);
	finds(&d, "\033[B", DETACH_NOTHING, 3);
}

static void test_detach_key__is_text_inside_a_paste(void **state)
{
	struct detach_key d;
	size_t at;

	(void)state;
	set_up(&d);
	finds(&d, "\033[200~a\034b\033", DETACH_NOTHING, 10);
	finds(&d, "[201~\034", DETACH_KEY, 5);

	/* the mark in parts, some of them taken for a key's beginning */
	set_up(&d);
	detach_key_skip(&d, "\033", 1);
	detach_key_skip(&d, "[20", 3);
	finds(&d, "0~\034", DETACH_NOTHING, 3);
	for (const char *c = "\033[201~"; *c; c++)
		assert_int_equal(detach_key_find(&d, c, 1, &at),
				 DETACH_NOTHING);
	finds(&d, "\034", DETACH_KEY, 0);
}

static void test_detach_key__a_bad_form_is_left_out(void **state)
{
	static const char *const bad[] = {
	    "", "1", "1g", "1C", "xx", "1b5",
	    "0000000000000000000000000000000000000000000000000000",
	};
	struct detach_key d = {0};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		detach_key_add(&d, bad[i]);
	assert_int_equal(d.n, 0);
	finds(&d, "\034", DETACH_NOTHING, 1);
	for (int i = 0; i < 100; i++)
		detach_key_add(&d, "1c");
	assert_int_equal(d.n, DETACH_KEY_FORMS);
	/* C-Space is NUL */
	d = (struct detach_key){0};
	detach_key_add(&d, "00");
	assert_int_equal(detach_key_find(&d, "a\0b", 3, &(size_t){0}),
			 DETACH_KEY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_detach_key__has_forms),
	    cmocka_unit_test(test_detach_key__may_come_in_parts),
	    cmocka_unit_test(test_detach_key__is_text_inside_a_paste),
	    cmocka_unit_test(test_detach_key__a_bad_form_is_left_out),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
