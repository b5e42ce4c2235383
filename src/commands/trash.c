/*
 * trash.c - afw trash: lists, restores and purges sessions that `afw rm` has
 * removed.
 *
 * Restore and purge hold the lock in the session's directory, wherever that is
 * at the moment, so that only one of them runs. The worktree is moved first: if
 * a run is killed in between, the same command completes it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "commands/cli/ask.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/trash_list.h"
#include "commands/trash_sweep.h"
#include "session/disk/lock.h"
#include "session/disk/store.h"
#include "session/live/limit.h"
#include "session/live/ports.h"
#include "wire/worktree_client.h"

#define NAMED_MAX 10 /* sessions that the question names */

static const struct command_option options[] = {
    {.name = "older-than",
     .arg = "TIME",
     .help = "only what was removed longer ago (12h, 30d)",
     .verbs = "purge"},
    {.name = "yes", .letter = 'y', .help = "do not ask", .verbs = "purge"},
    {.name = "quiet",
     .letter = 'q',
     .help = "print only the names, one per line",
     .verbs = "- ls"},
    {.name = "holds",
     .help = "show the unsaved work it holds",
     .verbs = "- ls"},
    {.name = "json", .help = "one array of objects", .verbs = "- ls"},
    {.name = NULL},
};

/* -- finding a session ----------------------------------------------------- */

static bool is_going(const struct trashed *t)
{
	return t->deleting || lock_is_held(t->dir);
}

/* Finds a session as session_find() does. to_restore: a session that is being
 * deleted is found only if no other matches. */
static const struct trashed *find_trashed(const struct trashed_list *l,
					  const char *what, bool to_restore,
					  struct err *err)
{
	char *here = session_repository_here();
	const struct trashed *found = NULL;
	bool several = false;
	int best = 0;

	for (size_t i = 0; i < l->n; i++) {
		enum session_fit f = session_match(&l->v[i].spec, what, here);
		int rank = 2 * (int)f;

		if (f == FIT_NONE)
			continue;
		if (to_restore && is_going(&l->v[i]))
			rank--;
		if (rank < best)
			continue;
		several = rank == best;
		best = rank;
		found = &l->v[i];
	}
	free(here);
	if (several) {
		err_set(err, ERR_CONFLICT,
			"'%.80s' may be any of several in the trash", what);
		err_hint(err, "`afw trash ls --json` prints their ids");
		return NULL;
	}
	if (!found) {
		err_set(err, ERR_NO_SESSION, "no session '%.80s' in the trash",
			what);
		err_hint(err, "`afw trash ls` lists what there is");
	}
	return found;
}

/* -- restore --------------------------------------------------------------- */

static cJSON *take_back(const struct spec *s, struct err *err)
{
	struct restore_request rq = {.place = spec_place(s), .id = s->id};

	return worktree_client_run(restore_request(&rq), NULL, NULL, 0, err);
}

/* Moves those from the i-th on to the trash again. */
static void put_back(const struct trashed *t, size_t i)
{
	for (; i < spec_count(&t->spec); i++) {
		struct spec one = spec_of(&t->spec, i);
		struct remove_request rq = {.place = spec_place(&one),
					    .id = one.id,
					    .delete_branch = "never"};

		if (spec_has_worktree(&one))
			cJSON_Delete(worktree_client_run(remove_request(&rq),
							 NULL, NULL, 0, NULL));
	}
}

/* Restores all worktrees, or none. Returns the answer about the first. */
static cJSON *take_all_back(const struct trashed *t, struct err *err)
{
	for (size_t i = spec_count(&t->spec) - 1; i > 0; i--) {
		struct spec one = spec_of(&t->spec, i);
		_json_ cJSON *o =
		    spec_has_worktree(&one) ? take_back(&one, err) : NULL;

		if (o || !spec_has_worktree(&one))
			continue;
		err_prefix(err, "%s", one.repository_name);
		put_back(t, i + 1);
		return NULL;
	}
	return take_back(&t->spec, err);
}

static void print_restored(const struct trashed *t, const cJSON *answer)
{
	const char *why = answer ? json_str(answer, "detached") : NULL;

	output_line(stdout, "%s: restored%s%s", t->spec.name,
		    answer ? " in " : "", answer ? t->spec.worktree : "");
	if (why)
		output_warn("%s: HEAD is detached: %s", t->spec.name, why);
	if (answer && json_bool(answer, "missing", false))
		output_warn("%s: the directory is still not there; put it "
			    "back; if it was moved: `git worktree repair PATH`",
			    t->spec.name);
}

static int lock_for_restore(const struct trashed *t, struct err *err)
{
	int lock = lock_acquire_soon(t->dir, err);

	if (lock < 0 && t->deleting && err->kind == ERR_CONFLICT)
		err_set(err, ERR_NO_SESSION,
			"it is being deleted, because all of its work is "
			"saved elsewhere");
	return lock;
}

static int restore(const struct trashed *t, struct err *err)
{
	cJSON *answer = NULL;
	int names = limit_lock(err), lock = -1, rc = -1;

	/* A session that has the name may also have the directory. */
	if (names >= 0 &&
	    session_name_free(t->spec.repository, t->spec.name, "", err) < 0)
		err_hint(err, "`afw rm %s` removes that one", t->spec.name);
	else if (names >= 0)
		lock = lock_for_restore(t, err);
	if (lock >= 0)
		rc = 0;
	if (rc == 0 && t->worktree) {
		answer = take_all_back(t, err);
		if (!answer)
			put_back(t, 1);
		rc = answer ? 0 : -1;
	}
	if (rc == 0)
		rc = trash_restore(t, err);
	if (rc == 0)
		rc = ports_give_up_taken(t->spec.id, err);
	file_close(lock);
	file_close(names);
	if (rc < 0)
		err_prefix(err, "restore '%s'", t->spec.name);
	else
		print_restored(t, answer);
	cJSON_Delete(answer);
	return rc;
}

/* -- purge ----------------------------------------------------------------- */

static int purge(const struct trashed *t, struct err *err)
{
	bool orphan = t->worktree && !trash_sweep_has_repository(t);
	const char *dir = json_str_or(t->worktree, "trash", "");
	bool left = orphan && access(dir, F_OK) == 0;

	if (trash_sweep_purge(t, err) < 0)
		return err_prefix(err, "purge '%s'", t->spec.name);
	/* Without the repository its commits are lost or elsewhere, so the
	 * directory may be the last copy of the work, and is kept. */
	output_line(stdout, "%s: purged%s%s%s%s", t->spec.name,
		    orphan ? "; its repository is not at " : "",
		    orphan ? t->spec.repository : "",
		    left ? ", so its files stay in " : "", left ? dir : "");
	return 0;
}

/* Marks those to purge: the named ones, those that are old enough, or all.
 * Returns how many, or -1 with err. */
static int choose_trashed(const struct trashed_list *l, const struct args *args,
			  int64_t older_ms, bool *chosen, struct err *err)
{
	int n = 0;

	for (size_t i = 0; i < args->n; i++) {
		const struct trashed *t =
		    find_trashed(l, args->positional[i], false, err);

		if (!t)
			return -1;
		chosen[t - l->v] = true;
	}
	for (size_t i = 0; i < l->n; i++) {
		int64_t age = clock_wall_ms() - l->v[i].removed_at;

		if (args->n == 0)
			chosen[i] = older_ms < 0 || age >= older_ms;
		n += chosen[i];
	}
	return n;
}

/* Asks, with the names: "some-repo/one, some-repo/two and 3 more". */
static bool confirm_names(const struct trashed_list *l, const bool *chosen,
			  size_t n)
{
	_buf_ struct buf line = {0};
	size_t named = 0;
	_free_ char *question = NULL;

	for (size_t i = 0; i < l->n && named < NAMED_MAX; i++) {
		if (!chosen[i])
			continue;
		if (named++)
			buf_adds(&line, named < n ? ", " : " and ");
		buf_addf(&line, "%s/%s", l->v[i].spec.repository_name,
			 l->v[i].spec.name);
	}
	if (named < n)
		buf_addf(&line, " and %zu more", n - named);
	question = mem_printf("Delete %s with all work in %s for good?",
			      line.data, n == 1 ? "it" : "them");
	return ask_yes(question);
}

/* Returns 1 for yes, 0 for no, -1 with err if it cannot ask. */
static int confirm_purge(const struct trashed_list *l, const bool *chosen,
			 size_t n, struct err *err)
{
	if (!ask_possible()) {
		err_set(err, ERR_USAGE,
			"trash purge: it deletes for good, and there is no "
			"terminal to ask on");
		return err_hint(err, "--yes if that is what you want");
	}
	return confirm_names(l, chosen, n);
}

static int purge_some(const struct trashed_list *l, const struct args *args,
		      struct err *err)
{
	int64_t older = args_duration_ms(args, "older-than", -1);
	bool *chosen = NULL;
	int n, rc, agreed = 1;

	if (older >= 0 && args->n)
		return err_set(err, ERR_USAGE,
			       "trash purge: names or --older-than, not both");
	chosen = mem_alloc((l->n + 1) * sizeof *chosen);
	n = choose_trashed(l, args, older, chosen, err);
	if (n == 0)
		puts("nothing to purge");
	else if (n > 0 && !args_has(args, "yes"))
		agreed = confirm_purge(l, chosen, (size_t)n, err);
	rc = n < 0 || agreed < 0 ? -1 : 0;
	for (size_t i = 0; n > 0 && agreed > 0 && i < l->n; i++) {
		struct err why = {0};

		if (chosen[i] && purge(&l->v[i], &why) < 0)
			rc = output_one_failed(rc, &why, err);
	}
	free(chosen);
	return rc;
}

static int restore_one(const struct trashed_list *l, const struct args *args,
		       struct err *err)
{
	const struct trashed *t =
	    find_trashed(l, args->positional[0], true, err);

	return t ? restore(t, err) : -1;
}

static int list(const struct trashed_list *l, const struct args *args,
		struct err *err)
{
	(void)err;
	if (args_has(args, "quiet"))
		trash_list_names(l);
	else
		trash_list_print(l, args_has(args, "json"),
				 args_has(args, "holds"));
	return 0;
}

/* -- the command ----------------------------------------------------------- */

typedef int trash_fn(const struct trashed_list *l, const struct args *args,
		     struct err *err);

static int with_list(const struct args *args, trash_fn *fn, struct err *err)
{
	struct trashed_list l;
	struct err unread = {0};
	int rc = 0;

	/* Print or restore the entries that can be read. */
	if (trash_list(&l, &unread) < 0 && l.n == 0) {
		*err = unread;
		return -1;
	}
	rc = fn(&l, args, err);
	trash_list_finish(&l);
	if (unread.kind &&
	    (rc == 0 ? args->n == 0 : err->kind == ERR_NO_SESSION)) {
		*err = unread;
		rc = -1;
	}
	return rc;
}

static int cmd_trash(const struct args *args, struct err *err)
{
	return with_list(args, list, err);
}

static int run_restore(const struct args *args, struct err *err)
{
	return with_list(args, restore_one, err);
}

static int run_purge(const struct args *args, struct err *err)
{
	return with_list(args, purge_some, err);
}

static const struct verb verbs[] = {
    {"ls", "", NULL, 0, 0, cmd_trash},
    {"restore", "NAME", "trashed", 1, 1, run_restore},
    {"purge", "[NAME...]", "trashed", 0, -1, run_purge},
    {.name = NULL},
};

const struct command command_trash = {
    .name = "trash",
    .usage = "",
    .summary = "list, restore or delete removed sessions",
    .verbs = verbs,
    .options = options,
    .run = cmd_trash,
};
