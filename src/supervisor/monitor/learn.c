/*
 * learn.c - plays the recording twice: without patterns, to get the screens of
 * each step, then with the proposed ones, to see what they find.
 */
#include "supervisor/monitor/learn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/screen/lesson.h"
#include "adapters/screen/rules.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "supervisor/monitor/found.h"
#include "supervisor/monitor/replay.h"

#define SCREENS_MAX 600 /* that are kept of the turn */
#define PAUSE_MS    4000

struct step {
	int64_t from; /* -1: it was skipped */
	/* Of the replay with the proposed patterns. */
	int screens, working;
	struct verdict end;
	struct screen_state shown;
	bool approval;
};

struct learner {
	struct lesson lesson;
	struct step steps[LESSON_STEPS];
	int64_t enter; /* of the message */
	int64_t shown_at;
	uint64_t revision;
	const struct rules *rules;
	struct found found;
};

static void read_steps(struct learner *l, struct recording *r, const cJSON *in)
{
	const cJSON *o;

	for (int k = 0; k < LESSON_STEPS; k++)
		l->steps[k].from = -1;
	/* What follows is its end, when it was stopped. */
	while (r->n && r->v[r->n - 1].t_ms > json_int(in, "end", INT64_MAX)) {
		free(r->v[--r->n].data);
		cJSON_Delete(r->v[r->n].object);
	}
	l->lesson.varies = json_str(in, "varies");
	cJSON_ArrayForEach (o, json_get(in, "steps"))
		for (int k = 0; k < LESSON_STEPS; k++)
			if (strcmp(json_str_or(o, "step", ""),
				   lesson_names[k]) == 0)
				l->steps[k].from = json_int(o, "from", 0);
}

/* Makes a pause before each step: the screen is read and judged a moment after
 * it has changed, and the user may have been faster. */
static void add_pauses(struct learner *l, struct recording *r)
{
	int64_t pause = 0;
	size_t i = 0;

	for (int k = 0; k < LESSON_STEPS; k++) {
		if (l->steps[k].from < 0)
			continue;
		for (; i < r->n && r->v[i].t_ms < l->steps[k].from; i++)
			r->v[i].t_ms += pause;
		pause += PAUSE_MS;
		l->steps[k].from += pause - 1;
	}
	for (; i < r->n; i++)
		r->v[i].t_ms += pause;
}

/* The message is sent with the first Enter of its step. */
static void find_enter(struct learner *l, const struct recording *r)
{
	const struct step *s = &l->steps[LESSON_MESSAGE];

	l->enter = s->from;
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].object && r->v[i].t_ms >= s->from &&
		    json_bool(r->v[i].object, "enter", false)) {
			l->enter = r->v[i].t_ms;
			return;
		}
}

static void copy_rows(struct strv *out, const char *const *rows, size_t n)
{
	strv_finish(out);
	for (size_t i = 0; i < n; i++)
		strv_add(out, rows[i]);
}

static void copy_screen(struct lesson_screen *out, struct observer *o)
{
	struct screen_view v;

	observer_view(o, &v);
	copy_rows(&out->rows, v.rows, v.nrows);
	copy_rows(&out->solid, v.solid, v.nrows);
}

/* The screen that was shown until now gets its time. */
static void add_working(struct learner *l, int64_t t_ms, struct observer *o)
{
	struct lesson *lesson = &l->lesson;

	if (lesson->nworking)
		lesson->working[lesson->nworking - 1].ms = t_ms - l->shown_at;
	l->shown_at = t_ms;
	if (lesson->nworking == SCREENS_MAX)
		return;
	lesson->working = mem_grow(lesson->working, lesson->nworking,
				   sizeof *lesson->working);
	lesson->working[lesson->nworking] = (struct lesson_screen){0};
	copy_screen(&lesson->working[lesson->nworking++], o);
}

/* Until Enter, the message is a draft. A step lasts until the next one begins:
 * what was printed last is read after its end. */
static int step_at(const struct learner *l, int64_t t_ms)
{
	int step = -1;

	for (int k = 0; k < LESSON_STEPS; k++)
		if (l->steps[k].from >= 0 && t_ms >= l->steps[k].from)
			step = k;
	if (step == LESSON_MESSAGE && t_ms <= l->enter)
		step = LESSON_DRAFT;
	return step;
}

static void on_first_play(void *ctx, int64_t t_ms, struct observer *o,
			  const struct verdict *v)
{
	struct learner *l = ctx;
	uint64_t revision = screen_revision(o->screen);
	int step = step_at(l, t_ms);

	(void)v;
	if (step < 0 || revision == l->revision)
		return;
	l->revision = revision;
	copy_screen(&l->lesson.last[step], o);
	if (step == LESSON_MESSAGE)
		add_working(l, t_ms, o);
}

static void on_second_play(void *ctx, int64_t t_ms, struct observer *o,
			   const struct verdict *v)
{
	struct learner *l = ctx;
	int step = step_at(l, t_ms);
	struct step *s;

	if (step < 0)
		return;
	s = &l->steps[step];
	s->screens++;
	s->working +=
	    v->activity == ACTIVITY_WORKING || v->activity == ACTIVITY_THINKING;
	s->end = *v;
	s->shown = o->shown;
	s->approval = o->approval_up;
	found_add(&l->found, l->rules, o, t_ms);
}

/* -- what was found -------------------------------------------------------- */

/* The state by the patterns; "" if only the process was judged. */
static const char *state_of(const struct step *s)
{
	if (s->end.source == SOURCE_PROCESS)
		return "";
	switch (s->end.activity) {
	case ACTIVITY_WAITING_FOR_INPUT:
		return "waiting, ";
	case ACTIVITY_WORKING:
	case ACTIVITY_THINKING:
		return "working, ";
	case ACTIVITY_NONE:
		return "";
	default:
		return "idle, ";
	}
}

/* Returns whether the patterns found what the step has shown. */
static const char *compare(enum lesson_step k, const struct step *s,
			   const struct rules *rules)
{
	const char *state = state_of(s);
	enum composer c = s->shown.composer;
	bool right = *state == '\0' || strcmp(state, "idle, ") == 0;

	if (k == LESSON_MESSAGE)
		right = right && s->working;
	else if (k == LESSON_APPROVAL)
		right = s->approval;
	else if (c != COMPOSER_UNKNOWN && k != LESSON_ANSWER)
		right = right && c == (k == LESSON_EMPTY ? COMPOSER_EMPTY
							 : COMPOSER_DRAFT);
	if ((k == LESSON_MESSAGE && !rules_has(rules, "busy")) ||
	    (k == LESSON_APPROVAL && !rules_has(rules, "approval")) ||
	    (k < LESSON_MESSAGE && c == COMPOSER_UNKNOWN))
		return "not known";
	return right ? "as shown" : "DIFFERS";
}

static void add_check(cJSON *checks, enum lesson_step k, const struct step *s,
		      const struct rules *rules)
{
	static const char *const composers[] = {
	    [COMPOSER_UNKNOWN] = "no pattern for the composer",
	    [COMPOSER_ABSENT] = "no composer",
	    [COMPOSER_EMPTY] = "the composer is empty",
	    [COMPOSER_DRAFT] = "a draft in the composer"};
	cJSON *o = cJSON_CreateObject();
	_buf_ struct buf text = {0};

	if (k == LESSON_MESSAGE && rules_has(rules, "busy"))
		buf_addf(&text, "working on %d of %d screens, then ",
			 s->working, s->screens);
	else if (k == LESSON_MESSAGE)
		buf_adds(&text, "no row is there only while it works; ");
	else if (k == LESSON_APPROVAL && !s->approval)
		buf_adds(&text, "no options, and no (y/n), that afw knows; ");
	buf_addf(&text, "%s%s", state_of(s), composers[s->shown.composer]);
	if (s->end.detail[0] && s->end.source != SOURCE_PROCESS)
		buf_addf(&text, ": %s", s->end.detail);
	json_set_str(o, "step", lesson_names[k]);
	json_set_str(o, "result", compare(k, s, rules));
	json_set_str(o, "found", text.data);
	cJSON_AddItemToArray(checks, o);
}

static void print_result(struct learner *l, cJSON *section)
{
	_json_ cJSON *out = cJSON_CreateObject();
	cJSON *checks = json_set_array(out, "checks");
	_buf_ struct buf text = {0};

	for (enum lesson_step k = 0; k < LESSON_STEPS; k++)
		if (l->steps[k].screens)
			add_check(checks, k, &l->steps[k], l->rules);
	found_json(&l->found, json_set_array(out, "found"));
	cJSON_AddItemToObject(out, "section", section);
	json_print(out, &text);
	puts(text.data);
}

static int learn(struct learner *l, struct recording *r, struct err *err)
{
	struct rules *none = rules_create(NULL, err), *rules;
	cJSON *section;

	add_pauses(l, r);
	find_enter(l, r);
	replay_play(r, none, on_first_play, l);
	rules_destroy(none);
	section = lesson_propose(&l->lesson);
	rules = rules_create(section, err);
	if (!rules) {
		cJSON_Delete(section);
		return -1;
	}
	l->rules = rules;
	replay_play(r, rules, on_second_play, l);
	print_result(l, section);
	rules_destroy(rules);
	return 0;
}

int learn_run(const char *file)
{
	struct learner l = {0};
	struct recording r = {0};
	struct err err = {0};
	_json_ cJSON *in = replay_input(&err);
	int rc = in ? recording_load(&r, file, &err) : -1;

	if (rc == 0) {
		read_steps(&l, &r, in);
		rc = learn(&l, &r, &err);
	}
	lesson_finish(&l.lesson);
	found_finish(&l.found);
	recording_finish(&r);
	if (rc < 0)
		fprintf(stderr, "%s\n", err.what);
	return fflush(stdout) == 0 && rc == 0 ? 0 : 1;
}
