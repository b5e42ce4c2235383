/* test_send.c - messages into a scripted composer that has bad habits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"
#include "support_composer.h"

static int64_t send_ok(struct composer_fake *c, const char *text,
		       unsigned flags)
{
	struct err err = {0};
	int64_t id = 0;

	if (composer_send(c, text, flags, &id, &err) != 0)
		fail_msg("refused: %s", err.what);
	return id;
}

static void expect_last(struct composer_fake *c, int64_t id,
			enum receipt receipt, const char *word)
{
	const struct told *t = composer_wait(c, id, 60000);

	assert_non_null(t);
	if (t->receipt != receipt || strstr(t->detail, word) == NULL)
		fail_msg("got %s \"%s\"", receipt_name(t->receipt), t->detail);
}

static void expect_submit_error(struct composer_fake *c, const char *text,
				unsigned flags, enum err_kind kind,
				const char *word)
{
	struct err err = {0};

	assert_int_equal(composer_send(c, text, flags, NULL, &err), -1);
	assert_int_equal(err.kind, kind);
	if (strstr(err.what, word) == NULL)
		fail_msg("no \"%s\" in \"%s\"", word, err.what);
	assert_int_equal(sender_queued(c->sender), 0);
	composer_run(c, 3000);
	assert_int_equal(c->input.len, 0);
}

static void test_send__goes_in_once_and_is_confirmed(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
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

static void test_send__is_filtered_and_bracketed(void **state)
{
	struct sender_taken taken;
	struct composer_fake c;
	struct err err;
	static const char text[] = "a\r\nb\033[201~c\tz\377\302\200\n\n";

	(void)state;
	composer_init(&c);
	assert_int_equal(
	    sender_submit(c.sender, text, sizeof text - 1, 0, &taken, &err), 0);
	assert_int_equal(taken.dropped, 4);
	expect_last(&c, taken.id, RECEIPT_ACCEPTED, "");
	assert_string_equal(c.turns[0], "a\nb[201~c\tz");
	composer_finish(&c);
}

static void test_send__waits_for_the_turn_and_keeps_the_order(void **state)
{
	struct composer_fake c;
	int64_t id[3];

	(void)state;
	composer_init(&c);
	id[0] = send_ok(&c, "one", 0);
	id[1] = send_ok(&c, "two", 0);
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

static void test_send__now_goes_into_the_busy_harness(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
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

static void test_send__is_refused_where_something_is_in_the_way(void **state)
{
	struct composer_fake c;
	char *big = mem_alloc(SEND_TEXT_MAX + 2);

	(void)state;
	composer_init(&c);
	expect_submit_error(&c, "", 0, ERR_USAGE, "empty");
	expect_submit_error(&c, " \n\t ", 0, ERR_USAGE, "empty");
	expect_submit_error(&c, "\033\001\377", 0, ERR_USAGE, "3");
	memset(big, 'x', SEND_TEXT_MAX + 1);
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

/* The race: the menu is decided on and printed at any moment. */
static void test_send__never_approves_whenever_the_menu_comes(void **state)
{
	int delivered = 0, held = 0;

	(void)state;
	for (int at = 1; at <= 1000; at++) {
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
	assert_int_equal(delivered + held, 1000);
	assert_true(delivered > 50 && held > 50);
}

static void test_send__a_menu_after_the_paste_stops_the_enter(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
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

static void test_send__no_echo_no_enter(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
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

static void test_send__a_late_echo_is_waited_for(void **state)
{
	struct composer_fake c;

	(void)state;
	composer_init(&c);
	c.echo_after = 2500;
	expect_last(&c, send_ok(&c, "late", 0), RECEIPT_ACCEPTED, "");
	assert_int_equal(c.pastes, 1);
	composer_finish(&c);
}

static void test_send__a_swallowed_enter_is_not_pressed_again(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
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

static void test_send__a_person_typing_in_between_stops_it(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
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

static void test_send__large_messages_are_handed_over_in_pieces(void **state)
{
	struct composer_fake c;
	char *text = mem_alloc(100001);
	int64_t id;

	(void)state;
	memset(text, 'y', 100000);
	for (int i = 70; i < 100000; i += 71)
		text[i] = '\n';
	composer_init(&c);
	c.collapse = true;
	c.take_max = 1024;
	id = send_ok(&c, text, 0);
	while (c.now < 100000 && !sender_holds_keys(c.sender))
		composer_run(&c, 1);
	assert_true(sender_holds_keys(c.sender));
	expect_last(&c, id, RECEIPT_ACCEPTED, "");
	assert_false(sender_holds_keys(c.sender));
	assert_string_equal(c.turns[0], text);
	assert_int_equal(c.pastes, 1);
	composer_finish(&c);
	free(text);
}

static void test_send__a_harness_that_reads_nothing_has_a_deadline(void **state)
{
	struct composer_fake c;
	char *text = mem_alloc(20001);
	int64_t id, before;

	(void)state;
	memset(text, 'y', 20000);
	composer_init(&c);
	c.reads_nothing = true;
	before = c.now;
	id = send_ok(&c, text, 0);
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "does not read");
	assert_true(c.now - before < 12000);
	assert_false(sender_holds_keys(c.sender));

	/* When it reads again, the broken paste is ended, without Enter. */
	c.reads_nothing = false;
	composer_run(&c, 10000);
	assert_false(c.in_paste);
	assert_int_equal(c.enters, 0);
	composer_finish(&c);
	free(text);
}

static void test_send__the_queue_is_bounded(void **state)
{
	struct composer_fake c;
	struct err err = {0};
	char *text = mem_alloc(SEND_TEXT_MAX + 1);
	int n;

	(void)state;
	composer_init(&c);
	c.turn_for = 1000000;
	expect_last(&c, send_ok(&c, "work", 0), RECEIPT_ACCEPTED, "");
	composer_run(&c, 100);
	for (n = 0; n < 1000; n++)
		if (composer_send(&c, "more", 0, NULL, &err) != 0)
			break;
	assert_int_equal(n, SEND_QUEUE_MAX);
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
	memset(text, 'z', SEND_TEXT_MAX);
	for (n = 0; n < 1000; n++)
		if (composer_send(&c, text, 0, NULL, &err) != 0)
			break;
	if (n == 0)
		fail_msg("%s", err.what);
	assert_int_equal(n, SEND_QUEUE_BYTES_MAX / SEND_TEXT_MAX);
	assert_int_equal(err.kind, ERR_LIMIT);
	composer_finish(&c);
	free(text);
}

static void test_send__the_first_task_waits_for_the_start(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
	composer_init(&c);
	c.no_composer = true;
	c.menu = true;
	composer_redraw(&c);
	id = send_ok(&c, "task", SENDER_FIRST_TASK);
	composer_run(&c, 30000); /* a dialog does not use up the time */
	assert_string_equal(composer_receipts(&c, id), "queued");
	c.menu = false;
	composer_redraw(&c);
	composer_run(&c, 2000);
	c.no_composer = false;
	composer_redraw(&c);
	expect_last(&c, id, RECEIPT_ACCEPTED, "");
	assert_int_equal(c.approvals, 0);
	composer_finish(&c);
}

static void test_send__a_harness_never_ready_fails_in_time(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
	composer_init(&c);
	c.no_composer = true; /* nobody has looked at it until now */
	composer_redraw(&c);
	id = send_ok(&c, "task", SENDER_FIRST_TASK);
	expect_last(&c, id, RECEIPT_FAILED, "not ready");
	assert_string_equal(composer_receipts(&c, id), "queued failed");
	assert_int_equal(c.input.len, 0);
	composer_finish(&c);
}

static void test_send__an_absent_composer_refuses_after_a_while(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
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

static void test_send__a_queued_message_outlives_an_approval(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
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

static void test_send__without_signals_submitted_is_the_last_word(void **state)
{
	struct composer_fake c;
	struct err err;
	int64_t id;

	(void)state;
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

static void test_send__a_line_too_long_for_the_terminal(void **state)
{
	struct composer_fake c;
	char text[4097];
	int64_t id;

	(void)state;
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

static void test_send__a_silent_harness_is_unconfirmed(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
	composer_init_plain(&c);
	c.line_mode = true;
	c.mute = true;
	composer_redraw(&c);
	id = send_ok(&c, "anybody?", 0);
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "nothing followed");
	composer_finish(&c);
}

static void test_send__program_status_confirms(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
	composer_init(&c);
	c.hooks = false;
	c.status = true;
	id = send_ok(&c, "go", 0);
	expect_last(&c, id, RECEIPT_ACCEPTED, "osc7501");
	composer_finish(&c);
}

static void test_send__another_prompt_does_not_confirm(void **state)
{
	struct reading other = {.source = SOURCE_HOOK,
				.activity = ACTIVITY_WORKING,
				.turn_started = true,
				.prompt = "something else"};
	struct composer_fake c;
	int64_t id;

	(void)state;
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

static void test_send__a_prompt_put_back_is_cleared_once(void **state)
{
	struct composer_fake c;

	(void)state;
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

static void test_send__a_persons_draft_is_not_cleared(void **state)
{
	struct composer_fake c;

	(void)state;
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

static void test_send__stop_tells_what_was_under_way(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
	composer_init(&c);
	c.swallow_enter = true;
	id = send_ok(&c, "under way", 0);
	while (c.enters == 0)
		composer_run(&c, 1);
	sender_stop(c.sender, "the harness exited (1)");
	expect_last(&c, id, RECEIPT_UNCONFIRMED, "exited (1)");
	composer_finish(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_send__goes_in_once_and_is_confirmed),
	    cmocka_unit_test(test_send__is_filtered_and_bracketed),
	    cmocka_unit_test(test_send__waits_for_the_turn_and_keeps_the_order),
	    cmocka_unit_test(test_send__now_goes_into_the_busy_harness),
	    cmocka_unit_test(
		test_send__is_refused_where_something_is_in_the_way),
	    cmocka_unit_test(test_send__never_approves_whenever_the_menu_comes),
	    cmocka_unit_test(test_send__a_menu_after_the_paste_stops_the_enter),
	    cmocka_unit_test(test_send__no_echo_no_enter),
	    cmocka_unit_test(test_send__a_late_echo_is_waited_for),
	    cmocka_unit_test(test_send__a_swallowed_enter_is_not_pressed_again),
	    cmocka_unit_test(test_send__a_person_typing_in_between_stops_it),
	    cmocka_unit_test(
		test_send__large_messages_are_handed_over_in_pieces),
	    cmocka_unit_test(
		test_send__a_harness_that_reads_nothing_has_a_deadline),
	    cmocka_unit_test(test_send__the_queue_is_bounded),
	    cmocka_unit_test(test_send__the_first_task_waits_for_the_start),
	    cmocka_unit_test(test_send__a_harness_never_ready_fails_in_time),
	    cmocka_unit_test(
		test_send__an_absent_composer_refuses_after_a_while),
	    cmocka_unit_test(test_send__a_queued_message_outlives_an_approval),
	    cmocka_unit_test(
		test_send__without_signals_submitted_is_the_last_word),
	    cmocka_unit_test(test_send__a_line_too_long_for_the_terminal),
	    cmocka_unit_test(test_send__a_silent_harness_is_unconfirmed),
	    cmocka_unit_test(test_send__program_status_confirms),
	    cmocka_unit_test(test_send__another_prompt_does_not_confirm),
	    cmocka_unit_test(test_send__a_prompt_put_back_is_cleared_once),
	    cmocka_unit_test(test_send__a_persons_draft_is_not_cleared),
	    cmocka_unit_test(test_send__stop_tells_what_was_under_way),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
