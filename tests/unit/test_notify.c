/* test_notify.c - when a state is news, and text that stays text. */
#include "config/option.h"
#include "supervisor/chores/notify.h"
#include "supervisor/chores/notify_gate.h"
#include "support_unit.h"

#define WAITING	  NOTICE_WAITING
#define COMPLETED NOTICE_COMPLETED
#define NONE	  NOTICE_NONE

static int64_t next;

static enum notice set_notice(struct notify_gate *g, enum notice n, int64_t now)
{
	notify_gate_update(g, n, "", now);
	return notify_gate_due(g, now, &next);
}

static enum notice set_question(struct notify_gate *g, const char *id,
				int64_t now)
{
	notify_gate_update(g, WAITING, id, now);
	return notify_gate_due(g, now, &next);
}

TEST(notify__told_once_when_it_has_held)
{
	struct notify_gate g = {0};

	assert_int_equal(set_notice(&g, NONE, 1000), NONE);
	assert_int_equal(next, -1);
	assert_int_equal(set_notice(&g, WAITING, 2000), NONE);
	assert_int_equal(next, NOTIFY_SETTLE_MS);
	assert_int_equal(set_notice(&g, WAITING, 2999), NONE);
	assert_int_equal(next, 1);
	assert_int_equal(set_notice(&g, WAITING, 3000), WAITING);
	assert_int_equal(set_notice(&g, WAITING, 100000), NONE);
	assert_int_equal(next, -1);
}

TEST(notify__too_short_is_not_told)
{
	struct notify_gate g = {0};

	set_notice(&g, COMPLETED, 1000);
	assert_int_equal(set_notice(&g, NONE, 1500), NONE);
	assert_int_equal(next, -1);
	assert_int_equal(set_notice(&g, COMPLETED, 1800), NONE);
	assert_int_equal(next, NOTIFY_SETTLE_MS);
}

TEST(notify__what_flaps_is_the_same)
{
	struct notify_gate g = {0};
	int64_t t = 1000;

	set_notice(&g, WAITING, t);
	assert_int_equal(set_notice(&g, WAITING, t += 1000), WAITING);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(set_notice(&g, NONE, t += 2000), NONE);
		assert_int_equal(set_notice(&g, WAITING, t += 900), NONE);
		assert_int_equal(set_notice(&g, WAITING, t += 2000), NONE);
	}
	/* Gone for long enough, it is a new one. */
	set_notice(&g, NONE, t += 1000);
	set_notice(&g, WAITING, t += NOTIFY_GONE_MS);
	assert_int_equal(set_notice(&g, WAITING, t += 1000), WAITING);
}

TEST(notify__a_kind_keeps_its_distance)
{
	struct notify_gate g = {0};

	set_notice(&g, WAITING, 1000);
	assert_int_equal(set_notice(&g, WAITING, 2000), WAITING);
	set_notice(&g, NONE, 2100);
	assert_int_equal(set_notice(&g, WAITING, 5200), NONE);
	assert_int_equal(next, 2000 + NOTIFY_GAP_MS - 5200);
	assert_int_equal(set_notice(&g, WAITING, 2000 + NOTIFY_GAP_MS),
			 WAITING);
	/* Another kind need not wait for it. */
	set_notice(&g, COMPLETED, 13000);
	assert_int_equal(set_notice(&g, COMPLETED, 14000), COMPLETED);
}

TEST(notify__what_follows_the_users_act_is_new)
{
	struct notify_gate g = {0};

	set_notice(&g, WAITING, 1000);
	assert_int_equal(set_notice(&g, WAITING, 2000), WAITING);
	notify_gate_acted(&g);
	assert_int_equal(set_notice(&g, WAITING, 2500), NONE); /* the old one */
	set_notice(&g, NONE, 2600);
	set_notice(&g, WAITING, 2700);
	assert_int_equal(set_notice(&g, WAITING, 3700), WAITING);
}

TEST(notify__the_next_approval_is_another)
{
	struct notify_gate g = {0};

	set_notice(&g, WAITING, 1000);
	set_question(&g, "a", 1200); /* drawn after it was reported */
	assert_int_equal(set_question(&g, "a", 2000), WAITING);
	notify_gate_acted(&g);
	assert_int_equal(set_question(&g, "", 2100), NONE);
	assert_int_equal(set_question(&g, "a", 2200), NONE);
	assert_int_equal(set_question(&g, "a", 5000), NONE);
	assert_int_equal(set_question(&g, "", 5100), NONE);
	assert_int_equal(set_question(&g, "b", 5200), NONE);
	assert_int_equal(next, NOTIFY_SETTLE_MS);
	assert_int_equal(set_question(&g, "b", 6200), WAITING);
	assert_int_equal(set_question(&g, "b", 60000), NONE);
	/* No user was involved: notices of one kind keep their distance. */
	assert_int_equal(set_question(&g, "c", 60001), NONE);
	assert_int_equal(set_question(&g, "c", 61001), WAITING);
	assert_int_equal(set_question(&g, "d", 62000), NONE);
	assert_int_equal(set_question(&g, "d", 63000), NONE);
	assert_int_equal(next, 61001 + NOTIFY_GAP_MS - 63000);
	assert_int_equal(set_question(&g, "d", 72000), WAITING);
	set_notice(&g, NONE, 90000);
	set_question(&g, "e", 90100);
	assert_int_equal(set_question(&g, "e", 91100), WAITING);
}

TEST(notify__body_is_text)
{
	struct buf out = {0};

	notify_body("a <b>&amp;\\074\033[31m\x9b"
		    "1m\n\xe2\x80\xae ok",
		    &out);
	assert_string_equal(out.data,
			    "a &lt;b&gt;&amp;amp;\\\\074?[31m?1m ? ok");
	buf_finish(&out);
}

TEST(notify__title_is_bounded_and_printable)
{
	char name[400], title[64];

	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	notice_title(NOTICE_ERROR, name, title, sizeof title);
	assert_int_equal(strlen(title), sizeof title - 1);
	notice_title(NOTICE_ERROR, "a\033]b", title, sizeof title);
	assert_string_equal(title, "a?]b has failed");
}

TEST(notify__options_have_every_name)
{
	static const char *const words[NOTICE_COUNT] = {
	    [NOTICE_WAITING] = "waiting",
	    [NOTICE_COMPLETED] = "done",
	    [NOTICE_ERROR] = "failed",
	    [NOTICE_LIMITED] = "limited",
	    [NOTICE_STUCK] = "stuck"};
	enum notice n;

	for (int i = NOTICE_NONE + 1; i < NOTICE_COUNT; i++) {
		const char *name = notice_name((enum notice)i);

		assert_null(options[OPTION_NOTIFY_ON].check(name));
		assert_int_equal(notice_parse(name, &n), 0);
		assert_int_equal(n, i);
		name = words[i];
		assert_null(options[OPTION_NOTIFY_ON].check(name));
		assert_non_null(strstr(options[OPTION_NOTIFY_ON].value, name));
		assert_int_equal(notice_parse(name, &n), 0);
		assert_int_equal(n, i);
	}
	assert_non_null(options[OPTION_NOTIFY_ON].check("idle"));
}
