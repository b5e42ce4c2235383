/* test_send_confirm.c - after Enter: who says that the message was taken. */
#include "support_composer.h"
#include "support_unit.h"

FIXTURE(composer_begin, composer_end)

TEST(send_confirm__a_swallowed_enter_is_not_pressed_again)
{
	int64_t id;

	fake.swallow_enter = true;
	id = send_ok(&fake, "stays there", 0);
	expect_last(&fake, id, RECEIPT_UNCONFIRMED, "text is still");
	assert_string_equal(composer_receipts(&fake, id),
			    "pasted submitted unconfirmed");
	composer_run(&fake, 30000);
	assert_int_equal(fake.enters, 1);
	assert_int_equal(fake.pastes, 1);
}

TEST(send_confirm__without_signals_submitted_is_the_last_word)
{
	struct err err;
	int64_t id;

	composer_init_plain(&fake);
	fake.line_mode = true;
	composer_redraw(&fake);
	id = send_ok(&fake, "hello", 0);
	expect_last(&fake, id, RECEIPT_SUBMITTED, "no more");
	assert_string_equal(composer_receipts(&fake, id),
			    "pasted submitted submitted");
	assert_string_equal(fake.input.data, "hello\r");

	id = send_ok(&fake, "hello", 0); /* the same again: its own echo */
	expect_last(&fake, id, RECEIPT_SUBMITTED, "no more");
	assert_int_equal(fake.enters, 2);

	assert_int_equal(composer_send(&fake, "two\nlines", 0, NULL, &err), -1);
	assert_int_equal(err.kind, ERR_USAGE);
	assert_non_null(strstr(err.hint, "--raw"));
	assert_int_equal(fake.enters, 2);

	buf_clear(&fake.input);
	id = send_ok(&fake, "one\n\ntwo", SENDER_RAW);
	expect_last(&fake, id, RECEIPT_SUBMITTED, "");
	assert_string_equal(fake.input.data, "one\r\rtwo\r");

	/* Text that is above the cursor already is not this message's echo. */
	fake.drop_paste = true;
	id = send_ok(&fake, "two", 0);
	expect_last(&fake, id, RECEIPT_UNCONFIRMED, "does not show");
	assert_int_equal(fake.enters, 5);
}

TEST(send_confirm__a_silent_harness_is_unconfirmed)
{
	composer_init_plain(&fake);
	fake.line_mode = true;
	fake.mute = true;
	composer_redraw(&fake);
	expect_last(&fake, send_ok(&fake, "anybody?", 0), RECEIPT_UNCONFIRMED,
		    "nothing followed");
}

TEST(send_confirm__program_status_confirms)
{
	fake.hooks = false;
	fake.status = true;
	expect_last(&fake, send_ok(&fake, "go", 0), RECEIPT_ACCEPTED,
		    "osc7501");
}

/* "/new" begins no turn. As text it would have to. */
TEST(send_confirm__a_command_need_not_begin_a_turn)
{
	fake.hooks = false;
	fake.turn_for = 0;
	expect_last(&fake, send_ok(&fake, "/new", SENDER_RAW), RECEIPT_ACCEPTED,
		    "took the command");
	expect_last(&fake, send_ok(&fake, "/new", 0), RECEIPT_UNCONFIRMED, "");
	fake.swallow_enter = true;
	expect_last(&fake, send_ok(&fake, "/new", SENDER_RAW),
		    RECEIPT_UNCONFIRMED, "text is still");
}

TEST(send_confirm__another_prompt_does_not_confirm)
{
	struct reading other = {.source = SOURCE_HOOK,
				.activity = ACTIVITY_WORKING,
				.turn_started = true,
				.prompt = "something else"};
	int64_t id;

	fake.hooks = false;
	fake.turn_for = 0;
	id = send_ok(&fake, "mine", 0);
	composer_until(&fake, &fake.enters);
	activity_reading(fake.activity, &other, fake.now);
	sender_reading(fake.sender, &other);
	expect_last(&fake, id, RECEIPT_UNCONFIRMED, "another text");
}

/* The status is there before the hook that says what it works on. */
TEST(send_confirm__a_sign_waits_for_the_hooks_word)
{
	static const char *const prompts[] = {"mine", "something elsemine",
					      NULL};
	static const char *const by[] = {"hook", "another text", "osc7501"};

	for (size_t i = 0; i < sizeof prompts / sizeof prompts[0]; i++) {
		struct reading r = {.source = SOURCE_PROGRAM_STATUS,
				    .activity = ACTIVITY_WORKING};
		int64_t id, at;

		composer_init(&fake);
		fake.hooks = false;
		id = send_ok(&fake, "mine", 0);
		composer_until(&fake, &fake.enters);
		at = fake.now;
		sender_reading(fake.sender, &r);
		composer_run(&fake, 300); /* the screen says so, too */
		assert_string_equal(composer_receipts(&fake, id),
				    "pasted submitted");
		r.source = SOURCE_HOOK;
		r.turn_started = true;
		if (prompts[i] != NULL) {
			strcpy(r.prompt, prompts[i]);
			sender_reading(fake.sender, &r);
		}
		expect_last(&fake, id,
			    i == 1 ? RECEIPT_UNCONFIRMED : RECEIPT_ACCEPTED,
			    by[i]);
		assert_true(i == 1 || fake.now - at < 1500);
	}
}

TEST(send_confirm__without_hooks_a_sign_is_enough)
{
	int64_t id;

	fake.hooks = false;
	fake.status = true;
	fake.adapter.hook = NULL;
	id = send_ok(&fake, "go", 0);
	composer_until(&fake, &fake.enters);
	composer_run(&fake, 100);
	assert_string_equal(composer_receipts(&fake, id),
			    "pasted submitted accepted");
}

/* The fake's composer is last on its screen: one empty line more. */
static bool became_line(const struct rules *r, const struct screen_view *before,
			const struct screen_view *now)
{
	return now->cursor_row > 0 && now->cursor_col == 2 &&
	       strcmp(now->rows[now->cursor_row], "  ") == 0 &&
	       strcmp(now->rows[now->cursor_row - 1],
		      before->rows[before->cursor_row]) == 0;
}

TEST(send_confirm__an_enter_may_become_a_line)
{
	int64_t id;

	fake.adapter.enter_became_line = became_line;
	fake.breaks = 1;
	id = send_ok(&fake, "one\ntwo", 0);
	expect_last(&fake, id, RECEIPT_ACCEPTED, "hook");
	assert_string_equal(composer_receipts(&fake, id),
			    "pasted submitted accepted");
	assert_string_equal(fake.turns[0], "one\ntwo\n");
	assert_int_equal(fake.enters, 2);
	composer_run(&fake, 5000);

	/* Once, that is. */
	fake.breaks = 2;
	id = send_ok(&fake, "three", 0);
	expect_last(&fake, id, RECEIPT_UNCONFIRMED, "text is still");
	assert_int_equal(fake.enters, 4);
}

/* A menu comes that much later than the Enter that became a line, and output is
 * read after lag. */
static void expect_menu_spared(int64_t later, int64_t lag)
{
	int64_t id;

	composer_init(&fake);
	fake.adapter.enter_became_line = became_line;
	fake.breaks = 1;
	fake.read_lag = lag;
	id = send_ok(&fake, "before a menu", 0);
	composer_until(&fake, &fake.enters);
	fake.menu_at = fake.now + later;
	expect_last(&fake, id, RECEIPT_UNCONFIRMED, "asks something");
	assert_int_equal(fake.approvals, 0);
	assert_int_equal(fake.enters, 1);
}

TEST(send_confirm__a_broken_line_is_entered_into_nothing_else)
{
	int64_t id;

	expect_menu_spared(30, 2);
	/* Printed, and not read before the last check ahead of the second
	 * Enter. */
	expect_menu_spared(80, 40);

	/* A person continues it. */
	composer_init(&fake);
	fake.adapter.enter_became_line = became_line;
	fake.breaks = 1;
	fake.past_us = true;
	id = send_ok(&fake, "two hands", 0);
	composer_until(&fake, &fake.enters);
	fake.key_second = fake.now / 1000;
	expect_last(&fake, id, RECEIPT_UNCONFIRMED, "text is still");
	assert_int_equal(fake.enters, 1);
}

/* As Gemini CLI does it while its MCP servers start, and joins what it has. */
TEST(send_confirm__a_message_in_its_own_queue_is_waited_for)
{
	int64_t one, two;

	fake.queues_until = fake.now + 40000;
	one = send_ok(&fake, "one", 0);
	composer_run(&fake, 2000);
	two = send_ok(&fake, "two", 0);
	composer_run(&fake, 37000);
	assert_string_equal(composer_receipts(&fake, one), "pasted submitted");
	assert_int_equal(fake.enters, 1);
	assert_int_equal(fake.pastes, 1);
	expect_last(&fake, one, RECEIPT_ACCEPTED, "hook");
	expect_last(&fake, two, RECEIPT_ACCEPTED, "hook");
	assert_int_equal(fake.nturns, 2);
	assert_string_equal(fake.turns[0], "one");
	assert_string_equal(fake.turns[1], "two");
}

/* A message that leaves the queue, at ms after Enter; no turn is seen. */
static int64_t leave_queue(int64_t ms)
{
	int64_t id;

	composer_init(&fake);
	fake.hooks = false;
	fake.turn_for = 0;
	fake.queues_until = fake.now + 100000;
	id = send_ok(&fake, "late", 0);
	composer_until(&fake, &fake.enters);
	fake.queues_until = fake.now + ms;
	composer_run(&fake, ms);
	return id;
}

TEST(send_confirm__out_of_the_queue_its_hook_has_its_time)
{
	struct reading start = {.source = SOURCE_HOOK,
				.activity = ACTIVITY_WORKING,
				.turn_started = true,
				.prompt = "late"};
	int64_t id, at;

	for (int64_t ms = 7000; ms <= 17000; ms += 1700) {
		id = leave_queue(ms);
		composer_run(&fake, 7500);
		assert_string_equal(composer_receipts(&fake, id),
				    "pasted submitted");
		sender_reading(fake.sender, &start);
		expect_last(&fake, id, RECEIPT_ACCEPTED, "hook");

		id = leave_queue(ms);
		at = fake.now;
		expect_last(&fake, id, RECEIPT_UNCONFIRMED,
			    "no sign of a turn");
		assert_true(fake.now - at <= 17000);
	}
}

TEST(send_confirm__a_queue_is_not_waited_for_without_end)
{
	int64_t id;

	fake.queues_until = INT64_MAX;
	id = send_ok(&fake, "never", 0);
	composer_run(&fake, 60000);
	assert_string_equal(composer_receipts(&fake, id), "pasted submitted");
	fake.now += (int64_t)7 * 24 * 3600 * 1000;
	expect_last(&fake, id, RECEIPT_UNCONFIRMED, "no sign of a turn");
}

TEST(send_confirm__what_a_person_queued_is_not_added_to)
{
	int64_t id, at;

	fake.queues_until = fake.now + 40000;
	composer_type(&fake, "theirs\r");
	composer_run(&fake, 3000);
	id = send_ok(&fake, "ours", 0);
	composer_run(&fake, 30000);
	assert_string_equal(composer_receipts(&fake, id), "queued");
	assert_int_equal(fake.pastes, 0);
	expect_last(&fake, id, RECEIPT_ACCEPTED, "hook");
	assert_string_equal(fake.turns[0], "theirs");
	assert_string_equal(fake.turns[1], "ours");

	/* It is typed: that row does not belong to our text. */
	composer_init(&fake);
	fake.queues_until = fake.now + 40000;
	composer_type(&fake, "theirs\r");
	composer_run(&fake, 3000);
	id = send_ok(&fake, "ours", SENDER_NOW);
	at = fake.now;
	expect_last(&fake, id, RECEIPT_UNCONFIRMED, "no sign of a turn");
	assert_true(fake.now - at < 12000);
}
