/*
 * top.c - afw top: prints the CPU time and memory that sessions use.
 *
 * The processes of a session are the descendants of its supervisor, which is
 * their subreaper, except those of the backend between the supervisor and the
 * agent, such as a tmux server. On a terminal it draws every two seconds, in
 * one write.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/process.h"
#include "base/tree.h"
#include "commands/cli/fullscreen.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "session/session.h"

#define INTERVAL_MS 2000
#define BETWEEN_MAX 8

static const struct command_option options[] = {
    {.name = "count",
     .letter = 'n',
     .arg = "COUNT",
     .unit = "looks",
     .min = 1,
     .max = 1000000,
     .help = "print COUNT samples, two seconds apart"},
    {.name = "json", .help = "one array of objects a sample"},
    {.name = NULL},
};

static const char *const titles[] = {"NAME",   "STATE", ">UP",
				     ">CPU%",  ">CPU",	">MEMORY",
				     ">PROCS", ">PID",	"AGENT"};
#define COLUMNS (sizeof titles / sizeof titles[0])

struct row {
	char id[SPEC_ID_LEN + 1];
	struct tree_usage usage;
	int64_t at_ms;	   /* monotonic time of this sample */
	int64_t uptime_ms; /* the harness's */
	double percent;	   /* of one processor */
	size_t session;	   /* index in top.list */
};

struct top {
	struct session_list list;
	struct row *rows, *before;
	size_t n, n_before;
	bool json, screen;
};

/* Returns the share of a processor since the last sample; in the first sample,
 * since the start. */
static double cpu_share(const struct top *t, const struct row *r)
{
	int64_t cpu = r->usage.cpu_ms, time = r->uptime_ms;

	for (size_t i = 0; i < t->n_before; i++)
		if (strcmp(t->before[i].id, r->id) == 0) {
			cpu -= t->before[i].usage.cpu_ms;
			time = r->at_ms - t->before[i].at_ms;
		}
	return cpu > 0 && time > 0 ? 100.0 * (double)cpu / (double)time : 0;
}

static int by_share(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->percent != y->percent)
		return x->percent > y->percent ? -1 : 1;
	return strcmp(x->id, y->id);
}

/* Stores the processes between the two, and a 0. Returns false, and stores
 * none, if /proc hides one of them (hidepid). */
static bool find_between(pid_t root, pid_t pid, pid_t out[BETWEEN_MAX])
{
	struct process is = {0};
	size_t n = 0;

	while (process_read(pid, &is) && is.parent != root &&
	       n < BETWEEN_MAX - 1)
		pid = out[n++] = is.parent;
	out[is.parent == root ? n : 0] = 0;
	return is.parent == root;
}

/* An agent that is not reached from its supervisor is measured by itself. */
static void measure(const struct state *state, struct tree_usage *to)
{
	pid_t helpers[BETWEEN_MAX];
	const struct tree_except except = {.helpers = helpers};
	bool below = find_between(state->supervisor_pid, state->pid, helpers);
	struct process agent;

	tree_measure(state->supervisor_pid, &except, to);
	if (!below && process_read(state->pid, &agent)) {
		tree_add_usage(to, &agent);
		tree_measure(state->pid, NULL, to);
	}
}

static int take_sample(struct top *t, struct err *err)
{
	int64_t now = clock_mono_ms(), wall = clock_wall_ms();

	session_list_finish(&t->list);
	if (session_list_load_board(&t->list, err) < 0)
		return -1;
	free(t->before);
	t->before = t->rows;
	t->n_before = t->n;
	t->rows = mem_alloc((t->list.n + 1) * sizeof *t->rows);
	t->n = 0;
	for (size_t i = 0; i < t->list.n; i++) {
		const struct session *s = &t->list.v[i];
		struct row *r = &t->rows[t->n];

		if (!s->alive || s->state.supervisor_pid <= 0)
			continue;
		memcpy(r->id, s->spec.id, sizeof r->id);
		measure(&s->state, &r->usage);
		r->at_ms = now;
		if (s->state.started_at > 0 && wall > s->state.started_at)
			r->uptime_ms = wall - s->state.started_at;
		r->percent = cpu_share(t, r);
		r->session = i;
		t->n++;
	}
	if (t->n)
		qsort(t->rows, t->n, sizeof *t->rows, by_share);
	return 0;
}

static const char *activity_of(const struct state *state)
{
	return state->activity == ACTIVITY_NONE
		   ? NULL
		   : activity_name(state->activity);
}

static void print_json(const struct top *t)
{
	cJSON *all = cJSON_CreateArray();

	for (size_t i = 0; i < t->n; i++) {
		const struct row *r = &t->rows[i];
		const struct session *s = &t->list.v[r->session];
		cJSON *o = cJSON_CreateObject();

		json_set_str(o, "id", s->spec.id);
		json_set_str(o, "name", s->spec.name);
		json_set_text(o, "repository", s->spec.repository);
		json_set_text(o, "harness", s->spec.harness);
		json_set_str(o, "phase", phase_name(s->state.phase));
		json_set_text(o, "activity", activity_of(&s->state));
		if (s->state.pid)
			json_set_int(o, "pid", s->state.pid);
		else
			json_set_text(o, "pid", NULL);
		json_set_int(o, "supervisor_pid", s->state.supervisor_pid);
		json_set_int(o, "uptime_ms", r->uptime_ms);
		json_set_int(o, "cpu_ms", r->usage.cpu_ms);
		cJSON_AddNumberToObject(
		    o, "cpu_percent", (double)(int64_t)(r->percent * 10) / 10);
		json_set_int(o, "memory_bytes", r->usage.rss_bytes);
		json_set_int(o, "processes", r->usage.processes);
		cJSON_AddItemToArray(all, o);
	}
	output_json(all);
}

static void add_row(const struct top *t, const struct row *r, struct table *out)
{
	const struct session *s = &t->list.v[r->session];
	char *label = session_label(s, &t->list);

	table_cell(out, label, NULL);
	table_cell(out, session_status_word(s), output_sgr(s));
	table_age(out, r->uptime_ms);
	table_cellf(out, "%.1f", r->percent);
	table_cellf(out, "%lld:%02d.%d", (long long)(r->usage.cpu_ms / 60000),
		    (int)(r->usage.cpu_ms / 1000 % 60),
		    (int)(r->usage.cpu_ms / 100 % 10));
	table_cellf(out, "%.1fM", (double)r->usage.rss_bytes / (1024 * 1024));
	table_cellf(out, "%d", r->usage.processes);
	table_cellf(out, "%d", (int)s->state.pid);
	table_cell(out, s->spec.harness, NULL);
	free(label);
}

static void print_table(const struct top *t)
{
	struct table *out = table_create(COLUMNS, titles);
	int rows = t->screen ? fullscreen_rows() : 0;
	size_t most = t->n;

	/* The last line of a screen stays free. */
	if (rows > 2 && most > (size_t)rows - 2)
		most = (size_t)rows - 2;
	for (size_t i = 0; i < most; i++)
		add_row(t, &t->rows[i], out);
	if (t->screen)
		fullscreen_clear();
	table_end(out);
}

static void print(const struct top *t)
{
	if (t->json)
		print_json(t);
	else
		print_table(t);
	fflush(stdout);
}

/* Waits until the next sample is due; returns false to end. */
static bool pause_for(const struct top *t, int ms)
{
	if (t->screen)
		return fullscreen_pause(ms);
	poll(NULL, 0, ms);
	return true;
}

static int loop(struct top *t, long count, struct err *err)
{
	for (long i = 0; count < 0 || i < count; i++) {
		if (i > 0 && !pause_for(t, INTERVAL_MS))
			return 0;
		if (take_sample(t, err) < 0)
			return -1;
		print(t);
		if (ferror(stdout))
			return 0;
	}
	return 0;
}

static int on_screen(struct top *t, long count, struct err *err)
{
	struct fullscreen screen;
	int rc = fullscreen_begin(&screen, "top", err);

	if (rc < 0)
		return rc;
	rc = loop(t, count, err);
	fullscreen_end(&screen);
	return rc;
}

static int cmd_top(const struct args *args, struct err *err)
{
	struct top t = {.json = args_has(args, "json")};
	long count = args_number(args, "count", -1);
	int rc;

	t.screen = !t.json && count < 0 && fullscreen_possible();
	if (t.screen)
		rc = on_screen(&t, count, err);
	else
		rc = loop(&t, count < 0 ? 1 : count, err);
	session_list_finish(&t.list);
	free(t.rows);
	free(t.before);
	return rc;
}

const struct command command_top = {
    .name = "top",
    .usage = "",
    .summary = "show what the sessions cost this machine",
    .options = options,
    .run = cmd_top,
};
