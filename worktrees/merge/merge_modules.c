/*
 * merge_modules.c - copies commits of submodules that only the session's
 * worktree has to the git directories that the main worktree has for them: the
 * merged commit names them, and the session may be removed. A reference there
 * keeps each, refs/afw/merged/COMMIT.
 */
#include <stdlib.h>
#include <string.h>

#include "base/git_program.h"
#include "worktrees/changes/submodule.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/tree_diff.h"
#include "worktrees/merge/merge.h"
#include "worktrees/private/import_objects.h"

#define DEPTH_MAX 16

struct bring {
	const struct repo_worktree *w;
	const struct repo_place *place;
};

static int bring_tree(const struct bring *b, git_repository *git, git_tree *old,
		      const git_oid *commit, const char *below, int depth,
		      struct err *err);

/* True if a reference there keeps the commit. */
static bool is_kept(const char *there, const git_oid *commit)
{
	_free_ char *contains =
	    mem_printf("--contains=%s", git_oid_tostr_s(commit));
	const char *const args[] = {"for-each-ref", "--count=1", contains,
				    NULL};
	_buf_ struct buf refs = {0};

	return git_program_read(there, args, &refs, NULL) == 0 && refs.len > 0;
}

static bool has(const char *dir, const git_oid *commit)
{
	_free_ char *objects = file_join(dir, "objects");
	_git_odb_ git_odb *odb = NULL;

	return git_odb_open(&odb, objects) == 0 && git_odb_exists(odb, commit);
}

static int copy(git_repository *home, const char *there, const char *dir,
		const git_oid *commit, struct err *err)
{
	const struct repo_worktree to = {
	    .git = home, .git_dir = (char *)there, .admin = (char *)there};
	_free_ char *ref =
	    mem_printf("refs/afw/merged/%s", git_oid_tostr_s(commit));
	_git_reference_ git_reference *made = NULL;

	if (import_objects(&to, dir, commit, NULL, err) < 0)
		return err_prefix(err, "copy its commit to %s", there);
	return git_reference_create(&made, home, ref, commit, 1, "afw merge") <
		       0
		   ? repo_err(err, ERR_FAILED, "make %s in %s", ref, there)
		   : 0;
}

/* The submodule at path, and those below it. */
static int bring(const struct bring *b, const char *path, const git_oid *commit,
		 int depth, struct err *err)
{
	_free_ char *dir = submodule_git_dir(b->w, path),
		    *there = dir ? submodule_main_git_dir(b->w, b->place, dir)
				 : NULL,
		    *below = mem_printf("%s/", path);
	_git_repository_ git_repository *home = NULL;

	if (!dir || depth == DEPTH_MAX ||
	    (!b->place->private && !has(dir, commit)))
		return 0;
	if (submodule_check_one(b->w, b->place, path, true, err) < 0)
		return -1;
	if (!there || git_repository_open_bare(&home, there) < 0)
		return 0; /* a remote has it */
	if (!is_kept(there, commit) && copy(home, there, dir, commit, err) < 0)
		return -1;
	return bring_tree(b, home, NULL, commit, below, depth + 1, err);
}

/* The submodules that the commit has, and the tree old has not. */
static int bring_tree(const struct bring *b, git_repository *git, git_tree *old,
		      const git_oid *commit, const char *below, int depth,
		      struct err *err)
{
	_git_tree_ git_tree *new = repo_tree(git, commit, err);
	_git_diff_ git_diff *diff = NULL;
	int rc = 0;

	if (!new)
		return -1;
	if (tree_diff_git(&diff, git, old, new, 0) < 0)
		return repo_err(err, ERR_FAILED, "compare its submodules");
	for (size_t i = 0; rc == 0 && i < git_diff_num_deltas(diff); i++) {
		const git_diff_file *f = &git_diff_get_delta(diff, i)->new_file;
		_free_ char *path = mem_printf("%s%s", below, f->path);

		if (f->mode == GIT_FILEMODE_COMMIT)
			rc = bring(b, path, &f->id, depth, err);
	}
	return rc;
}

int merge_bring_modules(const struct merge *m, struct err *err)
{
	const struct repo_place *place = &m->req->place;
	_repo_worktree_ struct repo_worktree w = REPO_WORKTREE_NONE;
	const struct bring b = {.w = &w, .place = place};
	_git_tree_ git_tree *old = NULL;
	git_oid base;

	if (repo_worktree_open(&w, place, err) < 0)
		return -1;
	if (git_oid_fromstr(&base, place->base_commit) < 0 ||
	    !(old = repo_tree(w.git, &base, NULL)))
		return repo_err(err, ERR_FAILED, "compare its submodules");
	return bring_tree(&b, w.git, old, &m->from, "", 0, err);
}
