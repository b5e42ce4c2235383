/* connect.c - the session that a user means, and its supervisor. */
#include "commands/connect.h"

#include <stdlib.h>

#include "base/json.h"
#include "session/dirs.h"

static int not_running(const struct session *s, struct err *err)
{
	const char *name = s->spec.name;

	if (s->broken)
		return err_set(err, ERR_NOT_RUNNING,
			       "session '%s' is broken: "
			       "%s",
			       name, s->state.error_reason);
	err_set(err, ERR_NOT_RUNNING, "session '%s' is not running (%s%s%s)",
		name, phase_name(s->state.phase),
		s->state.error_reason ? ": " : "",
		s->state.error_reason ? s->state.error_reason : "");
	return err_hint(err,
			"`afw resume %s` goes on with its conversation, "
			"`afw start %s` starts afresh",
			name, name);
}

struct client *connect_session(const struct session *s, struct err *err)
{
	struct client *c;
	char *path;

	if (!s->alive) {
		not_running(s, err);
		return NULL;
	}
	path = dirs_socket(s->spec.id, err);
	if (!path)
		return NULL;
	c = client_connect(path, CONNECT_TIMEOUT_MS, err);
	free(path);
	if (c)
		return c;
	if (err->kind == ERR_NOT_RUNNING) {
		err_set(err, ERR_NOT_RUNNING,
			"session '%s' cannot be reached yet: it is %s",
			s->spec.name, phase_name(s->state.phase));
		err_hint(err, "somebody is starting, stopping or removing it; "
			      "try again in a moment");
	} else {
		err_prefix(err, "reach session '%s'", s->spec.name);
	}
	return NULL;
}

struct client *connect_name(struct session *s, const char *name,
			    struct err *err)
{
	struct client *c;

	if (session_find(s, name, err) < 0)
		return NULL;
	c = connect_session(s, err);
	if (!c)
		session_finish(s);
	return c;
}

cJSON *connect_ask(struct client *c, const char *op, cJSON *more,
		   int64_t timeout_ms, struct err *err)
{
	cJSON *request = more ? more : cJSON_CreateObject();

	json_set_str(request, "op", op);
	return client_request(c, request, -1, timeout_ms, err);
}
