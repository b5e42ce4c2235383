/* test_send_free.c - what is in the way of a message before it is typed. */
#include "base/mem.h"
#include "support_composer.h"
#include "support_unit.h"

TEST(send_free__is_refused_where_something_is_in_the_way)
{
	struct composer_fake c;
	char *big = mem_alloc(PROTOCOL_TEXT_MAX + 2);

	composer_init(&c);
	expect_submit_error(&c, "", 0, ERR_USAGE, "empty");
	expect_submit_error(&c, " \n\t ", 0, ERR_USAGE, "empty");
	expect_submit_error(&c, "\033\001\377", 0, ERR_USAGE, "3");
	memset(big, 'x', PROTOCOL_TEXT_MAX + 1);
	expect_submit_error(&c, big, 0, ERR_LIMIT, "at most");

	c.menu = true;
	composer_redraw(&c);
	expect_submit_error(&c, "yes", 0, ERR_REFUSED, "rm -rf");
	expect_submit_error(&c, "yes", SENDER_RAW, ERR_REFUSED, "rm -rf");
	expect_submit_error(&c, "yes", SENDER_NOW, ERR_REFUSED, "rm -rf");
	c.menu = false;
	c.password = true;
	composer_redraw(&c);
	expect_submit_error(&c, "hunter2", 0, ERR_REFUSED, "password");
	c.password = false;
	buf_adds(&c.shown, "my draft");
	composer_redraw(&c);
	expect_submit_error(&c, "x", 0, ERR_REFUSED, "draft");
	assert_int_equal(c.approvals + c.enters, 0);
	composer_finish(&c);
	free(big);
}

TEST(send_free__the_first_task_waits_for_the_start)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.no_composer = true;
	c.menu = true;
	composer_redraw(&c);
	id = send_ok(&c, "task", SENDER_WHEN_IDLE);
	composer_run(&c, 30000); /* a dialog does not use up the time */
	assert_string_equal(composer_receipts(&c, id), "queued");
	c.menu = false;
	composer_redraw(&c);
	composer_run(&c, 600000); /* where all start at once it takes long */
	assert_string_equal(sender_waits_for(c.sender), "it is still starting");
	c.no_composer = false;
	composer_redraw(&c);
	expect_last(&c, id, RECEIPT_ACCEPTED, "");
	assert_int_equal(c.approvals, 0);
	composer_finish(&c);
}

TEST(send_free__a_harness_never_ready_fails_in_time)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.no_composer = true; /* nobody has looked at it until now */
	composer_redraw(&c);
	id = send_ok(&c, "text", 0);
	expect_last(&c, id, RECEIPT_FAILED, "not ready");
	assert_string_equal(composer_receipts(&c, id), "queued failed");
	assert_int_equal(c.input.len, 0);
	composer_finish(&c);
}

TEST(send_free__an_absent_composer_refuses_after_a_while)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	composer_run(&c, 100);
	id = send_ok(&c, "first", 0);
	expect_last(&c, id, RECEIPT_ACCEPTED, "");
	composer_run(&c, 5000);
	c.no_composer = true;
	composer_redraw(&c);
	id = send_ok(&c, "second", 0);
	expect_last(&c, id, RECEIPT_REFUSED, "not on the screen");
	assert_int_equal(c.nturns, 1);
	composer_finish(&c);
}

TEST(send_free__a_queued_message_outlives_an_approval)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.turn_for = 4000;
	expect_last(&c, send_ok(&c, "work", 0), RECEIPT_ACCEPTED, "");
	id = send_ok(&c, "then this", 0);
	c.menu_at = c.now + 1000;
	c.menu_for = 8000;
	expect_last(&c, id, RECEIPT_ACCEPTED, "");
	assert_int_equal(c.approvals, 0);
	assert_int_equal(c.nturns, 2);
	composer_finish(&c);
}

/* Codex's composer is there while it still sets itself up. */
TEST(send_free__waits_for_the_set_up)
{
	struct reading r = {.source = SOURCE_PROGRAM_STATUS,
			    .activity = ACTIVITY_WORKING};
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	activity_reading(c.activity, &r, c.now);
	composer_run(&c, 10);
	id = send_ok(&c, "go", 0);
	composer_run(&c, 2000);
	assert_int_equal(c.pastes, 0);
	r.activity = ACTIVITY_IDLE;
	activity_reading(c.activity, &r, c.now);
	composer_run(&c, 1);
	sender_wake(c.sender); /* as watch_verdict() does */
	expect_last(&c, id, RECEIPT_ACCEPTED, "hook");
	assert_int_equal(c.pastes, 1);
	composer_finish(&c);
}

TEST(send_free__a_prompt_put_back_is_cleared_once)
{
	struct composer_fake c;

	composer_init(&c);
	c.adapter.clear_draft = "\003";
	c.turn_for = 60000;
	expect_last(&c, send_ok(&c, "one", 0), RECEIPT_ACCEPTED, "");
	composer_run(&c, 2000);
	composer_interrupt(&c);
	composer_run(&c, 2000);
	expect_last(&c, send_ok(&c, "two", 0), RECEIPT_ACCEPTED, "");
	assert_int_equal(c.clears, 1);
	assert_int_equal(c.quits, 0);
	assert_int_equal(c.nturns, 2);
	assert_string_equal(c.turns[1], "two");
	composer_finish(&c);
}

/* Whoever pressed the key, seen or not: what stands there is the message. */
TEST(send_free__a_persons_interrupt_jams_nothing)
{
	struct composer_fake c;

	for (int past_us = 0; past_us < 2; past_us++) {
		composer_init(&c);
		c.past_us = past_us;
		c.adapter.clear_draft = "\003";
		c.turn_for = 60000;
		expect_last(&c, send_ok(&c, "one", 0), RECEIPT_ACCEPTED, "");
		composer_run(&c, 2000);
		composer_type(&c, "");
		composer_interrupt(&c);
		composer_run(&c, 2000);
		expect_last(&c, send_ok(&c, "two", 0), RECEIPT_ACCEPTED, "");
		assert_int_equal(c.clears, 1);
		assert_string_equal(c.turns[1], "two");
		composer_finish(&c);
	}
}

TEST(send_free__a_persons_draft_is_not_cleared)
{
	struct composer_fake c;

	/* The put back prompt was edited; or it is another text. */
	for (int edited = 0; edited < 2; edited++) {
		composer_init(&c);
		c.adapter.clear_draft = "\003";
		c.turn_for = 60000;
		expect_last(&c, send_ok(&c, "one", 0), RECEIPT_ACCEPTED, "");
		composer_run(&c, 2000);
		if (!edited)
			c.turns[0][0] = 'X';
		composer_interrupt(&c);
		composer_run(&c, 2000);
		if (edited)
			composer_type(&c, " and one");
		composer_run(&c, 2000);
		buf_clear(&c.input);
		expect_submit_error(&c, "two", 0, ERR_REFUSED, "draft");
		assert_int_equal(c.clears + c.quits, 0);
		composer_finish(&c);
	}
}

/* tmux's own clients: keys are not seen, but can be asked for. */
TEST(send_free__keys_that_pass_us_are_waited_for)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.past_us = true;
	composer_run(&c, 3000);
	id = send_ok(&c, "one", 0);
	for (int i = 0; i < 30; i++) { /* types, and takes it back */
		c.key_second = c.now / 1000;
		composer_run(&c, 100);
	}
	assert_int_equal(c.pastes, 0);
	expect_last(&c, id, RECEIPT_ACCEPTED, "");
	assert_int_equal(c.pastes, 1);
	composer_finish(&c);
}
