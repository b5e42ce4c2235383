/*
 * missing.c - what a new worktree does not have, after setup may have made it:
 * submodules, and files of git LFS whose contents are not on this machine.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worktrees/create/create.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/lfs.h"
#include "worktrees/git/sparse_index.h"

static bool is_empty(int tree, const char *path)
{
	_dir_ DIR *d = file_list(tree, path);

	return !d || !file_list_next(d);
}

/* Counts again, in the index and the files that setup has left. */
static void count(struct create *c)
{
	_free_ char *path = file_join(c->admin, "index");
	_git_index_ git_index *index = NULL;
	bool lfs = c->lfs > 0;

	if (sparse_index_open(&index, path, c->repo.main) < 0)
		return;
	c->lfs = c->submodules = 0;
	for (size_t i = 0; i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);

		if (S_ISREG(e->mode))
			c->lfs += lfs && lfs_is_pointer(c->tree, e->path);
		else if (e->mode == GIT_FILEMODE_COMMIT)
			c->submodules += is_empty(c->tree, e->path);
	}
}

void create_warn_missing(struct create *c, bool was_set_up)
{
	if (was_set_up && (c->lfs || c->submodules))
		count(c);
	if (c->lfs)
		strv_addf(&c->warnings,
			  "%zu file%s of git LFS left as pointers; run `git "
			  "lfs pull` there",
			  c->lfs, c->lfs == 1 ? "" : "s");
	if (c->submodules)
		strv_addf(&c->warnings,
			  "%zu submodule%s left empty; run `git submodule "
			  "update --init` there",
			  c->submodules, c->submodules == 1 ? "" : "s");
}
