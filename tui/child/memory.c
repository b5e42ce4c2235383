/*
 * memory.c - one child at a time looks through /proc. The next one waits five
 * seconds, or fifty times as long as the last one took.
 */
#include "tui/child/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "tui/child/job.h"
#include "tui/tui.h"

#define INTERVAL_MS 5000
#define SHARE	    50 /* times as long as one takes nothing is asked */
#define CHILD_MS    20000

struct memory {
	struct tui *t;
	struct loop_timer *timer;
	cJSON *told; /* the last answer: an array of sessions */
	int64_t begun_ms;
	bool at_work;
};

static void on_answer(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	struct memory *m = arg;
	int64_t took = clock_mono_ms() - m->begun_ms;

	cJSON_Delete(m->told);
	m->told = r->exit_code ? NULL : cJSON_Parse(r->out);
	m->at_work = false;
	loop_timer_set(m->timer, took * SHARE > INTERVAL_MS ? took * SHARE
							    : INTERVAL_MS);
	tui_redraw(t); /* to be drawn */
}

static void ask(void *ctx)
{
	struct memory *m = ctx;
	char *argv[] = {m->t->afw, (char[]){"top"}, (char[]){"-n1"},
			(char[]){"--json"}, NULL};
	const struct job_request rq = {.argv = argv,
				       .reads = true,
				       .timeout_ms = CHILD_MS,
				       .done = on_answer,
				       .arg = m};
	struct err err;

	m->begun_ms = clock_mono_ms();
	m->at_work = jobs_start(m->t->jobs, &rq, &err) == 0;
	if (!m->at_work)
		loop_timer_set(m->timer, INTERVAL_MS);
}

struct memory *memory_create(struct tui *t)
{
	struct memory *m = mem_alloc(sizeof *m);

	m->t = t;
	m->timer = loop_timer_add(t->loop, ask, m);
	for (int i = 0; i < t->columns.n; i++)
		if (t->columns.v[i] == COLUMN_MEMORY)
			loop_timer_set(m->timer, 0);
	return m;
}

void memory_destroy(struct memory *m)
{
	if (!m)
		return;
	if (m->at_work)
		jobs_drop(m->t->jobs, m);
	loop_timer_remove(m->timer);
	cJSON_Delete(m->told);
	free(m);
}

void memory_text(const struct memory *m, const struct session *s, char *out,
		 size_t size)
{
	const cJSON *o;

	out[0] = '\0';
	cJSON_ArrayForEach (o, m->told)
		if (strcmp(json_str_or(o, "id", ""), s->spec.id) == 0)
			snprintf(out, size, "%lldM",
				 (long long)(json_int(o, "memory_bytes", 0) >>
					     20));
}
