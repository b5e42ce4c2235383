/*
 * status.c - afw status: all that is known about one session, in words, and
 * why it is believed. From the files alone where the supervisor is gone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "session/disk/dirs.h"
#include "session/disk/pull_request.h"
#include "session/live/connection.h"

static const struct command_option options[] = {
    {.name = "explain",
     .letter = 'v',
     .help = "also how its state is known: every signal"},
    {.name = "json", .help = "one object"},
    {.name = NULL},
};

#define LINE(key, fmt, ...)                                                    \
	output_line(stdout, "  %-12s " fmt, key, __VA_ARGS__)

/* "3m" ago, or "". */
static const char *ago(int64_t at, char out[24])
{
	out[0] = '\0';
	if (at > 0)
		clock_age(clock_wall_ms() - at, out, 24);
	return out;
}

static void print_head(const struct session *s)
{
	const struct state *st = &s->state;
	bool colour = output_colour();
	struct buf out = {0};
	int64_t at = st->phase == PHASE_RUNNING && st->activity_since
			 ? st->activity_since
			 : st->updated_at;
	char text[24];

	buf_addf(&out, "%s%s%s: %s", colour ? "\033[1m" : "", s->spec.name,
		 colour ? "\033[0m" : "", colour ? output_sgr(s) : "");
	buf_addf(&out, "%s%s", session_status_word(s), colour ? "\033[0m" : "");
	if (at > 0)
		buf_addf(&out, " (for %s)", ago(at, text));
	puts(out.data);
	buf_finish(&out);
}

static void print_work(const struct session *s)
{
	const struct spec *sp = &s->spec;
	const struct counts *c = &s->state.counts;
	char *pr = pr_load(s->dir);

	if (sp->worktree)
		LINE("worktree", "%s", sp->worktree);
	if (sp->branch)
		LINE("branch", "%s, from %s%s%.10s%s", sp->branch,
		     sp->base ? sp->base : "?", sp->base_commit ? " (" : "",
		     sp->base_commit ? sp->base_commit : "",
		     sp->base_commit ? ")" : "");
	if (pr)
		LINE("pr", "%s", pr);
	free(pr);
	if (c->files_changed >= 0)
		LINE("changes", "%lld file%s, +%lld -%lld lines",
		     (long long)c->files_changed,
		     c->files_changed == 1 ? "" : "s",
		     (long long)c->lines_added, (long long)c->lines_removed);
	if (c->ahead > 0 || c->uncommitted > 0)
		LINE("committed", "%lld commit%s%s; %lld file%s not committed",
		     (long long)c->ahead, c->ahead == 1 ? "" : "s",
		     c->merged > 0 ? ", merged" : "", (long long)c->uncommitted,
		     c->uncommitted == 1 ? "" : "s");
}

static void print_times(const struct session *s)
{
	static const char *const names[] = {"created", "started", "ended",
					    "updated"};
	const struct state *st = &s->state;
	const int64_t at[] = {s->spec.created_at, st->started_at,
			      st->phase == PHASE_RUNNING ? 0 : st->ended_at,
			      st->updated_at};

	for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
		char when[CLOCK_RFC3339_SIZE], text[24];

		if (at[i] <= 0)
			continue;
		clock_format(at[i], when);
		LINE(names[i], "%s (%s ago)", when, ago(at[i], text));
	}
}

static void print_process(const struct session *s)
{
	const struct state *st = &s->state;
	char *path = dirs_socket(s->spec.id, NULL);

	LINE("harness", "%s", s->spec.harness ? s->spec.harness : "?");
	if (s->spec.profile)
		LINE("profile", "%s", s->spec.profile);
	if (s->spec.template_name)
		LINE("template", "%s", s->spec.template_name);
	if (st->pid)
		LINE("pid", "%d", (int)st->pid);
	if (st->supervisor_pid && s->alive)
		LINE("supervisor", "pid %d", (int)st->supervisor_pid);
	else if (!s->alive)
		LINE("supervisor", "%s", "none");
	if (session_end(st))
		LINE("ended", "%s", session_end(st));
	else if (st->phase != PHASE_RUNNING && st->signal)
		LINE("ended", "by signal %d (%s)", st->signal,
		     strsignal(st->signal));
	else if (st->phase != PHASE_RUNNING && st->exit_code >= 0)
		LINE("exit code", "%d", st->exit_code);
	if (s->spec.backend && s->spec.sandbox)
		LINE("confined", "backend %s, sandbox %s", s->spec.backend,
		     s->spec.sandbox);
	for (size_t i = 0; i < st->degraded.n; i++)
		LINE("degraded", "%s", st->degraded.v[i]);
	LINE("files", "%s", s->dir);
	if (path && s->alive && !s->state.waits)
		LINE("socket", "%s", path);
	free(path);
}

/* "db: ready for 3m, pid 12, 2 restarts", and why one does not run. */
static void print_services(const struct session *s)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, s->state.services) {
		const char *why = json_str_or(o, "why", "");
		int64_t since = clock_parse(json_str_or(o, "since", ""));
		int64_t pid = json_int(o, "pid", 0),
			restarts = json_int(o, "restarts", 0);
		struct buf line = {0};
		char text[24];

		/* It has its own line. */
		if (s->spec.check.n && json_bool(o, "shell", false) &&
		    strcmp(json_str_or(o, "name", ""), "check") == 0)
			continue;

		buf_addf(&line, "%s: %s for %s", json_str_or(o, "name", "?"),
			 json_str_or(o, "state", "?"), ago(since, text));
		if (pid && s->alive)
			buf_addf(&line, ", pid %lld", (long long)pid);
		if (restarts)
			buf_addf(&line, ", %lld restart%s", (long long)restarts,
				 restarts == 1 ? "" : "s");
		buf_addf(&line, "%s%s", why[0] ? "; it " : "", why);
		if (why[0])
			buf_addf(&line, "; `afw logs --service %s %s`",
				 json_str_or(o, "name", "?"), s->spec.name);
		LINE("service", "%s", line.data);
		buf_finish(&line);
	}
}

static void print_signals(const cJSON *signals)
{
	const cJSON *g;
	struct table *t = table_create(5, NULL);

	cJSON_ArrayForEach (g, signals) {
		const char *detail = json_str_or(g, "detail", "");

		table_cell(t,
			   json_bool(g, "believed", false) ? "  believed" : "",
			   "\033[1m");
		table_cell(t, json_str_or(g, "source", "?"), NULL);
		table_cell(t, json_str_or(g, "activity", "-"), NULL);
		table_age(t, json_int(g, "age_ms", -1));
		table_cellf(t, "%s%s%s", json_str_or(g, "why", ""),
			    detail[0] ? ": " : "", detail);
	}
	table_end(t);
}

/* How its state is known. */
static void print_why(const struct session *s, const cJSON *reply)
{
	const struct state *st = &s->state;
	const char *why = json_str_or(reply, "explanation", "");

	LINE("phase", "%s", phase_name(st->phase));
	if (st->activity != ACTIVITY_NONE)
		LINE("activity", "%s", activity_name(st->activity));
	if (why[0])
		LINE("because", "%s", why);
	if (st->question_id && st->phase == PHASE_RUNNING)
		LINE("question", "%s: %s", st->question_id,
		     st->question ? st->question : "");
	if (st->title)
		LINE("title", "%s", st->title);
	if (st->last_line)
		LINE("last line", "%s", st->last_line);
	if (reply)
		print_signals(
		    cJSON_GetObjectItemCaseSensitive(reply, "signals"));
	else
		LINE("signals", "%s", "none: it is not running");
}

static void print_all(const struct session *s, const cJSON *reply, bool explain)
{
	const struct state *st = &s->state;
	struct buf check = {0}, says = {0};

	print_head(s);
	session_message(s, &says);
	if (st->phase == PHASE_ERROR && st->error_reason)
		LINE("why", "%s", st->error_reason);
	else if (says.len)
		LINE("says", "%s", says.data);
	buf_finish(&says);
	session_check(s, &check);
	if (check.len)
		LINE("check", "%s", check.data);
	buf_finish(&check);
	if (st->subtask)
		LINE("subtask", "%s%s%s", st->subtask,
		     st->subtask_detail ? ": " : "",
		     st->subtask_detail ? st->subtask_detail : "");
	if (st->queued)
		LINE("queued", "%lld message%s (afw send --list %s)",
		     (long long)st->queued, st->queued == 1 ? "" : "s",
		     s->spec.name);
	print_work(s);
	print_process(s);
	print_services(s);
	print_times(s);
	if (st->cost_micro > 0)
		LINE("cost", "$%.2f", (double)st->cost_micro / 1e6);
	if (st->conversation || s->spec.conversation)
		LINE("conversation", "%s",
		     st->conversation ? st->conversation
				      : s->spec.conversation);
	if (explain)
		print_why(s, reply);
}

static void print_json(const struct session *s, cJSON *reply)
{
	cJSON *o = session_to_json(s), *signals;

	json_set_str(o, "directory", s->dir);
	signals = cJSON_DetachItemFromObjectCaseSensitive(reply, "signals");
	cJSON_AddItemToObject(o, "signals",
			      signals ? signals : cJSON_CreateArray());
	json_set_str(o, "explanation",
		     reply ? json_str_or(reply, "explanation", "") : "");
	output_json(o);
}

static int status(struct session *s, const struct args *args, struct err *err)
{
	cJSON *reply = NULL;
	struct err why = {0};

	if (s->alive)
		reply = connect_request(s, "status", NULL, CONNECT_TIMEOUT_MS,
					&why);
	/* Newer than its file, which a full disk may have kept as it was. */
	if (reply)
		fields_read(state_fields, FIELD_JSON, &s->state, reply, NULL);
	if (args_has(args, "json"))
		print_json(s, reply);
	else
		print_all(s, reply, args_has(args, "explain"));
	if (s->alive && !reply && s->state.phase == PHASE_RUNNING)
		output_warn("from its files only: %s", why.what);
	cJSON_Delete(reply);
	return 0;
}

const struct command command_status = {
    .name = "status",
    .usage = "[NAME]",
    .summary = "say everything about one session, and why",
    .max_args = 1,
    .options = options,
    .each = status,
};
