/*
 * wait.c - waits until another session of this repository changes its state, so
 * that a coordinating agent need not ask again and again.
 *
 * It compares with what the call before returned: nothing is missed between
 * two calls.
 */
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "session/disk/dirs.h"
#include "session/live/changes.h"
#include "session/session.h"
#include "tools/tool.h"

#define SECONDS	    50
#define SECONDS_MAX 100 /* after 120, the bridge ends */

/* Returns an object with the states of the others, NAME: STATE, to be deleted;
 * NULL with err. A state that may still change is as before. */
static cJSON *read_states(const struct toolbox *t, struct err *err)
{
	_session_list_ struct session_list l = {0};
	cJSON *o;

	if (session_list_load_board(&l, err) < 0)
		return NULL;
	o = cJSON_CreateObject();
	for (size_t i = 0; i < l.n; i++) {
		const struct session *s = &l.v[i];
		const char *state = session_status_word(s);

		if (s->broken || strcmp(s->spec.id, t->spec.id) == 0 ||
		    !session_is_here(s, t->spec.repository))
			continue;
		if (s->state.unsure)
			state = json_str_or(t->seen, s->spec.name, state);
		json_set_str(o, s->spec.name, state);
	}
	return o;
}

static void add_change(cJSON *list, const char *name, const char *state,
		       const char *was)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "name", name);
	json_set_str(o, "state", state);
	json_set_str(o, "was", was);
	cJSON_AddItemToArray(list, o);
}

/* Appends to list what differs, of the session with that name; "": of all. */
static void add_changes(cJSON *list, const cJSON *before, const cJSON *now,
			const char *name)
{
	const cJSON *s;

	cJSON_ArrayForEach (s, now) {
		const char *was = json_str(before, s->string);

		if ((!was || strcmp(was, s->valuestring) != 0) &&
		    (!*name || strcmp(name, s->string) == 0))
			add_change(list, s->string, s->valuestring, was);
	}
	cJSON_ArrayForEach (s, before) {
		if (!json_str(now, s->string) &&
		    (!*name || strcmp(name, s->string) == 0))
			add_change(list, s->string, "removed", s->valuestring);
	}
}

/* Returns the states at the end, with what differs in list; NULL with err. */
static cJSON *wait_for(const struct toolbox *t, struct changes *watch,
		       const char *name, int64_t until, cJSON *list,
		       struct err *err)
{
	for (;;) {
		cJSON *now = read_states(t, err);
		int64_t left = until - clock_mono_ms();

		if (!now)
			return NULL;
		add_changes(list, t->seen, now, name);
		if (list->child || left <= 0)
			return now;
		cJSON_Delete(now);
		changes_wait(watch, left);
	}
}

static int run_wait(struct toolbox *t, const cJSON *args, struct buf *out,
		    struct err *err)
{
	int64_t seconds = json_int(args, "seconds", SECONDS);
	_free_ char *dir = dirs_sessions(err);
	_json_ cJSON *o = cJSON_CreateObject();
	cJSON *list = json_set_array(o, "changed"), *now = NULL;
	struct changes *watch;

	if (!dir)
		return -1;
	if (seconds < 0 || seconds > SECONDS_MAX)
		return err_set(err, ERR_USAGE, "seconds is 0 to %d",
			       SECONDS_MAX);
	watch = changes_create();
	changes_add_all(watch, dir, CHANGES_SHOWN);
	if (!t->seen)
		t->seen = read_states(t, err);
	if (t->seen)
		now = wait_for(t, watch, tool_text(args, "name"),
			       clock_mono_ms() + seconds * 1000, list, err);
	changes_destroy(watch);
	if (!now)
		return -1;
	cJSON_Delete(t->seen);
	t->seen = now;
	json_print(o, out);
	return 0;
}

const struct tool tool_wait = {
    .name = "af_wait",
    .help = "Waits until another session of this repository changes its state, "
	    "since the last call or, at first, since now; returns what has "
	    "changed, or nothing when the time is up.",
    .kind = TOOL_READS,
    .args = {{.name = "name", .help = "Only this session."},
	     {.name = "seconds",
	      .help = "How long at most; 50, and 100 at most.",
	      .number = true}},
    .run = run_wait,
};
