/* test_send_leftover.c - a paste that was not shown may still appear. */
#include "support_composer.h"
#include "support_fake.h"
#include "support_unit.h"

FIXTURE(composer_begin, composer_end)

/* Stopped, swapped out: what is pasted waits in the terminal. */
TEST(send_leftover__a_stall_loses_and_joins_nothing)
{
	static const int stalls[] = {100, 2900, 3100, 9000, 20000, 29000};

	for (size_t i = 0; i < sizeof stalls / sizeof stalls[0]; i++) {
		int64_t id[2];

		composer_init(&fake);
		fake.stopped = true;
		id[0] = send_ok(&fake, "first message", 0);
		id[1] = send_ok(&fake, "second message", 0);
		composer_run(&fake, stalls[i]);
		fake.stopped = false;
		expect_last(&fake, id[0], RECEIPT_ACCEPTED, "");
		expect_last(&fake, id[1], RECEIPT_ACCEPTED, "");
		assert_int_equal(fake.nturns, 2);
		assert_string_equal(fake.turns[0], "first message");
		assert_string_equal(fake.turns[1], "second message");
	}
}

/* It appears after its client got the receipt. */
static void leftover(int64_t id[2])
{
	composer_init(&fake);
	fake.stopped = true;
	id[0] = send_ok(&fake, "first message", 0);
	expect_last(&fake, id[0], RECEIPT_UNCONFIRMED, "may still appear");
	id[1] = send_ok(&fake, "second message", 0);
	composer_run(&fake, 20000);
	assert_string_equal(composer_receipts(&fake, id[1]), "queued");
	assert_non_null(
	    strstr(sender_wait_reason(fake.sender), "may still appear"));
	assert_int_equal(fake.enters, 0);
	fake.stopped = false;
}

TEST(send_leftover__one_that_comes_late_is_a_draft)
{
	int64_t id[2];

	leftover(id);
	composer_run(&fake, 20000);
	assert_string_equal(fake.text.data, "first message");
	assert_string_equal(composer_receipts(&fake, id[1]), "queued");
	assert_string_equal(
	    sender_wait_reason(fake.sender),
	    "message 1 was left in its input field: clear it there");
	assert_true(sender_needs_person(fake.sender));
	composer_type(&fake, "\x03"); /* a person deletes it */
	expect_last(&fake, id[1], RECEIPT_ACCEPTED, "");
	assert_string_equal(fake.turns[0], "second message");
	assert_int_equal(fake.nturns, 1);
}

TEST(send_leftover__is_cleared_where_that_is_safe)
{
	int64_t id[2];

	leftover(id);
	composer_set(&fake, "clear", "C-c");
	expect_last(&fake, id[1], RECEIPT_ACCEPTED, "");
	assert_string_equal(fake.turns[0], "second message");
	assert_int_equal(fake.nturns, 1);
	assert_int_equal(fake.clears, 1);
	assert_int_equal(fake.quits, 0);
}

/* The second key is pressed only if the same text is still there. */
TEST(send_leftover__is_cleared_by_keys_with_a_pause)
{
	static const struct {
		const char *keys;
		int clears;
	} t[] = {{"C-c 300 C-c", 1}, {"x 300 C-c", 0}};

	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		int64_t id[2];

		leftover(id);
		composer_set(&fake, "clear", t[i].keys);
		if (t[i].clears)
			expect_last(&fake, id[1], RECEIPT_ACCEPTED, "");
		else
			composer_run(&fake, 20000);
		assert_int_equal(fake.clears, t[i].clears);
		assert_int_equal(fake.quits, 0);
		assert_int_equal(fake.nturns, t[i].clears);
	}
}

/* Text that a person adds makes it a person's draft. */
TEST(send_leftover__with_more_it_is_not_cleared)
{
	int64_t id[2];

	leftover(id);
	composer_set(&fake, "clear", "C-c");
	fake.stopped = true;
	buf_adds(&fake.queue, " and mine");
	fake.stopped = false;
	composer_run(&fake, 20000);
	assert_string_equal(fake.text.data, "first message and mine");
	assert_int_equal(fake.clears, 0);
	assert_int_equal(fake.enters, 0);
}

TEST(send_leftover__what_was_dropped_is_not_waited_for)
{
	int64_t id[2];

	fake.drop_paste = true;
	id[0] = send_ok(&fake, "first message", 0);
	expect_last(&fake, id[0], RECEIPT_UNCONFIRMED, "may still appear");
	fake.drop_paste = false;
	id[1] = send_ok(&fake, "second message", 0);
	composer_run(&fake, 10000);
	assert_int_equal(fake.pastes, 1); /* nothing shows that it was */
	composer_redraw(&fake);
	composer_run(&fake, 3500);
	assert_int_equal(fake.pastes, 1);
	expect_last(&fake, id[1], RECEIPT_ACCEPTED, "");
	assert_int_equal(fake.nturns, 1);
	assert_string_equal(fake.turns[0], "second message");
}

/* A question appears before Enter: the message is held. Its text is there again
 * when the question was answered, by a key that was not for the composer. */
static int64_t overtaken(const char *clear_draft)
{
	int64_t id;

	composer_init(&fake);
	if (clear_draft)
		composer_set(&fake, "clear", clear_draft);
	fake.adapter.clear_key = "C-c";
	id = send_ok(&fake, "first message", 0);
	composer_until(&fake, &fake.pastes);
	fake.menu_at = fake.now + 30;
	expect_held(&fake, id, "asks something");
	composer_run(&fake, 5000);
	assert_non_null(strstr(sender_wait_reason(fake.sender), "held: it"));
	assert_true(sender_needs_person(fake.sender));
	assert_int_equal(sender_queued(fake.sender), 1);
	composer_type(&fake, "1");
	fake.menu = false;
	composer_redraw(&fake);
	return id;
}

/* Nothing is lost: it is typed again, alone and once. */
TEST(send_leftover__what_a_question_overtook_is_typed_again)
{
	int64_t id = overtaken("C-c");

	expect_last(&fake, id, RECEIPT_ACCEPTED, "hook");
	expect_last(&fake, send_ok(&fake, "second message", 0),
		    RECEIPT_ACCEPTED, "");
	assert_int_equal(fake.clears, 1);
	assert_int_equal(fake.quits, 0);
	assert_int_equal(fake.nturns, 2);
	assert_string_equal(fake.turns[0], "first message");
	assert_string_equal(fake.turns[1], "second message");
}

/* The question has taken the paste. */
TEST(send_leftover__what_a_question_swallowed_is_typed_again)
{
	int64_t id = send_ok(&fake, "first message", 0);

	fake.drop_paste = true;
	composer_until(&fake, &fake.pastes);
	fake.menu_at = fake.now + 10;
	expect_held(&fake, id, "asks something");
	fake.drop_paste = false;
	composer_type(&fake, "1");
	fake.menu = false;
	composer_redraw(&fake);
	expect_last(&fake, id, RECEIPT_ACCEPTED, "hook");
	assert_int_equal(fake.nturns, 1);
	assert_string_equal(fake.turns[0], "first message");
}

/* The text disappears again and again without a reason. */
TEST(send_leftover__is_not_typed_for_ever)
{
	int64_t id = send_ok(&fake, "first message", 0);

	for (int i = 1; i <= 6; i++) {
		while (fake.pastes < i && fake.now < 200000)
			composer_run(&fake, 1);
		composer_run(&fake, 20);
		buf_clear(&fake.text);
		buf_clear(&fake.shown);
		composer_redraw(&fake);
	}
	expect_last(&fake, id, RECEIPT_UNCONFIRMED, "no longer");
	assert_int_equal(fake.pastes, 4);
	assert_int_equal(fake.enters, 0);
}

/* The key would interrupt a turn. */
TEST(send_leftover__is_not_cleared_while_it_works)
{
	int64_t id = overtaken("C-c");

	fake_tell(&fake, ACTIVITY_WORKING, true, "another");
	composer_run(&fake, 3000);
	assert_int_equal(fake.clears, 0);
	fake_tell(&fake, ACTIVITY_COMPLETED, false, NULL);
	expect_last(&fake, id, RECEIPT_ACCEPTED, "");
	assert_int_equal(fake.clears, 1);
	assert_string_equal(fake.turns[0], "first message");
}

TEST(send_leftover__is_shown_where_a_person_has_to_clear_it)
{
	static const char what[] =
	    "message 1 was left in its input field: Ctrl-C clears it";
	char why[SENDER_DETAIL] = "";
	int64_t id = overtaken(NULL);
	struct err err = {0};

	composer_run(&fake, 2000);
	assert_true(sender_has_leftover(fake.sender, why));
	assert_string_equal(why, what);
	assert_int_equal(composer_send(&fake, "second message", 0, NULL, &err),
			 -1);
	assert_int_equal(err.kind, ERR_REFUSED);
	assert_string_equal(err.what, what);
	composer_run(&fake, 2000);
	composer_type(&fake, "\x03");
	expect_last(&fake, id, RECEIPT_ACCEPTED, "hook");
	assert_false(sender_has_leftover(fake.sender, why));
	assert_string_equal(fake.turns[0], "first message");
	assert_int_equal(fake.nturns, 1);
}

/* It is not sent twice. */
TEST(send_leftover__a_person_may_press_enter)
{
	int64_t id = overtaken(NULL);

	composer_run(&fake, 2000);
	composer_type(&fake, "\r");
	expect_last(&fake, id, RECEIPT_ACCEPTED, "a person");
	composer_run(&fake, 10000);
	assert_int_equal(fake.nturns, 1);
	assert_int_equal(fake.pastes, 1);

	/* With other text; and where no hook reports it. */
	for (int hooks = 0; hooks < 2; hooks++) {
		id = overtaken(NULL);
		fake.hooks = hooks;
		fake.turn_for = 20000;
		composer_run(&fake, 2000);
		buf_clear(&fake.text);
		composer_type(&fake, "mine\r");
		expect_last(&fake, id, RECEIPT_UNCONFIRMED, "a person");
		composer_run(&fake, 30000);
		assert_int_equal(fake.nturns, 1);
		assert_int_equal(fake.pastes, 1);
	}
}

TEST(send_leftover__typed_beside_it_is_a_persons)
{
	char why[SENDER_DETAIL];
	int64_t id = overtaken("C-c");
	struct err err = {0};

	composer_type(&fake, " and mine");
	composer_run(&fake, 5000);
	assert_int_equal(composer_send(&fake, "second message", 0, NULL, &err),
			 -1);
	assert_non_null(strstr(err.what, "draft"));
	assert_int_equal(fake.clears, 0);
	assert_true(sender_has_leftover(fake.sender, why));
	assert_string_equal(why,
			    "message 1 is held: its input field holds a draft");
	sender_cancel(fake.sender, id, &err);
	assert_false(sender_has_leftover(fake.sender, why));
}

/* Enter was pressed, and did nothing. */
TEST(send_leftover__that_enter_did_not_take_is_cleared)
{
	char why[SENDER_DETAIL];
	int64_t id;

	composer_set(&fake, "clear", "C-c");
	fake.swallow_enter = true;
	id = send_ok(&fake, "first message", 0);
	expect_last(&fake, id, RECEIPT_UNCONFIRMED, "text is still");
	assert_true(sender_has_leftover(fake.sender, why)); /* at once */
	fake.swallow_enter = false;
	id = send_ok(&fake, "second message", 0);
	expect_last(&fake, id, RECEIPT_ACCEPTED, "");
	assert_int_equal(fake.clears, 1);
	assert_int_equal(fake.nturns, 1);
	assert_string_equal(fake.turns[0], "second message");
}

TEST(send_leftover__is_accepted_if_a_person_sends_it)
{
	int64_t id;

	fake.swallow_enter = true;
	id = send_ok(&fake, "first message", 0);
	expect_last(&fake, id, RECEIPT_UNCONFIRMED, "text is still");
	fake.swallow_enter = false;
	composer_type(&fake, "\r");
	assert_int_equal(fake.accepted_late, id);
}

/* Without a memory of it: text before ours is seen. */
TEST(send_leftover__no_enter_behind_anothers_text)
{
	static const char *const fronts[] = {"first message", "mine",
					     "one\ntwo\nthree"};

	for (size_t i = 0; i < sizeof fronts / sizeof fronts[0]; i++) {
		int64_t id;

		composer_init(&fake);
		fake.stopped = true;
		buf_adds(&fake.queue, "\033[200~");
		buf_adds(&fake.queue, fronts[i]);
		buf_adds(&fake.queue, "\033[201~");
		id = send_ok(&fake, "mine", 0);
		composer_run(&fake, 2000);
		fake.stopped = false;
		expect_last(&fake, id, RECEIPT_UNCONFIRMED, "does not show");
		assert_int_equal(fake.enters, 0);
	}
}
