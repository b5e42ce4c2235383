/* test_send_confirm.c - after Enter: who says that the message was taken. */
#include "support_composer.h"
#include "support_unit.h"

TEST(send_confirm__a_swallowed_enter_is_not_pressed_again)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.swallow_enter = true;
	id = send_ok(&c, "stays there", 0);
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "still stands");
	assert_string_equal(composer_receipts(&c, id),
			    "pasted submitted unconfirmed");
	composer_run(&c, 30000);
	assert_int_equal(c.enters, 1);
	assert_int_equal(c.pastes, 1);
	composer_finish(&c);
}

TEST(send_confirm__without_signals_submitted_is_the_last_word)
{
	struct composer_fake c;
	struct err err;
	int64_t id;

	composer_init_plain(&c);
	c.line_mode = true;
	composer_redraw(&c);
	id = send_ok(&c, "hello", 0);
	expect_last(&c, id, RECEIPT_SUBMITTED, "no more");
	assert_string_equal(composer_receipts(&c, id),
			    "pasted submitted submitted");
	assert_string_equal(c.input.data, "hello\r");

	id = send_ok(&c, "hello", 0); /* the same again: its own echo */
	expect_last(&c, id, RECEIPT_SUBMITTED, "no more");
	assert_int_equal(c.enters, 2);

	assert_int_equal(composer_send(&c, "two\nlines", 0, NULL, &err), -1);
	assert_int_equal(err.kind, ERR_USAGE);
	assert_non_null(strstr(err.hint, "--raw"));
	assert_int_equal(c.enters, 2);

	buf_clear(&c.input);
	id = send_ok(&c, "one\n\ntwo", SENDER_RAW);
	expect_last(&c, id, RECEIPT_SUBMITTED, "");
	assert_string_equal(c.input.data, "one\r\rtwo\r");

	/* What stands above the cursor already is not this one's echo. */
	c.drop_paste = true;
	id = send_ok(&c, "two", 0);
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "does not show");
	assert_int_equal(c.enters, 5);
	composer_finish(&c);
}

TEST(send_confirm__a_silent_harness_is_unconfirmed)
{
	struct composer_fake c;
	int64_t id;

	composer_init_plain(&c);
	c.line_mode = true;
	c.mute = true;
	composer_redraw(&c);
	id = send_ok(&c, "anybody?", 0);
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "nothing followed");
	composer_finish(&c);
}

TEST(send_confirm__program_status_confirms)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.hooks = false;
	c.status = true;
	id = send_ok(&c, "go", 0);
	expect_last(&c, id, RECEIPT_ACCEPTED, "osc7501");
	composer_finish(&c);
}

/* "/new" begins no turn. As text it would have to. */
TEST(send_confirm__a_command_need_not_begin_a_turn)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.hooks = false;
	c.turn_for = 0;
	id = send_ok(&c, "/new", SENDER_RAW);
	expect_last(&c, id, RECEIPT_ACCEPTED, "took the command");
	id = send_ok(&c, "/new", 0);
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "");
	c.swallow_enter = true;
	id = send_ok(&c, "/new", SENDER_RAW);
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "still stands");
	composer_finish(&c);
}

TEST(send_confirm__another_prompt_does_not_confirm)
{
	struct reading other = {.source = SOURCE_HOOK,
				.activity = ACTIVITY_WORKING,
				.turn_started = true,
				.prompt = "something else"};
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.hooks = false;
	c.turn_for = 0;
	id = send_ok(&c, "mine", 0);
	while (c.enters == 0)
		composer_run(&c, 1);
	activity_reading(c.activity, &other, c.now);
	sender_reading(c.sender, &other);
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "another text");
	composer_finish(&c);
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
		struct composer_fake c;
		int64_t id, at;

		composer_init(&c);
		c.hooks = false;
		id = send_ok(&c, "mine", 0);
		while (c.enters == 0)
			composer_run(&c, 1);
		at = c.now;
		sender_reading(c.sender, &r);
		composer_run(&c, 300); /* the screen says so, too */
		assert_string_equal(composer_receipts(&c, id),
				    "pasted submitted");
		r.source = SOURCE_HOOK;
		r.turn_started = true;
		if (prompts[i] != NULL) {
			strcpy(r.prompt, prompts[i]);
			sender_reading(c.sender, &r);
		}
		expect_last(&c, id,
			    i == 1 ? RECEIPT_UNCONFIRMED : RECEIPT_ACCEPTED,
			    by[i]);
		assert_true(i == 1 || c.now - at < 1500);
		composer_finish(&c);
	}
}

TEST(send_confirm__without_hooks_a_sign_is_enough)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.hooks = false;
	c.status = true;
	c.adapter.hook = NULL;
	id = send_ok(&c, "go", 0);
	while (c.enters == 0)
		composer_run(&c, 1);
	composer_run(&c, 100);
	assert_string_equal(composer_receipts(&c, id),
			    "pasted submitted accepted");
	composer_finish(&c);
}

/* The fake's composer is last on its screen: one empty line more. */
static bool became_line(const struct rules *r, const struct view *before,
			const struct view *now)
{
	return now->cursor_row > 0 && now->cursor_col == 2 &&
	       strcmp(now->rows[now->cursor_row], "  ") == 0 &&
	       strcmp(now->rows[now->cursor_row - 1],
		      before->rows[before->cursor_row]) == 0;
}

TEST(send_confirm__an_enter_may_become_a_line)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.adapter.enter_became_line = became_line;
	c.breaks = 1;
	id = send_ok(&c, "one\ntwo", 0);
	expect_last(&c, id, RECEIPT_ACCEPTED, "hook");
	assert_string_equal(composer_receipts(&c, id),
			    "pasted submitted accepted");
	assert_string_equal(c.turns[0], "one\ntwo\n");
	assert_int_equal(c.enters, 2);
	composer_run(&c, 5000);

	/* Once, that is. */
	c.breaks = 2;
	id = send_ok(&c, "three", 0);
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "still stands");
	assert_int_equal(c.enters, 4);
	composer_finish(&c);
}

/* A menu comes so much later than the Enter that became a line, and what is
 * printed is read after lag. */
static void expect_menu_spared(int64_t later, int64_t lag)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.adapter.enter_became_line = became_line;
	c.breaks = 1;
	c.read_lag = lag;
	id = send_ok(&c, "before a menu", 0);
	while (c.enters == 0)
		composer_run(&c, 1);
	c.menu_at = c.now + later;
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "asks something");
	assert_int_equal(c.approvals, 0);
	assert_int_equal(c.enters, 1);
	composer_finish(&c);
}

TEST(send_confirm__a_broken_line_is_entered_into_nothing_else)
{
	struct composer_fake c;
	int64_t id;

	expect_menu_spared(30, 2);
	/* Printed, and not read before the second Enter's last look. */
	expect_menu_spared(80, 40);

	/* A person goes on with it. */
	composer_init(&c);
	c.adapter.enter_became_line = became_line;
	c.breaks = 1;
	c.past_us = true;
	id = send_ok(&c, "two hands", 0);
	while (c.enters == 0)
		composer_run(&c, 1);
	c.key_second = c.now / 1000;
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "still stands");
	assert_int_equal(c.enters, 1);
	composer_finish(&c);
}

/* As Gemini CLI does it while its MCP servers start, and joins what it has. */
TEST(send_confirm__a_message_in_its_own_queue_is_waited_for)
{
	struct composer_fake c;
	int64_t one, two;

	composer_init(&c);
	c.queues_until = c.now + 40000;
	one = send_ok(&c, "one", 0);
	composer_run(&c, 2000);
	two = send_ok(&c, "two", 0);
	composer_run(&c, 37000);
	assert_string_equal(composer_receipts(&c, one), "pasted submitted");
	assert_int_equal(c.enters, 1);
	assert_int_equal(c.pastes, 1);
	expect_last(&c, one, RECEIPT_ACCEPTED, "hook");
	expect_last(&c, two, RECEIPT_ACCEPTED, "hook");
	assert_int_equal(c.nturns, 2);
	assert_string_equal(c.turns[0], "one");
	assert_string_equal(c.turns[1], "two");
	composer_finish(&c);
}

/* A message that leaves the queue, at ms after Enter; no turn is seen. */
static int64_t leave_queue(struct composer_fake *c, int64_t ms)
{
	int64_t id;

	composer_init(c);
	c->hooks = false;
	c->turn_for = 0;
	c->queues_until = c->now + 100000;
	id = send_ok(c, "late", 0);
	while (c->enters == 0)
		composer_run(c, 1);
	c->queues_until = c->now + ms;
	composer_run(c, ms);
	return id;
}

TEST(send_confirm__out_of_the_queue_its_hook_has_its_time)
{
	struct reading start = {.source = SOURCE_HOOK,
				.activity = ACTIVITY_WORKING,
				.turn_started = true,
				.prompt = "late"};
	struct composer_fake c;
	int64_t id, at;

	for (int64_t ms = 7000; ms <= 17000; ms += 1700) {
		id = leave_queue(&c, ms);
		composer_run(&c, 7500);
		assert_string_equal(composer_receipts(&c, id),
				    "pasted submitted");
		sender_reading(c.sender, &start);
		expect_last(&c, id, RECEIPT_ACCEPTED, "hook");
		composer_finish(&c);

		id = leave_queue(&c, ms);
		at = c.now;
		expect_last(&c, id, RECEIPT_UNCONFIRMED, "no sign of a turn");
		assert_true(c.now - at <= 17000);
		composer_finish(&c);
	}
}

TEST(send_confirm__a_queue_is_not_waited_for_without_end)
{
	struct composer_fake c;
	int64_t id;

	composer_init(&c);
	c.queues_until = INT64_MAX;
	id = send_ok(&c, "never", 0);
	composer_run(&c, 60000);
	assert_string_equal(composer_receipts(&c, id), "pasted submitted");
	c.now += (int64_t)7 * 24 * 3600 * 1000;
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "no sign of a turn");
	composer_finish(&c);
}

TEST(send_confirm__what_a_person_queued_is_not_added_to)
{
	struct composer_fake c;
	int64_t id, at;

	composer_init(&c);
	c.queues_until = c.now + 40000;
	composer_type(&c, "theirs\r");
	composer_run(&c, 3000);
	id = send_ok(&c, "ours", 0);
	composer_run(&c, 30000);
	assert_string_equal(composer_receipts(&c, id), "queued");
	assert_int_equal(c.pastes, 0);
	expect_last(&c, id, RECEIPT_ACCEPTED, "hook");
	assert_string_equal(c.turns[0], "theirs");
	assert_string_equal(c.turns[1], "ours");
	composer_finish(&c);

	/* Typed all the same: that row says nothing of ours. */
	composer_init(&c);
	c.queues_until = c.now + 40000;
	composer_type(&c, "theirs\r");
	composer_run(&c, 3000);
	id = send_ok(&c, "ours", SENDER_NOW);
	at = c.now;
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "no sign of a turn");
	assert_true(c.now - at < 12000);
	composer_finish(&c);
}
