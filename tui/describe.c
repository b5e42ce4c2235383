/* describe.c - sessions in words: the part of model.h that writes text. */
#include "tui/model.h"

void model_detail(const struct session *s, struct buf *out)
{
	for (size_t i = 0; i < s->groups.n; i++)
		buf_addf(out, "%s%s", i ? ", " : "(", s->groups.v[i]);
	if (s->groups.n)
		buf_adds(out, ") ");
	if (s->state.queued > 0)
		buf_addf(out, "[%lld queued] ", (long long)s->state.queued);
	session_says(s, out);
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
