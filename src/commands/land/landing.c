/* landing.c - one session of a landing. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "commands/cli/targets.h"
#include "commands/land/land.h"
#include "commands/land/halt.h"
#include "session/live/changes.h"

#define QUESTION_MS 1000

void land_leave_out(struct landing *p, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	mem_set(&p->why, text);
}

const struct landing *land_continues(const struct land *l,
				     const struct landing *p)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct landing *q = &l->v[i];

		if (q != p && q->commits.n && q->commits.n < p->commits.n &&
		    strv_has(&p->commits, q->commits.v[0]) && q->why)
			return q;
	}
	return NULL;
}

int land_reload(struct session *s)
{
	struct session now;
	struct err err;

	s->broken |= session_load(&now, s->spec.id, &err) < 0;
	/* What was removed has no names: those of before stay. */
	if (!s->broken && now.broken) {
		session_finish(&now);
		s->broken = true;
	}
	if (s->broken)
		return -1;
	session_finish(s);
	*s = now;
	return 0;
}

static bool is_over(const struct session *s, int64_t asked)
{
	struct err why;

	return targets_check_idle(s, "land", &why) == 0 ||
	       why.kind != ERR_REFUSED ||
	       (s->state.activity == ACTIVITY_WAITING_FOR_INPUT &&
		s->state.activity_since != asked);
}

static bool has_question(const struct session *s, int64_t asked)
{
	return s->state.question || s->state.activity_since != asked;
}

static void wait_until(struct session *s,
		       bool (*is_so)(const struct session *s, int64_t asked),
		       int64_t asked, int64_t timeout_ms)
{
	int64_t end = clock_mono_ms() + timeout_ms;
	struct changes *watch = changes_create();

	changes_add(watch, s->dir, CHANGES_SHOWN);
	while (!is_so(s, asked) && !halt_is_set()) {
		int64_t left = end - clock_mono_ms();

		if (left <= 0)
			break;
		changes_wait(watch, left);
		if (land_reload(s) < 0)
			break;
	}
	changes_destroy(watch);
}

void land_wait(struct session *s, int64_t timeout_ms, int64_t asked)
{
	wait_until(s, is_over, asked, timeout_ms);
}

void land_wait_question(struct session *s)
{
	wait_until(s, has_question, s->state.activity_since, QUESTION_MS);
}

void landing_finish(struct landing *p)
{
	candidate_check_finish(&p->check);
	candidate_finish(&p->result);
	strv_finish(&p->commits);
	strv_finish(&p->against);
	free(p->why);
}
