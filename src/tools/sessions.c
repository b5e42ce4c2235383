/* sessions.c - the other sessions of this repository, and messages to them. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "session/disk/dirs.h"
#include "session/session.h"
#include "tools/memory.h"
#include "tools/tool.h"
#include "wire/client.h"

#define CONNECT_MS 5000
#define SEND_MS	   15000
#define TEXT_MAX   ((size_t)8 * 1024)

static bool is_neighbour(const struct toolbox *t, const struct session *s)
{
	return !s->broken && s->spec.repository &&
	       strcmp(s->spec.repository, t->spec.repository) == 0;
}

static int run_sessions(struct toolbox *t, const cJSON *args, struct buf *out,
			struct err *err)
{
	_json_ cJSON *o = cJSON_CreateObject();
	cJSON *list = json_set_array(o, "sessions");
	CLEANUP(session_list_finish) struct session_list all = {0};

	if (session_list_load_board(&all, err) < 0)
		return -1;
	for (size_t i = 0; i < all.n; i++) {
		const struct session *s = &all.v[i];
		_buf_ struct buf says = {0};
		cJSON *one;

		if (!is_neighbour(t, s))
			continue;
		session_summary(s, &says);
		one = cJSON_CreateObject();
		json_set_str(one, "name", s->spec.name);
		if (strcmp(s->spec.id, t->spec.id) == 0)
			json_set_bool(one, "you", true);
		json_set_str(one, "harness", s->spec.harness);
		json_set_str(one, "branch", s->spec.branch);
		json_set_str(one, "base", s->spec.base);
		json_set_str(one, "state",
			     s->state.activity == ACTIVITY_NONE
				 ? phase_name(s->state.phase)
				 : activity_name(s->state.activity));
		json_set_str(one, "says", says.data);
		json_set_str(one, "check", s->state.check);
		cJSON_AddItemToArray(list, one);
	}
	json_print(o, out);
	return 0;
}

/* Finds a session's id; "" with err if it cannot get a message. */
static int find(const struct toolbox *t, const char *name,
		char id[SPEC_ID_LEN + 1], struct err *err)
{
	CLEANUP(session_list_finish) struct session_list all = {0};
	bool plain = false;

	if (session_list_load_board(&all, err) < 0)
		return -1;
	for (size_t i = 0; i < all.n; i++) {
		const struct spec *s = &all.v[i].spec;

		if (!is_neighbour(t, &all.v[i]) || strcmp(s->name, name) != 0)
			continue;
		memcpy(id, s->id, SPEC_ID_LEN + 1);
		plain = strcmp(s->harness, "generic") == 0;
	}
	if (!*id) {
		err_set(err, ERR_NO_SESSION,
			"there is no session '%.60s' in this repository", name);
		return err_hint(err, "af_sessions lists them");
	}
	if (strcmp(id, t->spec.id) == 0)
		return err_set(err, ERR_USAGE, "this is the session itself");
	/* A shell would run it, outside of this agent's sandbox. */
	if (plain)
		return err_set(
		    err, ERR_REFUSED,
		    "session '%.60s' runs a plain command, not an agent", name);
	return 0;
}

static int run_send(const char *id, const char *text, struct buf *out,
		    struct err *err)
{
	_free_ char *path = dirs_socket(id, err);
	_client_ struct client *c =
	    path ? client_open(path, CONNECT_MS, err) : NULL;
	_json_ cJSON *reply = NULL;

	if (!c || client_greeting(c, CONNECT_MS, err) < 0)
		return -1;
	reply =
	    client_request(c,
			   REQUEST_OF(SEND, .send = {.text = text,
						     .has_timeout_ms = true,
						     .timeout_ms = SEND_MS}),
			   -1, SEND_MS + CONNECT_MS, err);
	if (!reply)
		return -1;
	buf_addf(out, "It is %s.", json_str_or(reply, "receipt", ""));
	return 0;
}

static int run_message(struct toolbox *t, const cJSON *args, struct buf *out,
		       struct err *err)
{
	const char *words = tool_text(args, "text");
	char id[SPEC_ID_LEN + 1] = "";
	_free_ char *text = NULL;

	if (strlen(words) > TEXT_MAX)
		return err_set(err, ERR_USAGE, "text is over %zu bytes",
			       TEXT_MAX);
	if (find(t, tool_text(args, "to"), id, err) < 0 ||
	    memory_may_send(t, err) < 0)
		return -1;
	text = mem_printf("Message from the agent of session %s%s%s%s, not "
			  "from the user:\n\n%s",
			  t->spec.name, t->spec.template_name ? " (role " : "",
			  t->spec.template_name ? t->spec.template_name : "",
			  t->spec.template_name ? ")" : "", words);
	return run_send(id, text, out, err);
}

static bool may_message(const struct toolbox *t)
{
	return json_bool(t->spec.bridge, "messages", false);
}

const struct tool tool_sessions = {
    .name = "af_sessions",
    .help = "Lists the agents' sessions in this repository: what each does "
	    "now, on which branch.",
    .kind = TOOL_READS,
    .run = run_sessions,
};

const struct tool tool_message = {
    .name = "af_message",
    .help = "Sends a message to the agent of another session in this "
	    "repository. It is marked as coming from you.",
    .kind = TOOL_NOTES,
    .args = {{.name = "to", .help = "The session's name.", .required = true},
	     {.name = "text", .help = "The message.", .required = true}},
    .offered = may_message,
    .missing = "agent_messages = no",
    .run = run_message,
};
