/*
 * test_opencode_states.c - answers of OpenCode's server, between which events
 * come: what is older must not undo what is newer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "opencode/talk.h"
#include "support_talk.h"

#define WORKS "{\"ses_1\":{\"type\":\"busy\"}}"
#define ASKED(id)                                                              \
	"{\"id\":\"" id "\",\"sessionID\":\"ses_1\",\"permission\":\"" id "\"" \
									  "}"

static void states(struct talk_log *l, const char *json)
{
	cJSON *o = cJSON_Parse(json);

	assert_non_null(o);
	talk_states(l->talk, o);
	cJSON_Delete(o);
}

static void asked(struct talk_log *l, const char *permissions)
{
	cJSON *o = cJSON_Parse(permissions);

	assert_non_null(o);
	talk_asked(l->talk, o, NULL);
	cJSON_Delete(o);
}

static void test_states__what_is_asked_meanwhile_stays_asked(void **state)
{
	struct talk_log l;

	(void)state;
	talk_log_init_busy(&l);
	talk_mark(l.talk);
	talk_log_feed(&l, "permission.asked", ASKED("per_2"));
	talk_log_expect(&l, "waiting_for_input asks (per_2 )\n");
	states(&l, WORKS);
	asked(&l, "[]");
	talk_log_expect(&l, "");
	/* The oldest first; none twice. */
	asked(&l, "[" ASKED("per_1") "," ASKED("per_2") "]");
	talk_log_expect(&l, "waiting_for_input asks (per_1 )\n");
	assert_string_equal(talk_question(l.talk, 1), "per_2");
	assert_null(talk_question(l.talk, 2));
	/* What is asked from now on is newer than all that was heard. */
	talk_mark(l.talk);
	asked(&l, "[]");
	talk_log_expect(&l, "working\n");
	talk_log_finish(&l);
}

static void test_states__what_is_answered_meanwhile_stays_so(void **state)
{
	struct talk_log l;

	(void)state;
	talk_log_init_busy(&l);
	talk_mark(l.talk);
	/* One that it has not heard of before. */
	talk_log_feed(&l, "permission.replied", "{\"requestID\":\"per_1\"}");
	states(&l, WORKS);
	asked(&l, "[" ASKED("per_1") "]");
	talk_log_expect(&l, "");
	talk_log_finish(&l);
}

static void test_states__an_older_answer_ends_no_turn(void **state)
{
	struct talk_log l;

	(void)state;
	talk_log_init_busy(&l);
	talk_mark(l.talk);
	talk_log_status(&l, "ses_1", "busy");
	states(&l, "{}");
	talk_log_expect(&l, "");
	talk_mark(l.talk);
	states(&l, "{}");
	talk_log_expect(&l, "completed ended:-\n");
	talk_log_finish(&l);
}

static void test_states__an_older_answer_revives_no_turn(void **state)
{
	struct talk_log l;

	(void)state;
	talk_log_init_busy(&l);
	talk_mark(l.talk);
	talk_log_expect_idle(&l, "completed ended:-\n");
	buf_clear(&l.log);
	states(&l, WORKS);
	talk_log_expect(&l, "");
	talk_mark(l.talk);
	states(&l, WORKS);
	talk_log_expect(&l, "working\n");
	/* Deleted, and the answer is from before. */
	talk_mark(l.talk);
	talk_log_feed(&l, "session.deleted", "{\"info\":{\"id\":\"ses_1\"}}");
	buf_clear(&l.log);
	states(&l, WORKS);
	talk_log_expect(&l, "completed\n"); /* still */
	talk_log_finish(&l);
}

/* How often it is asked about counts answers that can tell, no others. */
static void test_states__a_doubt_heard_meanwhile_stays_one(void **state)
{
	struct talk_log l;

	(void)state;
	talk_log_init(&l);
	talk_log_message(&l, "ses_1", "msg_1", "x");
	for (int i = 0; i < 5; i++) {
		talk_mark(l.talk);
		talk_log_feed(&l, "session.idle", "{\"sessionID\":\"ses_1\"}");
		buf_clear(&l.log);
		l.doubts = 0;
		states(&l, "{}");
		assert_int_equal(l.doubts, 1);
		talk_log_expect(&l, "");
	}
	for (int i = 0; i < 3; i++) {
		talk_log_expect(&l, "");
		talk_mark(l.talk);
		states(&l, "{}");
	}
	talk_log_expect(&l, "completed ended:-\n");
	talk_log_finish(&l);
}

/* A turn fails; the message behind it comes while that is still wound up,
 * and then nothing more. */
static void fail_and_leave(struct talk_log *l)
{
	talk_log_init_busy(l);
	talk_log_error(l, "{\"name\":\"E\",\"data\":{\"message\":\"no\"}}");
	talk_log_expect_idle(l, "failed (no)\n");
	talk_log_message(l, "ses_1", "msg_2", "y");
	buf_clear(&l->log);
	talk_log_status(l, "ses_1", "idle");
	talk_log_expect(l, "");
	assert_true(l->doubts > 0);
}

/* So many say that nothing works; the last one of all raises no other. */
static void answer_doubts(struct talk_log *l, int n, bool all)
{
	for (int i = 0; i < n; i++) {
		talk_log_expect(l, "");
		l->doubts = 0;
		talk_mark(l->talk);
		states(l, "{}");
		assert_int_equal(l->doubts, !all || i < n - 1);
	}
}

static void test_states__a_message_that_was_left_is_asked_for(void **state)
{
	struct talk_log l;

	(void)state;
	fail_and_leave(&l);
	l.ours = true;
	talk_mark(l.talk);
	states(&l, "{}");
	assert_int_equal(l.asked, 1);
	talk_log_status(&l, "ses_1", "busy");
	talk_log_answer(&l, "ses_1", "msg_3", "prt_1", "well");
	assert_null(strstr(l.log.data, "ended"));
	talk_log_expect_idle(&l, "completed ended:well\n");
	talk_log_finish(&l);
}

static void test_states__a_message_left_for_good_has_failed(void **state)
{
	struct talk_log l;

	(void)state;
	fail_and_leave(&l);
	l.ours = true;
	answer_doubts(&l, 9, true);
	assert_int_equal(l.asked, 3);
	talk_log_expect(&l, "completed ended:- failed (it took the message "
			    "and does not answer it)\n");
	talk_log_finish(&l);
}

static void test_states__nobodys_message_is_not_asked_for(void **state)
{
	struct talk_log l;

	(void)state;
	/* Not one that afw has posted. */
	fail_and_leave(&l);
	answer_doubts(&l, 3, true);
	talk_log_expect(&l, "completed ended:-\n");
	talk_log_finish(&l);
	/* One that the user has interrupted before it began. */
	fail_and_leave(&l);
	l.ours = true;
	talk_stop(l.talk);
	/* Each abort says "idle" again. */
	for (int i = 0; i < 3; i++) {
		talk_log_expect(&l, "");
		talk_mark(l.talk);
		states(&l, "{}");
		if (i < 2)
			talk_log_status(&l, "ses_1", "idle");
	}
	assert_int_equal(l.asked, 0);
	talk_log_expect(&l, "idle ended:- interrupted\n");
	talk_log_finish(&l);
}

static void test_states__what_begins_late_has_not_failed(void **state)
{
	struct talk_log l;

	(void)state;
	fail_and_leave(&l);
	l.ours = true;
	answer_doubts(&l, 9, true);
	buf_clear(&l.log);
	talk_log_status(&l, "ses_1", "busy");
	talk_log_expect(&l, "working\n");
	talk_log_expect_idle(&l, "completed ended:-\n");
	talk_log_finish(&l);
	/* What fails while it is asked for has the better reason. */
	fail_and_leave(&l);
	l.ours = true;
	answer_doubts(&l, 2, false);
	talk_log_error(&l, "{\"name\":\"NoAgent\"}");
	buf_clear(&l.log);
	answer_doubts(&l, 7, true);
	talk_log_expect(&l, "completed ended:- failed (NoAgent)\n");
	/* It works after all. */
	buf_clear(&l.log);
	talk_log_status(&l, "ses_1", "busy");
	talk_log_expect_idle(&l, "completed ended:-\n");
	/* The error of a message that was read with one, and goes on. */
	talk_log_message(&l, "ses_1", "msg_3", "z");
	talk_log_error(&l, "{\"name\":\"NoFile\"}");
	talk_log_status(&l, "ses_1", "busy");
	buf_clear(&l.log);
	talk_log_expect_idle(&l, "completed ended:-\n");
	talk_log_finish(&l);
}

/* One that came while the turn that ends without it still worked. */
static void test_states__what_a_working_turn_leaves_is_left(void **state)
{
	struct talk_log l;

	(void)state;
	talk_log_init_busy(&l);
	talk_log_message(&l, "ses_1", "msg_2", "y");
	/* What is kept of the turn before is no answer to it. */
	talk_log_answer(&l, "ses_1", "msg_0", "prt_1", "half");
	buf_clear(&l.log);
	l.ours = true;
	talk_log_status(&l, "ses_1", "idle");
	answer_doubts(&l, 2, false);
	assert_int_equal(l.asked, 1);
	/* Another end: only from now on it may be taken. */
	talk_log_status(&l, "ses_1", "idle");
	answer_doubts(&l, 9, true);
	talk_log_expect(&l, "completed ended:- failed (it took the message "
			    "and does not answer it)\n");
	/* Not where the user has ended it. */
	talk_log_message(&l, "ses_1", "msg_3", "z");
	talk_log_error(&l, "{\"name\":\"MessageAbortedError\"}");
	talk_log_expect_idle(&l, "idle ended:- interrupted\n");
	talk_log_finish(&l);
}

/* OpenCode makes anew what is asked for and is gone: an empty message. */
static void test_states__what_the_user_undoes_is_not_asked_for(void **state)
{
	static const struct {
		const char *type, *properties;
	} undone[] = {
	    {"message.removed",
	     "{\"sessionID\":\"ses_1\",\"messageID\":\"msg_2\"}"},
	    {"session.updated",
	     "{\"info\":{\"id\":\"ses_1\",\"revert\":{\"messageID\":"
	     "\"msg_2\"}}}"},
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct talk_log l;

		fail_and_leave(&l);
		l.ours = true;
		talk_log_feed(&l, undone[i].type, undone[i].properties);
		answer_doubts(&l, 3, true);
		assert_int_equal(l.asked, 0);
		talk_log_expect(&l, "idle ended:- interrupted\n");
		talk_log_finish(&l);
	}
}

/* Its text is not there yet: asked for, it would be answered without. */
static void test_states__no_message_without_its_text_is_asked_for(void **state)
{
	struct talk_log l;

	(void)state;
	talk_log_init(&l);
	l.ours = true;
	talk_log_feed(&l, "message.updated",
		      "{\"info\":{\"id\":\"msg_1\",\"role\":\"user\","
		      "\"sessionID\":\"ses_1\"}}");
	talk_log_status(&l, "ses_1", "idle");
	buf_clear(&l.log);
	answer_doubts(&l, 10, true);
	assert_int_equal(l.asked, 0);
	talk_log_finish(&l);
}

/* The stream of events broke meanwhile. */
static void test_states__what_was_left_is_so_in_the_next_stream(void **state)
{
	struct talk_log l;

	(void)state;
	fail_and_leave(&l);
	l.ours = true;
	talk_lost(l.talk);
	buf_clear(&l.log);
	l.doubts = 0;
	talk_mark(l.talk);
	states(&l, "{}");
	assert_int_equal(l.doubts, 1);
	assert_int_equal(l.asked, 1);
	talk_log_finish(&l);
}

/* A plugin's, with no turn of its own: nobody says "idle" behind it. */
static void test_states__a_message_that_is_not_ours_is_a_doubt(void **state)
{
	struct talk_log l;

	(void)state;
	talk_log_init(&l);
	talk_log_message(&l, "ses_1", "msg_1", "x");
	talk_log_expect(&l, "took msg_1\nworking\nworking started:x\n");
	assert_int_equal(l.doubts, 1);
	answer_doubts(&l, 3, true);
	talk_log_expect(&l, "completed ended:-\n");
	talk_log_finish(&l);
	/* Ours begins some time, and then something is told. */
	talk_log_init(&l);
	l.ours = true;
	talk_log_message(&l, "ses_1", "msg_1", "x");
	assert_int_equal(l.doubts, 0);
	talk_log_finish(&l);
}

static void test_states__an_error_behind_the_end_is_told(void **state)
{
	struct talk_log l;

	(void)state;
	talk_log_init_busy(&l);
	talk_log_expect_idle(&l, "completed ended:-\n");
	buf_clear(&l.log);
	talk_log_error(&l, "{\"name\":\"Broken\"}");
	talk_log_expect(&l, "refused Broken\ncompleted failed (Broken)\n");
	talk_log_finish(&l);
}

/* Another conversation's work says nothing of it. */
static void test_states__a_turn_ends_beside_another_that_works(void **state)
{
	struct talk_log l;

	(void)state;
	talk_log_init(&l);
	talk_log_message(&l, "ses_1", "msg_1", "x");
	talk_log_status(&l, "ses_2", "busy");
	talk_log_feed(&l, "session.idle", "{\"sessionID\":\"ses_1\"}");
	buf_clear(&l.log);
	for (int i = 0; i < 3; i++) {
		talk_log_expect(&l, "");
		talk_mark(l.talk);
		states(&l, "{\"ses_2\":{\"type\":\"busy\"}}");
	}
	talk_log_expect(&l, "working ended:-\n");
	talk_log_finish(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_states__what_is_asked_meanwhile_stays_asked),
	    cmocka_unit_test(test_states__what_is_answered_meanwhile_stays_so),
	    cmocka_unit_test(test_states__an_older_answer_ends_no_turn),
	    cmocka_unit_test(test_states__an_older_answer_revives_no_turn),
	    cmocka_unit_test(test_states__a_doubt_heard_meanwhile_stays_one),
	    cmocka_unit_test(test_states__a_message_that_was_left_is_asked_for),
	    cmocka_unit_test(test_states__a_message_left_for_good_has_failed),
	    cmocka_unit_test(test_states__nobodys_message_is_not_asked_for),
	    cmocka_unit_test(test_states__what_begins_late_has_not_failed),
	    cmocka_unit_test(test_states__what_a_working_turn_leaves_is_left),
	    cmocka_unit_test(
		test_states__what_the_user_undoes_is_not_asked_for),
	    cmocka_unit_test(
		test_states__no_message_without_its_text_is_asked_for),
	    cmocka_unit_test(
		test_states__what_was_left_is_so_in_the_next_stream),
	    cmocka_unit_test(
		test_states__a_message_that_is_not_ours_is_a_doubt),
	    cmocka_unit_test(test_states__an_error_behind_the_end_is_told),
	    cmocka_unit_test(
		test_states__a_turn_ends_beside_another_that_works),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
