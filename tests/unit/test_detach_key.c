/* test_detach_key.c - the detach key in a terminal's stream. */
#include "supervisor/attach/detach_key.h"
#include "support_unit.h"

/* C-\ in three forms */
static void set_up(struct detach_key *d)
{
	*d = (struct detach_key){0};
	detach_key_add(d, "1c");
	detach_key_add(d, "1b5b32373b353b39327e"); /* ESC [27;5;92~ */
	detach_key_add(d, "1b5b39323b3575");	   /* ESC [92;5u */
}

static void finds(struct detach_key *d, const char *data,
		  enum detach_found want, size_t want_at)
{
	size_t at;

	assert_int_equal(detach_key_find(d, data, strlen(data), &at), want);
	assert_int_equal(at, want_at);
}

TEST(detach_key__has_forms)
{
	struct detach_key d;

	set_up(&d);
	assert_int_equal(d.n, 3);
	finds(&d, "abc", DETACH_NOTHING, 3);
	finds(&d, "ab\034c", DETACH_KEY, 2);
	finds(&d, "x\033[92;5u", DETACH_KEY, 1);
	finds(&d, "\033[27;5;92~", DETACH_KEY, 0);
	finds(&d, "\033[92;6u\033[A", DETACH_NOTHING, 10);
}

/* What kitty's protocol adds to it, in all its flags. */
TEST(detach_key__has_kittys_forms)
{
	static const char *const forms[] = {
	    "\033[92;5u",	   /* disambiguate */
	    "\033[92;5:1u",	   /* event types: press */
	    "\033[92;5:2u",	   /* and repeat */
	    "\033[92:124;5u",	   /* alternate keys: shifted */
	    "\033[92::92;5u",	   /* base layout */
	    "\033[92:124:92;5:1u", /* both, and the event */
	    "\033[92;5;28u",	   /* associated text */
	    "\033[92;69u",	   /* caps lock */
	    "\033[92;197:1;u",	   /* num lock too */
	    "\033[1101::92;5u",	   /* the key's place in a Latin layout */
	};
	static const char *const others[] = {
	    "\033[92;5:3u", /* release */
	    "\033[92;6u",   "\033[92u",	  "\033[92;13u",
	    "\033[92;5~",   "\033[93;5u", "\033[35::92;5u",
	    "\033[;u",	    "\033[92;0u", "\033[92;5:1:1u~",
	};
	struct detach_key d;

	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		set_up(&d);
		finds(&d, forms[i], DETACH_KEY, 0);
		for (size_t n = 1; n < strlen(forms[i]); n++) {
			char part[64];

			memcpy(part, forms[i], n);
			part[n] = '\0';
			finds(&d, part, DETACH_BEGINNING, 0);
		}
	}
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		finds(&d, others[i], DETACH_NOTHING, strlen(others[i]));
	/* F1 and F12, with a lock and an event type */
	d = (struct detach_key){0};
	detach_key_add(&d, "1b5b32347e");
	detach_key_add(&d, "1b5b50");
	finds(&d, "\033[24;129~", DETACH_KEY, 0);
	finds(&d, "\033[1;1:1P", DETACH_KEY, 0);
	/* one that never ends */
	finds(&d, "\033[1111111111111111111111111111111111111111111111111",
	      DETACH_NOTHING, 51);
}

TEST(detach_key__tells_the_focus)
{
	struct detach_key d;

	set_up(&d);
	finds(&d, "ab\033[Ic", DETACH_FOCUS_IN, 2);
	finds(&d, "\033[Oc", DETACH_FOCUS_OUT, 0);
	finds(&d, "\033[200~\033[I\033[201~", DETACH_NOTHING, 15);
	finds(&d, "\033OI\033[1I", DETACH_NOTHING, 7);
}

TEST(detach_key__may_come_in_parts)
{
	struct detach_key d;

	set_up(&d);
	finds(&d, "ab\033", DETACH_BEGINNING, 2);
	finds(&d, "ab\033[9", DETACH_BEGINNING, 2);
	finds(&d, "\033[92;5", DETACH_BEGINNING, 0);
	finds(&d, "\033[92;5u", DETACH_KEY, 0);
	finds(&d, "\033[B", DETACH_NOTHING, 3);
}

TEST(detach_key__is_text_inside_a_paste)
{
	struct detach_key d;
	size_t at;

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

TEST(detach_key__a_bad_form_is_left_out)
{
	static const char *const bad[] = {
	    "",
	    "1",
	    "1g",
	    "1C",
	    "xx",
	    "1b5",
	    "0000000000000000000000000000000000000000000000000000",
	};
	struct detach_key d = {0};

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
