/*
 * replay.c - the supervisor's part of a session, played by a recording.
 *
 * As in watch.c: output goes to the senses, a look follows when one is due,
 * and the verdict is asked after whatever may have changed it and when it
 * says itself that time may. Between two events of the recording time jumps
 * to what is due next.
 */
#include "supervisor/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/rules.h"
#include "base/json.h"
#include "base/mem.h"
#include "supervisor/senses.h"

#define T0	      1000000 /* a monotonic clock is not at 0 */
#define STALL_MS      120000  /* afw.ini's default */
#define HISTORY_LINES 100

struct play {
	const struct recording *r;
	const struct adapter *adapter;
	const struct rules *rules;
	struct senses senses;
	bool deaf; /* to all but the screen */
	int64_t now;
	size_t at; /* of the event that is played */
	struct replay_line *out;
};

void replay_line_finish(struct replay_line *l)
{
	free(l->v);
	*l = (struct replay_line){0};
}

void replay_line_add(struct replay_line *l, const struct replay_change *c)
{
	const struct replay_change *last = l->n ? &l->v[l->n - 1] : NULL;

	if (last && last->activity == c->activity &&
	    strcmp(last->detail, c->detail) == 0)
		return;
	l->v = mem_realloc(l->v, (l->n + 1) * sizeof *l->v);
	l->v[l->n++] = *c;
}

static void verdict(struct play *p)
{
	struct replay_change c = {.t_ms = p->now - T0};
	struct verdict v;

	senses_verdict(&p->senses, p->now, &v);
	c.activity = v.activity;
	c.source = v.source;
	memcpy(c.detail, v.detail, sizeof c.detail);
	replay_line_add(p->out, &c);
}

static void on_heard(void *ctx, const struct reading *r)
{
	(void)r;
	verdict(ctx);
}

/* The harness starts, or starts again. */
static void start(struct play *p, int cols, int rows)
{
	struct senses_events events = {.ctx = p, .heard = on_heard};

	senses_finish(&p->senses);
	senses_init(&p->senses, p->adapter, p->rules, STALL_MS);
	p->senses.deaf = p->deaf;
	senses_open(&p->senses, cols, rows, HISTORY_LINES, &events);
}

static bool is_event(const struct recording_event *e, const char *name)
{
	return e->kind == 'e' &&
	       strcmp(json_str_or(e->object, "event", ""), name) == 0;
}

/*
 * The process as it was measured, at whatever time the verdict wants to know:
 * in between two samples the processor was used evenly.
 */
static void sample(struct play *p)
{
	const struct recording_event *before = NULL, *after = NULL;
	int64_t t = p->now - T0, cpu, span;

	for (size_t i = p->at; i-- > 0 && !before;)
		if (is_event(&p->r->v[i], "process"))
			before = &p->r->v[i];
		else if (is_event(&p->r->v[i], "started"))
			break;
	for (size_t i = p->at; i < p->r->n && !after; i++)
		if (is_event(&p->r->v[i], "process"))
			after = &p->r->v[i];
		else if (is_event(&p->r->v[i], "started"))
			break;
	if (!before && !after)
		return;
	if (!before)
		before = after;
	if (!after)
		after = before;
	span = after->t_ms - before->t_ms;
	cpu = json_int(before->object, "cpu_ms", 0);
	if (span > 0)
		cpu += (json_int(after->object, "cpu_ms", 0) - cpu) *
		       (t - before->t_ms) / span;
	activity_process(p->senses.activity, cpu,
			 (int)json_int(before->object, "processes", 0), p->now);
}

/* What is due until then, in its order. */
static void pass_time(struct play *p, int64_t until)
{
	struct senses *s = &p->senses;

	for (;;) {
		bool look = s->look_at >= 0 &&
			    (s->verdict_at < 0 || s->look_at <= s->verdict_at);
		int64_t due = look ? s->look_at : s->verdict_at;

		if (due < 0 || due > until)
			break;
		/* What wants to be asked at once is asked a moment later. */
		p->now = due > p->now ? due : p->now + 1;
		if (look)
			senses_look(s, p->now);
		else
			sample(p);
		verdict(p);
	}
	if (until > p->now)
		p->now = until;
}

static void own_event(struct play *p, const struct recording_event *e)
{
	const char *name = json_str_or(e->object, "event", "");
	struct activity_fuser *a = p->senses.activity;
	struct reading r;

	if (strcmp(name, "hook") == 0) {
		if (senses_event(&p->senses,
				 json_str_or(e->object, "hook", ""),
				 cJSON_GetObjectItemCaseSensitive(e->object,
								  "payload"),
				 &r, p->now))
			verdict(p);
	} else if (strcmp(name, "typed") == 0) {
		bool interrupt = json_bool(e->object, "interrupt", false);

		senses_typed(&p->senses, interrupt, p->now);
		if (interrupt)
			verdict(p);
	} else if (strcmp(name, "sent") == 0) {
		activity_sent(a, p->now);
	} else if (strcmp(name, "interrupt") == 0) {
		activity_interrupted(a, p->now);
		verdict(p);
	} else if (strcmp(name, "started") == 0) {
		start(p, screen_cols(p->senses.screen),
		      screen_rows(p->senses.screen));
		verdict(p);
	}
}

static void play(struct play *p, const struct recording_event *e)
{
	int cols, rows;

	switch (e->kind) {
	case 'o':
		senses_output(&p->senses, e->data, e->len, p->now);
		if (p->senses.verdict_at < 0)
			verdict(p);
		break;
	case 'r':
		if (sscanf(e->data, "%4dx%4d", &cols, &rows) == 2)
			screen_resize(p->senses.screen, cols, rows);
		break;
	case 'e':
		own_event(p, e);
		break;
	default:
		break;
	}
}

void replay_say(const struct recording *r, const struct adapter *adapter,
		const struct rules *rules, enum replay_by by,
		struct replay_line *out)
{
	struct adapter deaf = *adapter;
	struct play p = {.r = r,
			 .adapter = adapter,
			 .rules = rules,
			 .now = T0,
			 .out = out};

	*out = (struct replay_line){0};
	if (by == REPLAY_SIMPLE) {
		replay_simple(r, out);
		return;
	}
	if (by == REPLAY_SCREEN) {
		/* It has no hooks, so nothing is waited for from them. */
		deaf.hook = NULL;
		deaf.title_says = NULL;
		p.adapter = &deaf;
		p.deaf = true;
	}
	start(&p, r->cols, r->rows);
	for (size_t i = 0; i < r->n; i++) {
		p.at = i;
		pass_time(&p, T0 + r->v[i].t_ms);
		play(&p, &r->v[i]);
	}
	senses_finish(&p.senses);
}
