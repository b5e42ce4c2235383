/*
 * queue_view.c - the messages that wait, of all sessions. What is done with one
 * is bound to its number, and to that of the one it is put in front of.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "tui/actions/command.h"
#include "tui/widgets/rows.h"

/* Each session's queue, as far as a list of sessions knows it. */
static uint64_t version(const struct tui *t)
{
	uint64_t sum = t->roster.list.n;

	for (size_t i = 0; i < t->roster.list.n; i++) {
		const struct session *s = &t->roster.list.v[i];

		sum = sum * 31 + (uint64_t)s->state.queued * 2 + s->alive;
	}
	return sum;
}

static const char *id_of(const cJSON *o)
{
	return json_str_or(o, "id", "");
}

/* Its number, as a word. */
static void number(const cJSON *o, char out[24])
{
	snprintf(out, 24, "%" PRId64, json_int(o, "message", 0));
}

static void add(struct rows *l, const cJSON *o)
{
	const struct session *s = roster_by_id(&l->t->roster, id_of(o));
	const char *waits_for = json_str_or(o, "waits_for", "");
	char key[ROW_KEY], message[24];
	struct row *w;

	number(o, message);
	snprintf(key, sizeof key, "%s/%s", id_of(o), message);
	w = rows_add(l, key);
	w->name = s ? session_label(s, &l->t->roster.list)
		    : mem_strdup(json_str_or(o, "name", ""));
	w->note = mem_strdup(waits_for);
	w->text = mem_strdup(
	    json_str_or(o, "text", json_str_or(o, "first_line", "")));
	w->title = mem_printf("message %s to %s, %" PRId64 " bytes: %s",
			      message, w->name, json_int(o, "bytes", 0),
			      waits_for);
	w->since = clock_wall_ms() - json_int(o, "waited_ms", 0);
	w->of = o;
}

/* The one so many rows from the chosen one, of the same session; or NULL. */
static const cJSON *beside(const struct rows *l, const cJSON *o, int by)
{
	size_t at = l->at + (size_t)by;
	const cJSON *other = at < l->n ? l->v[at].of : NULL;

	return other && strcmp(id_of(other), id_of(o)) == 0 ? other : NULL;
}

static void move(struct rows *l, const cJSON *o, const cJSON *before)
{
	char message[24], other[24];

	if (!o || !before)
		return;
	number(o, message);
	number(before, other);
	command_run(l->t, command_create(mem_strdup("moving"), id_of(o), "send",
					 id_of(o), "--move", message,
					 "--before", other, NULL));
}

static void cancel(struct tui *t, const cJSON *o, const char *name)
{
	char message[24];

	number(o, message);
	command_ask(t,
		    mem_printf("Cancel message %s to %s: %s", message, name,
			       json_str_or(o, "first_line", "")),
		    command_create(mem_strdup("cancelling"), id_of(o), "send",
				   id_of(o), "--cancel", message, NULL));
}

static void act_on(struct rows *l, const struct row *w, uint32_t key)
{
	const cJSON *o = w->of;
	struct tui *t = l->t;

	switch (key) {
	case '\r':
		if (roster_select(&t->roster, id_of(o)))
			view_pop(t);
		break;
	case 'x':
		cancel(t, o, w->name);
		break;
	case 'K':
		move(l, o, beside(l, o, -1));
		break;
	case 'J':
		move(l, beside(l, o, 1), o);
		break;
	default:
		break;
	}
}

static const struct hint hints[] = {
    {"The queued messages", NULL, NULL},
    {"x", "cancel", "cancel the message, after asking"},
    {"K/J", "move up, down", "move it before or after another of its session"},
    {"Enter", "to its session", NULL},
    {"v", "all of it", "read the whole message"},
    ROWS_HINTS,
};

static const struct rows_kind kind = {
    .words = {"send", "--list", "--json"},
    .nothing = "No message waits.",
    .hints = hints,
    .act = ACT_QUEUE,
    .version = version,
    .add = add,
    .act_on = act_on,
};

struct view *queue_view(struct tui *t)
{
	return rows_view(t, &kind);
}
