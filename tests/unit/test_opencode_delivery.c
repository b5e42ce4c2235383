/* test_opencode_delivery.c - one message into OpenCode, once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <unistd.h>
#include <cmocka.h>

#include "support_opencode.h"

static void test_delivery__posts_a_message_once(void **state)
{
	struct world w;
	char id[64];

	(void)state;
	world_init(&w);
	w.prompt = "HTTP/1.1 204 No Content\r\n\r\n";
	world_up(&w);
	buf_clear(&w.log);
	world_say(&w,
		  "{\"op\":\"send\",\"id\":7,\"text\":\"/x \\\"\\\\ ä\\n@y \","
		  "\"mode\":\"Plan\"}");
	world_await(&w, &w.told, "sent 7 submitted ;");
	assert_string_equal(w.log.data,
			    "POST /session;POST /tui/select-session;"
			    "POST /session/ses_1/prompt_async;");
	assert_non_null(strstr(w.body, "\"text\":\"/x \\\"\\\\ ä\\n@y \""));
	assert_non_null(strstr(w.body, "\"agent\":\"plan\""));
	world_posted(&w, id);
	world_took(&w, "msg_other");
	world_took(&w, id);
	world_await(&w, &w.told, "sent 7 accepted confirmed by events;");
	world_event(&w, "session.status",
		    "{\"sessionID\":\"ses_1\",\"status\":{\"type\":\"busy\"}}");
	world_await(&w, &w.told, "told [working];");
	/* The next one goes to the conversation that there is. */
	buf_clear(&w.log);
	world_say(&w,
		  "{\"op\":\"send\",\"id\":8,\"text\":\"x\",\"mode\":\"\"}");
	world_await(&w, &w.told, "sent 8 submitted ;");
	assert_string_equal(w.log.data, "POST /tui/select-session;"
					"POST /session/ses_1/prompt_async;");
	world_finish(&w);
}

static void test_delivery__asks_for_what_was_not_answered(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	w.prompt = "";
	world_up(&w);
	world_say(&w,
		  "{\"op\":\"send\",\"id\":1,\"text\":\"x\",\"mode\":\"\"}");
	world_await(&w, &w.told, "sent 1 accepted confirmed by its server;");
	w.message = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
	buf_clear(&w.log);
	world_say(&w,
		  "{\"op\":\"send\",\"id\":2,\"text\":\"x\",\"mode\":\"\"}");
	world_await(&w, &w.told, "sent 2 unconfirmed");
	world_await(&w, &w.log, "prompt_async;"); /* and only once */
	assert_null(strstr(w.log.data, "prompt_async"));
	world_finish(&w);
}

static void test_delivery__gives_back_what_was_not_posted(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	w.prompt = "HTTP/1.1 204 No Content\r\n\r\n";
	world_up(&w);
	buf_clear(&w.log);
	w.select = "";
	world_say(&w,
		  "{\"op\":\"send\",\"id\":1,\"text\":\"x\",\"mode\":\"\"}");
	world_await(&w, &w.told, "state down its server does not answer: ");
	world_await(&w, &w.told, "sent 1 unsent its server does not answer: ");
	world_await(&w, &w.told, "state up ;");
	/* Nothing more was asked for it, and the stream is the same. */
	assert_string_equal(w.log.data,
			    "POST /session;POST /tui/select-session;"
			    "GET /session/status;");
	world_say(&w,
		  "{\"op\":\"send\",\"id\":1,\"text\":\"x\",\"mode\":\"\"}");
	world_await(&w, &w.told, "sent 1 submitted ;");
	world_finish(&w);
}

/* Its server may be far behind with what it was sent. */
static void test_delivery__asks_again_when_the_server_answers(void **state)
{
	struct world w;
	char id[64];

	(void)state;
	world_init(&w);
	w.prompt = "";
	world_up(&w);
	w.message = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
	world_say(&w,
		  "{\"op\":\"send\",\"id\":1,\"text\":\"x\",\"mode\":\"\"}");
	world_await(&w, &w.told, "sent 1 submitted ;");
	world_await(&w, &w.told, "state down its server does not answer: ");
	world_await(&w, &w.told, "state up ;");
	world_await(&w, &w.log, "/message/");
	world_posted(&w, id);
	world_took(&w, id);
	world_await(&w, &w.told, "sent 1 accepted confirmed by events;");
	world_finish(&w);
}

static void test_delivery__says_why_a_message_is_refused(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	w.prompt = "HTTP/1.1 400 Bad Request\r\nContent-Length: 44\r\n\r\n"
		   "{\"data\":{\"message\":\"no\\u001bsuch agent\"}}   ";
	world_up(&w);
	world_say(&w,
		  "{\"op\":\"send\",\"id\":1,\"text\":\"x\",\"mode\":\"\"}");
	world_await(&w, &w.told,
		    "sent 1 failed its server refused it (HTTP 400)"
		    ": no?such agent;");
	world_finish(&w);
}

static void test_delivery__makes_another_for_one_that_is_gone(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_begin(&w, getpid(), ",\"conversation\":\"ses_0\"");
	world_await(&w, &w.told, "state up ;");
	w.select = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
	buf_clear(&w.log);
	world_say(&w,
		  "{\"op\":\"send\",\"id\":1,\"text\":\"x\",\"mode\":\"\"}");
	world_await(&w, &w.told, "sent 1 submitted ;");
	assert_string_equal(w.log.data,
			    "POST /tui/select-session;POST /session;"
			    "POST /tui/select-session;"
			    "POST /session/ses_1/prompt_async;");
	world_finish(&w);
}

#define NOT_FOUND "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"

/* Between a message's answer and its event somebody's error comes. */
static void test_delivery__asks_before_it_believes_an_error(void **state)
{
	static const struct {
		const char *error, *message, *told;
	} t[] = {
	    /* The program's; this is not asked about. */
	    {"{\"error\":{\"name\":\"BadSkill\"}}", NOT_FOUND, NULL},
	    {"{\"sessionID\":\"ses_1\",\"error\":{\"name\":\"NoFile\"}}", NULL,
	     "sent 2 accepted confirmed by its server;"},
	    {"{\"sessionID\":\"ses_1\",\"error\":{\"name\":\"NoAgent\"}}",
	     NOT_FOUND, "sent 3 failed it was not taken: NoAgent;"},
	};

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct world w;
		char id[64], text[80];

		world_init(&w);
		w.prompt = "HTTP/1.1 204 No Content\r\n\r\n";
		w.message = t[i].message;
		world_up(&w);
		snprintf(text, sizeof text,
			 "{\"op\":\"send\",\"id\":%d,\"text\":\"x\","
			 "\"mode\":\"\"}", i + 1);
		world_say(&w, text);
		world_await(&w, &w.told, "submitted ;");
		world_event(&w, "session.error", t[i].error);
		if (!t[i].told) {
			world_posted(&w, id);
			world_took(&w, id);
		}
		world_await(&w, &w.told,
			    t[i].told ? t[i].told
				      : "sent 1 accepted confirmed by events;");
		world_finish(&w);
	}
}

#define IDLE "{\"sessionID\":\"ses_1\"}"

static void post_and_idle(struct world *w, char id[64])
{
	w->prompt = "HTTP/1.1 204 No Content\r\n\r\n";
	world_say(w, "{\"op\":\"send\",\"id\":1,\"text\":\"x\","
		     "\"mode\":\"Plan\"}");
	world_await(w, &w->told, "sent 1 submitted ;");
	world_posted(w, id);
	world_took(w, id);
	world_await(w, &w->told, "sent 1 accepted confirmed by events;");
	buf_clear(&w->log);
	w->body[0] = '\0';
	world_event(w, "session.idle", IDLE);
}

/* The end of the turn before, and then nothing. */
static void test_delivery__asks_for_what_is_left_by_its_name(void **state)
{
	struct world w;
	char id[64], bare[160];

	(void)state;
	world_init(&w);
	world_up(&w);
	post_and_idle(&w, id);
	world_await(&w, &w.log, "POST /session/ses_1/prompt_async;");
	snprintf(bare, sizeof bare,
		 "{\"messageID\":\"%s\",\"agent\":\"plan\",\"parts\":[]}",
		 id);
	assert_string_equal(w.body, bare);
	world_event(&w, "session.status",
		    "{\"sessionID\":\"ses_1\",\"status\":{\"type\":\"busy\"}}");
	world_event(&w, "session.idle", IDLE);
	world_await(&w, &w.told, "told [completed];");
	world_finish(&w);
}

/* The user has typed another one behind it. */
static void test_delivery__asks_for_nobody_elses_message(void **state)
{
	struct world w;
	char id[64];

	(void)state;
	world_init(&w);
	world_up(&w);
	post_and_idle(&w, id);
	world_took(&w, "msg_other");
	world_event(&w, "session.idle", IDLE);
	world_await(&w, &w.told, "told [completed];");
	assert_null(w.log.data ? strstr(w.log.data, "prompt_async") : NULL);
	world_finish(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_delivery__posts_a_message_once),
	    cmocka_unit_test(test_delivery__asks_for_what_was_not_answered),
	    cmocka_unit_test(test_delivery__gives_back_what_was_not_posted),
	    cmocka_unit_test(test_delivery__asks_again_when_the_server_answers),
	    cmocka_unit_test(test_delivery__says_why_a_message_is_refused),
	    cmocka_unit_test(test_delivery__makes_another_for_one_that_is_gone),
	    cmocka_unit_test(test_delivery__asks_before_it_believes_an_error),
	    cmocka_unit_test(test_delivery__asks_for_what_is_left_by_its_name),
	    cmocka_unit_test(test_delivery__asks_for_nobody_elses_message),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
