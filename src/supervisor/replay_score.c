/* replay_score.c - what was said against what was true. */
#include "supervisor/replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define PREFIX "activity="

int replay_truth(const struct recording *r, struct replay_line *out,
		 struct err *err)
{
	*out = (struct replay_line){0};
	for (size_t i = 0; i < r->n; i++) {
		const struct recording_event *e = &r->v[i];
		struct replay_change c = {.t_ms = e->t_ms};
		const char *word;

		if (e->kind != 'm' ||
		    strncmp(e->data, PREFIX, strlen(PREFIX)) != 0)
			continue;
		word = e->data + strlen(PREFIX);
		if (*word && activity_parse(word, &c.activity) < 0) {
			replay_line_finish(out);
			return err_set(err, ERR_FAILED,
				       "at %lld.%03d s the truth is "
				       "'%.40s', which is no activity",
				       (long long)(e->t_ms / 1000),
				       (int)(e->t_ms % 1000), word);
		}
		replay_line_add(out, &c);
	}
	return 0;
}

static enum activity class_of(enum activity a, enum replay_by by)
{
	if (a == ACTIVITY_THINKING)
		return ACTIVITY_WORKING;
	if (a == ACTIVITY_COMPLETED && by == REPLAY_SIMPLE)
		return ACTIVITY_IDLE;
	return a;
}

static void add_delay(struct replay_delays *d, int64_t ms)
{
	d->v = mem_realloc(d->v, (d->n + 1) * sizeof *d->v);
	d->v[d->n++] = ms;
}

/* One stretch of truth, from..to, against what was said in it. */
static void stretch(struct replay_score *s, enum activity truth, int64_t from,
		    int64_t to, const struct replay_line *said,
		    enum replay_by by)
{
	int64_t first_right = -1, waiting_since = -1;

	for (size_t i = 0; i < said->n; i++) {
		int64_t start = said->v[i].t_ms;
		int64_t end = i + 1 < said->n ? said->v[i + 1].t_ms : to;
		enum activity a = class_of(said->v[i].activity, by);

		if (start < from)
			start = from;
		if (end > to)
			end = to;
		if (end <= start)
			continue;
		if (a == truth) {
			s->right_ms += end - start;
			if (first_right < 0)
				first_right = start;
		}
		if (a != ACTIVITY_WAITING_FOR_INPUT ||
		    truth != ACTIVITY_WORKING) {
			waiting_since = -1;
			continue;
		}
		if (waiting_since < 0)
			waiting_since = start;
		if (end - waiting_since > s->false_waiting_ms) {
			s->false_waiting_ms = end - waiting_since;
			s->false_waiting_at = waiting_since;
		}
	}
	if (first_right < 0)
		first_right = to;
	if (truth == ACTIVITY_WAITING_FOR_INPUT)
		add_delay(&s->waiting, first_right - from);
	else if (truth == ACTIVITY_WORKING)
		add_delay(&s->working, first_right - from);
}

void replay_score_add(struct replay_score *s, const struct recording *r,
		      const struct replay_line *truth,
		      const struct replay_line *said, enum replay_by by)
{
	int64_t end = r->n ? r->v[r->n - 1].t_ms : 0;

	for (size_t i = 0; i < truth->n; i++) {
		int64_t from = truth->v[i].t_ms;
		int64_t to = i + 1 < truth->n ? truth->v[i + 1].t_ms : end;

		if (truth->v[i].activity == ACTIVITY_NONE || to <= from)
			continue;
		s->known_ms += to - from;
		stretch(s, class_of(truth->v[i].activity, by), from, to, said,
			by);
	}
}

void replay_score_merge(struct replay_score *to, const struct replay_score *s)
{
	to->known_ms += s->known_ms;
	to->right_ms += s->right_ms;
	for (size_t i = 0; i < s->waiting.n; i++)
		add_delay(&to->waiting, s->waiting.v[i]);
	for (size_t i = 0; i < s->working.n; i++)
		add_delay(&to->working, s->working.v[i]);
	if (s->false_waiting_ms > to->false_waiting_ms) {
		to->false_waiting_ms = s->false_waiting_ms;
		to->false_waiting_at = s->false_waiting_at;
	}
}

static int compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int64_t replay_median(struct replay_delays *d)
{
	if (d->n == 0)
		return -1;
	qsort(d->v, d->n, sizeof *d->v, compare);
	return d->v[d->n / 2];
}

int64_t replay_worst(const struct replay_delays *d)
{
	int64_t worst = -1;

	for (size_t i = 0; i < d->n; i++)
		if (d->v[i] > worst)
			worst = d->v[i];
	return worst;
}

void replay_score_finish(struct replay_score *s)
{
	free(s->waiting.v);
	free(s->working.v);
	*s = (struct replay_score){0};
}
