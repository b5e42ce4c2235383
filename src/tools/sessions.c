/* sessions.c - the other sessions of this repository, and messages to them. */
#include <stdlib.h>
#include <string.h>

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
	cJSON *o = cJSON_CreateObject(), *list = json_set_array(o, "sessions");
	struct session_list all = {0};
	int rc = session_list_glance(&all, err);

	for (size_t i = 0; rc == 0 && i < all.n; i++) {
		const struct session *s = &all.v[i];
		struct buf says = {0};
		cJSON *one;

		if (!is_neighbour(t, s))
			continue;
		session_says(s, &says);
		one = cJSON_CreateObject();
		json_set_str(one, "name", s->spec.name);
		if (strcmp(s->spec.id, t->spec.id) == 0)
			json_set_bool(one, "you", true);
		json_set_str(one, "harness", s->spec.harness);
		json_set_str(one, "branch", s->spec.branch);
		json_set_str(one, "base", s->spec.base);
		json_set_str(one, "state", session_word(s));
		json_set_str(one, "says", says.data);
		json_set_str(one, "check", s->state.check);
		cJSON_AddItemToArray(list, one);
		buf_finish(&says);
	}
	if (rc == 0)
		json_print(o, out);
	session_list_finish(&all);
	cJSON_Delete(o);
	return rc;
}

/* Its id; "" with err where it cannot get a message. */
static int find(const struct toolbox *t, const char *name,
		char id[SPEC_ID_LEN + 1], struct err *err)
{
	struct session_list all = {0};
	int rc = session_list_glance(&all, err);
	bool plain = false;

	for (size_t i = 0; rc == 0 && i < all.n; i++) {
		const struct spec *s = &all.v[i].spec;

		if (!is_neighbour(t, &all.v[i]) || strcmp(s->name, name) != 0)
			continue;
		memcpy(id, s->id, SPEC_ID_LEN + 1);
		plain = strcmp(s->harness, "generic") == 0;
	}
	session_list_finish(&all);
	if (rc == 0 && !*id) {
		err_set(err, ERR_NO_SESSION,
			"there is no session '%.60s' in this repository", name);
		return err_hint(err, "af_sessions lists them");
	}
	if (rc == 0 && strcmp(id, t->spec.id) == 0)
		return err_set(err, ERR_USAGE, "that is this session itself");
	/* A shell would run it, outside of this agent's sandbox. */
	if (rc == 0 && plain)
		return err_set(err, ERR_REFUSED,
			       "session '%.60s' is a plain command's, not an "
			       "agent's",
			       name);
	return rc;
}

static int deliver(const char *id, const char *text, struct buf *out,
		   struct err *err)
{
	char *path = dirs_socket(id, err);
	struct client *c = path ? client_open(path, CONNECT_MS, err) : NULL;
	cJSON *o = cJSON_CreateObject(), *reply = NULL;

	json_set_str(o, "op", "send");
	json_set_str(o, "text", text);
	json_set_int(o, "timeout_ms", SEND_MS);
	if (c && client_greeting(c, CONNECT_MS, err) == 0) {
		reply = client_request(c, o, -1, SEND_MS + CONNECT_MS, err);
		o = NULL;
	}
	if (reply)
		buf_addf(out, "It is %s.", json_str_or(reply, "receipt", ""));
	client_destroy(c);
	cJSON_Delete(o);
	free(path);
	cJSON_Delete(reply);
	return out->len ? 0 : -1;
}

static int run_message(struct toolbox *t, const cJSON *args, struct buf *out,
		       struct err *err)
{
	const char *words = tool_text(args, "text");
	char id[SPEC_ID_LEN + 1] = "";
	char *text;
	int rc;

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
	rc = deliver(id, text, out, err);
	free(text);
	return rc;
}

static bool may_message(const struct toolbox *t)
{
	return json_bool(t->spec.bridge, "messages", false);
}

const struct tool tool_sessions = {
    .name = "af_sessions",
    .help = "The agents' sessions in this repository: what each does now, on "
	    "which branch.",
    .kind = TOOL_READS,
    .run = run_sessions,
};

const struct tool tool_message = {
    .name = "af_message",
    .help = "Sends a message to the agent of another session in this "
	    "repository. It is marked as yours.",
    .kind = TOOL_NOTES,
    .args = {{.name = "to", .help = "The session's name.", .required = true},
	     {.name = "text", .help = "What it is told.", .required = true}},
    .offered = may_message,
    .run = run_message,
};
