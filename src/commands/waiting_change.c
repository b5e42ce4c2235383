/*
 * waiting_change.c - one of the messages that wait: taken back, or put in front
 * of another.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/waiting.h"
#include "session/disk/event_log.h"
#include "session/disk/lock.h"
#include "session/disk/queue.h"
#include "session/live/connection.h"

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

/* Nobody lives there: its file alone. */
static int cancel_file(const struct session *s, int64_t id, struct err *err)
{
	_close_ int lock = lock_take_soon(s->dir, err);
	cJSON *o;

	if (lock < 0 || queue_take_back(s->dir, id, err) < 0)
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
		reply = connect_request(s, "cancel", cJSON_Duplicate(o, 1),
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

/* The messages that "all" means: what is being typed is none of them. */
static int all_ids(const struct session *s, struct wanted *w, struct err *err)
{
	struct err why = {0};
	cJSON *all = s->alive ? connect_request(s, "queue", NULL,
						CONNECT_TIMEOUT_MS, &why)
			      : waiting_in_files(s, &why);
	const cJSON *m;

	w->n = 0;
	cJSON_ArrayForEach (m,
			    cJSON_GetObjectItemCaseSensitive(all, "messages"))
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
		       "send: --%s '%.40s' is no message's number%s "
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

int waiting_cancel(struct session *s, const struct args *args, struct err *err)
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

int waiting_move(struct session *s, const struct args *args, struct err *err)
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
		reply = connect_request(s, "move", cJSON_Duplicate(o, 1),
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
	printf("%s: message %lld goes in before %lld\n", s->spec.name,
	       (long long)id, (long long)before);
	return 0;
}
