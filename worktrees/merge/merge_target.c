/*
 * merge_target.c - updates the worktree that has the branch checked out.
 *
 * git's lock on the index is held from the first check to the end. Everything
 * is checked before the first file is touched. Then the files change, then the
 * index in one rename, and the branch (merge.c) is the last. If one of them
 * fails, those before it are put back.
 *
 * If this is killed, each file is as it was, as it will be, or absent: the same
 * merge, made again, finishes.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/gitfile.h"
#include "worktrees/git/attributes.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/branch.h"
#include "worktrees/git/tree_diff.h"
#include "worktrees/merge/merge.h"

/* -- the worktree ------------------------------------------------------------
 */

/* Reports a main worktree from which nothing leads to the git directory. */
static int lost_main(const struct merge *m, struct err *err)
{
	err_set(err, ERR_FAILED,
		"%s is checked out in a main worktree that afw cannot find",
		m->into);
	return err_hint(err,
			"in that worktree, run: `git --git-dir=%s config "
			"core.worktree \"$PWD\"; echo 'gitdir: %s' >.git`",
			m->repo.git_dir, m->repo.git_dir);
}

/*
 * name: git's entry, or "" for the main one. repo_open() has found that, as a
 * separate git directory may not name it.
 */
static int open_git(struct target *t, const struct merge *m, const char *entry,
		    struct err *err)
{
	const char *common = m->repo.git_dir, *dir;
	_free_ char *admin = *entry
				 ? mem_printf("%s/worktrees/%s", common, entry)
				 : mem_strdup(common);

	if (!*entry && m->repo.bare)
		return lost_main(m, err);
	if (repo_open_git(&t->git, admin) < 0 ||
	    (!*entry && repo_set_workdir(t->git, m->repo.path) < 0))
		return repo_err(err, ERR_FAILED, "open %s", admin);
	dir = git_repository_workdir(t->git);
	/* Git's files may name any directory: it must lead back. */
	if (!dir || !gitfile_leads_to(dir, admin)) {
		err_set(err, ERR_FAILED,
			"%s is checked out in a worktree that is gone (%s)",
			m->into, dir ? dir : admin);
		return err_hint(err, "`git worktree prune` forgets it");
	}
	t->path = mem_strndup(dir, strlen(dir) - 1);
	t->index_file = file_join(admin, "index");
	return 0;
}

int target_open(struct target *t, const struct merge *m, struct err *err)
{
	_strv_ struct strv found = {0};
	bool rebases;

	if (branch_worktrees(m->repo.main, m->into_ref, &found, &rebases, err) <
	    0)
		return -1;
	if (rebases)
		return err_set(err, ERR_CONFLICT,
			       "%s is being rebased in a worktree", m->into);
	if (found.n > 1)
		return err_set(err, ERR_CONFLICT,
			       "%s is checked out in %zu worktrees", m->into,
			       found.n);
	if (found.n == 0)
		return 0;
	if (open_git(t, m, found.v[0], err) < 0)
		return -1;
	if (git_repository_state(t->git) != GIT_REPOSITORY_STATE_NONE)
		return err_set(
		    err, ERR_CONFLICT,
		    "a merge, rebase or the like is unfinished in %s", t->path);
	return 0;
}

void target_finish(struct target *t)
{
	swap_finish(&t->swap);
	index_lock_finish(&t->new);
	index_lock_finish(&t->lock);
	git_diff_free(t->diff);
	git_index_free(t->index);
	sparse_finish(&t->sparse);
	strv_finish(&t->dirty);
	free(t->index_file);
	git_repository_free(t->git);
	free(t->path);
}

/* -- the change --------------------------------------------------------------
 */

/* Fills the index from the new tree, without stat data so far. */
static int fill_index(struct target *t, struct err *err)
{
	const struct swap *s = &t->swap;

	for (size_t i = 0; i < s->n; i++)
		if (!s->v[i].mode)
			git_index_remove(t->index, s->v[i].path, 0);
	for (size_t i = 0; i < s->n; i++) {
		const struct swap_file *f = &s->v[i];
		git_index_entry e = {
		    .path = f->path, .mode = f->mode, .id = f->id};

		index_entry_skip(&e, f->left_out);
		if (f->mode && git_index_add(t->index, &e) < 0)
			return repo_err(err, ERR_FAILED, "add %s to the index",
					f->path);
	}
	return 0;
}

/* Sets the stat data of the files that are in place now. */
static void fill_stats(struct target *t)
{
	const struct swap *s = &t->swap;

	for (size_t i = 0; i < s->n; i++) {
		const struct swap_file *f = &s->v[i];
		/* Entries are patched in place: see index_entry.h. */
		git_index_entry *e = (git_index_entry *)git_index_get_bypath(
		    t->index, f->path, 0);

		if (e && f->mode && f->mode != GIT_FILEMODE_COMMIT)
			index_entry_stat(e, &f->made);
	}
}

/* Returns how many submodules are to be checked out by git. */
static int64_t count_modules(const struct target *t)
{
	const struct swap *s = &t->swap;
	int64_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		_free_ char *git =
		    mem_printf("%s/%s/.git", t->path, s->v[i].path);

		n += s->v[i].mode == GIT_FILEMODE_COMMIT &&
		     access(git, F_OK) == 0;
	}
	return n;
}

static int change(struct target *t, const struct merge *m, struct err *err)
{
	int64_t modules = count_modules(t);
	const char *attributes = NULL;
	mode_t shared;
	int rc;

	if (fill_index(t, err) < 0)
		return -1;
	/* The new ones are read from there. */
	if (attributes_elsewhere(t->git) || attributes_configured(t->git) ||
	    attributes_in(t->index))
		attributes = t->new.lock;
	if (attributes && git_index_write(t->index) < 0)
		return repo_err(err, ERR_FAILED, "write %s", t->new.lock);
	shared = umask(m->umask);
	rc = swap_make(&t->swap, t->git, attributes, false, m->out, err);
	if (rc == 0)
		rc = swap_run(&t->swap, err);
	umask(shared);
	if (rc < 0)
		return -1;
	if (t->swap.pointers)
		json_set_int(m->answer, "lfs_pointers",
			     (int64_t)t->swap.pointers);
	if (modules)
		json_set_int(m->answer, "submodules", modules);
	fill_stats(t);
	if (index_lock_end(&t->new, t->index, err) < 0) {
		swap_undo(&t->swap, err);
		return -1;
	}
	t->has_index = true;
	return 0;
}

void target_undo(struct target *t, struct err *err)
{
	if (!t->has_index)
		return;
	swap_undo(&t->swap, err);
	if (index_lock_revert(&t->lock, NULL) < 0)
		err_hint(err,
			 "the index could not be restored: `git -C %s reset`",
			 t->path);
}

void target_complete(struct target *t)
{
	swap_prune(&t->swap);
}

static int compare(struct target *t, const struct merge *m, struct err *err)
{
	_git_tree_ git_tree *old = repo_tree(t->git, &m->old, err), *new = NULL;

	if (!old)
		return -1;
	if (git_tree_lookup(&new, t->git, &m->tree) < 0 ||
	    tree_diff_git(&t->diff, t->git, old, new, 0) < 0)
		return repo_err(err, ERR_FAILED, "compare %s and its new state",
				t->path);
	return 0;
}

/* Locks the index, and copies it for the new one. */
static int lock(struct target *t, struct err *err)
{
	_free_ char *copy = NULL;

	if (index_lock_acquire(&t->lock, t->index_file, NULL, NULL, err) < 0)
		return -1;
	if (swap_open(&t->swap, t->git, t->path, err) < 0)
		return err->kind == ERR_REFUSED
			   ? err_hint(err, "merge with git itself, there")
			   : -1;
	copy = file_join(t->swap.path, "index/index");
	return index_lock_acquire(&t->new, t->index_file, copy, NULL, err);
}

int target_update(struct target *t, struct merge *m, struct err *err)
{
	json_set_str(m->answer, "worktree", t->path);
	t->swap.worktree = open(t->path, FILE_DIR_FLAGS & ~O_NOFOLLOW);
	if (t->swap.worktree < 0)
		return err_errno(err, "open %s", t->path);
	if (sparse_load(&t->sparse, t->git, err) < 0 ||
	    compare(t, m, err) < 0 || (m->moves && lock(t, err) < 0) ||
	    index_lock_open(m->moves ? t->new.lock : t->index_file, m->moves,
			    t->git, &t->index, err) < 0 ||
	    merge_check(t, err) < 0)
		return -1;
	if (t->dirty.n)
		merge_refuse(m, "modified", &t->dirty);
	return m->refused || !m->moves ? 0 : change(t, m, err);
}
