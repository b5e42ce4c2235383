/*
 * waiting.c - the messages that wait: a list.
 *
 * A supervisor that lives knows what it is typing at this moment, so it is
 * asked. Where none does, the files are the truth, and a message in them that
 * was being typed when the last supervisor was killed may have arrived:
 * nobody can take that back.
 */
#include "commands/waiting.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "session/disk/queue.h"
#include "session/live/connection.h"

struct listing {
	const struct session_list *list;
	cJSON **of; /* of each session: the reply to "queue", as if */
	int code;
};

cJSON *waiting_in_files(const struct session *s, struct err *err)
{
	cJSON *o = cJSON_CreateObject();

	queue_json_all(s->dir, json_set_array(o, "messages"), err);
	return o;
}

static void unread(struct listing *l, const struct session *s,
		   const struct err *err)
{
	output_warn("list the messages of '%s': %s", s->spec.name, err->what);
	if (l->code == 0)
		l->code = err->kind;
}

static void on_queue(void *ctx, size_t i, const cJSON *reply,
		     const struct err *err)
{
	struct listing *l = ctx;
	const struct session *s = &l->list->v[i];

	if (reply) {
		l->of[i] = cJSON_Duplicate(reply, 1);
		return;
	}
	if (s->alive && err->kind != ERR_NOT_RUNNING) {
		unread(l, s, err);
	} else if (s->dir) {
		struct err why = {0};

		l->of[i] = waiting_in_files(s, &why);
		if (why.kind)
			unread(l, s, &why);
	}
}

/* Why it waits, and how far it is: "waiting", "typing", or "unknown" where
 * its supervisor was killed while it typed. */
static void explain(cJSON *m, bool alive, int before, const char *first)
{
	bool typing = json_bool(m, "typing", false);
	const char *why = first;
	char text[64];

	cJSON_DeleteItemFromObjectCaseSensitive(m, "typing");
	json_set_str(m, "state",
		     !typing ? "waiting"
		     : alive ? "typing"
			     : "unknown");
	if (typing && alive)
		why = "it is being typed";
	else if (typing)
		why = "its supervisor was killed while it typed this: perhaps "
		      "delivered, and never typed again";
	else if (!alive)
		why = "the next start: it is not running";
	else if (before > 0)
		why = text;
	snprintf(text, sizeof text, "behind %d other%s", before,
		 before == 1 ? "" : "s");
	json_set_str(m, "waits_for", why);
}

/* All of what is in a file; an answer has no room for it. */
static void add_text(cJSON *o, const char *session_dir, bool typing)
{
	struct queue_entry e = {.id = json_int(o, "message", 0),
				.state = typing ? QUEUE_TYPING : QUEUE_WAITS};
	_queued_ struct queued m = {0};

	if (queue_read(session_dir, &e, &m, NULL) == 0 && m.text)
		json_set_text(o, "text", m.text);
}

static void add_all(cJSON *out, const struct session *s, cJSON *reply,
		    bool texts)
{
	cJSON *list = cJSON_GetObjectItemCaseSensitive(reply, "messages"), *m;
	/* "waits_for" is only in the answer of one that lives. */
	const char *first = json_str(reply, "waits_for");
	int before = 0;

	cJSON_ArrayForEach (m, list) {
		cJSON *o = cJSON_Duplicate(m, 1);

		json_set_str(o, "id", s->spec.id);
		json_set_str(o, "name", s->spec.name);
		if (s->dir && texts)
			add_text(o, s->dir, json_bool(o, "typing", false));
		explain(o, first != NULL, before++,
			first && first[0] ? first : "its turn to come");
		cJSON_AddItemToArray(out, o);
	}
}

static void print_rows(const cJSON *all)
{
	static const char *const titles[] = {"SESSION", ">ID",	     ">FOR",
					     ">BYTES",	"WAITS FOR", "MESSAGE"};
	struct table *t = table_create(6, titles);
	const cJSON *m;

	cJSON_ArrayForEach (m, all) {
		table_cell(t, json_str(m, "name"), "\033[1m");
		table_cellf(t, "%lld", (long long)json_int(m, "message", 0));
		table_age(t, json_int(m, "waited_ms", 0));
		table_cellf(t, "%lld", (long long)json_int(m, "bytes", 0));
		table_cell(t, json_str(m, "waits_for"), NULL);
		table_cell(t, json_str(m, "first_line"), NULL);
	}
	table_end(t);
}

int waiting_list(const struct session_list *l, bool json)
{
	struct listing listing = {
	    .list = l, .of = mem_alloc((l->n + 1) * sizeof *listing.of)};
	cJSON *request = cJSON_CreateObject(), *all = cJSON_CreateArray();

	json_set_str(request, "cmd", "queue");
	broadcast(l, request, CONNECT_TIMEOUT_MS, on_queue, &listing);
	for (size_t i = 0; i < l->n; i++) {
		add_all(all, &l->v[i], listing.of[i], json);
		cJSON_Delete(listing.of[i]);
	}
	free(listing.of);
	if (json) {
		output_json(all);
		return listing.code;
	}
	if (all->child)
		print_rows(all);
	else if (listing.code == 0)
		output_warn("no message waits");
	cJSON_Delete(all);
	return listing.code;
}
