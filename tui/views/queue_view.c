/* queue_view.c - the queued messages of all sessions. A key applies to the
 * number of a message, and to that of the message it is moved ahead of. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "tui/actions/command.h"
#include "tui/widgets/rows.h"

/* Changes if a session starts, ends, or has another number of messages. */
static uint64_t queue_version(const struct tui *t)
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

/* Prints its number as text. */
static void format_number(const cJSON *o, char out[24])
{
	snprintf(out, 24, "%" PRId64, json_int(o, "message", 0));
}

static void add_row(struct rows *l, const cJSON *o)
{
	const struct session *s = roster_by_id(&l->t->roster, id_of(o));
	const char *waits_for = json_str_or(o, "waits_for", "");
	char key[ROW_KEY], message[24];
	struct row *w;

	format_number(o, message);
	snprintf(key, sizeof key, "%s/%s", id_of(o), message);
	w = rows_add(l, key);
	w->name = s ? session_label(s, &l->t->roster.list)
		    : mem_strdup(json_str_or(o, "name", ""));
	w->note = mem_strdup(waits_for);
	w->text = mem_strdup(
	    json_str_or(o, "text", json_str_or(o, "first_line", "")));
	w->title =
	    mem_printf("message %s to %s, %" PRId64 " bytes: %s", message,
		       w->name, json_int(o, "bytes", 0), waits_for);
	w->since = clock_wall_ms() - json_int(o, "waited_ms", 0);
	w->of = o;
}

/* Returns the message of the same session that many rows from the chosen one;
 * or NULL. */
static const cJSON *find_neighbour(const struct rows *l, const cJSON *o, int by)
{
	size_t at = l->at + (size_t)by;
	const cJSON *other = at < l->n ? l->v[at].of : NULL;

	return other && strcmp(id_of(other), id_of(o)) == 0 ? other : NULL;
}

/* Moves it before or after another message of its session. */
static void move_message(struct tui *t, struct view *v, uint32_t pressed)
{
	const struct rows *l = (struct rows *)v;
	const cJSON *o = rows_chosen(v)->of;
	const cJSON *other = find_neighbour(l, o, pressed == 'K' ? -1 : 1);
	char first[24], second[24];

	if (!other)
		return;
	format_number(pressed == 'K' ? o : other, first);
	format_number(pressed == 'K' ? other : o, second);
	command_run(t, command_create(mem_strdup("moving"), id_of(o), "send",
				      id_of(o), "--move", first, "--before",
				      second, NULL));
}

static void cancel(struct tui *t, struct view *v, uint32_t pressed)
{
	const struct row *w = rows_chosen(v);
	char message[24];

	(void)pressed;
	format_number(w->of, message);
	command_confirm(
	    t,
	    mem_printf("Cancel message %s to %s: %s", message, w->name,
		       json_str_or(w->of, "first_line", "")),
	    command_create(mem_strdup("cancelling"), id_of(w->of), "send",
			   id_of(w->of), "--cancel", message, NULL));
}

static void go_to_session(struct tui *t, struct view *v, uint32_t pressed)
{
	(void)pressed;
	if (roster_select(&t->roster, id_of(rows_chosen(v)->of)))
		view_pop(t);
}

static const struct view_key keys[] = {
    {"The queued messages", NULL, NULL, NULL},
    {"x", "cancel", "cancel the message, after asking", cancel},
    {"K/J", "move up, down", "move it before or after another of its session",
     move_message},
    {"Enter", "to its session", NULL, go_to_session},
    {"v", "all of it", "read the whole message", rows_read},
    ROWS_KEYS,
};

static const struct rows_kind kind = {
    .words = {"send", "--list", "--json"},
    .nothing = "No message is queued.",
    .heading = "queued messages",
    .titles = {"WAITS FOR", "FOR", NULL, "MESSAGE"},
    .keys = keys,
    .act = ACT_QUEUE,
    .version = queue_version,
    .add = add_row,
};

struct view *queue_view(struct tui *t)
{
	return rows_view(t, &kind);
}
