/* trust.c - shows a repository's .af/ and trusts it: `afw trust` does both on
 * the terminal, and reads the files only once. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "tui/child/job.h"
#include "tui/actions/action.h"
#include "tui/tui.h"

#define CHECK_MS 10000

static void start(struct tui *t, char *repository, bool ask, job_fn done)
{
	char *argv[] = {t->afw, (char[]){"trust"}, repository, NULL};
	struct job_request rq = {.argv = argv,
				 .speaks = ask,
				 .reads = !ask,
				 .timeout_ms = CHECK_MS,
				 .done = done,
				 .arg = repository,
				 .drop = free};
	struct err err;

	if (ask) {
		tui_run_program(t, &rq);
	} else if (jobs_start(t->jobs, &rq, &err) < 0) {
		tui_set_message(t, LOOK_ERROR, "%s", err.what);
		free(repository);
	}
}

static void on_answered(void *ctx, void *repository, const struct job_result *r)
{
	struct tui *t = ctx;
	_free_ char *name = repository;

	tui_reclaim_terminal(t);
	tui_set_message(t, LOOK_PLAIN,
			r->exit_code ? "%s is not trusted" : "%s is trusted",
			name);
	t->done++;
	views_changed(t);
}

/* Without a terminal afw trust refuses because it cannot ask; it reports
 * mistakes in the files before that. */
static void on_checked(void *ctx, void *repository, const struct job_result *r)
{
	struct tui *t = ctx;
	_free_ char *why = job_reason(r);

	if (r->exit_code == ERR_REFUSED && !t->handed_over) {
		start(t, repository, true, on_answered);
		return;
	}
	tui_set_message(t, LOOK_ERROR, "%s", why);
	free(repository);
}

void action_trust(struct tui *t, const char *repository)
{
	start(t, mem_strdup(repository), false, on_checked);
}
