/*
 * cost.c - afw cost: the tokens that sessions have used, and what they cost.
 *
 * It reads the ledger, which has a row for each turn, also of sessions that
 * were removed. Tokens without a price add nothing to a sum of money.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/cli/moment.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "session/disk/ledger.h"
#include "session/session.h"

#define MODELS_MAX   20 /* of a session that have rows of their own */
#define OTHER_MODELS "other models"

static const struct command_option options[] = {
    {.name = "since",
     .arg = "WHEN",
     .help = "only turns that have ended since then: 3d, 14:30"},
    {.name = "json", .help = "print one object"},
    {.name = NULL},
};

/* What the rows with the same texts add up to. */
struct sum {
	char *id, *name, *harness, *model; /* a day's: only name, the day */
	int64_t turns;
	struct tokens tokens;
};

struct sums {
	struct sum *v;
	size_t n;
};

struct cost {
	struct strv ids, names; /* of the sessions that are shown; none: all */
	struct sums sessions, days;
	struct sum all;
};

/* -- adding up ------------------------------------------------------------- */

static void sums_finish(struct sums *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->v[i].id);
		free(s->v[i].name);
		free(s->v[i].harness);
		free(s->v[i].model);
	}
	free(s->v);
}

static struct sum *find_sum(struct sums *s, const char *id, const char *name,
			    const char *harness, const char *model)
{
	size_t models = 0;

	/* Mostly the last one: a session's rows follow each other. */
	for (size_t i = s->n; i-- > 0;) {
		if (strcmp(s->v[i].id, id) != 0)
			continue;
		if (strcmp(s->v[i].model, model) == 0) {
			mem_set(&s->v[i].name, name);
			return &s->v[i];
		}
		models++;
	}
	/* The agent says its model's name. */
	if (models >= MODELS_MAX && strcmp(model, OTHER_MODELS) != 0)
		return find_sum(s, id, name, harness, OTHER_MODELS);
	s->v = mem_grow(s->v, s->n, sizeof *s->v);
	s->v[s->n] = (struct sum){.id = mem_strdup(id),
				  .name = mem_strdup(name),
				  .harness = mem_strdup(harness),
				  .model = mem_strdup(model)};
	return &s->v[s->n++];
}

static void add(struct sum *sum, const struct ledger_row *row)
{
	sum->turns += row->turns;
	tokens_add(&sum->tokens, &row->tokens);
}

static bool is_wanted(const struct cost *c, const struct ledger_row *row)
{
	return (!c->ids.n && !c->names.n) || strv_has(&c->ids, row->session) ||
	       strv_has(&c->names, row->name);
}

static void on_row(void *ctx, const struct ledger_row *row)
{
	struct cost *c = ctx;
	time_t sec = row->at / 1000;
	char day[16] = "?";
	struct tm tm;

	if (!is_wanted(c, row))
		return;
	if (localtime_r(&sec, &tm))
		strftime(day, sizeof day, "%Y-%m-%d", &tm);
	add(find_sum(&c->sessions, row->session, row->name, row->harness,
		     row->model),
	    row);
	add(find_sum(&c->days, day, day, "", ""), row);
	add(&c->all, row);
}

/* A name without a session may be the name of a removed session. */
static int read_names(struct cost *c, const struct args *args, struct err *err)
{
	for (size_t i = 0; i < args->n; i++) {
		struct session s;

		if (session_find(&s, args->positional[i], err) == 0) {
			strv_add(&c->ids, s.spec.id);
			session_finish(&s);
		} else if (err->kind == ERR_NO_SESSION) {
			strv_add(&c->names, args->positional[i]);
		} else {
			return -1;
		}
	}
	return 0;
}

/* -- printing -------------------------------------------------------------- */

static void print_count(struct table *t, const struct tokens *of, int64_t n)
{
	char text[TOKENS_TEXT] = "-";

	if (tokens_count(of) > 0)
		tokens_text(n, text);
	table_cell(t, text, NULL);
}

static void print_sum(struct table *t, const struct sum *s)
{
	const struct tokens *of = &s->tokens;
	char cost[TOKENS_TEXT];

	tokens_text_cost(of->cost_micro, cost);
	table_cellf(t, "%lld", (long long)s->turns);
	print_count(t, of, of->input);
	print_count(t, of, of->output);
	print_count(t, of, of->cache_read + of->cache_write);
	/* Not the last column, which is not aligned. */
	table_cell(t, cost, NULL);
	table_cell(t, "", NULL);
}

static void print_sessions(const struct cost *c)
{
	static const char *const titles[] = {"SESSION", "AGENT", "MODEL",
					     ">TURNS",	">IN",	 ">OUT",
					     ">CACHE",	">COST", ""};
	struct table *t = table_create(9, titles);

	for (size_t i = 0; i < c->sessions.n; i++) {
		const struct sum *s = &c->sessions.v[i];

		table_cell(t, s->name, NULL);
		table_cell(t, s->harness, NULL);
		table_cell(t, *s->model ? s->model : "-", NULL);
		print_sum(t, s);
	}
	if (c->sessions.n > 1) {
		table_cell(t, "in all", NULL);
		table_cell(t, "", NULL);
		table_cell(t, "", NULL);
		print_sum(t, &c->all);
	}
	table_end(t);
}

static void print_days(const struct cost *c)
{
	static const char *const titles[] = {"DAY",    ">TURNS", ">IN", ">OUT",
					     ">CACHE", ">COST",	 ""};
	struct table *t;

	if (c->days.n < 2)
		return;
	putchar('\n');
	t = table_create(7, titles);
	for (size_t i = 0; i < c->days.n; i++) {
		table_cell(t, c->days.v[i].name, NULL);
		print_sum(t, &c->days.v[i]);
	}
	table_end(t);
}

static void set_sum(cJSON *o, const struct sum *s)
{
	json_set_int(o, "turns", s->turns);
	tokens_set_json(o, &s->tokens);
}

static void print_json(const struct cost *c)
{
	cJSON *o = cJSON_CreateObject(),
	      *sessions = json_set_array(o, "sessions"),
	      *days = json_set_array(o, "days");

	for (size_t i = 0; i < c->sessions.n; i++) {
		const struct sum *s = &c->sessions.v[i];
		cJSON *row = cJSON_CreateObject();

		json_set_str(row, "id", s->id);
		json_set_str(row, "name", s->name);
		json_set_str(row, "harness", s->harness);
		json_set_text(row, "model", *s->model ? s->model : NULL);
		set_sum(row, s);
		cJSON_AddItemToArray(sessions, row);
	}
	for (size_t i = 0; i < c->days.n; i++) {
		cJSON *row = cJSON_CreateObject();

		json_set_str(row, "day", c->days.v[i].name);
		set_sum(row, &c->days.v[i]);
		cJSON_AddItemToArray(days, row);
	}
	set_sum(o, &c->all);
	output_json(o);
}

static int print(const struct cost *c, const struct args *args, struct err *err)
{
	if (!c->sessions.n && args->n)
		return err_set(err, ERR_NO_SESSION,
			       "cost: no turn of '%s' has ended%s",
			       args->positional[0],
			       args_has(args, "since") ? " since then" : "");
	if (args_has(args, "json")) {
		print_json(c);
	} else if (c->sessions.n) {
		print_sessions(c);
		print_days(c);
	} else {
		output_hint("no turn has ended yet: what each uses is kept "
			    "from its end on");
	}
	return 0;
}

static int cmd_cost(const struct args *args, struct err *err)
{
	const char *since = args_value(args, "since");
	int64_t from =
	    since ? moment_past("cost", since, clock_wall_ms(), err) : 0;
	struct cost c = {0};
	int failed, rc = -1;

	if (from >= 0 && read_names(&c, args, err) == 0) {
		failed = ledger_read(from, on_row, &c);
		if (failed)
			output_warn("read what was used: %s", strerror(failed));
		rc = print(&c, args, err);
	}
	strv_finish(&c.ids);
	strv_finish(&c.names);
	sums_finish(&c.sessions);
	sums_finish(&c.days);
	return rc;
}

const struct command command_cost = {
    .name = "cost",
    .usage = "[NAME...]",
    .summary = "show the tokens that sessions have used, and their cost",
    .completes = "session",
    .max_args = -1,
    .options = options,
    .run = cmd_cost,
};
