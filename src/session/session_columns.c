/*
 * session_columns.c - the columns of `afw ls` and the dashboard, and a function
 * for each that prints more than a field. The default columns of ls: COLUMNS in
 * commands/ls.c; of the dashboard: config/columns.def.
 */
#include "session/session_rows.h"

#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "session/disk/totals.h"
#include "session/session_flags.h"

static void print_host(const struct session *s, struct buf *out)
{
	buf_adds(out, s->host ? s->host : "here");
}

static void print_state(const struct session *s, struct buf *out)
{
	buf_adds(out, session_status_word(s));
}

static void print_for(const struct session *s, struct buf *out)
{
	session_print_age(session_since(s), out);
}

static void print_created(const struct session *s, struct buf *out)
{
	session_print_age(s->spec.created_at, out);
}

static void print_on(const struct session *s, struct buf *out)
{
	const char *on =
	    s->spec.checked_out ? s->spec.checked_out : s->spec.branch;

	buf_adds(out, on ? on : "");
}

static void print_check_mark(const struct session *s, struct buf *out)
{
	buf_adds(out, session_check_mark(s, utf8_locale()));
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

static void print_says(const struct session *s, struct buf *out)
{
	session_flags_lead(s, out);
	session_summary(s, out);
}

static void print_files(const struct session *s, struct buf *out)
{
	if (s->state.counts.files_changed >= 0)
		buf_addf(out, "%lld", (long long)s->state.counts.files_changed);
}

static void print_groups(const struct session *s, struct buf *out)
{
	for (size_t i = 0; i < s->groups.n; i++)
		buf_addf(out, "%s%s", i ? ", " : "", s->groups.v[i]);
}

static void print_first_port(const struct session *s, struct buf *out)
{
	if (s->spec.first_port)
		buf_addf(out, "%d", s->spec.first_port);
}

static void print_repository(const struct session *s, struct buf *out)
{
	const char *name = s->spec.repository_name;

	buf_adds(out, name ? name : "");
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

static void print_tokens_sum(const struct session *s, struct buf *out)
{
	int64_t n = tokens_count(&s->state.tokens);
	char text[TOKENS_TEXT];

	tokens_text(n, text);
	buf_adds(out, n > 0 ? text : "");
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

const struct session_row session_columns[] = {
    SESSION_ROW("name", "NAME", NULL),
    SESSION_ROW("host", "HOST", print_host),
    SESSION_ROW("harness", "AGENT", NULL),
    SESSION_ROW("state", "STATE", print_state),
    SESSION_ROW("for", ">FOR", print_for),
    SESSION_ROW("age", ">AGE", print_created),
    SESSION_ROW("branch", "BRANCH", print_on),
    SESSION_ROW("check", "CHECK", print_check_mark),
    SESSION_ROW("changes", "CHANGES", print_changes),
    SESSION_ROW("says", "SAYS", print_says),
    SESSION_ROW("base", "BASE", NULL),
    SESSION_ROW_IF("cost", ">COST", session_print_cost, dash),
    SESSION_ROW("files", ">FILES", print_files),
    SESSION_ROW("flags", "FLAGS", session_flags_print),
    SESSION_ROW_IF("group", "GROUP", print_groups, files),
    SESSION_ROW("note", "NOTE", NULL),
    SESSION_ROW_IF("port", ">PORT", print_first_port, dash),
    SESSION_ROW_IF("pr", "PR", session_print_pr, files),
    SESSION_ROW_IF("profile", "PROFILE", NULL, files),
    SESSION_ROW("limited", "LIMITED", session_limit),
    SESSION_ROW("queued", ">QUEUED", NULL),
    SESSION_ROW("repository", "REPOSITORY", print_repository),
    SESSION_ROW_IF("services", "SERVICES", print_ready, files),
    SESSION_ROW_IF("template", "TEMPLATE", NULL, files),
    SESSION_ROW_IF("tokens", ">TOKENS", print_tokens_sum, dash),
    SESSION_ROW_IF("turns", ">TURNS", print_turns, files),
    SESSION_ROW_IF("worked", ">WORKED", print_worked, files),
    SESSION_ROW("worktree", "WORKTREE", NULL),
    {.name = NULL}};

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
