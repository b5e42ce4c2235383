/* connect.c - the session that a user means, and its supervisor. */
#include "session/live/connect.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/json.h"

static int not_running(const struct session *s, struct err *err)
{
	const char *name = s->spec.name;

	if (s->broken)
		return err_set(err, ERR_NOT_RUNNING,
			       "session '%s' is broken: "
			       "%s",
			       name, s->state.error_reason);
	err_set(err, ERR_NOT_RUNNING, "session '%s' is not running (%s%s%s)",
		name, session_word(s), s->state.error_reason ? ": " : "",
		s->state.error_reason ? s->state.error_reason : "");
	return err_hint(err, "`afw start %s` starts it", name);
}

/*
 * Its lock is held, but nobody listens: it has come to its end since it was
 * read, or does so now, or another process is at it. 0 if it is running: again.
 */
static int not_reached(const struct session *s, struct err *err)
{
	_session_ struct session now = {0};

	if (session_load(&now, s->spec.id, err) < 0)
		return -1;
	if (phase_is_live(s->state.phase) && !phase_is_live(now.state.phase))
		return not_running(&now, err);
	if (now.alive && now.state.waits) {
		err_set(err, ERR_NOT_RUNNING, "session '%s' waits for %s",
			now.spec.name, now.spec.after);
		return err_hint(err,
				"its agent starts when that one is done");
	}
	if (now.alive && now.state.phase == PHASE_RUNNING)
		return 0;
	err_set(err, ERR_NOT_RUNNING, "session '%s' cannot be reached yet (%s)",
		now.spec.name, session_word(&now));
	return err_hint(err, "another process starts, stops or removes it; try "
			     "again in a moment");
}

static int no_socket(const struct session *s, struct err *err)
{
	err_set(err, ERR_FAILED,
		"session '%s' is running, but its control socket %s/control "
		"was deleted",
		s->spec.name, s->dir);
	return err_hint(err,
			"`kill %d` ends it, `afw resume %s` then goes on with "
			"its conversation",
			(int)s->state.supervisor_pid, s->spec.name);
}

static struct client *open_socket(const struct session *s, struct err *err)
{
	_free_ char *path = file_join(s->dir, "control");

	return client_open(path, CONNECT_TIMEOUT_MS, err);
}

static struct client *open_session(const struct session *s, bool greet,
				   struct err *err)
{
	struct client *c;

	if (!s->alive) {
		not_running(s, err);
		return NULL;
	}
	for (bool again = false;; again = true) {
		c = open_socket(s, err);
		if (c && (!greet ||
			  client_greeting(c, CONNECT_TIMEOUT_MS, err) == 0))
			return c;
		client_destroy(c);
		if (err->kind != ERR_NOT_RUNNING)
			break;
		if (not_reached(s, err) < 0 || (again && no_socket(s, err) < 0))
			return NULL;
	}
	err_prefix(err, "reach session '%s'", s->spec.name);
	return NULL;
}

struct client *connect_session(const struct session *s, struct err *err)
{
	return open_session(s, true, err);
}

struct client *connect_open(const struct session *s, struct err *err)
{
	return open_session(s, false, err);
}

cJSON *connect_ask(struct client *c, const char *op, cJSON *more,
		   int64_t timeout_ms, struct err *err)
{
	cJSON *request = more ? more : cJSON_CreateObject();

	json_set_str(request, "op", op);
	return client_request(c, request, -1, timeout_ms, err);
}

cJSON *connect_request(const struct session *s, const char *op, cJSON *more,
		       int64_t timeout_ms, struct err *err)
{
	struct client *c = connect_session(s, err);
	cJSON *reply = NULL;

	if (c)
		reply = connect_ask(c, op, more, timeout_ms, err);
	else
		cJSON_Delete(more);
	client_destroy(c);
	return reply;
}
