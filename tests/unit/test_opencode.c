/* test_opencode.c - what needs no server: names and conversations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json.h"
#include "opencode/message_id.h"
#include "opencode/talk.h"
#include "support_talk.h"

/* -- message_id -------------------------------------------------------------- */

static void test_message_id__sorts_as_their_own_do(void **state)
{
	char id[3][MESSAGE_ID_SIZE];

	(void)state;
	/* evt_1fec66563001J… was made at this time (measured). */
	message_id(1795275777379, id[0]);
	assert_memory_equal(id[0], "msg_1fec66563001", 16);
	assert_int_equal(strlen(id[0]), 30);
	message_id(1795275777379, id[1]);
	message_id(1795275777370, id[2]); /* a clock that went back */
	assert_true(strcmp(id[0], id[1]) < 0);
	assert_true(strcmp(id[1], id[2]) < 0);
	assert_true(talk_id_ok(id[0]));
}

static void test_talk_id__lets_no_path_through(void **state)
{
	char much[TALK_ID + 1];

	(void)state;
	memset(much, 'a', TALK_ID);
	much[TALK_ID] = '\0';
	assert_false(talk_id_ok(NULL));
	assert_false(talk_id_ok(""));
	assert_false(talk_id_ok("../x"));
	assert_false(talk_id_ok("ses_1?x"));
	assert_false(talk_id_ok("ses_1/message"));
	assert_false(talk_id_ok(much));
	assert_true(talk_id_ok(much + 1));
}

/* -- talk -------------------------------------------------------------------- */

static void test_talk__tells_a_turn_and_its_answer(void **state)
{
	struct talk_log w;

	(void)state;
	talk_log_init(&w);
	talk_log_message(&w, "ses_1", "msg_1", "do it");
	talk_log_expect(&w, "took msg_1\nworking\nworking started:do it\n");
	talk_log_status(&w, "ses_1", "busy");
	talk_log_answer(&w, "ses_1", "msg_2", "prt_1", "a tool first");
	talk_log_answer(&w, "ses_1", "msg_3", "prt_2", "done");
	talk_log_answer(&w, "ses_1", "msg_3", "prt_2", "done.");
	talk_log_answer(&w, "ses_1", "msg_3", "prt_3", "Really.");
	buf_clear(&w.log);
	talk_log_expect_idle(&w, "completed ended:done.\n\nReally.\n");
	assert_string_equal(json_str(w.last, "conversation"), "ses_1");
	/* The same message, with a summary now, is no new one. */
	buf_clear(&w.log);
	talk_log_feed(&w, "message.updated",
		      "{\"info\":{\"id\":\"msg_1\",\"role\":\"user\","
		      "\"sessionID\":\"ses_1\",\"summary\":{}}}");
	talk_log_expect(&w, "");
	talk_log_finish(&w);
}

static void test_talk__two_idles_end_one_turn(void **state)
{
	struct talk_log w;

	(void)state;
	talk_log_init_busy(&w);
	talk_log_error(&w, "{\"name\":\"MessageAbortedError\",\"data\":{}}");
	talk_log_expect_idle(&w, "idle ended:- interrupted\n");
	/* The next message, then the second idle of the abort. */
	talk_log_message(&w, "ses_1", "msg_2", "y");
	buf_clear(&w.log);
	talk_log_status(&w, "ses_1", "idle");
	talk_log_expect(&w, "");
	assert_true(w.doubts > 0);
	talk_log_status(&w, "ses_1", "busy");
	assert_null(strstr(w.log.data, "ended"));
	talk_log_expect_idle(&w, "completed ended:-\n");
	talk_log_finish(&w);
}

static void test_talk__questions_of_all_its_conversations_count(void **state)
{
	struct talk_log w;

	(void)state;
	talk_log_init_busy(&w);
	talk_log_feed(&w, "session.created",
		      "{\"info\":{\"id\":\"ses_2\",\"parentID\":\"ses_1\"}}");
	talk_log_status(&w, "ses_2", "busy");
	buf_clear(&w.log);
	talk_log_feed(
	    &w, "permission.asked",
	    "{\"id\":\"per_1\",\"sessionID\":\"ses_2\",\"permission\":"
	    "\"bash\",\"patterns\":[\"rm *\"],\"metadata\":{}}");
	talk_log_feed(&w, "question.asked",
		      "{\"id\":\"que_1\",\"sessionID\":\"ses_1\",\"questions\":"
		      "[{\"question\":\"red\\u001b or blue?\"}]}");
	talk_log_expect(&w, "waiting_for_input asks (bash rm *)\n");
	talk_log_feed(&w, "permission.replied",
		      "{\"sessionID\":\"ses_2\",\"requestID\":\"per_1\"}");
	talk_log_expect(&w, "waiting_for_input asks (red? or blue?)\n");
	talk_log_status(&w, "ses_2", "idle"); /* a child's end is no end */
	talk_log_expect(&w, "");
	talk_log_feed(&w, "question.rejected", "{\"requestID\":\"que_1\"}");
	talk_log_expect(&w, "working\n");
	talk_log_feed(&w, "permission.asked",
		      "{\"id\":\"per_2\",\"sessionID\":\"ses_1\"}");
	buf_clear(&w.log);
	/* Nobody is left to ask. */
	talk_log_expect_idle(&w, "completed ended:-\n");
	talk_log_finish(&w);
}

/* A file in UTF-16 is to be edited. */
static void test_talk__a_question_with_a_nul_in_it_counts(void **state)
{
	struct talk_log w;

	(void)state;
	talk_log_init_busy(&w);
	talk_log_feed(&w, "permission.asked",
		      "{\"id\":\"per_1\",\"sessionID\":\"ses_1\","
		      "\"permission\":\"edit\",\"patterns\":[\"a.reg\"],"
		      "\"metadata\":{\"diff\":\"+W\\u0000i\\ud83d\"}}");
	talk_log_expect(&w, "waiting_for_input asks (edit a.reg)\n");
	talk_log_finish(&w);
}

static void test_talk__tells_errors_and_tries(void **state)
{
	struct talk_log w;

	(void)state;
	talk_log_init_busy(&w);
	talk_log_feed(&w, "session.status",
		      "{\"sessionID\":\"ses_1\",\"status\":{\"type\":\"retry\","
		      "\"message\":\"503\"}}");
	talk_log_expect(&w, "working (tries again: 503)\n");
	talk_log_error(&w, "{\"name\":\"APIError\","
			   "\"data\":{\"message\":\"no credit\"}}");
	talk_log_expect_idle(&w, "completed ended:- failed (no credit)\n");
	/* Of no conversation: a plugin's, a skill's. */
	talk_log_message(&w, "ses_1", "msg_3", "y");
	buf_clear(&w.log);
	talk_log_feed(&w, "session.error", "{\"error\":{\"name\":\"BadSkill\"}}");
	talk_log_status(&w, "ses_1", "busy");
	talk_log_expect_idle(&w, "\ncompleted ended:-\n");
	/* One that never begins. */
	talk_log_message(&w, "ses_1", "msg_2", "y");
	buf_clear(&w.log);
	talk_log_error(&w, "{\"name\":\"NoAgent\"}");
	talk_log_expect_idle(&w, "ended:- failed (NoAgent)\n");
	assert_non_null(strstr(w.log.data, "refused NoAgent\n"));
	talk_log_finish(&w);
}

static void test_talk__takes_up_what_was_so(void **state)
{
	cJSON *states = cJSON_Parse("{\"ses_1\":{\"type\":\"busy\"}}");
	cJSON *asked = cJSON_Parse("[{\"id\":\"per_1\",\"sessionID\":"
				   "\"ses_1\",\"permission\":\"edit\"}]");
	cJSON *none = cJSON_CreateObject();
	struct talk_log w;

	(void)state;
	talk_log_init(&w);
	talk_set_conversation(w.talk, "ses_1");
	talk_states(w.talk, states);
	talk_asked(w.talk, asked, NULL);
	talk_log_expect(&w, "working\nwaiting_for_input asks (edit )\n");
	talk_lost(w.talk);
	talk_log_expect(&w, "\n");
	talk_states(w.talk, none);
	talk_asked(w.talk, NULL, NULL);
	talk_log_expect(&w, "idle\n");
	assert_string_equal(talk_conversation(w.talk), "ses_1");
	/* A list from before the answer, and its turn is over since. */
	talk_asked(w.talk, asked, NULL);
	talk_log_expect(&w, "");
	cJSON_Delete(states);
	cJSON_Delete(asked);
	cJSON_Delete(none);
	talk_log_finish(&w);
}

static void test_talk__leaves_a_conversation_that_is_none(void **state)
{
	struct talk_log w;

	(void)state;
	talk_log_init(&w);
	talk_log_message(&w, "ses_1", "msg_1", "x");
	/* A child's, which was made while the stream was away. */
	talk_log_message(&w, "ses_2", "msg_2", "y");
	assert_string_equal(talk_conversation(w.talk), "ses_2");
	talk_log_feed(&w, "session.updated",
		      "{\"info\":{\"id\":\"ses_2\",\"parentID\":\"ses_1\"}}");
	assert_string_equal(talk_conversation(w.talk), "ses_1");
	talk_log_status(&w, "ses_1", "busy");
	talk_log_feed(&w, "session.deleted", "{\"info\":{\"id\":\"ses_3\"}}");
	assert_string_equal(talk_conversation(w.talk), "ses_1");
	buf_clear(&w.log);
	talk_log_feed(&w, "session.deleted", "{\"info\":{\"id\":\"ses_1\"}}");
	assert_string_equal(talk_conversation(w.talk), "");
	assert_non_null(strstr(w.log.data, "ended"));
	talk_log_finish(&w);
}

static void test_talk__bad_events_change_nothing(void **state)
{
	static const char *const types[] = {
	    "message.updated",	  "message.part.updated", "permission.asked",
	    "permission.replied", "session.created",	  "session.error",
	    "session.idle",	  "session.status"};
	static const char *const bad[] = {
	    "null", "[]", "{}", "{\"info\":1,\"part\":[],\"id\":{}}",
	    "{\"sessionID\":\"../../x\",\"status\":{\"type\":\"busy\"},"
	    "\"info\":{\"id\":\"a/b\",\"role\":\"user\",\"sessionID\":"
	    "\"..\",\"parentID\":\"x\"},\"id\":\"a b\"}"};
	struct talk_log w;

	(void)state;
	talk_log_init(&w);
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
			talk_log_feed(&w, types[i], bad[k]);
	talk_event(w.talk, "{", 1);
	talk_event(w.talk, "", 0);
	assert_null(strstr(w.log.data ? w.log.data : "", "took"));
	assert_null(strstr(w.log.data ? w.log.data : "", "working"));
	assert_string_equal(talk_conversation(w.talk), "");
	talk_log_finish(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_message_id__sorts_as_their_own_do),
	    cmocka_unit_test(test_talk_id__lets_no_path_through),
	    cmocka_unit_test(test_talk__tells_a_turn_and_its_answer),
	    cmocka_unit_test(test_talk__two_idles_end_one_turn),
	    cmocka_unit_test(
		test_talk__questions_of_all_its_conversations_count),
	    cmocka_unit_test(test_talk__a_question_with_a_nul_in_it_counts),
	    cmocka_unit_test(test_talk__tells_errors_and_tries),
	    cmocka_unit_test(test_talk__takes_up_what_was_so),
	    cmocka_unit_test(test_talk__leaves_a_conversation_that_is_none),
	    cmocka_unit_test(test_talk__bad_events_change_nothing),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
