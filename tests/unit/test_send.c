/* test_send.c - messages into a scripted composer: once, whole and in order. */
#include "base/mem.h"
#include "support_composer.h"
#include "support_unit.h"

FIXTURE(composer_begin, composer_end)

TEST(send__goes_in_once_and_is_confirmed)
{
	int64_t id;

	id = send_ok(&fake, "make the login test pass", 0);
	expect_last(&fake, id, RECEIPT_ACCEPTED, "hook");
	assert_string_equal(composer_receipts(&fake, id),
			    "pasted submitted accepted");
	composer_run(&fake, 20000);
	assert_int_equal(fake.nturns, 1);
	assert_string_equal(fake.turns[0], "make the login test pass");
	assert_int_equal(fake.enters, 1);
	assert_int_equal(fake.pastes, 1);
}

TEST(send__is_filtered_and_bracketed)
{
	struct sender_taken taken;
	struct err err;
	static const char text[] = "a\r\nb\033[201~c\tz\377\302\200\n\n";

	assert_int_equal(
	    sender_submit(fake.sender, text, sizeof text - 1, 0, &taken, &err),
	    0);
	assert_int_equal(taken.dropped, 4);
	expect_last(&fake, taken.id, RECEIPT_ACCEPTED, "");
	assert_string_equal(fake.turns[0], "a\nb[201~c\tz");
}

static bool is_zero_width_space(uint32_t cp)
{
	return cp == 0x200b;
}

/* Its echo would not be the text; where all is dropped nothing is left. */
TEST(send__leaves_out_what_the_harness_drops)
{
	static const struct guard guard = {.leading = "",
					   .drops = is_zero_width_space};
	struct sender_taken taken;
	struct err err;

	fake.adapter.guard = &guard;
	assert_int_equal(
	    sender_submit(fake.sender, "a\u200bb", 5, 0, &taken, &err), 0);
	assert_int_equal(taken.dropped, 3);
	expect_last(&fake, taken.id, RECEIPT_ACCEPTED, "");
	assert_string_equal(fake.turns[0], "ab");
	buf_clear(&fake.input);
	expect_submit_error(&fake, "\u200b", 0, ERR_USAGE, "3");
	/* Raw it is the sender's own. */
	expect_last(&fake, send_ok(&fake, "c\u200bd", SENDER_RAW),
		    RECEIPT_ACCEPTED, "");
	assert_string_equal(fake.turns[1], "c\u200bd");
}

TEST(send__waits_for_the_turn_and_keeps_the_order)
{
	int64_t id[3];

	id[0] = send_ok(&fake, "one", 0);
	id[1] = send_ok(&fake, "two", 0);
	composer_until(&fake, &fake.pastes);
	composer_run(&fake, 10); /* the draft is ours */
	id[2] = send_ok(&fake, "three", 0);
	expect_last(&fake, id[0], RECEIPT_ACCEPTED, "");
	composer_run(&fake, 200);
	assert_int_equal(fake.pastes, 1); /* the turn is not over */
	expect_last(&fake, id[1], RECEIPT_ACCEPTED, "");
	expect_last(&fake, id[2], RECEIPT_ACCEPTED, "");
	assert_string_equal(composer_receipts(&fake, id[2]),
			    "queued pasted submitted accepted");
	assert_int_equal(fake.nturns, 3);
	assert_string_equal(fake.turns[0], "one");
	assert_string_equal(fake.turns[1], "two");
	assert_string_equal(fake.turns[2], "three");
}

TEST(send__now_goes_into_the_busy_harness)
{
	fake.turn_for = 20000;
	expect_last(&fake, send_ok(&fake, "long work", 0), RECEIPT_ACCEPTED,
		    "");
	composer_run(&fake, 100);
	expect_last(&fake, send_ok(&fake, "and a test", SENDER_NOW),
		    RECEIPT_ACCEPTED, "hook");
	assert_true(fake.busy);
	assert_int_equal(fake.nturns, 2);
}

/* Codex and Gemini CLI tell their hook when the turn before has ended. */
TEST(send__now_may_be_taken_much_later)
{
	int64_t id;

	fake.takes_late = true;
	fake.turn_for = 120000;
	expect_last(&fake, send_ok(&fake, "long work", 0), RECEIPT_ACCEPTED,
		    "");
	composer_run(&fake, 100);
	id = send_ok(&fake, "and a test", SENDER_NOW);
	composer_run(&fake, 60000);
	assert_string_equal(composer_receipts(&fake, id), "pasted submitted");
	composer_run(&fake, 60000);
	expect_last(&fake, id, RECEIPT_ACCEPTED, "hook");
	assert_int_equal(fake.nturns, 2);
	composer_run(&fake, 130000);

	fake.turn_for = 120000;
	expect_last(&fake, send_ok(&fake, "long work", 0), RECEIPT_ACCEPTED,
		    "");
	composer_run(&fake, 100);

	/* If it is forgotten, that is reported soon after the turn. */
	id = send_ok(&fake, "and another", SENDER_NOW);
	composer_run(&fake, 60000);
	fake.late = NULL;
	composer_run(&fake, 100000);
	expect_last(&fake, id, RECEIPT_UNCONFIRMED, "no sign");
}

TEST(send__keys_are_held_until_all_is_taken)
{
	char *text = mem_alloc(100001);
	int64_t id;

	memset(text, 'y', 100000);
	for (int i = 70; i < 100000; i += 71)
		text[i] = '\n';
	fake.collapse = true;
	fake.reads_nothing = true;
	id = send_ok(&fake, text, 0);
	while (fake.now < 100000 && !sender_holds_keys(fake.sender))
		composer_run(&fake, 1);
	composer_run(&fake, 1000);
	assert_true(sender_holds_keys(fake.sender));
	fake.reads_nothing = false;
	expect_last(&fake, id, RECEIPT_ACCEPTED, "");
	assert_false(sender_holds_keys(fake.sender));
	assert_string_equal(fake.turns[0], text);
	assert_int_equal(fake.pastes, 1);
	free(text);
}

TEST(send__a_harness_that_reads_nothing_has_a_deadline)
{
	char *text = mem_alloc(20001);
	int64_t id, before;

	memset(text, 'y', 20000);
	fake.reads_nothing = true;
	before = fake.now;
	id = send_ok(&fake, text, 0);
	expect_last(&fake, id, RECEIPT_UNCONFIRMED, "does not read");
	assert_true(fake.now - before < 12000);
	assert_false(sender_holds_keys(fake.sender));

	/* When it reads again, the paste appears, and nothing is typed after
	 * it. */
	id = send_ok(&fake, "second message", SENDER_WHEN_IDLE);
	composer_run(&fake, 2000);
	fake.reads_nothing = false;
	composer_run(&fake, 20000);
	assert_false(fake.in_paste);
	assert_string_equal(composer_receipts(&fake, id), "queued");
	assert_int_equal(fake.enters, 0);
	assert_int_equal(fake.pastes, 1);
	free(text);
}

TEST(send__the_queue_is_bounded)
{
	struct err err = {0};
	char *text = mem_alloc(PROTOCOL_TEXT_MAX + 1);
	int n;

	fake.turn_for = 1000000;
	expect_last(&fake, send_ok(&fake, "work", 0), RECEIPT_ACCEPTED, "");
	composer_run(&fake, 100);
	for (n = 0; n < 1000; n++) {
		if (composer_send(&fake, "more", 0, NULL, &err) != 0)
			break;
		composer_run(&fake, 1);
	}
	assert_int_equal(n, QUEUE_MAX);
	assert_int_equal(err.kind, ERR_LIMIT);
	composer_run(&fake, 10);
	sender_stop(fake.sender, "the harness exited (0)");
	assert_int_equal(sender_queued(fake.sender), QUEUE_MAX);
	assert_int_equal(fake.told[fake.ntold - 1].receipt, RECEIPT_QUEUED);
	assert_string_equal(fake.told[fake.ntold - 1].detail,
			    SENDER_NEXT_START);
	assert_int_equal(composer_send(&fake, "x", 0, NULL, &err), -1);
	assert_int_equal(err.kind, ERR_NOT_RUNNING);

	composer_init(&fake);
	fake.turn_for = 1000000;
	expect_last(&fake, send_ok(&fake, "work", 0), RECEIPT_ACCEPTED, "");
	memset(text, 'z', PROTOCOL_TEXT_MAX);
	for (n = 0; n < 1000; n++) {
		if (composer_send(&fake, text, 0, NULL, &err) != 0)
			break;
		composer_run(&fake, 1);
	}
	if (n == 0)
		fail_msg("%s", err.what);
	assert_int_equal(n, QUEUE_BYTES_MAX / PROTOCOL_TEXT_MAX);
	assert_int_equal(err.kind, ERR_LIMIT);
	free(text);
}

TEST(send__a_line_too_long_for_the_terminal)
{
	char text[4097];

	composer_init_plain(&fake);
	fake.line_mode = true;
	composer_redraw(&fake);
	memset(text, 'w', 4096);
	text[4096] = '\0';
	expect_last(&fake, send_ok(&fake, text, 0), RECEIPT_FAILED, "4096");
	assert_int_equal(fake.input.len, 0);
}

TEST(send__stop_tells_what_was_under_way)
{
	int64_t id;

	fake.swallow_enter = true;
	id = send_ok(&fake, "under way", 0);
	composer_until(&fake, &fake.enters);
	sender_stop(fake.sender, "the harness exited (1)");
	expect_last(&fake, id, RECEIPT_UNCONFIRMED, "exited (1)");
	composer_init(&fake);
	id = send_ok(&fake, "not begun", 0);
	sender_stop(fake.sender, "the harness exited (1)");
	expect_last(&fake, id, RECEIPT_FAILED, "never typed: the harness");
}
