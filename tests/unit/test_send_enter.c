/* test_send_enter.c - anything may still appear between paste and Enter. */
#include "support_composer.h"
#include "support_unit.h"

FIXTURE(composer_begin, composer_end)

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
		const struct told *t;
		int64_t id;

		composer_init(&fake);
		fake.echo_after = at % 3 * 25;
		fake.read_lag = at % 7;
		fake.menu_at = fake.now + at;
		id = send_ok(&fake, "go on", 0);
		t = composer_wait_held(&fake, id, 60000);
		assert_non_null(t);
		composer_run(&fake, 5000);
		if (fake.approvals != 0)
			fail_msg("menu after %d ms was approved", at);
		assert_true(fake.pastes <= 1 && fake.enters <= 1);
		assert_int_equal(fake.nturns, t->receipt == RECEIPT_ACCEPTED);
		delivered += t->receipt == RECEIPT_ACCEPTED;
		held += t->receipt == RECEIPT_QUEUED ||
			t->receipt == RECEIPT_REFUSED;
	}
	assert_int_equal(delivered + held, 1000 / EVERY);
	assert_true(delivered > 50 / EVERY && held > 50 / EVERY);
}

/* A search took what was typed, and shows it. */
TEST(send_enter__is_for_the_composer_alone)
{
	int64_t id;

	id = send_ok(&fake, "go on", 0);
	for (int i = 0; i < 5000 && fake.pastes == 0; i++)
		composer_run(&fake, 1);
	fake.no_composer = true;
	snprintf(fake.last_line, sizeof fake.last_line, "search: go on");
	composer_redraw(&fake);
	expect_held(&fake, id, "open in place of its input field");
	assert_int_equal(fake.enters, 0);
}

TEST(send_enter__a_menu_after_the_paste_stops_the_enter)
{
	int64_t id;

	id = send_ok(&fake, "go on", 0);
	composer_until(&fake, &fake.pastes);
	fake.menu_at = fake.now + 30;
	expect_held(&fake, id, "asks");
	assert_string_equal(composer_receipts(&fake, id), "pasted queued");
	assert_int_equal(fake.enters, 0);
}

/* The time that passed did so for the harness, too. */
TEST(send_enter__is_not_pressed_right_behind_a_stall)
{
	for (int stall = 1000; stall <= 30000; stall *= 30) {
		int64_t id;

		composer_init(&fake);
		id = send_ok(&fake, "go on", 0);
		composer_until(&fake, &fake.ntold);
		assert_string_equal(composer_receipts(&fake, id), "pasted");
		fake.now += stall;
		fake.menu_at = fake.now + 900;
		expect_held(&fake, id, "asks");
		assert_int_equal(fake.enters, 0);

		composer_init(&fake);
		id = send_ok(&fake, "go on", 0);
		composer_until(&fake, &fake.ntold);
		fake.now += stall;
		expect_last(&fake, id, RECEIPT_ACCEPTED, "");
	}
}

TEST(send_enter__no_echo_no_enter)
{
	int64_t id;

	fake.drop_paste = true;
	id = send_ok(&fake, "lost", 0);
	expect_last(&fake, id, RECEIPT_UNCONFIRMED, "does not show");
	assert_string_equal(composer_receipts(&fake, id), "unconfirmed");
	composer_run(&fake, 30000);
	assert_int_equal(fake.enters, 0);
	assert_int_equal(fake.pastes, 1); /* and not pasted again */
}

TEST(send_enter__a_late_echo_is_waited_for)
{
	fake.echo_after = 2500;
	expect_last(&fake, send_ok(&fake, "late", 0), RECEIPT_ACCEPTED, "");
	assert_int_equal(fake.pastes, 1);
}

TEST(send_enter__a_person_typing_in_between_stops_it)
{
	int64_t id;

	id = send_ok(&fake, "mine", 0);
	composer_until(&fake, &fake.pastes);
	composer_type(&fake, "x");
	expect_held(&fake, id, "typed");
	assert_int_equal(fake.enters, 0);

	/* After a person has typed, nothing is typed for a second. */
	composer_init(&fake);
	sender_user_typed(fake.sender);
	id = send_ok(&fake, "later", 0);
	composer_run(&fake, 950);
	assert_int_equal(fake.pastes, 0);
	expect_last(&fake, id, RECEIPT_ACCEPTED, "");
}

/* tmux's own clients: keys are not seen, but can be asked for. */
TEST(send_enter__keys_that_pass_us_are_asked_for)
{
	const struct told *t;
	int64_t id, at;

	/* At every moment of a message's way, and of the second. */
	for (int after = 0; after < 1500; after += 7) {
		composer_init(&fake);
		fake.past_us = true;
		fake.echo_after = 40;
		composer_run(&fake, 3000);
		id = send_ok(&fake, "one", 0);
		composer_run(&fake, after);
		at = fake.now;
		if (fake.pastes == 0)
			fake.key_second = at / 1000; /* and deleted again */
		else if (fake.enters == 0)
			composer_type(&fake, "x");
		t = composer_wait_held(&fake, id, 60000);
		assert_non_null(t);
		if (fake.enters == 0) {
			assert_int_equal(t->receipt, RECEIPT_QUEUED);
			assert_non_null(strstr(t->detail, "the user typed"));
			assert_int_equal(fake.nturns, 0);
		} else {
			assert_int_equal(t->receipt, RECEIPT_ACCEPTED);
			assert_string_equal(fake.turns[0], "one");
		}
	}
}

/* No answer from tmux does not mean that no person typed. */
TEST(send_enter__no_answer_is_no_no)
{
	int64_t id;

	fake.past_us = fake.no_answers = true;
	expect_last(&fake, send_ok(&fake, "none", 0), RECEIPT_FAILED, "tmux");
	id = send_ok(&fake, "one", SENDER_WHEN_IDLE);
	composer_run(&fake, 20000);
	assert_int_equal(fake.pastes, 0);
	fake.no_answers = false;
	composer_until(&fake, &fake.pastes);
	fake.no_answers = true;
	expect_held(&fake, id, "tmux does not report");
	assert_int_equal(fake.enters, 0);
}

/* A menu of which only the composer above it has come. */
TEST(send_enter__a_half_picture_is_waited_for)
{
	int64_t id;

	id = send_ok(&fake, "into half a picture", 0);
	composer_until(&fake, &fake.pastes);
	composer_run(&fake, 20);
	fake.updating = true;
	composer_run(&fake, 300);
	assert_int_equal(fake.enters, 0);
	fake.menu = true;
	fake.updating = false;
	composer_redraw(&fake);
	expect_held(&fake, id, "asks something");
	assert_int_equal(fake.enters, 0);

	/* Nothing is pasted into it, either. */
	composer_init(&fake);
	fake.updating = true;
	id = send_ok(&fake, "before it", 0);
	composer_run(&fake, 400);
	assert_int_equal(fake.pastes, 0);
	fake.updating = false;
	expect_last(&fake, id, RECEIPT_ACCEPTED, "hook");

	/* Enter is not pressed in one that has only begun at the end. */
	composer_run(&fake, 5000);
	id = send_ok(&fake, "late", 0);
	while (fake.pastes == 1)
		composer_run(&fake, 1);
	composer_run(&fake, 20);
	for (int i = 0; i < 60; i++) {
		fake.updating = i % 2 == 0;
		composer_run(&fake, 40);
		if (fake.enters == 2)
			break;
	}
	assert_false(fake.updating);
	expect_last(&fake, id, RECEIPT_ACCEPTED, "hook");

	/* An update that never ends is not a complete picture. */
	composer_run(&fake, 5000);
	fake.updating = true;
	id = send_ok(&fake, "without an end", 0);
	expect_last(&fake, id, RECEIPT_ACCEPTED, "hook");
	assert_int_equal(fake.enters, 3);
}
