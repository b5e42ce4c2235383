/*
 * session_rows.c - two tables: the lines of `afw status`, and the columns of
 * `afw ls` and the dashboard; and a function for each row that prints more than
 * a field. The default columns of ls: COLUMNS in commands/ls.c; of the
 * dashboard: config/columns.def.
 */
#include "session/session_rows.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/session_vars.h"
#include "base/utf8.h"
#include "base/version.h"
#include "session/disk/dirs.h"
#include "session/disk/pull_request.h"
#include "session/disk/totals.h"
#include "session/session_flags.h"

static const char *plural_suffix(int64_t n)
{
	return n == 1 ? "" : "s";
}

static void print_age(int64_t since, struct buf *out)
{
	int64_t age = clock_wall_ms() - since;
	char text[24] = "-";

	if (since > 0)
		clock_age(age > 0 ? age : 0, text, sizeof text);
	buf_adds(out, text);
}

static void print_for(const struct session *s, struct buf *out)
{
	print_age(session_since(s), out);
}

static void print_created(const struct session *s, struct buf *out)
{
	print_age(s->spec.created_at, out);
}

/* -- what it does --------------------------------------------------------- */

static void print_host(const struct session *s, struct buf *out)
{
	buf_adds(out, s->host ? s->host : "here");
}

static void print_state(const struct session *s, struct buf *out)
{
	buf_adds(out, session_status_word(s));
}

static void print_reason(const struct session *s, struct buf *out)
{
	if (s->state.phase == PHASE_ERROR && s->state.error_reason)
		buf_adds(out, s->state.error_reason);
}

static void print_message(const struct session *s, struct buf *out)
{
	if (s->state.phase != PHASE_ERROR || !s->state.error_reason)
		session_message(s, out);
}

static void print_check_mark(const struct session *s, struct buf *out)
{
	buf_adds(out, session_check_mark(s, utf8_locale()));
}

static void print_subtask(const struct session *s, struct buf *out)
{
	const char *detail = s->state.subtask_detail;

	if (s->state.subtask)
		buf_addf(out, "%s%s%s", s->state.subtask, detail ? ": " : "",
			 detail ? detail : "");
}

static void print_queued(const struct session *s, struct buf *out)
{
	int64_t n = s->state.queued;

	if (n)
		buf_addf(out, "%lld message%s (afw send --list %s)",
			 (long long)n, plural_suffix(n), s->spec.name);
}

static void print_question(const struct session *s, struct buf *out)
{
	const struct state *st = &s->state;

	if (st->question_id && st->phase == PHASE_RUNNING)
		buf_addf(out, "%s: %s", st->question_id,
			 st->question ? st->question : "");
}

static void print_turns(const struct session *s, struct buf *out)
{
	struct totals h;

	if (!s->dir)
		return;
	totals_read(&h, s->dir, 0);
	buf_addf(out, "%d", h.turns);
}

static void print_worked(const struct session *s, struct buf *out)
{
	struct totals h;
	char text[24];

	if (!s->dir)
		return;
	totals_read(&h, s->dir, 0);
	clock_age(totals_worked_ms(&h, s->alive), text, sizeof text);
	buf_adds(out, text);
}

static void print_activity(const struct session *s, struct buf *out)
{
	buf_adds(out, activity_name(s->state.activity));
}

/* -- its work ------------------------------------------------------------- */

static void print_repository(const struct session *s, struct buf *out)
{
	const char *name = s->spec.repository_name;

	buf_adds(out, name ? name : "");
}

static void print_branch(const struct session *s, struct buf *out)
{
	const struct spec *sp = &s->spec;

	if (!sp->branch)
		return;
	buf_addf(out, "%s, from %s", sp->branch, sp->base ? sp->base : "?");
	if (sp->base_commit)
		buf_addf(out, " (%.10s)", sp->base_commit);
	if (sp->checked_out)
		buf_addf(out, "; its worktree is on %s", sp->checked_out);
}

static void print_with(const struct session *s, struct buf *out)
{
	for (size_t i = 1; i < spec_count(&s->spec); i++) {
		struct spec one = spec_of(&s->spec, i);

		buf_addf(out, "%s%s, from %s (%.10s)", i > 1 ? "\n" : "",
			 one.worktree ? one.worktree : one.repository,
			 one.base ? one.base : "?",
			 one.base_commit ? one.base_commit : "");
	}
}

static void print_on(const struct session *s, struct buf *out)
{
	const char *on =
	    s->spec.checked_out ? s->spec.checked_out : s->spec.branch;

	buf_adds(out, on ? on : "");
}

static void print_pr(const struct session *s, struct buf *out)
{
	_free_ char *pr =
	    s->dir ? pr_load(s->dir) : mem_strdup(json_str(s->json, "pr"));

	buf_adds(out, pr ? pr : "");
}

static void print_files_changed(const struct session *s, struct buf *out)
{
	const struct counts *c = &s->state.counts;

	if (c->files_changed >= 0)
		buf_addf(out, "%lld file%s, +%lld -%lld lines",
			 (long long)c->files_changed,
			 plural_suffix(c->files_changed),
			 (long long)c->lines_added,
			 (long long)c->lines_removed);
	if (c->files_changed >= 0 && s->state.unwatched)
		buf_adds(out, "; not watched, so it may be old");
}

static void print_committed(const struct session *s, struct buf *out)
{
	const struct counts *c = &s->state.counts;

	if (c->ahead > 0 || c->uncommitted > 0)
		buf_addf(out, "%lld commit%s%s; %lld file%s not committed",
			 (long long)c->ahead, plural_suffix(c->ahead),
			 c->merged > 0 ? ", merged" : "",
			 (long long)c->uncommitted,
			 plural_suffix(c->uncommitted));
}

static void print_files(const struct session *s, struct buf *out)
{
	if (s->state.counts.files_changed >= 0)
		buf_addf(out, "%lld", (long long)s->state.counts.files_changed);
}

static void print_changes(const struct session *s, struct buf *out)
{
	const struct counts *c = &s->state.counts;
	const char *old = s->state.unwatched ? "~" : "";

	if (c->lines_added < 0 && c->lines_removed < 0)
		buf_adds(out, "-");
	else if (c->merged > 0)
		buf_addf(out, "%smerged", old);
	else
		buf_addf(out, "%s+%lld -%lld", old,
			 c->lines_added < 0 ? 0LL : (long long)c->lines_added,
			 c->lines_removed < 0 ? 0LL
					      : (long long)c->lines_removed);
}

/* -- its processes -------------------------------------------------------- */

static void print_harness(const struct session *s, struct buf *out)
{
	buf_adds(out, s->spec.harness ? s->spec.harness : "?");
}

static void print_supervisor(const struct session *s, struct buf *out)
{
	if (!s->alive)
		buf_adds(out, "none");
	else if (s->state.supervisor_pid)
		buf_addf(out, "pid %d", (int)s->state.supervisor_pid);
	if (session_is_outdated(s))
		buf_addf(
		    out, ", of afw %s; `afw restart -r %s` moves it to afw %s",
		    s->state.supervisor_version ? s->state.supervisor_version
						: "before 0.9.0",
		    s->spec.name, AFW_VERSION);
}

static void print_end(const struct session *s, struct buf *out)
{
	const struct state *st = &s->state;
	const char *end = session_end(st);

	if (end)
		buf_adds(out, end);
	else if (st->phase != PHASE_RUNNING && st->signal)
		buf_addf(out, "by signal %d (%s)", st->signal,
			 strsignal(st->signal));
}

static void print_exit_code(const struct session *s, struct buf *out)
{
	const struct state *st = &s->state;

	if (!session_end(st) && st->phase != PHASE_RUNNING && !st->signal &&
	    st->exit_code >= 0)
		buf_addf(out, "%d", st->exit_code);
}

static void print_confined(const struct session *s, struct buf *out)
{
	if (!s->spec.backend || !s->spec.sandbox)
		return;
	buf_addf(out, "backend %s, sandbox %s", s->spec.backend,
		 s->spec.sandbox);
	if (s->spec.engine && strcmp(s->spec.engine, "podman") != 0)
		buf_addf(out, ", engine %s", s->spec.engine);
}

static void print_ports(const struct session *s, struct buf *out)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, session_ports(s)) {
		buf_addf(out, "%s%d at 127.0.0.1:%d", out->len ? ", " : "",
			 (int)json_int(o, "port", 0),
			 (int)json_int(o, "at", 0));
	}
}

static void print_own_ports(const struct session *s, struct buf *out)
{
	const struct spec *sp = &s->spec;

	if (sp->first_port)
		buf_addf(out, "%d-%d (AFW_PORT)", sp->first_port,
			 sp->first_port + SESSION_PORTS - 1);
	if (sp->slug)
		buf_addf(out, "%s%s (AFW_SLUG)", out->len ? ", " : "",
			 sp->slug);
}

static void print_first_port(const struct session *s, struct buf *out)
{
	if (s->spec.first_port)
		buf_addf(out, "%d", s->spec.first_port);
}

static void print_directory(const struct session *s, struct buf *out)
{
	buf_adds(out, s->dir);
}

static void print_socket(const struct session *s, struct buf *out)
{
	_free_ char *path = dirs_socket(s->spec.id, NULL);

	if (path && s->alive && !s->state.waits)
		buf_adds(out, path);
}

/* Prints "db: ready for 3m, pid 12, 2 restarts", and why a service is not
 * running. */
static void print_service(const struct session *s, const cJSON *o,
			  struct buf *out)
{
	const char *why = json_str_or(o, "why", "");
	const char *name = json_str_or(o, "name", "?");
	int64_t since = clock_parse(json_str_or(o, "since", ""));
	int64_t pid = json_int(o, "pid", 0);
	int64_t restarts = json_int(o, "restarts", 0);

	buf_addf(out, "%s: %s for ", name, json_str_or(o, "state", "?"));
	if (since > 0)
		print_age(since, out);
	if (pid && s->alive)
		buf_addf(out, ", pid %lld", (long long)pid);
	if (restarts)
		buf_addf(out, ", %lld restart%s", (long long)restarts,
			 plural_suffix(restarts));
	buf_addf(out, "%s%s", why[0] ? "; it " : "", why);
	if (why[0])
		buf_addf(out, "; `afw logs --service %s %s`", name,
			 s->spec.name);
}

static void print_services(const struct session *s, struct buf *out)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, s->state.services) {
		/* The check has its own line. */
		if (s->spec.check.n && json_bool(o, "shell", false) &&
		    strcmp(json_str_or(o, "name", ""), "check") == 0)
			continue;
		if (out->len)
			buf_addc(out, '\n');
		print_service(s, o, out);
	}
}

static void print_ready(const struct session *s, struct buf *out)
{
	int n = 0, ready = 0;
	const cJSON *o;

	cJSON_ArrayForEach (o, s->state.services) {
		if (json_bool(o, "shell", false))
			continue;
		n++;
		ready += s->alive &&
			 strcmp(json_str_or(o, "state", ""), "ready") == 0;
	}
	if (n)
		buf_addf(out, "%d/%d", ready, n);
}

/* -- the rest ------------------------------------------------------------- */

static void print_ended_at(const struct session *s, struct buf *out)
{
	if (s->state.phase != PHASE_RUNNING)
		field_print(state_fields, "ended_at", &s->state, out);
}

static void print_cost(const struct session *s, struct buf *out)
{
	if (s->state.tokens.cost_micro > 0)
		buf_addf(out, "$%.2f",
			 (double)s->state.tokens.cost_micro / 1e6);
}

static void print_tokens_sum(const struct session *s, struct buf *out)
{
	int64_t n = tokens_count(&s->state.tokens);
	char text[TOKENS_TEXT];

	tokens_text(n, text);
	buf_adds(out, n > 0 ? text : "");
}

static void print_tokens(const struct session *s, struct buf *out)
{
	const struct tokens *t = &s->state.tokens;
	char in[TOKENS_TEXT], used[TOKENS_TEXT], cache[TOKENS_TEXT];

	if (tokens_count(t) <= 0)
		return;
	tokens_text(t->input, in);
	tokens_text(t->output, used);
	tokens_text(t->cache_read + t->cache_write, cache);
	buf_addf(out, "%s in, %s out, %s of the cache", in, used, cache);
}

static void print_conversation(const struct session *s, struct buf *out)
{
	const char *id = s->state.conversation ? s->state.conversation
					       : s->spec.conversation;

	buf_adds(out, id ? id : "");
}

static void print_says(const struct session *s, struct buf *out)
{
	session_flags_lead(s, out);
	session_summary(s, out);
}

static void print_groups(const struct session *s, struct buf *out)
{
	for (size_t i = 0; i < s->groups.n; i++)
		buf_addf(out, "%s%s", i ? ", " : "", s->groups.v[i]);
}

#define ROW(n, t, p)                                                           \
	{                                                                      \
		.name = (n), .title = (t), .print = (p)                        \
	}
#define ROW_IF(n, t, p, flag)                                                  \
	{                                                                      \
		.name = (n), .title = (t), .print = (p), .flag = true          \
	}

const struct session_row session_lines[] = {
    ROW("why", "why", print_reason),
    ROW("says", "says", print_message),
    ROW("note", "note", NULL),
    ROW("flags", "flags", session_flags_print),
    ROW("check", "check", session_check),
    ROW("limited", "limit", session_limit),
    ROW("subtask", "subtask", print_subtask),
    ROW("queued", "queued", print_queued),
    ROW("worktree", "worktree", NULL),
    ROW("branch", "branch", print_branch),
    ROW_IF("with", "with", print_with, many),
    ROW("pr", "pr", print_pr),
    ROW("changes", "changes", print_files_changed),
    ROW("committed", "committed", print_committed),
    ROW("harness", "agent", print_harness),
    ROW("profile", "profile", NULL),
    ROW_IF("overrides", "option", NULL, many),
    ROW("template", "template", NULL),
    ROW("pid", "pid", NULL),
    ROW("supervisor", "supervisor", print_supervisor),
    ROW("end", "ended", print_end),
    ROW("exit_code", "exit code", print_exit_code),
    ROW("confined", "confined", print_confined),
    ROW_IF("degraded", "note", NULL, many),
    ROW("first_port", "own ports", print_own_ports),
    ROW("ports", "ports", print_ports),
    ROW("directory", "files", print_directory),
    ROW("socket", "socket", print_socket),
    ROW_IF("services", "service", print_services, many),
    ROW("created_at", "created", NULL),
    ROW("started_at", "started", NULL),
    ROW("ended_at", "ended", print_ended_at),
    ROW("updated_at", "updated", NULL),
    ROW("model", "model", NULL),
    ROW("tokens", "tokens", print_tokens),
    ROW("cost", "cost", print_cost),
    ROW("conversation", "conversation", print_conversation),
    ROW_IF("phase", "phase", NULL, why),
    ROW_IF("activity", "activity", print_activity, why),
    ROW_IF("question", "question", print_question, why),
    ROW_IF("title", "title", NULL, why),
    ROW_IF("last_line", "last line", NULL, why),
    {.name = NULL}};

const struct session_row session_columns[] = {
    ROW("name", "NAME", NULL),
    ROW("host", "HOST", print_host),
    ROW("harness", "AGENT", NULL),
    ROW("state", "STATE", print_state),
    ROW("for", ">FOR", print_for),
    ROW("age", ">AGE", print_created),
    ROW("branch", "BRANCH", print_on),
    ROW("check", "CHECK", print_check_mark),
    ROW("changes", "CHANGES", print_changes),
    ROW("says", "SAYS", print_says),
    ROW("base", "BASE", NULL),
    ROW_IF("cost", ">COST", print_cost, dash),
    ROW("files", ">FILES", print_files),
    ROW("flags", "FLAGS", session_flags_print),
    ROW_IF("group", "GROUP", print_groups, files),
    ROW("note", "NOTE", NULL),
    ROW_IF("port", ">PORT", print_first_port, dash),
    ROW_IF("pr", "PR", print_pr, files),
    ROW_IF("profile", "PROFILE", NULL, files),
    ROW("limited", "LIMITED", session_limit),
    ROW("queued", ">QUEUED", NULL),
    ROW("repository", "REPOSITORY", print_repository),
    ROW_IF("services", "SERVICES", print_ready, files),
    ROW_IF("template", "TEMPLATE", NULL, files),
    ROW_IF("tokens", ">TOKENS", print_tokens_sum, dash),
    ROW_IF("turns", ">TURNS", print_turns, files),
    ROW_IF("worked", ">WORKED", print_worked, files),
    ROW("worktree", "WORKTREE", NULL),
    {.name = NULL}};

void session_row_print(const struct session_row *row, const struct session *s,
		       struct buf *out)
{
	if (row->print)
		row->print(s, out);
	else if (!field_print(spec_fields, row->name, &s->spec, out))
		field_print(state_fields, row->name, &s->state, out);
}

static void err_no_column(const char *name, struct err *err)
{
	const char *names[sizeof session_columns / sizeof *session_columns];
	_buf_ struct buf all = {0};
	const char *best;
	size_t n = 0;

	for (; (names[n] = session_columns[n].name); n++)
		buf_addf(&all, "%s%s", n ? ", " : "", names[n]);
	best = nearest_of(name, names);
	err_set(err, ERR_USAGE, "there is no column '%.40s'", name);
	err_hint(err, best ? "did you mean %s?" : "the columns are %s",
		 best ? best : all.data);
}

const struct session_row *session_column_find(const char *name, struct err *err)
{
	for (const struct session_row *r = session_columns; r->name; r++)
		if (strcmp(r->name, name) == 0)
			return r;
	err_no_column(name, err);
	return NULL;
}
