/* support_talk.c - events made up, and all that is told in a line each. */
#include "support_talk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json.h"
#include "base/mem.h"

static void on_told(void *ctx, cJSON *o)
{
	struct talk_log *l = ctx;

	buf_addf(&l->log, "%s", json_str_or(o, "activity", "?"));
	if (json_bool(o, "turn_started", false))
		buf_addf(&l->log, " started:%s", json_str(o, "prompt"));
	if (json_bool(o, "turn_ended", false))
		buf_addf(&l->log, " ended:%s", json_str_or(o, "answer", "-"));
	if (json_bool(o, "interrupted", false))
		buf_adds(&l->log, " interrupted");
	if (json_bool(o, "failed", false))
		buf_adds(&l->log, " failed");
	if (json_bool(o, "question", false))
		buf_adds(&l->log, " asks");
	if (json_str_or(o, "detail", "")[0])
		buf_addf(&l->log, " (%s)", json_str(o, "detail"));
	buf_adds(&l->log, "\n");
	cJSON_Delete(l->last);
	l->last = o;
}

static bool on_took(void *ctx, const char *message)
{
	struct talk_log *l = ctx;

	buf_addf(&l->log, "took %s\n", message);
	return l->ours;
}

static void on_refused(void *ctx, const char *why)
{
	buf_addf(&((struct talk_log *)ctx)->log, "refused %s\n", why);
}

static void on_doubt(void *ctx)
{
	((struct talk_log *)ctx)->doubts++;
}

static bool on_left(void *ctx, const char *message)
{
	struct talk_log *l = ctx;

	assert_true(talk_id_ok(message));
	l->asked += l->ours;
	return l->ours;
}

void talk_log_init(struct talk_log *l)
{
	struct talk_events events = {.ctx = l,
				     .told = on_told,
				     .took = on_took,
				     .refused = on_refused,
				     .doubt = on_doubt,
				     .left = on_left};

	*l = (struct talk_log){0};
	l->talk = talk_create(&events);
}

void talk_log_finish(struct talk_log *l)
{
	talk_destroy(l->talk);
	buf_finish(&l->log);
	cJSON_Delete(l->last);
}

void talk_log_feed(struct talk_log *l, const char *type, const char *properties)
{
	char *data = mem_printf("{\"id\":\"e\",\"type\":\"%s\","
				"\"properties\":%s}",
				type, properties);

	talk_event(l->talk, data, strlen(data));
	free(data);
}

void talk_log_status(struct talk_log *l, const char *session, const char *type)
{
	char *p = mem_printf("{\"sessionID\":\"%s\",\"status\":{\"type\":"
			     "\"%s\"}}",
			     session, type);

	talk_log_feed(l, "session.status", p);
	free(p);
	if (strcmp(type, "idle") == 0) {
		p = mem_printf("{\"sessionID\":\"%s\"}", session);
		talk_log_feed(l, "session.idle", p);
		free(p);
	}
}

void talk_log_error(struct talk_log *l, const char *error)
{
	char *p = mem_printf("{\"sessionID\":\"ses_1\",\"error\":%s}", error);

	talk_log_feed(l, "session.error", p);
	free(p);
}

void talk_log_message(struct talk_log *l, const char *session, const char *id,
		      const char *text)
{
	char *p = mem_printf("{\"info\":{\"id\":\"%s\",\"role\":\"user\","
			     "\"sessionID\":\"%s\",\"agent\":\"plan\","
			     "\"model\":{\"providerID\":\"p\","
			     "\"modelID\":\"m\"}}}",
			     id, session);

	talk_log_feed(l, "message.updated", p);
	free(p);
	p = mem_printf("{\"part\":{\"id\":\"prt_%s\",\"type\":\"text\","
		       "\"sessionID\":\"%s\",\"messageID\":\"%s\","
		       "\"text\":\"%s\"}}",
		       id, session, id, text);
	talk_log_feed(l, "message.part.updated", p);
	free(p);
}

void talk_log_answer(struct talk_log *l, const char *session, const char *id,
		     const char *part, const char *text)
{
	char *p = mem_printf("{\"part\":{\"id\":\"%s\",\"type\":\"text\","
			     "\"sessionID\":\"%s\",\"messageID\":\"%s\","
			     "\"time\":{\"start\":1,\"end\":2},"
			     "\"text\":\"%s\"}}",
			     part, session, id, text);

	talk_log_feed(l, "message.part.updated", p);
	free(p);
}

void talk_log_expect(struct talk_log *l, const char *log)
{
	assert_string_equal(l->log.data ? l->log.data : "", log);
	buf_clear(&l->log);
}

void talk_log_init_busy(struct talk_log *l)
{
	talk_log_init(l);
	talk_log_message(l, "ses_1", "msg_1", "x");
	talk_log_status(l, "ses_1", "busy");
	buf_clear(&l->log);
}

void talk_log_expect_idle(struct talk_log *l, const char *line)
{
	talk_log_status(l, "ses_1", "idle");
	assert_non_null(strstr(l->log.data, line));
}
