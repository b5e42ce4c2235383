/* test_send_free.c - what is in the way of a message before it is typed. */
#include "base/mem.h"
#include "support_composer.h"
#include "support_unit.h"

FIXTURE(composer_begin, composer_end)

/* Without a pattern for its composer: nothing is typed before it has drawn. */
TEST(send_free__a_described_agent_draws_first)
{
	composer_init_described(&fake, "{\"command\":[\"x\"]}");
	send_ok(&fake, "the task", SENDER_WHEN_IDLE);
	composer_run(&fake, 1500);
	composer_redraw(&fake);
	composer_run(&fake, 1900);
	assert_int_equal(fake.pastes, 0);
	composer_until(&fake, &fake.pastes);
	assert_true(fake.now < 9000);

	composer_init_described(&fake,
				"{\"command\":[\"x\"],\"idle\":[\"^ready$\"]}");
	send_ok(&fake, "the task", SENDER_WHEN_IDLE);
	composer_run(&fake, 9000);
	assert_int_equal(fake.pastes, 0);
	snprintf(fake.last_line, sizeof fake.last_line, "ready");
	composer_redraw(&fake);
	composer_until(&fake, &fake.pastes);
	assert_int_equal(fake.pastes, 1);
}

TEST(send_free__is_refused_where_something_is_in_the_way)
{
	char *big = mem_alloc(PROTOCOL_TEXT_MAX + 2);

	expect_submit_error(&fake, "", 0, ERR_USAGE, "empty");
	expect_submit_error(&fake, " \n\t ", 0, ERR_USAGE, "empty");
	expect_submit_error(&fake, "\033\001\377", 0, ERR_USAGE, "3");
	memset(big, 'x', PROTOCOL_TEXT_MAX + 1);
	expect_submit_error(&fake, big, 0, ERR_LIMIT, "at most");

	fake.menu = true;
	composer_redraw(&fake);
	expect_submit_error(&fake, "yes", 0, ERR_REFUSED, "rm -rf");
	expect_submit_error(&fake, "yes", SENDER_RAW, ERR_REFUSED, "rm -rf");
	expect_submit_error(&fake, "yes", SENDER_NOW, ERR_REFUSED, "rm -rf");
	fake.menu = false;
	fake.password = true;
	composer_redraw(&fake);
	expect_submit_error(&fake, "hunter2", 0, ERR_REFUSED, "password");
	fake.password = false;
	buf_adds(&fake.shown, "my draft");
	composer_redraw(&fake);
	expect_submit_error(&fake, "x", 0, ERR_REFUSED, "draft");
	assert_int_equal(fake.approvals + fake.enters, 0);
	free(big);
}

TEST(send_free__nothing_is_typed_while_it_is_held)
{
	struct err err = {0};
	int64_t id;

	assert_int_equal(sender_hold(fake.sender, "held", &err), 0);
	id = send_ok(&fake, "later", 0);
	composer_run(&fake, 30000);
	assert_string_equal(composer_receipts(&fake, id), "queued");
	assert_string_equal(sender_wait_reason(fake.sender), "held");
	assert_int_equal(fake.pastes, 0);
	sender_release(fake.sender);
	while (!fake.pastes)
		composer_run(&fake, 10);
	/* It cannot be held while it is typed, nor until it is accepted. */
	while (sender_queued(fake.sender)) {
		assert_int_equal(sender_hold(fake.sender, "held", &err), -1);
		assert_int_equal(err.kind, ERR_REFUSED);
		composer_run(&fake, 10);
	}
	expect_last(&fake, id, RECEIPT_ACCEPTED, "");
	assert_int_equal(sender_hold(fake.sender, "held", &err), 0);
}

TEST(send_free__the_first_task_waits_for_the_start)
{
	int64_t id;

	fake.no_composer = true;
	fake.menu = true;
	composer_redraw(&fake);
	id = send_ok(&fake, "task", SENDER_WHEN_IDLE);
	composer_run(&fake, 30000); /* a dialog does not use up the time */
	assert_string_equal(composer_receipts(&fake, id), "queued");
	fake.menu = false;
	composer_redraw(&fake);
	composer_run(&fake, 600000); /* where all start at once it takes long */
	assert_string_equal(
	    sender_wait_reason(fake.sender),
	    "its input field has not been on the screen for 10 s");
	fake.no_composer = false;
	composer_redraw(&fake);
	expect_last(&fake, id, RECEIPT_ACCEPTED, "");
	assert_int_equal(fake.approvals, 0);
}

TEST(send_free__a_harness_never_ready_fails_in_time)
{
	int64_t id;

	composer_init_starting(&fake);
	id = send_ok(&fake, "text", 0);
	expect_last(&fake, id, RECEIPT_FAILED, "not ready");
	assert_string_equal(composer_receipts(&fake, id), "queued failed");
	assert_int_equal(fake.input.len, 0);
	/* By now it is known that a person has to look. */
	expect_submit_error(&fake, "text", 0, ERR_REFUSED,
			    "has not been on the screen for 10 s");
}

TEST(send_free__an_absent_composer_refuses_after_a_while)
{
	composer_run(&fake, 100);
	expect_last(&fake, send_ok(&fake, "first", 0), RECEIPT_ACCEPTED, "");
	composer_run(&fake, 5000);
	fake.no_composer = true;
	composer_redraw(&fake);
	expect_last(&fake, send_ok(&fake, "second", 0), RECEIPT_REFUSED,
		    "open in place of its input field");
	assert_int_equal(fake.nturns, 1);
}

/* Also if nothing was sent before: it is no longer starting. */
TEST(send_free__what_is_open_after_a_start_refuses)
{
	for (int settled = 0; settled < 2; settled++) {
		composer_init(&fake);
		snprintf(fake.last_line, sizeof fake.last_line, "a pager");
		fake.no_composer = true;
		composer_redraw(&fake);
		if (!settled) {
			expect_last(&fake, send_ok(&fake, "text", 0),
				    RECEIPT_REFUSED, "open");
			continue;
		}
		composer_run(&fake, 3000);
		expect_submit_error(&fake, "text", 0, ERR_REFUSED, "open");
	}
}

TEST(send_free__a_queued_message_outlives_an_approval)
{
	int64_t id;

	fake.turn_for = 4000;
	expect_last(&fake, send_ok(&fake, "work", 0), RECEIPT_ACCEPTED, "");
	id = send_ok(&fake, "then this", 0);
	fake.menu_at = fake.now + 1000;
	fake.menu_for = 8000;
	expect_last(&fake, id, RECEIPT_ACCEPTED, "");
	assert_int_equal(fake.approvals, 0);
	assert_int_equal(fake.nturns, 2);
}

/* Codex's composer is there while it still sets itself up. */
TEST(send_free__waits_for_the_set_up)
{
	struct reading r = {.source = SOURCE_PROGRAM_STATUS,
			    .activity = ACTIVITY_WORKING};
	int64_t id;

	activity_reading(fake.activity, &r, fake.now);
	composer_run(&fake, 10);
	id = send_ok(&fake, "go", 0);
	composer_run(&fake, 2000);
	assert_int_equal(fake.pastes, 0);
	r.activity = ACTIVITY_IDLE;
	activity_reading(fake.activity, &r, fake.now);
	composer_run(&fake, 1);
	sender_wake(fake.sender); /* as monitor_update() does */
	expect_last(&fake, id, RECEIPT_ACCEPTED, "hook");
	assert_int_equal(fake.pastes, 1);
}

TEST(send_free__a_prompt_put_back_is_cleared_once)
{
	composer_set(&fake, "clear", "C-c");
	fake.turn_for = 60000;
	expect_last(&fake, send_ok(&fake, "one", 0), RECEIPT_ACCEPTED, "");
	composer_run(&fake, 2000);
	composer_interrupt(&fake);
	composer_run(&fake, 2000);
	expect_last(&fake, send_ok(&fake, "two", 0), RECEIPT_ACCEPTED, "");
	assert_int_equal(fake.clears, 1);
	assert_int_equal(fake.quits, 0);
	assert_int_equal(fake.nturns, 2);
	assert_string_equal(fake.turns[1], "two");
}

/* Whether the key was seen or not: the text there is the message. */
TEST(send_free__a_persons_interrupt_jams_nothing)
{
	for (int past_us = 0; past_us < 2; past_us++) {
		composer_init(&fake);
		fake.past_us = past_us;
		composer_set(&fake, "clear", "C-c");
		fake.turn_for = 60000;
		expect_last(&fake, send_ok(&fake, "one", 0), RECEIPT_ACCEPTED,
			    "");
		composer_run(&fake, 2000);
		composer_type(&fake, "");
		composer_interrupt(&fake);
		composer_run(&fake, 2000);
		expect_last(&fake, send_ok(&fake, "two", 0), RECEIPT_ACCEPTED,
			    "");
		assert_int_equal(fake.clears, 1);
		assert_string_equal(fake.turns[1], "two");
	}
}

TEST(send_free__a_persons_draft_is_not_cleared)
{
	/* The put back prompt was edited; or it is another text. */
	for (int edited = 0; edited < 2; edited++) {
		composer_init(&fake);
		composer_set(&fake, "clear", "C-c");
		fake.turn_for = 60000;
		expect_last(&fake, send_ok(&fake, "one", 0), RECEIPT_ACCEPTED,
			    "");
		composer_run(&fake, 2000);
		if (!edited)
			fake.turns[0][0] = 'X';
		composer_interrupt(&fake);
		composer_run(&fake, 2000);
		if (edited)
			composer_type(&fake, " and one");
		composer_run(&fake, 2000);
		buf_clear(&fake.input);
		expect_submit_error(&fake, "two", 0, ERR_REFUSED, "draft");
		assert_int_equal(fake.clears + fake.quits, 0);
	}
}

/* tmux's own clients: keys are not seen, but can be asked for. */
TEST(send_free__keys_that_pass_us_are_waited_for)
{
	int64_t id;

	fake.past_us = true;
	composer_run(&fake, 3000);
	id = send_ok(&fake, "one", 0);
	for (int i = 0; i < 30; i++) { /* types, and deletes it */
		fake.key_second = fake.now / 1000;
		composer_run(&fake, 100);
	}
	assert_int_equal(fake.pastes, 0);
	expect_last(&fake, id, RECEIPT_ACCEPTED, "");
	assert_int_equal(fake.pastes, 1);
}
