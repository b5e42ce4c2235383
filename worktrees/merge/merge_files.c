/*
 * merge_files.c - the worktree that has the branch checked out follows it.
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

#include "base/file.h"
#include "base/gitfile.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/merged.h"
#include "worktrees/merge/merge.h"

/* -- the worktree ------------------------------------------------------------
 */

/* There is one, but nothing in it leads back to the git directory. */
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
 * git's entry, or "" for the main one: that is where repo_open() has found it,
 * as the git directory may lie apart and not say where.
 */
static int open_git(struct holder *h, const struct merge *m, const char *entry,
		    struct err *err)
{
	const char *common = m->repo.git_dir, *dir;
	_free_ char *admin = *entry
				 ? mem_printf("%s/worktrees/%s", common, entry)
				 : mem_strdup(common);

	if (!*entry && m->repo.bare)
		return lost_main(m, err);
	if (repo_open_git(&h->git, admin) < 0 ||
	    (!*entry && repo_set_workdir(h->git, m->repo.path) < 0))
		return repo_err(err, ERR_FAILED, "open %s", admin);
	dir = git_repository_workdir(h->git);
	/* Not a directory that git's files only claim. */
	if (!dir || !gitfile_leads_to(dir, admin)) {
		err_set(err, ERR_FAILED,
			"%s is checked out in a worktree that is gone (%s)",
			m->into, dir ? dir : admin);
		return err_hint(err, "`git worktree prune` forgets it");
	}
	h->path = mem_strndup(dir, strlen(dir) - 1);
	h->index_file = file_join(admin, "index");
	return 0;
}

int holder_open(struct holder *h, const struct merge *m, struct err *err)
{
	_strv_ struct strv found = {0};
	bool rebases;

	if (merged_worktrees(m->repo.main, m->into_ref, &found, &rebases, err) <
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
	if (open_git(h, m, found.v[0], err) < 0)
		return -1;
	if (git_repository_state(h->git) != GIT_REPOSITORY_STATE_NONE)
		return err_set(err, ERR_CONFLICT,
			       "a merge, rebase or the like is not done in %s",
			       h->path);
	return 0;
}

void holder_finish(struct holder *h)
{
	swap_finish(&h->swap);
	index_lock_finish(&h->new);
	index_lock_finish(&h->lock);
	git_diff_free(h->diff);
	git_index_free(h->index);
	sparse_finish(&h->sparse);
	strv_finish(&h->dirty);
	free(h->index_file);
	git_repository_free(h->git);
	free(h->path);
}

/* -- the change --------------------------------------------------------------
 */

/* As the new tree has it: without stat data so far. */
static int fill_index(struct holder *h, struct err *err)
{
	const struct swap *s = &h->swap;

	for (size_t i = 0; i < s->n; i++)
		if (!s->v[i].mode)
			git_index_remove(h->index, s->v[i].path, 0);
	for (size_t i = 0; i < s->n; i++) {
		const struct swap_file *f = &s->v[i];
		git_index_entry e = {
		    .path = f->path, .mode = f->mode, .id = f->id};

		index_entry_skip(&e, f->left_out);
		if (f->mode && git_index_add(h->index, &e) < 0)
			return repo_err(err, ERR_FAILED, "add %s to the index",
					f->path);
	}
	return 0;
}

/* Fills in the stat data of the files that are in place now. */
static void fill_stats(struct holder *h)
{
	const struct swap *s = &h->swap;

	for (size_t i = 0; i < s->n; i++) {
		const struct swap_file *f = &s->v[i];
		/* Entries are patched in place: see index_entry.h. */
		git_index_entry *e = (git_index_entry *)git_index_get_bypath(
		    h->index, f->path, 0);

		if (e && f->mode && f->mode != GIT_FILEMODE_COMMIT)
			index_entry_stat(e, &f->made);
	}
}

static int change(struct holder *h, const struct merge *m, struct err *err)
{
	mode_t shared;
	int rc;

	if (fill_index(h, err) < 0)
		return -1;
	/* There the new attributes are read from. */
	if (git_index_write(h->index) < 0)
		return repo_err(err, ERR_FAILED, "write %s", h->new.lock);
	shared = umask(m->umask);
	rc = swap_make(&h->swap, h->git, h->new.lock, m->out, err);
	if (rc == 0)
		rc = swap_run(&h->swap, err);
	umask(shared);
	if (rc < 0)
		return -1;
	fill_stats(h);
	if (index_lock_end(&h->new, h->index, err) < 0) {
		swap_undo(&h->swap, err);
		return -1;
	}
	h->has_index = true;
	return 0;
}

void holder_undo(struct holder *h, struct err *err)
{
	if (!h->has_index)
		return;
	swap_undo(&h->swap, err);
	if (index_lock_revert(&h->lock, NULL) < 0)
		err_hint(err,
			 "the index could not be put back: `git -C %s reset`",
			 h->path);
}

void holder_done(struct holder *h)
{
	swap_prune(&h->swap);
}

static int compare(struct holder *h, const struct merge *m, struct err *err)
{
	_git_tree_ git_tree *old = repo_tree(h->git, &m->old, err), *new = NULL;
	git_diff_options opt;

	if (!old)
		return -1;
	git_diff_options_init(&opt, GIT_DIFF_OPTIONS_VERSION);
	opt.flags = GIT_DIFF_INCLUDE_TYPECHANGE;
	if (git_tree_lookup(&new, h->git, &m->tree) < 0 ||
	    git_diff_tree_to_tree(&h->diff, h->git, old, new, &opt) < 0)
		return repo_err(err, ERR_FAILED, "compare %s and its new state",
				h->path);
	return 0;
}

/* Locks the index, and makes a copy that is to be the new one. */
static int lock(struct holder *h, struct err *err)
{
	_free_ char *copy = NULL;

	if (index_lock_take(&h->lock, h->index_file, NULL, NULL, err) < 0 ||
	    swap_open(&h->swap, h->git, h->path, err) < 0)
		return -1;
	copy = file_join(h->swap.path, "index/index");
	return index_lock_take(&h->new, h->index_file, copy, NULL, err);
}

int holder_update(struct holder *h, struct merge *m, struct err *err)
{
	json_set_str(m->answer, "worktree", h->path);
	h->swap.worktree = open(h->path, FILE_DIR_FLAGS & ~O_NOFOLLOW);
	if (h->swap.worktree < 0)
		return err_errno(err, "open %s", h->path);
	if (sparse_load(&h->sparse, h->git, err) < 0 ||
	    compare(h, m, err) < 0 || (!m->dry_run && lock(h, err) < 0) ||
	    index_lock_open(m->dry_run ? h->index_file : h->new.lock, h->git,
			    &h->index, err) < 0 ||
	    merge_check(h, err) < 0)
		return -1;
	if (h->dirty.n)
		merge_refuse(m, "modified", &h->dirty);
	return m->refused || m->dry_run ? 0 : change(h, m, err);
}
