/*
 * send_queue.c - lists, cancels and reorders the queued messages of a session.
 *
 * A running supervisor is asked, because it knows which message it is typing.
 * Otherwise the files are read. A message in them that was being typed when the
 * supervisor was killed may have been delivered, and cannot be cancelled.
 */
#include "commands/send_queue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "session/disk/event_log.h"
#include "session/disk/lock.h"
#include "session/disk/queue.h"
#include "session/live/connection.h"

/* -- the list -------------------------------------------------------------- */

struct listing {
	const struct session_list *list;
	/* for each session: the reply to "queue", or an equivalent object */
	cJSON **of;
	int code;
};

static cJSON *read_files(const struct session *s, struct err *err)
{
	cJSON *o = cJSON_CreateObject();

	queue_json_all(s->dir, json_set_array(o, "messages"), err);
	return o;
}

static void report_unreadable(struct listing *l, const struct session *s,
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
		report_unreadable(l, s, err);
	} else if (s->dir) {
		struct err why = {0};

		l->of[i] = read_files(s, &why);
		if (why.kind)
			report_unreadable(l, s, &why);
	}
}

/* Adds the reason why it is queued, and its progress: "waiting", "typing", or
 * "unknown" if its supervisor was killed while it typed the message. */
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
	snprintf(text, sizeof text, "after %d other%s", before,
		 before == 1 ? "" : "s");
	json_set_str(m, "waits_for", why);
}

/* Adds the whole text from its file; it is too long for the reply. */
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
	cJSON *list = json_get(reply, "messages"), *m;
	/* Only the reply of a running supervisor has "waits_for". */
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

static int list_queues(const struct session_list *l, bool json)
{
	struct listing listing = {
	    .list = l, .of = mem_alloc((l->n + 1) * sizeof *listing.of)};
	cJSON *all = cJSON_CreateArray();

	broadcast(l, REQUEST_OF(QUEUE), CONNECT_TIMEOUT_MS, on_queue, &listing);
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
		output_warn("no message is queued");
	cJSON_Delete(all);
	return listing.code;
}

int send_queue_list(const struct args *args, struct err *err)
{
	struct session_list of = {0};
	int rc;

	if (args->rest)
		return err_set(err, ERR_USAGE, "send: --list takes no text");
	rc = args->n || args_has(args, "all") || args_has(args, "group")
		 ? targets_find(&of, args, args->n, err)
		 : session_list_load(&of, err);
	if (rc == 0)
		rc = list_queues(&of, args_has(args, "json"));
	session_list_finish(&of);
	return rc;
}

/* -- cancelling ------------------------------------------------------------ */

struct wanted {
	int64_t ids[2 * QUEUE_MAX];
	size_t n;
};

static void add_id(struct wanted *w, int64_t id)
{
	if (w->n < sizeof w->ids / sizeof w->ids[0])
		w->ids[w->n++] = id;
}

/* Cancels in the file of a session that is not running. */
static int cancel_file(const struct session *s, int64_t id, struct err *err)
{
	_close_ int lock = lock_acquire_soon(s->dir, err);
	cJSON *o;

	if (lock < 0 || queue_cancel(s->dir, id, err) < 0)
		return -1;
	o = cJSON_CreateObject();
	json_set_int(o, "message", id);
	json_set_str(o, "receipt", "failed");
	json_set_bool(o, "last", true);
	json_set_str(o, "detail", "cancelled: nothing was typed");
	events_append(s->dir, "receipt", o, NULL);
	queue_remove(s->dir, id);
	return 0;
}

static int cancel_one(const struct session *s, int64_t id, bool json,
		      struct err *err)
{
	cJSON *o = cJSON_CreateObject(), *reply;
	int rc;

	json_set_int(o, "message", id);
	if (s->alive) {
		reply =
		    connect_request(s, REQUEST_OF(CANCEL, .cancel.message = id),
				    CONNECT_TIMEOUT_MS, err);
		rc = reply ? 0 : -1;
		cJSON_Delete(reply);
	} else {
		rc = cancel_file(s, id, err);
	}
	if (rc < 0) {
		err_prefix(err, "cancel in '%s'", s->spec.name);
	} else if (json) {
		json_set_str(o, "name", s->spec.name);
		json_set_bool(o, "cancelled", true);
		output_json(o);
		return 0;
	} else {
		printf("%s: message %lld is cancelled\n", s->spec.name,
		       (long long)id);
	}
	cJSON_Delete(o);
	return rc;
}

/* Adds the messages that "all" means: all except the one that is being
 * typed. */
static int all_ids(const struct session *s, struct wanted *w, struct err *err)
{
	struct err why = {0};
	cJSON *all = s->alive ? connect_request(s, REQUEST_OF(QUEUE),
						CONNECT_TIMEOUT_MS, &why)
			      : read_files(s, &why);
	const cJSON *m;

	w->n = 0;
	cJSON_ArrayForEach (m, json_get(all, "messages"))
		if (!json_bool(m, "typing", false))
			add_id(w, json_int(m, "message", 0));
	cJSON_Delete(all);
	if (!why.kind)
		return 0;
	*err = why;
	return err_prefix(err, "cancel in '%s'", s->spec.name);
}

static int parse_id(const char *option, const char *word, int64_t *id,
		    struct err *err)
{
	char *end;

	errno = 0;
	*id = word ? strtoll(word, &end, 10) : 0;
	if (!errno && *id > 0 && !*end && word[0] != '+')
		return 0;
	return err_set(err, ERR_USAGE,
		       "send: --%s '%.40s' is not the number of a message%s "
		       "(afw send --list)",
		       option, word ? word : "",
		       strcmp(option, "cancel") == 0 ? ", nor all" : "");
}

static int parse_ids(const struct args *args, struct wanted *w, bool *all,
		     struct err *err)
{
	const char *word;
	size_t i = 0;

	*all = false;
	while ((word = args_next(args, "cancel", &i))) {
		int64_t id;

		if (strcmp(word, "all") == 0) {
			*all = true;
			continue;
		}
		if (parse_id("cancel", word, &id, err) < 0)
			return -1;
		if (w->n == sizeof w->ids / sizeof w->ids[0])
			return err_set(err, ERR_USAGE,
				       "send: --cancel is given too often");
		add_id(w, id);
	}
	return 0;
}

static int cancel(struct session *s, const struct args *args, struct err *err)
{
	bool json = args_has(args, "json"), all;
	struct wanted w = {0};
	int rc = 0;

	if (parse_ids(args, &w, &all, err) < 0)
		return -1;
	if (all)
		rc = all_ids(s, &w, err);
	for (size_t i = 0; (rc == 0 || !all) && i < w.n; i++) {
		struct err why = {0};

		if (cancel_one(s, w.ids[i], json, &why) < 0)
			rc = output_one_failed(rc, &why, err);
	}
	return rc;
}

/* -- the order ------------------------------------------------------------- */

static int move(struct session *s, const struct args *args, struct err *err)
{
	cJSON *o, *reply;
	int64_t id, before;
	int rc;

	if (parse_id("move", args_value(args, "move"), &id, err) < 0 ||
	    parse_id("before", args_value(args, "before"), &before, err) < 0)
		return -1;
	o = cJSON_CreateObject();
	json_set_int(o, "message", id);
	json_set_int(o, "before", before);
	if (s->alive) {
		reply = connect_request(
		    s,
		    REQUEST_OF(MOVE, .move = {.message = id, .before = before}),
		    CONNECT_TIMEOUT_MS, err);
		rc = reply ? 0 : -1;
		cJSON_Delete(reply);
	} else {
		rc = queue_move(s->dir, id, before, err);
	}
	if (rc == 0 && args_has(args, "json")) {
		json_set_str(o, "name", s->spec.name);
		output_json(o);
		return 0;
	}
	cJSON_Delete(o);
	if (rc < 0)
		return err_prefix(err, "move in '%s'", s->spec.name);
	printf("%s: message %lld is delivered before %lld\n", s->spec.name,
	       (long long)id, (long long)before);
	return 0;
}

int send_queue_change(const struct args *args, struct err *err)
{
	bool cancels = args_has(args, "cancel");

	if (args->n != 1 || args->rest)
		return err_set(err, ERR_USAGE,
			       "send: --%s takes the name of one session, and "
			       "no text",
			       cancels ? "cancel" : "move");
	return targets_each(args, cancels ? cancel : move, err);
}
