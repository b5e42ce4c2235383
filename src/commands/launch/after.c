/*
 * after.c - the session after which another one starts (afw new --after). It
 * must exist when the other is made, so that no two sessions can wait for each
 * other.
 */
#include "commands/launch/after.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "commands/command.h"
#include "session/disk/dirs.h"
#include "session/live/changes.h"
#include "session/session.h"
#include "wire/worktree_client.h"

#define CHECK_MS 120000 /* the time limit of afw-worktree itself */

static int err_removed(const struct spec *s, struct err *err)
{
	return err_set(err, ERR_NOT_RUNNING,
		       "'%s' was removed before it was done", s->after);
}

/* Returns 1 if the session has completed and its check, if any, has passed; 0
 * if not yet; -1 if it no longer can. */
static int check_predecessor(const struct spec *s, const struct session *x,
			     struct err *err)
{
	const struct state *st = &x->state;

	if (access(x->dir, F_OK) < 0)
		return err_removed(s, err);
	if (st->phase == PHASE_RUNNING && !st->unsure && st->queued == 0 &&
	    st->activity == ACTIVITY_COMPLETED)
		return x->spec.check.n == 0 ||
		       (st->check && strcmp(st->check, "passed") == 0);
	if (st->phase != PHASE_STOPPED && st->phase != PHASE_ERROR)
		return 0;
	return err_set(err, ERR_NOT_RUNNING,
		       "'%s' ended before it was done (%s%s%s)", s->after,
		       session_status_word(x), st->error_reason ? ": " : "",
		       st->error_reason ? st->error_reason : "");
}

int after_check(const struct spec *s, struct err *err)
{
	struct session x;
	int rc = session_load(&x, s->after_id, err);

	if (rc == 0) {
		rc = check_predecessor(s, &x, err) < 0 ? -1 : 0;
		session_finish(&x);
	}
	return rc;
}

int after_choose(struct new_session *n, struct err *err)
{
	const char *what = args_value(n->plan.args, "after");
	struct spec *s = &n->spec;
	struct session x;
	int rc = 0;

	if (!what)
		return 0;
	if (strcmp(what, s->name) == 0)
		return err_set(err, ERR_USAGE,
			       "new '%s': it cannot wait for itself", s->name);
	if (session_find(&x, what, err) < 0)
		return err_prefix(err, "new '%s': --after", s->name);
	s->after = mem_strdup(x.spec.name);
	s->after_id = mem_strdup(x.spec.id);
	if (x.spec.repository && strcmp(x.spec.repository, n->repository) != 0)
		rc = err_set(err, ERR_USAGE,
			     "new '%s': --after %s: that is another "
			     "repository's, whose branch is not here",
			     s->name, what);
	else if (spec_check_single(&x.spec, "--after", err) < 0) {
		rc = err_prefix(err, "new '%s': --after '%s'", s->name, what);
		err_hint(err, "`afw wait %s` waits for it; make this one then",
			 what);
	} else if (check_predecessor(s, &x, err) < 0) {
		rc = err_prefix(err, "new '%s': --after", s->name);
		if (x.spec.branch)
			err_hint(err, "-b %s starts from what it has done",
				 x.spec.branch);
	}
	session_finish(&x);
	return rc;
}

/* Imports its commits, including those made in a private repository. */
static int import_work(struct spec *s, const struct session *x,
		       struct strv *notes, struct err *err)
{
	struct status_request rq = {.place = spec_place(&x->spec)};
	cJSON *o =
	    worktree_client_run(status_request(&rq), NULL, NULL, CHECK_MS, err);
	int64_t left;

	if (!o)
		return err_prefix(err, "the work of '%s'", s->after);
	left = json_int(o, "uncommitted", 0) + json_int(o, "untracked", 0);
	if (left > 0)
		strv_addf(notes,
			  "'%s' had %lld file%s not committed when this one "
			  "began from its branch: they are not in it",
			  s->after, (long long)left, left == 1 ? "" : "s");
	if (json_str(o, "harvest"))
		strv_add(notes, json_str(o, "harvest"));
	cJSON_Delete(o);
	mem_set(&s->base, x->spec.branch);
	return 0;
}

/* Returns why it will not complete unless the user does something, to be freed;
 * NULL: it may. If it asks something, it says so itself. */
static char *find_obstacle(const struct session *x)
{
	const struct state *st = &x->state;
	bool failed = st->check && strcmp(st->check, "failed") == 0;

	if (st->phase == PHASE_SUSPENDED)
		return mem_strdup("it is suspended");
	if (st->phase != PHASE_RUNNING || st->unsure || st->queued)
		return NULL;
	if (session_is_interrupted(x))
		return mem_strdup("it was interrupted");
	if (st->activity == ACTIVITY_FAILED)
		return mem_printf("its turn failed: %s",
				  st->detail ? st->detail : "no reason known");
	return st->activity == ACTIVITY_COMPLETED && failed &&
		       st->check_round >= st->check_rounds
		   ? mem_printf("its check failed%s%s",
				st->check_line && *st->check_line ? ": " : "",
				st->check_line ? st->check_line : "")
		   : NULL;
}

static bool is_new_obstacle(const struct session *x, char **why)
{
	char *now = find_obstacle(x);
	bool same =
	    now && *why ? strcmp(now, *why) == 0 : now == NULL && *why == NULL;

	free(*why);
	*why = now;
	return !same;
}

int after_wait(struct spec *s, const volatile sig_atomic_t *stop, char **why,
	       struct strv *notes, struct err *err)
{
	char *dir = dirs_session(s->after_id, err);
	struct changes *watch = changes_create();
	struct session x = {0};
	int done = dir ? 0 : -1;
	bool told = false;

	if (dir)
		changes_add(watch, dir, CHANGES_SHOWN);
	while (done == 0 && !told && !*stop) {
		session_finish(&x);
		done = session_load(&x, s->after_id, err) < 0
			   ? -1
			   : check_predecessor(s, &x, err);
		told = done == 0 && is_new_obstacle(&x, why);
		if (done == 0 && !told && !*stop)
			changes_wait(watch, -1);
	}
	changes_destroy(watch);
	free(dir);
	if (*stop)
		done = err_set(err, ERR_FAILED, "interrupted");
	if (done > 0 && import_work(s, &x, notes, err) < 0)
		done = -1;
	session_finish(&x);
	return done > 0 ? 0 : done < 0 ? -1 : 1;
}
