/* session_text.c - a session in words, on one line. */
#include "session/session.h"

#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/utf8.h"

/* -- in words ------------------------------------------------------------- */

/* Returns whether s has a letter: a bare prompt or a line of a box has none. */
static bool is_text(const char *s)
{
	uint32_t cp;
	size_t n;

	for (; s && *s; s += n ? n : 1) {
		n = utf8_decode(s, strlen(s), &cp);
		if (n == 1 && isalnum((int)cp))
			return true;
		/* Arrows, boxes, shapes and others end at U+2BFF. */
		if (n > 1 && cp >= 0xaa && !(cp >= 0x2000 && cp < 0x2c00))
			return true;
	}
	return false;
}

static void add_text(struct buf *out, const char *text)
{
	buf_adds(out, text + strspn(text, " \t"));
}

static void add_failure(const struct session *s, struct buf *out)
{
	_free_ char *reason = session_reason(s);

	buf_adds(out, is_text(reason) ? reason : "no reason known");
}

const char *session_end(const struct state *st)
{
	bool suspended = st->phase == PHASE_SUSPENDED;

	if ((st->phase != PHASE_STOPPED && !suspended) ||
	    (!st->signal && st->exit_code <= 0))
		return NULL;
	if (st->signal == SIGKILL)
		return suspended ? "suspended (killed)" : "stopped (killed)";
	return suspended ? "suspended" : "stopped";
}

static void add_end(const struct state *st, struct buf *out)
{
	if (st->signal == SIGKILL)
		buf_adds(out, "killed");
	else if (is_text(st->said))
		add_text(out, st->said);
}

static bool is_idle(const struct state *st)
{
	return st->phase == PHASE_RUNNING && activity_is_idle(st->activity);
}

/* Adds what it asks or does; once it is idle, its last message. For a plain
 * command, only its output is known. */
static void add_activity(const struct session *s, struct buf *out)
{
	const struct state *st = &s->state;
	const char *source = st->activity_source ? st->activity_source : "";
	bool process =
	    st->activity != ACTIVITY_NONE && strcmp(source, "process") == 0;
	bool failed = st->activity == ACTIVITY_FAILED && is_text(st->detail);
	bool said = process || (is_idle(st) && is_text(st->said) && !failed &&
				!session_is_interrupted(s));
	const char *text = said		     ? st->said
			   : st->question_id ? st->question
			   : st->stuck	     ? st->stuck
					     : st->detail;

	if (is_text(text))
		add_text(out, text);
	else if (is_text(st->subtask_detail))
		add_text(out, st->subtask_detail);
}

/* Only when the agent is not working. */
static void add_uncommitted(const struct session *s, struct buf *out)
{
	int64_t n = s->state.counts.uncommitted;
	bool rests = s->state.phase == PHASE_STOPPED ||
		     s->state.phase == PHASE_SUSPENDED || is_idle(&s->state);

	if (rests && n > 0)
		buf_addf(out, "%lld file%s not committed", (long long)n,
			 n == 1 ? "" : "s");
}

const char *session_check_mark(const struct session *s, bool utf8)
{
	const char *check = s->state.check ? s->state.check : "";

	if (strcmp(check, "passed") == 0)
		return utf8 ? "✓" : "+";
	if (strcmp(check, "failed") == 0)
		return utf8 ? "✗" : "x";
	return !*check ? "" : utf8 ? "…" : ".";
}

void session_check(const struct session *s, struct buf *out)
{
	const struct state *st = &s->state;

	if (st->check)
		buf_adds(out, st->check);
	if (st->check_rounds && st->check_round)
		buf_addf(out, "%sround %lld of %lld", st->check ? " in " : "",
			 (long long)st->check_round,
			 (long long)st->check_rounds);
	if (st->check && st->check_line && st->check_line[0])
		buf_addf(out, ": %s", st->check_line);
}

/* Adds "check failed: 3 tests failed", "round 3 of 10"; the mark shows the
 * rest. */
static void add_check(const struct session *s, struct buf *out)
{
	const struct state *st = &s->state;
	bool failed = st->check && strcmp(st->check, "failed") == 0;

	if (st->phase == PHASE_ERROR ||
	    (!failed && (st->check || !st->check_round)))
		return;
	buf_adds(out, failed ? "check " : "");
	session_check(s, out);
}

void session_limit(const struct session *s, struct buf *out)
{
	const struct state *st = &s->state;
	const char *by = st->limited_by ? st->limited_by : "";
	char until[CLOCK_LOCAL_SIZE];

	if (!st->limited || st->phase != PHASE_RUNNING)
		return;
	buf_adds(out, st->limited);
	if (state_over_budget(st) && st->limited_words)
		buf_addf(out, " (%s)", st->limited_words);
	if (st->limited_until) {
		clock_format_local(st->limited_until, until);
		buf_addf(out, " until %s", until);
	}
	if (strcmp(by, "itself") == 0)
		buf_adds(out, ", then it continues");
	else if (strcmp(by, "afw") == 0)
		buf_adds(out, state_over_budget(st)
				  ? ", then its messages are sent"
				  : ", then afw sends it on");
	if (st->handed_to)
		buf_addf(out, ", continued by %s", st->handed_to);
}

void session_message(const struct session *s, struct buf *out)
{
	if (s->state.phase == PHASE_ERROR)
		add_failure(s, out);
	else if (s->state.phase == PHASE_STOPPED ||
		 s->state.phase == PHASE_SUSPENDED)
		add_end(&s->state, out);
	else
		add_activity(s, out);
}

/* A limit is more than what it said last. */
static void add_message(const struct session *s, struct buf *out)
{
	size_t before = out->len;

	session_limit(s, out);
	if (out->len == before)
		session_message(s, out);
}

void session_summary(const struct session *s, struct buf *out)
{
	static void (*const parts[])(const struct session *, struct buf *) = {
	    add_check, add_uncommitted, add_message};
	size_t begin;

	if (s->state.queued > 0)
		buf_addf(out, "[%lld queued] ", (long long)s->state.queued);
	begin = out->len;
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		size_t before = out->len, from;

		if (before > begin)
			buf_adds(out, "; ");
		from = out->len;
		parts[i](s, out);
		if (before > begin && out->len == from)
			out->data[out->len = before] = '\0';
	}
}

int session_hint_answer(const struct spec *s, struct err *err)
{
	return err_hint(err,
			"answer it first: `afw send %s --approve`, `afw send "
			"%s --deny` or `afw attach %s`",
			s->name, s->name, s->name);
}
