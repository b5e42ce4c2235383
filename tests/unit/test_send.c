/* test_send.c - messages into a scripted composer: once, whole and in order. */
#include "base/mem.h"
#include "support_composer.h"
#include "support_unit.h"

TEST(send__goes_in_once_and_is_confirmed)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	id = send_ok(&c, "make the login test pass", 0);
	expect_last(&c, id, RECEIPT_ACCEPTED, "hook");
	assert_string_equal(composer_receipts(&c, id),
			    "pasted submitted accepted");
	composer_run(&c, 20000);
	assert_int_equal(c.nturns, 1);
	assert_string_equal(c.turns[0], "make the login test pass");
	assert_int_equal(c.enters, 1);
	assert_int_equal(c.pastes, 1);
	composer_finish(&c);
}

TEST(send__is_filtered_and_bracketed)
{
	struct sender_taken taken;
	struct composer_fake c;
	struct err err;
	static const char text[] = "a\r\nb\033[201~c\tz\377\302\200\n\n";

	composer_init(&c);
	assert_int_equal(
	    sender_submit(c.sender, text, sizeof text - 1, 0, &taken, &err), 0);
	assert_int_equal(taken.dropped, 4);
	expect_last(&c, taken.id, RECEIPT_ACCEPTED, "");
	assert_string_equal(c.turns[0], "a\nb[201~c\tz");
	composer_finish(&c);
}

TEST(send__waits_for_the_turn_and_keeps_the_order)
{
	struct composer_fake c;
	int64_t id[3];

	composer_init(&c);
	id[0] = send_ok(&c, "one", 0);
	id[1] = send_ok(&c, "two", 0);
	while (c.pastes == 0)
		composer_run(&c, 1);
	composer_run(&c, 10); /* the draft is ours */
	id[2] = send_ok(&c, "three", 0);
	expect_last(&c, id[0], RECEIPT_ACCEPTED, "");
	composer_run(&c, 200);
	assert_int_equal(c.pastes, 1); /* the turn is not over */
	expect_last(&c, id[1], RECEIPT_ACCEPTED, "");
	expect_last(&c, id[2], RECEIPT_ACCEPTED, "");
	assert_string_equal(composer_receipts(&c, id[2]),
			    "queued pasted submitted accepted");
	assert_int_equal(c.nturns, 3);
	assert_string_equal(c.turns[0], "one");
	assert_string_equal(c.turns[1], "two");
	assert_string_equal(c.turns[2], "three");
	composer_finish(&c);
}

TEST(send__now_goes_into_the_busy_harness)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.turn_for = 20000;
	expect_last(&c, send_ok(&c, "long work", 0), RECEIPT_ACCEPTED, "");
	composer_run(&c, 100);
	id = send_ok(&c, "and a test", SENDER_NOW);
	expect_last(&c, id, RECEIPT_ACCEPTED, "hook");
	assert_true(c.busy);
	assert_int_equal(c.nturns, 2);
	composer_finish(&c);
}

/* Codex and Gemini CLI tell their hook when the turn before has ended. */
TEST(send__now_may_be_taken_much_later)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.takes_late = true;
	c.turn_for = 120000;
	expect_last(&c, send_ok(&c, "long work", 0), RECEIPT_ACCEPTED, "");
	composer_run(&c, 100);
	id = send_ok(&c, "and a test", SENDER_NOW);
	composer_run(&c, 60000);
	assert_string_equal(composer_receipts(&c, id), "pasted submitted");
	composer_run(&c, 60000);
	expect_last(&c, id, RECEIPT_ACCEPTED, "hook");
	assert_int_equal(c.nturns, 2);
	composer_run(&c, 130000);

	c.turn_for = 120000;
	expect_last(&c, send_ok(&c, "long work", 0), RECEIPT_ACCEPTED, "");
	composer_run(&c, 100);

	/* Where it is forgotten, that is told soon after the turn. */
	id = send_ok(&c, "and another", SENDER_NOW);
	composer_run(&c, 60000);
	c.late = NULL;
	composer_run(&c, 100000);
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "no sign");
	composer_finish(&c);
}

TEST(send__keys_are_held_until_all_is_taken)
{
	struct composer_fake c;
	char *text = mem_alloc(100001);
	int64_t id;

	memset(text, 'y', 100000);
	for (int i = 70; i < 100000; i += 71)
		text[i] = '\n';
	composer_init(&c);
	c.collapse = true;
	c.reads_nothing = true;
	id = send_ok(&c, text, 0);
	while (c.now < 100000 && !sender_holds_keys(c.sender))
		composer_run(&c, 1);
	composer_run(&c, 1000);
	assert_true(sender_holds_keys(c.sender));
	c.reads_nothing = false;
	expect_last(&c, id, RECEIPT_ACCEPTED, "");
	assert_false(sender_holds_keys(c.sender));
	assert_string_equal(c.turns[0], text);
	assert_int_equal(c.pastes, 1);
	composer_finish(&c);
	free(text);
}

TEST(send__a_harness_that_reads_nothing_has_a_deadline)
{
	struct composer_fake c;
	char *text = mem_alloc(20001);
	int64_t id, before;

	memset(text, 'y', 20000);
	composer_init(&c);
	c.reads_nothing = true;
	before = c.now;
	id = send_ok(&c, text, 0);
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "does not read");
	assert_true(c.now - before < 12000);
	assert_false(sender_holds_keys(c.sender));

	/* When it reads again, the paste comes up, and nothing goes behind. */
	id = send_ok(&c, "second message", SENDER_WHEN_IDLE);
	composer_run(&c, 2000);
	c.reads_nothing = false;
	composer_run(&c, 20000);
	assert_false(c.in_paste);
	assert_string_equal(composer_receipts(&c, id), "queued");
	assert_int_equal(c.enters, 0);
	assert_int_equal(c.pastes, 1);
	composer_finish(&c);
	free(text);
}

TEST(send__the_queue_is_bounded)
{
	struct composer_fake c;
	struct err err = {0};
	char *text = mem_alloc(PROTOCOL_TEXT_MAX + 1);
	int n;

	composer_init(&c);
	c.turn_for = 1000000;
	expect_last(&c, send_ok(&c, "work", 0), RECEIPT_ACCEPTED, "");
	composer_run(&c, 100);
	for (n = 0; n < 1000; n++)
		if (composer_send(&c, "more", 0, NULL, &err) != 0)
			break;
	assert_int_equal(n, QUEUE_MAX);
	assert_int_equal(err.kind, ERR_LIMIT);
	composer_run(&c, 10);
	sender_stop(c.sender, "the harness exited (0)");
	assert_int_equal(sender_queued(c.sender), 0);
	assert_int_equal(c.told[c.ntold - 1].receipt, RECEIPT_FAILED);
	assert_non_null(strstr(c.told[c.ntold - 1].detail, "exited"));
	assert_int_equal(composer_send(&c, "x", 0, NULL, &err), -1);
	assert_int_equal(err.kind, ERR_NOT_RUNNING);
	composer_finish(&c);

	composer_init(&c);
	c.turn_for = 1000000;
	expect_last(&c, send_ok(&c, "work", 0), RECEIPT_ACCEPTED, "");
	memset(text, 'z', PROTOCOL_TEXT_MAX);
	for (n = 0; n < 1000; n++)
		if (composer_send(&c, text, 0, NULL, &err) != 0)
			break;
	if (n == 0)
		fail_msg("%s", err.what);
	assert_int_equal(n, QUEUE_BYTES_MAX / PROTOCOL_TEXT_MAX);
	assert_int_equal(err.kind, ERR_LIMIT);
	composer_finish(&c);
	free(text);
}

TEST(send__a_line_too_long_for_the_terminal)
{
	struct composer_fake c;
	char text[4097];
	int64_t id;

	composer_init_plain(&c);
	c.line_mode = true;
	composer_redraw(&c);
	memset(text, 'w', 4096);
	text[4096] = '\0';
	id = send_ok(&c, text, 0);
	expect_last(&c, id, RECEIPT_FAILED, "4096");
	assert_int_equal(c.input.len, 0);
	composer_finish(&c);
}

TEST(send__stop_tells_what_was_under_way)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.swallow_enter = true;
	id = send_ok(&c, "under way", 0);
	while (c.enters == 0)
		composer_run(&c, 1);
	sender_stop(c.sender, "the harness exited (1)");
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "exited (1)");
	composer_finish(&c);
}
