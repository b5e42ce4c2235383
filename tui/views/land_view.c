/*
 * land_view.c - the plan of `afw land`, and its progress. The list is that of a
 * dry run; while the command runs, its output fills the rows in.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/words.h"
#include "tui/actions/action.h"
#include "tui/actions/command.h"
#include "tui/widgets/rows.h"

#define DAY_MINUTES (24 * 60)

/* Changes if a session ends a turn, or its work is committed or merged. */
static uint64_t land_version(const struct tui *t)
{
	uint64_t sum = t->roster.list.n;

	for (size_t i = 0; i < t->roster.list.n; i++) {
		const struct state *s = &t->roster.list.v[i].state;

		sum = sum * 31 + (uint64_t)s->activity +
		      (uint64_t)s->counts.ahead * 2 +
		      (uint64_t)s->counts.uncommitted * 3 +
		      (uint64_t)s->counts.merged;
	}
	return sum;
}

static void set_note(struct row *w, const char *note, enum look look)
{
	mem_set(&w->note, note);
	w->look = look;
}

static void add_texts(struct buf *out, const char *before, const cJSON *texts,
		      const char *between)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, texts)
		buf_addf(out, "%s%s",
			 o->prev && o != texts->child ? between : before,
			 o->valuestring);
}

static void add_check(struct buf *out, const cJSON *words)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, words) {
		buf_adds(out, o == words->child ? "check: " : " ");
		words_quote_shown(o->valuestring, out);
	}
}

static bool is_off(const struct rows *l, const struct row *w)
{
	return strv_has(&l->off, w->key);
}

static void show_choice(const struct rows *l, struct row *w)
{
	if (json_str(w->of, "why"))
		set_note(w, "stays", LOOK_QUIET);
	else if (is_off(l, w))
		set_note(w, "left out", LOOK_QUIET);
	else
		set_note(w, "lands", LOOK_DONE);
}

static void add_row(struct rows *l, const cJSON *o)
{
	struct row *w = rows_add(l, json_str_or(o, "id", ""));
	const cJSON *against = json_get(o, "conflicts_with");
	struct buf text = {0};

	w->of = o;
	w->name = mem_strdup(json_str_or(o, "name", ""));
	w->title = mem_printf("%zu. %s", l->n, w->name);
	w->changes =
	    mem_printf("+%lld -%lld", (long long)json_int(o, "lines_added", 0),
		       (long long)json_int(o, "lines_removed", 0));
	buf_adds(&text, json_str_or(o, "why", ""));
	if (!text.len)
		add_texts(&text, "conflicts with ", against, ", ");
	if (!text.len)
		add_check(&text, json_get(o, "check"));
	if (!text.len)
		buf_adds(&text, "no check");
	w->text = buf_steal(&text);
	show_choice(l, w);
}

static void leave_out(struct rows *l, struct row *w)
{
	if (l->held || json_str(w->of, "why"))
		return;
	if (is_off(l, w))
		strv_drop(&l->off, w->key);
	else
		strv_add(&l->off, w->key);
	show_choice(l, w);
}

/* Below the rows, the end of what its check has printed. */
static void show_check(struct row *w, const cJSON *check)
{
	_free_ char *more =
	    mem_printf("%s\n\n%s", w->text, json_str_or(check, "output", ""));

	mem_set(&w->more, more);
}

/* Shows the result of one; returns whether it has landed. */
static bool show_end(struct rows *l, const cJSON *o)
{
	bool landed = json_bool(o, "landed", false);

	for (size_t i = 0; l && i < l->n; i++) {
		struct row *w = &l->v[i];

		if (strcmp(w->key, json_str_or(o, "id", "")) != 0)
			continue;
		set_note(w, landed ? "landed" : "stays",
			 landed ? LOOK_DONE : LOOK_ERROR);
		mem_set(&w->text, landed ? json_str_or(o, "how", "")
					 : json_str_or(o, "why", ""));
		if (!landed)
			show_check(w, json_get(o, "check"));
	}
	return landed;
}

/* Shows the output so far: an object a session. l NULL: only counts. */
static size_t show_output(struct rows *l, const char *out, size_t *stay)
{
	size_t landed = 0;

	*stay = 0;
	for (const char *end; (end = strchr(out, '\n')); out = end + 1) {
		_json_ cJSON *o =
		    json_parse_object(out, (size_t)(end - out), NULL);

		if (show_end(l, o))
			landed++;
		else
			++*stay;
	}
	for (size_t i = 0; l && i < l->n; i++)
		if (strcmp(l->v[i].note, "lands") == 0) {
			set_note(&l->v[i], "checking", LOOK_WORKING);
			break;
		}
	return landed;
}

static const struct rows_kind kind;

static void on_printed(struct tui *t, struct command *c, const char *out)
{
	struct rows *l = rows_top(t, &kind);
	size_t stay;

	(void)c;
	if (l && l->held)
		show_output(l, out, &stay);
}

static void on_done(struct tui *t, struct command *c,
		    const struct job_result *r)
{
	struct rows *l = rows_top(t, &kind);
	size_t stay, landed = show_output(NULL, r->out, &stay);

	strv_drop(&t->landing, c->dir);
	if (!landed && !stay) {
		if (l)
			l->held = false;
		command_report(t, c, r, NULL);
		return;
	}
	tui_set_message(t, LOOK_PLAIN, "%zu landed, %zu left out", landed,
			stay);
}

static bool is_running(const struct rows *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->held && strcmp(l->v[i].note, "checking") == 0)
			return true;
	return false;
}

static bool is_to_land(const struct rows *l, const struct row *w)
{
	return !json_str(w->of, "why") && !is_off(l, w);
}

static bool land_works(const struct rows *l, const char *key)
{
	bool any = l->held && !is_running(l);

	for (size_t i = 0; !l->held && i < l->n; i++)
		any |= is_to_land(l, &l->v[i]);
	if (strcmp(key, "{mark}") == 0)
		return !l->held && !json_str(l->v[l->at].of, "why");
	return any || strcmp(key, "Enter") != 0;
}

/* After a landing, its results are shown until the plan is made again. */
static void start(struct tui *t, struct view *v, uint32_t pressed)
{
	struct rows *l = (struct rows *)v;
	const cJSON *plan = json_get(l->all, "all");
	struct command *c;
	size_t n = 0, stay;

	(void)pressed;
	if (is_running(l))
		return;
	if (l->held) {
		l->held = false;
		refresh_now(&l->list);
		return;
	}
	c = command_create(mem_strdup("landing"), "", "land", "--yes", "--json",
			   "--into", json_str_or(plan, "into", ""), NULL);
	for (size_t i = 0; i < l->n; i++)
		if (is_to_land(l, &l->v[i])) {
			strv_add(&c->words, l->v[i].key);
			n++;
		}
	c->dir = mem_strdup(l->list.dir);
	c->minutes = DAY_MINUTES;
	c->printed = on_printed;
	c->done = on_done;
	if (!n) {
		command_free(c);
		tui_set_message(t, LOOK_PLAIN, "no session is to land");
	} else if (command_run(t, c)) {
		l->held = true;
		strv_add(&t->landing, l->list.dir);
		refresh_stop(&l->list);
		show_output(l, "", &stay);
	}
}

static const struct view_key keys[] = {
    {"Landing sessions in the branch", NULL, NULL, NULL},
    {"Enter", "start", "land them in this order; after that: plan again",
     start},
    {"{mark}", "leave out", "leave this one out, or take it in again", NULL},
    ROWS_KEYS,
};

static const struct rows_kind kind = {
    .words = {"land", "--dry-run", "--json"},
    .member = "sessions",
    .nothing = "No session of this repository has work that the branch lacks.",
    .heading = "what lands, in this order",
    .titles = {"", NULL, "CHANGES", "CHECK"},
    .keys = keys,
    .works = land_works,
    .act = ACT_LAND,
    .choose = leave_out,
    .version = land_version,
    .add = add_row,
};

void action_land(struct tui *t, const struct session *s)
{
	if (s->host) {
		tui_set_message(t, LOOK_PLAIN,
				"they land there: afw -H %s land", s->host);
		return;
	}
	if (strv_has(&t->landing, s->spec.repository)) {
		tui_set_message(t, LOOK_PLAIN,
				"a landing runs in this repository");
		return;
	}
	view_push(t, rows_view_in(t, &kind, s->spec.repository));
}
