/* try_edits.c - brings what was edited in the main worktree into the worktree
 * of the session, by an undo to a checkpoint that has it: `afw undo --redo`
 * takes it out again. */
#include <stdlib.h>
#include <string.h>

#include "worktrees/checkpoint/modes.h"
#include "worktrees/checkpoint/try.h"
#include "worktrees/checkpoint/undo_recover.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/tree_diff.h"

struct edits {
	const struct try_main *m;
	const struct repo_place *place;
	struct tree_changes all;
	struct repo_worktree w; /* the session's */
	int lock;
	struct checkpoint_log log;
	struct checkpoint now, to;
};

static void edits_finish(struct edits *e)
{
	tree_changes_finish(&e->all);
	checkpoint_log_finish(&e->log);
	checkpoint_finish(&e->now);
	checkpoint_finish(&e->to);
	file_close(e->lock);
	repo_worktree_finish(&e->w);
}

/* Lists what differs, except files that are left alone. */
static int list(struct edits *e, const struct checkpoint *there,
		const struct checkpoint *now, struct strv *paths,
		struct err *err)
{
	git_repository *git = e->m->w.git;
	_git_tree_ git_tree *old = NULL, *new = NULL;
	const struct undo_plan plan = {.left_alone = now->left_out};
	size_t n = 0;

	if (git_tree_lookup(&old, git, &there->files) < 0 ||
	    git_tree_lookup(&new, git, &now->files) < 0 ||
	    tree_diff(&e->all, git, old, new) < 0)
		return repo_err(err, ERR_FAILED, "compare two checkpoints");
	for (size_t i = 0; i < e->all.n; i++) {
		struct tree_change *c = &e->all.v[i];

		if (!undo_plan_has(&plan, c->path)) {
			free(c->path);
			continue;
		}
		strv_add(paths, c->path);
		e->all.v[n++] = *c;
	}
	e->all.n = n;
	return 0;
}

static int open_session(struct edits *e, const git_oid *also, struct err *err)
{
	const struct try_main *m = e->m;
	_git_tree_ git_tree *files = NULL;
	_checkpoint_ struct checkpoint newest = {0};
	_scan_ struct scan s = {.w = &e->w,
				.out = m->out,
				.odb = m->odb,
				.umask = m->umask,
				.file_max = CHECKPOINT_FILE_MAX};

	if (repo_worktree_open(&e->w, e->place, err) < 0 ||
	    (e->lock = checkpoint_lock(&e->w, m->out, err)) < 0 ||
	    undo_recover(&e->w, m->umask, e->place, m->out, err) < 0 ||
	    checkpoint_log_read(&e->log, &e->w, err) < 0)
		return -1;
	if (git_tree_lookup(&files, e->w.git, also) < 0)
		return repo_err(err, ERR_FAILED, "read a checkpoint's files");
	s.also = files;
	checkpoint_newest(&newest, &e->log, e->w.git);
	e->now.kind = mem_strdup("user");
	e->now.text = mem_strdup("before what was edited in a try");
	return checkpoint_take(&e->now, &s, e->place->private, &newest, err);
}

/* Applies the edit to the files of the session, unless it has it already. */
static int apply(const struct edits *e, const struct tree_change *c,
		 const git_tree *files, git_index *to, struct err *err)
{
	git_index_entry new = {
	    .path = c->path, .mode = c->new_mode, .id = c->new_id};
	git_oid id = {0};
	unsigned mode = tree_find(files, c->path, &id);

	if (mode == c->new_mode && (!mode || git_oid_equal(&id, &c->new_id)))
		return 0;
	if (mode != c->old_mode || (mode && !git_oid_equal(&id, &c->old_id)))
		return err_set(err, ERR_CONFLICT,
			       "%s was edited in %s, and changed in '%.64s', "
			       "too",
			       c->path, e->m->w.path, e->m->tried.name);
	return (mode && git_index_remove(to, c->path, 0) < 0) ||
		       (new.mode &&git_index_add(to, &new) < 0)
		   ? repo_err(err, ERR_FAILED, "add %s", c->path)
		   : 0;
}

/* A copy of the session's state now, without files. */
static void copy_now(struct edits *e)
{
	const struct checkpoint *now = &e->now;
	struct checkpoint *to = &e->to;

	*to = *now;
	to->kind = mem_strdup("user");
	to->text = mem_strdup("with what was edited in a try");
	to->head = mem_strdup(now->head);
	to->index_is = mem_strdup(now->index_is);
	to->index_stat = mem_strdup(now->index_stat);
	to->empty = to->left_out = to->modes = (struct strv){0};
	strv_copy(&to->empty, &now->empty);
	strv_copy(&to->left_out, &now->left_out);
	strv_copy(&to->modes, &now->modes);
}

/* A file that was made private there is so here. */
static void add_modes(struct edits *e, const struct checkpoint *edited)
{
	_strv_ struct strv modes = {0};

	for (size_t i = 0; i < e->all.n; i++) {
		mode_t mode = modes_find(&edited->modes, e->all.v[i].path);

		if (mode)
			strv_addf(&modes, "%04o %s", (unsigned)mode,
				  e->all.v[i].path);
	}
	try_add_modes(&e->to.modes, &modes);
}

static int make_target(struct edits *e, const struct checkpoint *edited,
		       struct err *err)
{
	_git_tree_ git_tree *files = NULL;
	_git_index_ git_index *index = NULL;

	if (git_tree_lookup(&files, e->w.git, &e->now.files) < 0 ||
	    git_index_new(&index) < 0 || git_index_read_tree(index, files) < 0)
		return repo_err(err, ERR_FAILED, "read a checkpoint's files");
	for (size_t i = 0; i < e->all.n; i++)
		if (apply(e, &e->all.v[i], files, index, err) < 0)
			return -1;
	copy_now(e);
	add_modes(e, edited);
	return git_index_write_tree_to(&e->to.files, index, e->w.git) < 0
		   ? repo_err(err, ERR_FAILED, "store the files")
		   : 0;
}

static int replace(struct edits *e, struct err *err)
{
	CLEANUP(undo_plan_finish)
	struct undo_plan plan = {.w = &e->w,
				 .odb = e->m->odb,
				 .at = e->now.at,
				 .umask = e->m->umask,
				 .swap = {.dir = -1, .worktree = -1}};
	struct git_lock none = GIT_LOCK_NONE;
	struct undo_run run = {.w = &e->w,
			       .place = e->place,
			       .out = e->m->out,
			       .now = &e->now,
			       .to = &e->to,
			       .log = &e->log,
			       .plan = &plan,
			       .lock = &none,
			       .file_max = CHECKPOINT_FILE_MAX};
	int rc = -1;

	strv_copy(&plan.left_alone, &e->now.left_out);
	if (undo_plan_make(&plan, &e->now, &e->to, err) == 0 &&
	    checkpoint_add(&e->log, &e->to, &e->w, CHECKPOINT_KEEP, 0, err) ==
		0 &&
	    checkpoint_add(&e->log, &e->now, &e->w, CHECKPOINT_KEEP,
			   e->to.number, err) == 0) {
		run.to_id = e->log.v[e->log.n - 2].id;
		run.now_id = e->log.v[e->log.n - 1].id;
		rc = undo_run(&run, err);
	}
	strv_finish(&run.found);
	return rc;
}

static int give(struct edits *e, const struct checkpoint *edited,
		struct err *err)
{
	if (!e->place)
		return err_set(err, ERR_NO_SESSION,
			       "%s was edited in %s, and the session '%.64s' "
			       "is gone",
			       e->all.v[0].path, e->m->w.path,
			       e->m->tried.name);
	if (open_session(e, &edited->files, err) < 0 ||
	    make_target(e, edited, err) < 0)
		return -1;
	return git_oid_equal(&e->now.files, &e->to.files) ? 0 : replace(e, err);
}

int try_give_back(const struct try_main *m, const struct repo_place *place,
		  const struct checkpoint *there, const struct checkpoint *now,
		  struct strv *paths, struct err *err)
{
	CLEANUP(edits_finish)
	struct edits e = {
	    .m = m, .place = place, .w = REPO_WORKTREE_NONE, .lock = -1};

	if (list(&e, there, now, paths, err) < 0)
		return -1;
	if (!e.all.n || give(&e, now, err) == 0)
		return 0;
	return err_hint(err,
			"`git -C %s stash -u` keeps what was edited there; "
			"then `afw try --end`",
			m->w.path);
}
