/*
 * test_opencode_client.c - the bridge, in a child, against a server of this
 * process's: what is asked there, what is told here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/mem.h"
#include "support_opencode.h"

static void test_client__comes_up_with_the_password(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	w.silent = 1; /* the first one is never answered */
	world_up(&w);
	/* "opencode:secret" */
	assert_non_null(
	    strstr(w.head, "Authorization: Basic b3BlbmNvZGU6c2VjcmV0"));
	/* Nor in time what it is asked while this process stands still. */
	assert_non_null(strstr(w.log.data,
			       "GET /session/status;GET /session/status;"
			       "GET /event;GET /agent;GET /permission;"
			       "GET /question;GET /session/status;"));
	world_await(&w, &w.told, "");
	world_finish(&w);
}

static void test_client__half_an_answer_is_none(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	w.asked = "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n[{";
	world_begin(&w, getpid(), "");
	world_await(&w, &w.told, "state down its server did not answer");
	world_await(&w, &w.told, "state up ;");
	world_finish(&w);
}

static void test_client__what_is_no_json_is_no_answer(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	w.asked = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>";
	world_begin(&w, getpid(), "");
	world_await(&w, &w.told,
		    "state down its server did not answer: "
		    "what it sent is no JSON list;");
	world_await(&w, &w.told, "state up ;");
	world_finish(&w);
}

static void test_client__what_is_no_list_is_no_answer(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	w.asked = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnull";
	world_begin(&w, getpid(), "");
	world_await(&w, &w.told, "state down its server did not answer");
	world_await(&w, &w.told, "state up ;");
	world_finish(&w);
}

static void test_client__what_is_asked_meanwhile_is_not_lost(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	w.probe = "HTTP/1.1 200 OK\r\nContent-Length: 25\r\n\r\n"
		  "{\"ses_1\":{\"type\":\"busy\"}}";
	w.hold = "GET /question";
	world_begin(&w, getpid(), "");
	world_await(&w, &w.log, "GET /permission;GET /question;");
	world_event(&w, "permission.asked",
		    "{\"id\":\"per_1\",\"sessionID\":\"ses_1\"}");
	world_await(&w, &w.told, "told [waiting_for_input]");
	world_release(&w, "[]");
	world_await(&w, &w.told, ";state up ;");
	world_event(&w, "permission.replied", "{\"requestID\":\"per_1\"}");
	world_await(&w, &w.told, "told [working];");
	world_finish(&w);
}

/* An "idle" between a message and its work is a doubt. */
static void test_client__a_doubt_without_an_answer_ends_no_turn(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_up(&w);
	buf_clear(&w.log);
	w.probe = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>";
	world_took(&w, "msg_1");
	world_event(&w, "session.idle", "{\"sessionID\":\"ses_1\"}");
	world_await(&w, &w.told, "told [working];");
	world_await(&w, &w.log, "GET /session/status;");
	w.probe = NULL;
	/* It is asked again, so what came before was read. */
	world_await(&w, &w.log, "GET /session/status;");
	assert_null(strstr(w.told.data, "completed"));
	world_await(&w, &w.told, "told [completed];");
	world_finish(&w);
}

static void test_client__ends_a_turn_and_its_questions(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_up(&w);
	world_say(&w, "{\"op\":\"interrupt\"}"); /* there is nothing to end */
	world_await(&w, &w.told, "interrupted 0;");
	world_took(&w, "msg_1");
	world_event(&w, "session.status",
		    "{\"sessionID\":\"ses_1\",\"status\":{\"type\":\"busy\"}}");
	world_event(&w, "permission.asked",
		    "{\"id\":\"per_1\",\"sessionID\":\"ses_1\"}");
	world_event(&w, "question.asked",
		    "{\"id\":\"que_1\",\"sessionID\":\"ses_1\"}");
	world_await(&w, &w.told, "told [waiting_for_input];");
	world_turn(&w, 200);
	buf_clear(&w.log);
	world_say(&w, "{\"op\":\"interrupt\"}");
	world_await(&w, &w.told, "interrupted 1;");
	assert_non_null(strstr(w.log.data, "POST /permission/per_1/reply;"));
	assert_non_null(strstr(w.log.data, "POST /session/ses_1/abort;"));
	world_finish(&w);
}

/* Takes that message, and the bridge knows it. */
static void begins(struct world *w, const char *id)
{
	world_took(w, id);
	world_await(w, &w->told, "told [");
}

static void aborts_nothing(struct world *w)
{
	int64_t end = clock_mono_ms() + 1500;

	buf_clear(&w->log);
	while (clock_mono_ms() < end)
		world_turn(w, 100);
	assert_null(strstr(w->log.data ? w->log.data : "", "abort"));
}

/* The server forgets an abort that comes before the turn works. */
static void test_client__ends_a_turn_that_had_only_begun(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_up(&w);
	begins(&w, "msg_1");
	world_say(&w, "{\"op\":\"interrupt\"}");
	world_await(&w, &w.told, "interrupted 1;");
	assert_non_null(strstr(w.log.data, "POST /session/ses_1/abort;"));
	buf_clear(&w.log);
	world_event(&w, "session.status",
		    "{\"sessionID\":\"ses_1\",\"status\":{\"type\":\"busy\"}}");
	world_await(&w, &w.log, "POST /session/ses_1/abort;");

	/* The next message's turn is nobody's to end. */
	world_event(&w, "session.status",
		    "{\"sessionID\":\"ses_1\",\"status\":{\"type\":\"idle\"}}");
	begins(&w, "msg_2");
	world_say(&w, "{\"op\":\"interrupt\"}");
	world_await(&w, &w.told, "interrupted 1;");
	begins(&w, "msg_3");
	world_event(&w, "session.status",
		    "{\"sessionID\":\"ses_1\",\"status\":{\"type\":\"busy\"}}");
	aborts_nothing(&w);
	world_finish(&w);
}

static void is_busy(struct world *w)
{
	world_event(w, "session.status",
		    "{\"sessionID\":\"ses_1\",\"status\":{\"type\":\"busy\"}}");
	world_turn(w, 200);
}

/* A server that is too busy says yes to an abort and forgets it. */
static void test_client__interrupts_until_the_turn_ends(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_up(&w);
	begins(&w, "msg_1");
	is_busy(&w);
	w.hold = "POST /session/ses_1/abort";
	world_say(&w, "{\"op\":\"interrupt\"}");
	world_await(&w, &w.told, "interrupted 0;"); /* no answer in time */
	world_await(&w, &w.log, "POST /session/ses_1/abort;");
	world_await(&w, &w.log, "POST /session/ses_1/abort;");
	world_await(&w, &w.log, "POST /session/ses_1/abort;");
	world_event(&w, "session.status",
		    "{\"sessionID\":\"ses_1\",\"status\":{\"type\":\"idle\"}}");
	world_await(&w, &w.told, "told [");
	aborts_nothing(&w);
	assert_null(strstr(w.told.data ? w.told.data : "", "interrupted"));

	/* One that comes while the last is not answered is not forgotten. */
	begins(&w, "msg_2");
	is_busy(&w);
	buf_clear(&w.log);
	w.hold = "POST /session/ses_1/abort";
	world_say(&w, "{\"op\":\"interrupt\"}");
	world_await(&w, &w.log, "POST /session/ses_1/abort;");
	begins(&w, "msg_3");
	world_say(&w, "{\"op\":\"interrupt\"}");
	world_await(&w, &w.log, "POST /session/ses_1/abort;");
	world_finish(&w);
}

/* While a "no" is not answered the turn ends, and the next one begins. */
static void test_client__asks_again_of_no_other_turn(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_up(&w);
	begins(&w, "msg_1");
	is_busy(&w);
	world_event(&w, "permission.asked",
		    "{\"id\":\"per_1\",\"sessionID\":\"ses_1\"}");
	world_await(&w, &w.told, "told [waiting_for_input];");
	world_say(&w, "{\"op\":\"interrupt\"}");
	world_await(&w, &w.told, "interrupted 1;");
	buf_clear(&w.log);
	w.hold = "POST /permission/per_1/reply";
	world_await(&w, &w.log, "POST /permission/per_1/reply;");
	begins(&w, "msg_2");
	world_release(&w, "{}");
	aborts_nothing(&w);
	world_finish(&w);

	/* A message that is about to be posted may be in the next abort's
	 * way before anything is told of it. */
	world_init(&w);
	w.prompt = "HTTP/1.1 204 No Content\r\n\r\n";
	world_up(&w);
	begins(&w, "msg_1");
	is_busy(&w);
	world_say(&w, "{\"op\":\"interrupt\"}");
	world_await(&w, &w.told, "interrupted 1;");
	world_say(&w,
		  "{\"op\":\"send\",\"id\":1,\"text\":\"x\",\"mode\":\"\"}");
	world_await(&w, &w.told, "sent 1 submitted ;");
	aborts_nothing(&w);
	world_finish(&w);
}

static void test_client__begins_anew_when_the_stream_ends(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	w.prompt = "HTTP/1.1 204 No Content\r\n\r\n";
	world_up(&w);
	world_say(&w,
		  "{\"op\":\"send\",\"id\":1,\"text\":\"x\",\"mode\":\"\"}");
	world_await(&w, &w.told, "sent 1 submitted ;");
	shutdown(w.stream_fd, SHUT_RDWR);
	world_await(&w, &w.told, "state down its stream of events ended");
	world_await(&w, &w.told, "told [];");
	world_say(&w,
		  "{\"op\":\"send\",\"id\":2,\"text\":\"x\",\"mode\":\"\"}");
	world_await(&w, &w.told, "sent 2 unsent");
	world_await(&w, &w.told, "state up ;");
	world_await(&w, &w.told, "sent 1 accepted confirmed by its server;");
	world_finish(&w);
}

static void test_client__follows_no_redirect(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	w.probe = "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\n"
		  "Content-Length: 0\r\n\r\n";
	world_begin(&w, getpid(), "");
	world_await(&w, &w.told,
		    "state down its server does not answer: HTTP 302;");
	/* perhaps more than once by now */
	assert_non_null(strstr(w.log.data, "GET /session/status;"));
	assert_null(strstr(w.log.data, "elsewhere"));
	w.probe = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n";
	world_await(&w, &w.told,
		    "state down its server does not take the password;");
	world_finish(&w);
}

static void test_client__tells_nothing_to_a_port_of_others(void **state)
{
	struct world w;
	int64_t end;
	pid_t harness;

	(void)state;
	/* The harness is a child that has nothing open. */
	harness = world_someone();
	world_init(&w);
	world_begin(&w, harness, "");
	world_await(&w, &w.told, "state down its server is not there;");
	end = clock_mono_ms() + 1500;
	while (clock_mono_ms() < end)
		world_turn(&w, 100);
	assert_int_equal(w.connected, 0);
	world_finish(&w);
	world_end_someone(harness);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_client__comes_up_with_the_password),
	    cmocka_unit_test(test_client__half_an_answer_is_none),
	    cmocka_unit_test(test_client__what_is_no_json_is_no_answer),
	    cmocka_unit_test(test_client__what_is_no_list_is_no_answer),
	    cmocka_unit_test(
		test_client__what_is_asked_meanwhile_is_not_lost),
	    cmocka_unit_test(
		test_client__a_doubt_without_an_answer_ends_no_turn),
	    cmocka_unit_test(test_client__ends_a_turn_and_its_questions),
	    cmocka_unit_test(test_client__ends_a_turn_that_had_only_begun),
	    cmocka_unit_test(test_client__interrupts_until_the_turn_ends),
	    cmocka_unit_test(test_client__asks_again_of_no_other_turn),
	    cmocka_unit_test(test_client__begins_anew_when_the_stream_ends),
	    cmocka_unit_test(test_client__follows_no_redirect),
	    cmocka_unit_test(test_client__tells_nothing_to_a_port_of_others),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
