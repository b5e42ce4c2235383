/* test_send_enter.c - between paste and Enter anything may still come up. */
#include "support_composer.h"
#include "support_unit.h"

#ifdef __SANITIZE_ADDRESS__
#define EVERY 8 /* ms; all of them take a minute of processor time then */
#else
#define EVERY 1
#endif

/* The race: the menu is decided on and printed at any moment. */
TEST(send_enter__never_approves_whenever_the_menu_comes)
{
	int delivered = 0, held = 0;

	for (int at = 1; at <= 1000; at += EVERY) {
		struct composer_fake c;
		const struct told *t;
		int64_t id;

		composer_init(&c);
		c.echo_after = at % 3 * 25;
		c.read_lag = at % 7;
		c.menu_at = c.now + at;
		id = send_ok(&c, "go on", 0);
		t = composer_wait(&c, id, 60000);
		assert_non_null(t);
		composer_run(&c, 5000);
		if (c.approvals != 0)
			fail_msg("menu after %d ms was approved", at);
		assert_true(c.pastes <= 1 && c.enters <= 1);
		assert_int_equal(c.nturns, t->receipt == RECEIPT_ACCEPTED);
		delivered += t->receipt == RECEIPT_ACCEPTED;
		held += t->receipt == RECEIPT_UNCONFIRMED ||
			t->receipt == RECEIPT_REFUSED;
		composer_finish(&c);
	}
	assert_int_equal(delivered + held, 1000 / EVERY);
	assert_true(delivered > 50 / EVERY && held > 50 / EVERY);
}

/* A search took what was typed, and shows it. */
TEST(send_enter__is_for_the_composer_alone)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	id = send_ok(&c, "go on", 0);
	for (int i = 0; i < 5000 && c.pastes == 0; i++)
		composer_run(&c, 1);
	c.no_composer = true;
	snprintf(c.last_line, sizeof c.last_line, "search: go on");
	composer_redraw(&c);
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "does not show");
	assert_int_equal(c.enters, 0);
	composer_finish(&c);
}

TEST(send_enter__a_menu_after_the_paste_stops_the_enter)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.adapter.enter_delay_ms = 60;
	id = send_ok(&c, "go on", 0);
	while (c.pastes == 0)
		composer_run(&c, 1);
	c.menu_at = c.now + 30;
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "asks");
	assert_string_equal(composer_receipts(&c, id), "pasted unconfirmed");
	assert_int_equal(c.enters, 0);
	composer_finish(&c);
}

TEST(send_enter__no_echo_no_enter)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.drop_paste = true;
	id = send_ok(&c, "lost", 0);
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "does not show");
	assert_string_equal(composer_receipts(&c, id), "unconfirmed");
	composer_run(&c, 30000);
	assert_int_equal(c.enters, 0);
	assert_int_equal(c.pastes, 1); /* and not pasted again */
	composer_finish(&c);
}

TEST(send_enter__a_late_echo_is_waited_for)
{
	struct composer_fake c;

	composer_init(&c);
	c.echo_after = 2500;
	expect_last(&c, send_ok(&c, "late", 0), RECEIPT_ACCEPTED, "");
	assert_int_equal(c.pastes, 1);
	composer_finish(&c);
}

TEST(send_enter__a_person_typing_in_between_stops_it)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	id = send_ok(&c, "mine", 0);
	while (c.pastes == 0)
		composer_run(&c, 1);
	composer_type(&c, "x");
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "typed");
	assert_int_equal(c.enters, 0);
	composer_finish(&c);

	/* Somebody who has just typed is left alone for a second. */
	composer_init(&c);
	sender_user_typed(c.sender);
	id = send_ok(&c, "later", 0);
	composer_run(&c, 950);
	assert_int_equal(c.pastes, 0);
	expect_last(&c, id, RECEIPT_ACCEPTED, "");
	composer_finish(&c);
}

/* tmux's own clients: keys are not seen, but can be asked for. */
TEST(send_enter__keys_that_pass_us_are_asked_for)
{
	struct composer_fake c;
	const struct told *t;
	int64_t id, at;

	/* At every moment of a message's way, and of the second. */
	for (int after = 0; after < 1500; after += 7) {
		composer_init(&c);
		c.past_us = true;
		c.echo_after = 40;
		composer_run(&c, 3000);
		id = send_ok(&c, "one", 0);
		composer_run(&c, after);
		at = c.now;
		if (c.pastes == 0)
			c.key_second = at / 1000; /* and taken back */
		else if (c.enters == 0)
			composer_type(&c, "x");
		t = composer_wait(&c, id, 60000);
		assert_non_null(t);
		if (c.enters == 0) {
			assert_int_equal(t->receipt, RECEIPT_UNCONFIRMED);
			assert_non_null(strstr(t->detail, "somebody typed"));
			assert_int_equal(c.nturns, 0);
		} else {
			assert_int_equal(t->receipt, RECEIPT_ACCEPTED);
			assert_string_equal(c.turns[0], "one");
		}
		composer_finish(&c);
	}
}

/* No answer of tmux is not one that says nobody typed. */
TEST(send_enter__no_answer_is_no_no)
{
	struct composer_fake c;
	const struct told *t;
	int64_t id;

	composer_init(&c);
	c.past_us = c.no_answers = true;
	expect_last(&c, send_ok(&c, "none", 0), RECEIPT_FAILED, "tmux");
	id = send_ok(&c, "one", SENDER_WHEN_IDLE);
	composer_run(&c, 20000);
	assert_int_equal(c.pastes, 0);
	c.no_answers = false;
	while (c.pastes == 0)
		composer_run(&c, 1);
	c.no_answers = true;
	t = composer_wait(&c, id, 60000);
	assert_non_null(t);
	assert_int_equal(t->receipt, RECEIPT_UNCONFIRMED);
	assert_non_null(strstr(t->detail, "tmux does not say"));
	assert_int_equal(c.enters, 0);
	composer_finish(&c);
}

/* A menu of which only the composer above it has come. */
TEST(send_enter__a_half_picture_is_waited_for)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	id = send_ok(&c, "into half a picture", 0);
	while (c.pastes == 0)
		composer_run(&c, 1);
	composer_run(&c, 20);
	c.updating = true;
	composer_run(&c, 300);
	assert_int_equal(c.enters, 0);
	c.menu = true;
	c.updating = false;
	composer_redraw(&c);
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "asks something");
	assert_int_equal(c.enters, 0);
	composer_finish(&c);

	/* Nor is anything pasted into it. */
	composer_init(&c);
	c.updating = true;
	id = send_ok(&c, "before it", 0);
	composer_run(&c, 400);
	assert_int_equal(c.pastes, 0);
	c.updating = false;
	expect_last(&c, id, RECEIPT_ACCEPTED, "hook");

	/* Nor does Enter go into one that has only begun at the end. */
	composer_run(&c, 5000);
	id = send_ok(&c, "late", 0);
	while (c.pastes == 1)
		composer_run(&c, 1);
	composer_run(&c, 20);
	for (int i = 0; i < 60; i++) {
		c.updating = i % 2 == 0;
		composer_run(&c, 40);
		if (c.enters == 2)
			break;
	}
	assert_false(c.updating);
	expect_last(&c, id, RECEIPT_ACCEPTED, "hook");

	/* One that never ends is no picture. */
	composer_run(&c, 5000);
	c.updating = true;
	id = send_ok(&c, "without an end", 0);
	expect_last(&c, id, RECEIPT_ACCEPTED, "hook");
	assert_int_equal(c.enters, 3);
	composer_finish(&c);
}
