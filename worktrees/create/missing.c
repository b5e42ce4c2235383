/*
 * missing.c - what a new worktree does not have, after setup may have made it:
 * submodules, and files of git LFS whose contents are not on this machine.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "worktrees/create/create.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/lfs.h"
#include "worktrees/git/sparse_index.h"

/* Submodules that the warning names. */
#define LISTED_MAX 5

static bool is_empty(int tree, const char *path)
{
	_dir_ DIR *d = file_list(tree, path);

	return !d || !file_list_next(d);
}

/* Counts again, in the index and the files that setup has left. */
static void count_lfs(struct create *c)
{
	_free_ char *path = file_join(c->admin, "index");
	_git_index_ git_index *index = NULL;

	if (sparse_index_open(&index, path, c->repo.main) < 0)
		return;
	c->lfs = 0;
	for (size_t i = 0; i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);

		if (S_ISREG(e->mode))
			c->lfs += lfs_is_pointer(c->tree, e->path);
	}
}

/* Appends those that are empty still; returns how many. */
static size_t list_empty(const struct create *c, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < c->empty.n; i++)
		if (is_empty(c->tree, c->empty.v[i]) && ++n <= LISTED_MAX)
			buf_addf(out, "%s%s", n > 1 ? ", " : "", c->empty.v[i]);
	if (n > LISTED_MAX)
		buf_adds(out, ", ...");
	return n;
}

void create_warn_missing(struct create *c, bool was_set_up)
{
	_buf_ struct buf names = {0};
	size_t empty = list_empty(c, &names);

	if (was_set_up && c->lfs)
		count_lfs(c);
	if (c->lfs)
		strv_addf(&c->warnings,
			  "%zu file%s of git LFS left as pointers; run `git "
			  "lfs pull` there",
			  c->lfs, c->lfs == 1 ? "" : "s");
	if (empty)
		strv_addf(&c->warnings,
			  "%zu submodule%s left empty, because the main "
			  "worktree does not have %s (%s); run `git submodule "
			  "update --init --recursive` there",
			  empty, empty == 1 ? "" : "s",
			  empty == 1 ? "it" : "them", names.data);
}
