/* session_lines.c - the lines of `afw status`, and a function for each that
 * prints more than a field. */
#include "session/session_rows.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/session_vars.h"
#include "base/version.h"
#include "session/disk/dirs.h"
#include "session/session_flags.h"

static const char *plural_suffix(int64_t n)
{
	return n == 1 ? "" : "s";
}

/* -- what it does --------------------------------------------------------- */

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

static void print_activity(const struct session *s, struct buf *out)
{
	buf_adds(out, activity_name(s->state.activity));
}

/* -- its work ------------------------------------------------------------- */

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
		session_print_age(since, out);
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

/* -- the rest ------------------------------------------------------------- */

static void print_ended_at(const struct session *s, struct buf *out)
{
	if (s->state.phase != PHASE_RUNNING)
		field_print(state_fields, "ended_at", &s->state, out);
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

const struct session_row session_lines[] = {
    SESSION_ROW("why", "why", print_reason),
    SESSION_ROW("says", "says", print_message),
    SESSION_ROW("note", "note", NULL),
    SESSION_ROW("flags", "flags", session_flags_print),
    SESSION_ROW("check", "check", session_check),
    SESSION_ROW("limited", "limit", session_limit),
    SESSION_ROW("subtask", "subtask", print_subtask),
    SESSION_ROW("queued", "queued", print_queued),
    SESSION_ROW("worktree", "worktree", NULL),
    SESSION_ROW("branch", "branch", print_branch),
    SESSION_ROW_IF("with", "with", print_with, many),
    SESSION_ROW("pr", "pr", session_print_pr),
    SESSION_ROW("changes", "changes", print_files_changed),
    SESSION_ROW("committed", "committed", print_committed),
    SESSION_ROW("harness", "agent", print_harness),
    SESSION_ROW("profile", "profile", NULL),
    SESSION_ROW_IF("overrides", "option", NULL, many),
    SESSION_ROW("template", "template", NULL),
    SESSION_ROW("pid", "pid", NULL),
    SESSION_ROW("supervisor", "supervisor", print_supervisor),
    SESSION_ROW("end", "ended", print_end),
    SESSION_ROW("exit_code", "exit code", print_exit_code),
    SESSION_ROW("confined", "confined", print_confined),
    SESSION_ROW_IF("degraded", "note", NULL, many),
    SESSION_ROW("first_port", "own ports", print_own_ports),
    SESSION_ROW("ports", "ports", print_ports),
    SESSION_ROW("directory", "files", print_directory),
    SESSION_ROW("socket", "socket", print_socket),
    SESSION_ROW_IF("services", "service", print_services, many),
    SESSION_ROW("created_at", "created", NULL),
    SESSION_ROW("started_at", "started", NULL),
    SESSION_ROW("ended_at", "ended", print_ended_at),
    SESSION_ROW("updated_at", "updated", NULL),
    SESSION_ROW("model", "model", NULL),
    SESSION_ROW("tokens", "tokens", print_tokens),
    SESSION_ROW("cost", "cost", session_print_cost),
    SESSION_ROW("conversation", "conversation", print_conversation),
    SESSION_ROW_IF("phase", "phase", NULL, why),
    SESSION_ROW_IF("activity", "activity", print_activity, why),
    SESSION_ROW_IF("question", "question", print_question, why),
    SESSION_ROW_IF("title", "title", NULL, why),
    SESSION_ROW_IF("last_line", "last line", NULL, why),
    {.name = NULL}};
