/*
 * try.c - the operation try: puts a session's state into the main worktree.
 *
 * HEAD becomes a commit of that state, without a branch. The main worktree must
 * be clean; its untracked files stay as they are, and are left alone until the
 * end.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "worktrees/changes/snapshot.h"
#include "worktrees/changes/work.h"
#include "worktrees/checkpoint/try.h"
#include "worktrees/checkpoint/undo_recover.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/sparse_index.h"
#include "worktrees/git/tree_diff.h"
#include "worktrees/operations.h"

#define NEW_INDEX "afw-try.index"

/* -- may it be done? --------------------------------------------------------
 */

static int check_free(const struct try_main *m, struct err *err)
{
	const char *path = m->w.path;

	if (m->tried.session) {
		err_set(err, ERR_CONFLICT, "%s has the state of '%.64s'", path,
			m->tried.name);
		return err_hint(err, "`afw try --end` puts back what was "
				     "there before");
	}
	if (git_repository_state(m->w.git) == GIT_REPOSITORY_STATE_NONE)
		return 0;
	err_set(err, ERR_CONFLICT,
		"a merge, rebase or the like is unfinished in %s", path);
	return err_hint(err, "`git -C %s status` prints what is left to do",
			path);
}

/* Adds the files of which git knows, but with another content. */
static int list_staged(const struct try_main *m, git_index *index,
		       const git_oid *head, struct strv *dirty, struct err *err)
{
	_git_tree_ git_tree *tree = repo_tree(m->w.git, head, err);
	_git_diff_ git_diff *diff = NULL;

	if (!tree)
		return -1;
	if (git_diff_tree_to_index(&diff, m->w.git, tree, index, NULL) < 0)
		return repo_err(err, ERR_FAILED, "compare the index of %s",
				m->w.path);
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++)
		strv_add(dirty, git_diff_get_delta(diff, i)->new_file.path);
	return 0;
}

/* Refuses if there are uncommitted changes, and lists the untracked files. */
static int check_clean(const struct try_main *m, const git_oid *head,
		       struct strv *untracked, struct err *err)
{
	_strv_ struct strv files = {0}, dirty = {0};
	_git_index_ git_index *index = NULL;
	const char *more;

	if (work_uncommitted(&m->w, &files, NULL, err) < 0)
		return -1;
	if (sparse_index_of(&index, m->w.git) < 0)
		return repo_err(err, ERR_FAILED, "read the index of %s",
				m->w.path);
	if (list_staged(m, index, head, &dirty, err) < 0)
		return -1;
	for (size_t i = 0; i < files.n; i++)
		strv_add(git_index_get_bypath(index, files.v[i], 0) ? &dirty
								    : untracked,
			 files.v[i]);
	if (!dirty.n)
		return 0;
	strv_sort(&dirty); /* a staged file is there twice */
	more = strcmp(dirty.v[0], dirty.v[dirty.n - 1]) ? " and more" : "";
	err_set(err, ERR_CONFLICT, "%s has uncommitted changes: %s%s",
		m->w.path, dirty.v[0], more);
	return err_hint(err,
			"commit them, or `git -C %s stash` puts them aside",
			m->w.path);
}

/* An untracked or ignored file stays: the session's must not be another one. It
 * would be lost with a checkout by git, which takes it for the session's. */
static int check_untracked(const struct try_main *m,
			   const struct checkpoint *now,
			   const struct checkpoint *to, struct err *err)
{
	_git_tree_ git_tree *here = NULL, *there = NULL;
	_git_index_ git_index *index = NULL;
	_tree_changes_ struct tree_changes all = {0};

	if (sparse_index_of(&index, m->w.git) < 0 ||
	    git_tree_lookup(&here, m->w.git, &now->files) < 0 ||
	    git_tree_lookup(&there, m->w.git, &to->files) < 0 ||
	    tree_diff(&all, m->w.git, here, there) < 0)
		return repo_err(err, ERR_FAILED, "read a checkpoint's files");
	for (size_t i = 0; i < all.n; i++) {
		const struct tree_change *c = &all.v[i];

		if (!c->old_mode || !c->new_mode ||
		    git_index_get_bypath(index, c->path, 0))
			continue;
		err_set(err, ERR_CONFLICT,
			"%s is untracked in %s, and the session has another "
			"one",
			c->path, m->w.path);
		return err_hint(err, "move it away, and try again");
	}
	return 0;
}

/* -- the session's state ---------------------------------------------------
 */

/* Lists what its sparse patterns leave out. */
static int list_skipped(struct scan *s, struct strv *skipped, struct err *err)
{
	if (!s->tracked &&
	    sparse_index_open(&s->tracked, s->index_file, s->w->git) < 0)
		return index_lock_unreadable(s->w->git, err);
	for (size_t i = 0; i < git_index_entrycount(s->tracked); i++) {
		const git_index_entry *e = git_index_get_byindex(s->tracked, i);

		if (index_entry_skipped(e) &&
		    !git_index_get_bypath(s->files, e->path, 0))
			strv_add(skipped, e->path);
	}
	return 0;
}

/* Names what the session's state lacks, except submodules and tracked files. */
static void list_left_out(const struct scan *s, cJSON *answer)
{
	_strv_ struct strv untracked = {0};

	for (size_t i = 0; i < s->left_out.n; i++) {
		const char *path = s->left_out.v[i];
		size_t n = strlen(path);
		_free_ char *plain =
		    mem_strndup(path, n - (path[n - 1] == '/'));

		if (git_index_find(NULL, s->tracked, plain) < 0)
			strv_add(&untracked, path);
	}
	json_set_strv(answer, "left_out", &untracked);
}

/* Adds those to the session's files as they are now. */
static int keep_skipped(const struct try_main *m, const struct checkpoint *now,
			struct checkpoint *to, const struct strv *skipped,
			struct err *err)
{
	git_repository *git = m->w.git;
	_git_tree_ git_tree *old = NULL, *new = NULL;
	_git_index_ git_index *index = NULL;
	int rc = 0;

	if (!skipped->n)
		return 0;
	if (git_tree_lookup(&old, git, &now->files) < 0 ||
	    git_tree_lookup(&new, git, &to->files) < 0 ||
	    git_index_new(&index) < 0 || git_index_read_tree(index, new) < 0)
		return repo_err(err, ERR_FAILED, "read a checkpoint's files");
	for (size_t i = 0; rc == 0 && i < skipped->n; i++) {
		git_index_entry e = {.path = skipped->v[i]};

		e.mode = tree_find(old, e.path, &e.id);
		if (e.mode && e.mode != GIT_FILEMODE_TREE)
			rc = git_index_add(index, &e);
	}
	return rc < 0 || git_index_write_tree_to(&to->files, index, git) < 0
		   ? repo_err(err, ERR_FAILED, "store the files")
		   : 0;
}

/* Takes its files as they are on disk, and makes a commit of its work. */
static int take_session(const struct try_main *m,
			const struct repo_place *place, struct checkpoint *to,
			struct strv *skipped, cJSON *answer, struct err *err)
{
	_repo_worktree_ struct repo_worktree w = REPO_WORKTREE_NONE;
	_close_ int lock = -1;
	_scan_ struct scan s = {.w = &w,
				.out = m->out,
				.odb = m->odb,
				.umask = m->umask,
				.file_max = CHECKPOINT_FILE_MAX};
	bool uncommitted;

	if (repo_worktree_open(&w, place, err) < 0 ||
	    (lock = checkpoint_lock(&w, m->out, err)) < 0 ||
	    undo_recover(&w, m->umask, place, m->out, err) < 0)
		return -1;
	to->kind = mem_strdup(TRY_KIND);
	if (checkpoint_take(to, &s, place->private, NULL, err) < 0 ||
	    list_skipped(&s, skipped, err) < 0 ||
	    snapshot_store(place, m->w.git, &to->commit, &uncommitted, err) < 0)
		return -1;
	mem_set(&to->head, NULL);
	to->unfinished = false;
	json_set_str(answer, "commit", git_oid_tostr_s(&to->commit));
	json_set_bool(answer, "uncommitted", uncommitted);
	list_left_out(&s, answer);
	return 0;
}

/* Removes the stat data of files that are replaced: those with other line ends
 * have the same blob. */
static int forget_stats(git_repository *git, git_index *index,
			const git_tree *old, const git_tree *new)
{
	_tree_changes_ struct tree_changes all = {0};

	if (tree_diff(&all, git, old, new) < 0)
		return -1;
	for (size_t i = 0; i < all.n; i++) {
		git_index_entry *e = (git_index_entry *)git_index_get_bypath(
		    index, all.v[i].path, 0);

		if (e)
			index_entry_stat(e, &(struct stat){0});
	}
	return 0;
}

/* Fills the index with the commit's files. Those that sparse patterns leave
 * out, here as there, stay so. */
static int fill_index(const struct try_main *m, git_index *index,
		      const struct checkpoint *now, const struct checkpoint *to)
{
	git_repository *git = m->w.git;
	_git_tree_ git_tree *tree = repo_tree(git, &to->commit, NULL),
			    *old = NULL, *files = NULL;
	bool sparse = repo_config_bool(git, "core.sparsecheckout", false);

	if (!tree || git_tree_lookup(&old, git, &now->files) < 0 ||
	    git_tree_lookup(&files, git, &to->files) < 0 ||
	    git_index_read_tree(index, tree) < 0 ||
	    forget_stats(git, index, old, files) < 0)
		return -1;
	for (size_t i = 0; sparse && i < git_index_entrycount(index); i++) {
		git_index_entry *e =
		    (git_index_entry *)git_index_get_byindex(index, i);

		index_entry_skip(e, e->mode != GIT_FILEMODE_COMMIT &&
					!tree_find(files, e->path, NULL));
	}
	return git_index_write(index);
}

/* Makes it from the present one, with the stat data of what stays. */
static int make_index(const struct try_main *m, const struct checkpoint *now,
		      struct checkpoint *to, struct err *err)
{
	_free_ char *file = file_join(m->w.admin, "index"),
		    *copy = file_join(m->w.admin, NEW_INDEX);
	CLEANUP(index_lock_finish) struct index_lock lock = {0};
	_git_index_ git_index *index = NULL;
	_buf_ struct buf text = {0};

	if (index_lock_acquire(&lock, file, copy, NULL, err) < 0 ||
	    index_lock_open(copy, true, m->w.git, &index, err) < 0)
		return -1;
	to->index_mtime = now->index_mtime;
	return fill_index(m, index, now, to) < 0 ||
		       checkpoint_take_staged(to, m->w.git, m->odb, index) <
			   0 ||
		       file_read(AT_FDCWD, copy, SCAN_INDEX_MAX, &text, err) <
			   0 ||
		       git_odb_write(&to->index, m->odb, text.data, text.len,
				     GIT_OBJECT_BLOB) < 0
		   ? repo_err(err, ERR_FAILED, "make the index of %s",
			      m->w.path)
		   : 0;
}

/* What a checkpoint has besides files stays as it is there. */
static void adapt(struct checkpoint *to, const struct checkpoint *now,
		  const struct strv *untracked)
{
	_strv_ struct strv modes = {0};

	strv_copy(&modes, &now->modes);
	try_add_modes(&modes, &to->modes);
	strv_finish(&to->modes);
	strv_copy(&to->modes, &modes);
	strv_finish(&to->empty);
	strv_copy(&to->empty, &now->empty);
	strv_copy(&to->left_out, untracked);
	to->rules = now->rules;
	to->umask = now->umask;
	to->at = clock_wall_ms();
}

/* -- all -------------------------------------------------------------------
 */

/* The files that the session's .gitignore no longer ignores are the user's. */
static int leave_alone(struct try_main *m, struct checkpoint *to,
		       const struct strv *found, struct err *err)
{
	struct checkpoint_entry *e = &m->log.v[m->log.n - 2];

	strv_copy(&to->left_out, found);
	return !found->n || (checkpoint_store(to, m->w.git, e, err) == 0 &&
			     checkpoint_log_write(&m->log, &m->w, err) == 0)
		   ? 0
		   : -1;
}

static int record(struct try_main *m, const struct try_request *req,
		  struct checkpoint *now, struct checkpoint *to,
		  struct err *err)
{
	try_drop_left(m);
	if (try_add(m, to, err) < 0 || try_add(m, now, err) < 0)
		return -1;
	m->tried =
	    (struct tried){.session = mem_strdup(req->id),
			   .name = mem_strdup(req->name),
			   .commit = mem_strdup(git_oid_tostr_s(&to->commit)),
			   .head = mem_strdup(now->head),
			   .from = mem_strdup(git_oid_tostr_s(&now->commit)),
			   .before = now->number};
	return tried_save(&m->tried, m->w.git_dir, err);
}

static int prepare(struct try_main *m, const struct try_request *req,
		   struct checkpoint *now, struct checkpoint *to, cJSON *answer,
		   struct err *err)
{
	_strv_ struct strv untracked = {0}, skipped = {0};

	if (check_free(m, err) < 0 ||
	    take_session(m, &req->place, to, &skipped, answer, err) < 0 ||
	    try_take(m, now, &to->files, err) < 0 ||
	    keep_skipped(m, now, to, &skipped, err) < 0)
		return -1;
	if (git_oid_is_zero(&now->commit))
		return err_set(err, ERR_FAILED, "%s has no commit yet",
			       m->w.path);
	if (check_clean(m, &now->commit, &untracked, err) < 0 ||
	    check_untracked(m, now, to, err) < 0 ||
	    make_index(m, now, to, err) < 0)
		return -1;
	adapt(to, now, &untracked);
	return output_check(m->out, err);
}

int worktree_try(struct output *out, const struct try_request *req,
		 cJSON *answer, struct err *err)
{
	_try_ struct try_main m = TRY_MAIN_NONE;
	_checkpoint_ struct checkpoint now = {0}, to = {0};
	_strv_ struct strv left_alone = {0};

	if (try_open(&m, req->place.repository, out, err) < 0 ||
	    prepare(&m, req, &now, &to, answer, err) < 0)
		return -1;
	if (record(&m, req, &now, &to, err) < 0 ||
	    try_replace(&m, &now, &to, &left_alone, err) < 0) {
		try_drop(&m, NULL);
		return -1;
	}
	json_set_strv(answer, "left_alone", &left_alone);
	return leave_alone(&m, &to, &left_alone, err);
}
