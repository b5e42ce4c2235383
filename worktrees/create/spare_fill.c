/* spare_fill.c - makes a spare that was taken the worktree of another commit.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "worktrees/changes/copied.h"
#include "worktrees/create/create.h"
#include "worktrees/git/checkout.h"
#include "worktrees/git/attributes.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/sparse.h"

/* Removes a file that the base does not have so, and its empty directories. */
static int remove_file(const struct create *c, const struct tree_change *ch,
		       struct err *err)
{
	_free_ char *path = mem_strdup(ch->path);
	const char *last;
	_close_ int dir = file_open_parent(c->tree, ".", path, 0, &last);
	char *slash;

	if ((dir < 0 || unlinkat(dir, last, 0) < 0) && errno != ENOENT)
		return err_errno(err, "replace %s", path);
	while (!ch->new_mode && (slash = strrchr(path, '/'))) {
		*slash = '\0';
		if (unlinkat(c->tree, path, AT_REMOVEDIR) < 0)
			break;
	}
	return 0;
}

/* Lists the files that are made, in an index of their own. */
static int list_new(struct create *c, git_index *index, git_index *files,
		    struct err *err)
{
	const struct tree_changes *all = &c->spare.changes;

	for (size_t i = 0; i < all->n; i++) {
		const struct tree_change *ch = &all->v[i];
		git_index_entry e = {
		    .path = ch->path, .mode = ch->new_mode, .id = ch->new_id};

		if (ch->old_mode && remove_file(c, ch, err) < 0)
			return -1;
		if (ch->new_mode ? git_index_add(files, &e) < 0
				 : git_index_remove(index, ch->path, 0) < 0)
			return repo_err(err, ERR_FAILED, "list %s", ch->path);
	}
	return 0;
}

static int add_new(git_index *index, git_index *files, struct err *err)
{
	for (size_t i = 0; i < git_index_entrycount(files); i++)
		if (git_index_add(index, git_index_get_byindex(files, i)) < 0)
			return repo_err(err, ERR_FAILED, "list the new files");
	return 0;
}

/* Makes the files that differ, and changes the index. */
static int update(struct create *c, struct err *err)
{
	_free_ char *path = file_join(c->admin, "index");
	_git_index_ git_index *index = NULL, *files = NULL;
	_sparse_ struct sparse sparse = {0};
	struct checkout co = {.admin = c->admin,
			      .path = c->place.path,
			      .dir = c->tree,
			      .out = c->out,
			      .source = -1,
			      .dirs_exist = true};

	if (git_index_open(&index, path) < 0 || git_index_new(&files) < 0)
		return repo_err(err, ERR_FAILED, "open %s", path);
	create_set_conversion(&co, c->repo.here);
	if (list_new(c, index, files, err) < 0 ||
	    sparse_load(&sparse, c->repo.here, err) < 0)
		return -1;
	sparse_mark(&sparse, files);
	co.index = files;
	co.attributes = co.attributes || attributes_in(index);
	if (checkout_run(&co, err) < 0 || add_new(index, files, err) < 0)
		return -1;
	c->lfs = co.lfs;
	c->files = 0;
	for (size_t i = 0; i < git_index_entrycount(index); i++)
		c->files +=
		    !index_entry_skipped(git_index_get_byindex(index, i));
	return git_index_write(index) < 0
		   ? repo_err(err, ERR_FAILED, "write %s", path)
		   : 0;
}

/* Its .git file names the spare's entry. Not shortened and written again: ext4
 * would wait for the disk then. */
static int point_back(const struct create *c, struct err *err)
{
	if (unlinkat(c->tree, ".git", 0) < 0)
		return err_errno(err, "replace %s/.git", c->place.path);
	return create_write_file(c->tree, ".git", err, "gitdir: %s\n",
				 c->admin);
}

static void take_info(struct create *c)
{
	const cJSON *o = c->spare.info;

	c->files = (size_t)json_int(o, "files", 0);
	json_strv(o, "copied", &c->copied);
	json_strv(o, "linked", &c->linked);
	json_strv(o, "warnings", &c->warnings);
}

int spare_fill(struct create *c, struct err *err)
{
	static const char *const files[] = {"index", COPIED_FILE, "info",
					    "config.worktree"};

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		if (renameat(c->spare.entry, files[i], c->entry, files[i]) <
			0 &&
		    errno != ENOENT)
			return err_errno(err, "take %s of a spare", files[i]);
	take_info(c);
	if ((c->spare.changes.n && update(c, err) < 0) ||
	    point_back(c, err) < 0)
		return -1;
	/* If that fails, a later run removes it. */
	mark_remove_entry(c->admins, c->spare.id, NULL);
	return 0;
}
