/* refresh.c - reads the output of a command repeatedly. */
#include "tui/child/refresh.h"

#include "base/clock.h"
#include "base/cleanup.h"
#include "tui/model/machine.h"
#include "tui/tui.h"

static void finish_read(struct refresh *r, const struct job_result *result)
{
	int64_t now = clock_mono_ms();

	r->runs = false;
	r->not_before_ms = now + (now - r->begun_ms) * r->share;
	r->store(r->owner, result);
	if (r->again)
		refresh_soon(r);
	tui_redraw(r->t);
}

static void on_end(void *ctx, void *arg, const struct job_result *result)
{
	(void)ctx;
	finish_read(arg, result);
}

static void start(void *ctx)
{
	struct refresh *r = ctx;
	struct job_request rq = {.reads = true,
				 .dir = r->dir,
				 .timeout_ms = r->timeout_ms,
				 .done = on_end,
				 .arg = r};
	_strv_ struct strv argv = {0}, words = {0}, machines = {0};
	struct err err = {.what =
			      "afw: these are sessions of several machines"};

	r->again = false;
	r->words(r->owner, &words);
	if (!words.n)
		return;
	machine_find(&r->t->roster, &words, &machines);
	strv_add(&argv, r->t->afw);
	machine_words(NULL, machines.v[0], &words, &argv);
	rq.argv = argv.v;
	r->begun_ms = clock_mono_ms();
	r->runs = machines.n == 1 && jobs_start(r->t->jobs, &rq, &err) == 0;
	if (!r->runs)
		finish_read(r, &(struct job_result){.exit_code = -1,
						    .out = "",
						    .err = err.what});
}

static void start_in(struct refresh *r, int64_t ms)
{
	if (ms > 0)
		loop_timer_set_earlier(r->timer, ms);
	else
		start(r);
}

void refresh_create(struct refresh *r, struct tui *t)
{
	r->t = t;
	r->timer = loop_timer_add(t->loop, start, r);
}

void refresh_finish(struct refresh *r)
{
	refresh_stop(r);
	loop_timer_remove(r->timer);
}

void refresh_now(struct refresh *r)
{
	refresh_stop(r);
	start_in(r, r->settle_ms);
}

void refresh_soon(struct refresh *r)
{
	int64_t wait = r->not_before_ms - clock_mono_ms();

	r->again = r->runs;
	if (!r->runs)
		start_in(r, wait > r->pause_ms ? wait : r->pause_ms);
}

void refresh_stop(struct refresh *r)
{
	if (r->runs)
		jobs_drop(r->t->jobs, r);
	r->runs = r->again = false;
	loop_timer_stop(r->timer);
}
