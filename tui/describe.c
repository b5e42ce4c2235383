/* describe.c - sessions in words: the part of model.h that writes text. */
#include "tui/model.h"

#include <string.h>

const char *model_word(const struct session *s)
{
	if (s->state.phase == PHASE_RUNNING &&
	    s->state.activity == ACTIVITY_COMPLETED)
		return "done";
	return session_word(s);
}

static void how_it_ended(const struct state *st, struct buf *out)
{
	if (st->signal)
		buf_addf(out, "killed by signal %d (%s)", st->signal,
			 strsignal(st->signal));
	else if (st->exit_code > 0)
		buf_addf(out, "exit code %d", st->exit_code);
	else if (st->exit_code == 0)
		buf_adds(out, "ended");
}

static bool is_text(const char *s)
{
	return s && s[strspn(s, " \t")];
}

void model_detail(const struct session *s, struct buf *out)
{
	const struct state *st = &s->state;

	if (st->queued > 0)
		buf_addf(out, "[%lld queued] ", (long long)st->queued);
	if (st->phase == PHASE_ERROR) {
		buf_adds(out, is_text(st->error_reason) ? st->error_reason
							: "no reason known");
		return;
	}
	if (st->phase == PHASE_STOPPED || st->phase == PHASE_SUSPENDED) {
		how_it_ended(st, out);
		return;
	}
	if (is_text(st->detail))
		buf_adds(out, st->detail);
	else if (is_text(st->last_line))
		buf_adds(out, st->last_line + strspn(st->last_line, " \t"));
	else if (is_text(st->title))
		buf_adds(out, st->title);
}

int64_t model_since(const struct session *s)
{
	const struct state *st = &s->state;

	if (st->phase == PHASE_RUNNING && st->activity_since > 0)
		return st->activity_since;
	if (!phase_is_live(st->phase) && st->ended_at > 0)
		return st->ended_at;
	if (st->updated_at > 0)
		return st->updated_at;
	return s->spec.created_at;
}
