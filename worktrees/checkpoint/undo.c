/*
 * undo.c - the operation undo: restores the files, the index and the branch as
 * they are in a checkpoint.
 *
 * The present state is kept first, so an undo is reversed by restoring that.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "worktrees/changes/changes.h"
#include "worktrees/changes/snapshot.h"
#include "worktrees/changes/work.h"
#include "worktrees/checkpoint/undo.h"
#include "worktrees/checkpoint/undo_recover.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/index_lock.h"
#include "worktrees/git/tree_diff.h"
#include "worktrees/operations.h"
#include "worktrees/private/harvest.h"

struct undo {
	const struct undo_request *req;
	struct output *out;
	bool moves; /* the index and the branch, too */
	struct repo_worktree w;
	git_odb *odb;
	mode_t umask; /* the user's */
	char *agreed; /* the plan that the user has agreed to; or NULL */
	/* A plan, and what it is made under: */
	cJSON *answer;
	int lock; /* of the list */
	struct checkpoint_log log;
	struct git_lock git_lock;
	struct checkpoint now, to;
	struct scan scan; /* of now */
	git_tree *also;	  /* the target's files */
	struct undo_plan plan;
	struct strv modes; /* what has other permissions only */
};

static void drop_plan(struct undo *u)
{
	undo_plan_finish(&u->plan);
	strv_finish(&u->modes);
	git_lock_release(&u->git_lock);
	scan_finish(&u->scan);
	git_tree_free(u->also);
	checkpoint_finish(&u->now);
	checkpoint_finish(&u->to);
	checkpoint_log_finish(&u->log);
	file_close(u->lock);
	cJSON_Delete(u->answer);
	u->answer = cJSON_CreateObject();
	u->scan = (struct scan){0};
	u->also = NULL;
	u->lock = -1;
	u->git_lock = (struct git_lock)GIT_LOCK_NONE;
	u->plan = (struct undo_plan){.umask = u->umask,
				     .swap = {.dir = -1, .worktree = -1}};
}

static void undo_finish(struct undo *u)
{
	drop_plan(u);
	cJSON_Delete(u->answer);
	free(u->agreed);
	git_odb_free(u->odb);
	repo_worktree_finish(&u->w);
}

/* -- the present state, and the target -------------------------------------
 */

/* Takes the present state: with the files that the target has, even if they are
 * ignored now, as they would be replaced. */
static int take_now(struct undo *u, struct err *err)
{
	_checkpoint_ struct checkpoint newest = {0};

	scan_finish(&u->scan);
	checkpoint_finish(&u->now);
	git_tree_free(u->also);
	u->also = NULL;
	if (git_tree_lookup(&u->also, u->w.git, &u->to.files) < 0)
		return repo_err(err, ERR_FAILED, "read a checkpoint's files");
	u->scan = (struct scan){.w = &u->w,
				.out = u->out,
				.odb = u->odb,
				.also = u->also,
				.umask = u->umask,
				.file_max = u->req->file_max};
	checkpoint_newest(&newest, &u->log, u->w.git);
	u->now.kind = mem_strdup("undo");
	return checkpoint_take(&u->now, &u->scan, u->req->place.private,
			       &newest, err);
}

/* The start of the last turn that has changed something. If a turn before that
 * one's has none, it would be undone together with the one before it. */
static int find_turn(struct undo *u, struct err *err)
{
	size_t end = u->log.n;
	int rc;

	while ((rc = checkpoint_find_kind(&u->to, &u->log, u->w.git,
					  "turn-begin", end, err)) > 0) {
		if (take_now(u, err) < 0)
			return -1;
		if (!checkpoint_equal_modes(&u->now, &u->to))
			return 0;
		if (u->to.after_gap) {
			err_set(err, ERR_FAILED,
				"there is no checkpoint of the start of the "
				"turn before checkpoint %" PRId64,
				u->to.number);
			return err_hint(err, "name an older checkpoint to undo "
					     "that turn and more");
		}
		while (end > 0 && u->log.v[end - 1].number >= u->to.number)
			end--;
		checkpoint_finish(&u->to);
	}
	if (rc < 0)
		return -1;
	return u->now.kind
		   ? err_set(err, ERR_FAILED,
			     "everything is as it was when each turn began")
		   : err_set(err, ERR_FAILED,
			     "there is no checkpoint of a turn's start");
}

static int find_target(struct undo *u, struct err *err)
{
	int64_t to =
	    u->req->redo ? checkpoint_undone(&u->log, u->w.git) : u->req->to;

	if (u->req->redo && !to)
		return err_set(err, ERR_FAILED, "there is no undo to reverse");
	if (!to)
		return find_turn(u, err);
	return checkpoint_find(&u->to, &u->log, u->w.git, to, err) < 0
		   ? -1
		   : take_now(u, err);
}

/* -- the answer ------------------------------------------------------------
 */

static void list_changes(const struct undo *u)
{
	_strv_ struct strv restored = {0}, removed = {0};
	const struct swap *s = &u->plan.swap;

	strv_copy(&restored, &u->modes);
	for (size_t i = 0; i < s->n; i++)
		if (!s->v[i].skip)
			strv_add(s->v[i].mode ? &restored : &removed,
				 s->v[i].path);
	strv_sort(&restored);
	json_set_int(u->answer, "to", u->to.number);
	json_set_int(u->answer, "at", u->to.at);
	json_set_strv(u->answer, "restored", &restored);
	json_set_strv(u->answer, "removed", &removed);
	json_set_int(u->answer, "verified", (int64_t)(restored.n + removed.n));
}

static void list_left_alone(struct undo *u)
{
	strv_sort(&u->plan.left_alone);
	json_set_strv(u->answer, "left_alone", &u->plan.left_alone);
}

/* Counts the work, from what the scan has seen and what the plan has changed
 * since. It is done, whether or not it can be counted. */
static void count(struct undo *u)
{
	_strv_ struct strv paths = {0};
	struct err err = {0};

	for (size_t i = 0; i < u->plan.swap.n; i++)
		strv_add(&paths, u->plan.swap.v[i].path);
	for (size_t i = 0; i < u->plan.left_alone.n; i++)
		strv_add(&paths, u->plan.left_alone.v[i]);
	/* The scan has read git's index; changes_count() reads it again only if
	 * it is another one by now. */
	if (!u->req->place.private)
		index_lock_share(u->scan.tracked, u->w.git);
	changes_count(&u->w, &u->req->place, u->scan.files, &paths, u->out,
		      u->answer, &err);
}

/* -- all -------------------------------------------------------------------
 */

/* Each path must be a file or a directory, now or then. */
static int check_only(const struct undo *u, struct err *err)
{
	for (size_t i = 0; i < u->plan.only.n; i++) {
		const char *path = u->plan.only.v[i];

		if (!tree_find(u->plan.old, path, NULL) &&
		    !tree_find(u->plan.new, path, NULL))
			return err_set(err, ERR_FAILED,
				       "there is no file %s, neither now nor "
				       "in checkpoint %" PRId64,
				       path, u->to.number);
	}
	return 0;
}

static int make_plan(struct undo *u, struct err *err)
{
	u->plan.w = &u->w;
	strv_copy(&u->plan.only, u->req->files);
	u->plan.odb = u->odb;
	u->plan.at = u->to.at;
	if (!git_oid_equal(&u->to.rules, &u->now.rules))
		u->plan.rules = u->to.rules;
	strv_copy(&u->plan.left_alone, &u->now.left_out);
	for (size_t i = 0; i < u->to.left_out.n; i++)
		if (!strv_has(&u->plan.left_alone, u->to.left_out.v[i]))
			strv_add(&u->plan.left_alone, u->to.left_out.v[i]);
	if (undo_plan_make(&u->plan, &u->now, &u->to, err) < 0 ||
	    check_only(u, err) < 0)
		return -1;
	undo_plan_modes(&u->plan, &u->now, &u->to, &u->modes);
	return 0;
}

static bool changes_nothing(const struct undo *u)
{
	for (size_t i = 0; i < u->plan.swap.n; i++)
		if (!u->plan.swap.v[i].skip)
			return false;
	if (u->modes.n)
		return false;
	return !u->moves || (checkpoint_equal(&u->now, &u->to) &&
			     git_oid_equal(&u->now.index, &u->to.index));
}

/* Keeps the present state; id is its commit. */
static int keep_now(struct undo *u, git_oid *id, struct err *err)
{
	if (checkpoint_add(&u->log, &u->now, &u->w, u->req->keep, u->to.number,
			   err) < 0)
		return -1;
	*id = u->log.v[u->log.n - 1].id;
	json_set_int(u->answer, "saved", u->now.number);
	return 0;
}

static int change(struct undo *u, struct err *err)
{
	struct undo_run r = {.w = &u->w,
			     .log = &u->log,
			     .redo = u->req->redo,
			     .place = &u->req->place,
			     .answer = u->answer,
			     .out = u->out,
			     .moves = u->moves,
			     .now = &u->now,
			     .to = &u->to,
			     .plan = &u->plan,
			     .lock = &u->git_lock,
			     .file_max = u->scan.file_max};
	int rc;

	for (size_t i = 0; i < u->log.n; i++)
		if (u->log.v[i].number == u->to.number)
			r.to_id = u->log.v[i].id;
	rc = keep_now(u, &r.now_id, err);
	if (rc == 0)
		rc = undo_run(&r, err);
	for (size_t i = 0; i < r.found.n; i++)
		strv_add(&u->plan.left_alone, r.found.v[i]);
	strv_finish(&r.found);
	if (rc < 0)
		return -1;
	list_left_alone(u);
	if (u->req->count)
		count(u);
	return 0;
}

static int open_store(struct undo *u, struct err *err)
{
	if (u->req->dry_run)
		return snapshot_begin(&u->odb, u->w.git, err);
	if (git_repository_odb(&u->odb, u->w.git) < 0)
		return repo_err(err, ERR_FAILED, "open the object store");
	return 0;
}

/* A merge or the like of a private git directory is found by its lock. */
static int check_state(struct undo *u, struct err *err)
{
	if (u->moves)
		return work_on_branch(&u->w, u->req->place.branch, err);
	if (git_repository_state(u->w.git) == GIT_REPOSITORY_STATE_NONE)
		return 0;
	return err_set(err, ERR_CONFLICT,
		       "a merge, rebase or the like is unfinished in %s",
		       u->w.path);
}

/* Finds out what is to be done now. locks: it is to be done at once. */
static int plan(struct undo *u, bool locks, struct err *err)
{
	drop_plan(u);
	if (harvest(&u->req->place, u->answer, err) < 0 ||
	    (u->lock = checkpoint_lock(&u->w, u->out, err)) < 0 ||
	    undo_recover(&u->w, u->umask, &u->req->place, u->out, err) < 0 ||
	    checkpoint_log_read(&u->log, &u->w, err) < 0 ||
	    check_state(u, err) < 0)
		return -1;
	if ((locks && git_lock_take(&u->git_lock, &u->w, &u->req->place, NULL,
				    err) < 0) ||
	    find_target(u, err) < 0 ||
	    (u->moves &&
	     undo_check_branch(&u->w, &u->req->place, &u->now, &u->to,
			       u->req->redo, u->answer, err) < 0) ||
	    make_plan(u, err) < 0)
		return -1;
	if (!u->req->dry_run)
		scan_remember(&u->scan);
	list_changes(u);
	json_set_bool(u->answer, "nothing", changes_nothing(u));
	return 0;
}

/* Asks the caller, with all locks released: a person may think for long, and
 * git and the session go on meanwhile. */
static int ask(struct undo *u, char *text, struct err *err)
{
	int rc;

	if (u->agreed)
		json_set_bool(u->answer, "differs", true);
	free(u->agreed);
	u->agreed = text;
	list_left_alone(u);
	json_set_bool(u->answer, "confirm", true);
	rc = output_line(u->out, u->answer);
	drop_plan(u);
	if (rc < 0)
		return output_check(u->out, err);
	rc = output_confirmed(u->out, 0, err);
	return rc == 0 ? err_set(err, ERR_FAILED, "not confirmed") : rc;
}

/* The plan that was confirmed is made again, under the locks: nothing is done
 * unless it is the same. */
static int undo(struct undo *u, struct err *err)
{
	for (;;) {
		_buf_ struct buf text = {0};

		if (plan(u, !u->req->dry_run && (!u->req->confirm || u->agreed),
			 err) < 0)
			return -1;
		if (u->req->dry_run || changes_nothing(u)) {
			list_left_alone(u);
			return 0;
		}
		json_print(u->answer, &text);
		if (!u->req->confirm ||
		    (u->agreed && strcmp(u->agreed, text.data) == 0))
			return change(u, err);
		if (ask(u, mem_strdup(text.data), err) < 0)
			return -1;
	}
}

int worktree_undo(struct output *out, const struct undo_request *req,
		  cJSON *answer, struct err *err)
{
	CLEANUP(undo_finish)
	struct undo u = {.req = req,
			 .out = out,
			 .moves = !req->keep_commits && !req->files->n,
			 .w = REPO_WORKTREE_NONE,
			 .lock = -1,
			 .git_lock = GIT_LOCK_NONE,
			 .plan = {.swap = {.dir = -1, .worktree = -1}}};

	if (repo_worktree_open(&u.w, &req->place, err) < 0)
		return -1;
	u.umask = repo_share(u.w.git);
	if (open_store(&u, err) < 0 || undo(&u, err) < 0)
		return -1;
	json_replace_members(answer, u.answer);
	return 0;
}
