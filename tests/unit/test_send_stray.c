/* test_send_stray.c - a paste that did not show may still come up. */
#include "support_composer.h"
#include "support_unit.h"

/* Stopped, swapped out: what is pasted waits in the terminal. */
TEST(send_stray__a_stall_loses_and_joins_nothing)
{
	static const int stalls[] = {100, 2900, 3100, 9000, 20000, 29000};

	for (size_t i = 0; i < sizeof stalls / sizeof stalls[0]; i++) {
		struct composer_fake c;
		int64_t id[2];

		composer_init(&c);
		c.stopped = true;
		id[0] = send_ok(&c, "first message", 0);
		id[1] = send_ok(&c, "second message", 0);
		composer_run(&c, stalls[i]);
		c.stopped = false;
		expect_last(&c, id[0], RECEIPT_ACCEPTED, "");
		expect_last(&c, id[1], RECEIPT_ACCEPTED, "");
		assert_int_equal(c.nturns, 2);
		assert_string_equal(c.turns[0], "first message");
		assert_string_equal(c.turns[1], "second message");
		composer_finish(&c);
	}
}

/* It comes up when its sender has been told. */
static void stray(struct composer_fake *c, int64_t id[2])
{
	composer_init(c);
	c->stopped = true;
	id[0] = send_ok(c, "first message", 0);
	expect_last(c, id[0], RECEIPT_UNCONFIRMED, "may still come up");
	id[1] = send_ok(c, "second message", 0);
	composer_run(c, 20000);
	assert_string_equal(composer_receipts(c, id[1]), "queued");
	assert_non_null(strstr(sender_waits_for(c->sender), "may still come"));
	assert_int_equal(c->enters, 0);
	c->stopped = false;
}

TEST(send_stray__one_that_comes_late_is_a_draft)
{
	struct composer_fake c;
	int64_t id[2];

	stray(&c, id);
	composer_run(&c, 20000);
	assert_string_equal(c.text.data, "first message");
	assert_string_equal(composer_receipts(&c, id[1]), "queued");
	assert_non_null(strstr(sender_waits_for(c.sender), "came up late"));
	assert_true(sender_needs_person(c.sender));
	composer_type(&c, "\x03"); /* a person takes it away */
	expect_last(&c, id[1], RECEIPT_ACCEPTED, "");
	assert_string_equal(c.turns[0], "second message");
	assert_int_equal(c.nturns, 1);
	composer_finish(&c);
}

TEST(send_stray__is_cleared_where_that_is_safe)
{
	struct composer_fake c;
	int64_t id[2];

	stray(&c, id);
	c.adapter.clear_draft = "\x03";
	expect_last(&c, id[1], RECEIPT_ACCEPTED, "");
	assert_string_equal(c.turns[0], "second message");
	assert_int_equal(c.nturns, 1);
	assert_int_equal(c.clears, 1);
	assert_int_equal(c.quits, 0);
	composer_finish(&c);
}

/* A person's text behind it makes it a person's. */
TEST(send_stray__with_more_it_is_not_cleared)
{
	struct composer_fake c;
	int64_t id[2];

	stray(&c, id);
	c.adapter.clear_draft = "\x03";
	c.stopped = true;
	buf_adds(&c.queue, " and mine");
	c.stopped = false;
	composer_run(&c, 20000);
	assert_string_equal(c.text.data, "first message and mine");
	assert_int_equal(c.clears, 0);
	assert_int_equal(c.enters, 0);
	composer_finish(&c);
}

TEST(send_stray__what_was_dropped_is_not_waited_for)
{
	struct composer_fake c;
	int64_t id[2];

	composer_init(&c);
	c.drop_paste = true;
	id[0] = send_ok(&c, "first message", 0);
	expect_last(&c, id[0], RECEIPT_UNCONFIRMED, "may still come up");
	c.drop_paste = false;
	id[1] = send_ok(&c, "second message", 0);
	composer_run(&c, 10000);
	assert_int_equal(c.pastes, 1); /* nothing shows that it was */
	composer_redraw(&c);
	composer_run(&c, 3500);
	assert_int_equal(c.pastes, 1);
	expect_last(&c, id[1], RECEIPT_ACCEPTED, "");
	assert_int_equal(c.nturns, 1);
	assert_string_equal(c.turns[0], "second message");
	composer_finish(&c);
}

/* No memory of it: what stands in front of ours is seen. */
TEST(send_stray__no_enter_behind_anothers_text)
{
	static const char *const fronts[] = {"first message", "mine",
					     "one\ntwo\nthree"};

	for (size_t i = 0; i < sizeof fronts / sizeof fronts[0]; i++) {
		struct composer_fake c;
		int64_t id;

		composer_init(&c);
		c.stopped = true;
		buf_adds(&c.queue, "\033[200~");
		buf_adds(&c.queue, fronts[i]);
		buf_adds(&c.queue, "\033[201~");
		id = send_ok(&c, "mine", 0);
		composer_run(&c, 2000);
		c.stopped = false;
		expect_last(&c, id, RECEIPT_UNCONFIRMED, "does not show");
		assert_int_equal(c.enters, 0);
		composer_finish(&c);
	}
}
