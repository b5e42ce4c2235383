/*
 * take_touched.c - makes the files of a checkpoint from those of the last one
 * and the paths that were touched since.
 *
 * The old files at these paths are removed from the last tree, and the present
 * ones are added. Only the directories on the way to these paths are read.
 */
#include <stdlib.h>
#include <string.h>

#include "worktrees/checkpoint/checkpoint.h"
#include "worktrees/checkpoint/modes.h"
#include "worktrees/git/cleanup.h"

static bool has_above(const struct strv *paths, const char *path)
{
	for (size_t i = 0; i < paths->n; i++)
		if (file_is_below(path, paths->v[i]))
			return true;
	return false;
}

static bool is_part(const char *p, size_t len, const char *name)
{
	return strlen(name) == len && strncmp(p, name, len) == 0;
}

/* Adds the path; if it is a .git or below one, the directory that has it.
 * Returns false if the path may change what others are. */
static bool add_path(struct strv *to, const char *path)
{
	for (const char *p = path;; p++) {
		size_t len = strcspn(p, "/");

		if (is_part(p, len, "") || is_part(p, len, ".") ||
		    is_part(p, len, "..") || is_part(p, len, ".gitignore"))
			return false;
		if (is_part(p, len, ".git")) {
			if (p > path)
				strv_take(
				    to,
				    mem_strndup(path, (size_t)(p - path - 1)));
			return true;
		}
		p += len;
		if (!*p)
			break;
	}
	strv_add(to, path);
	return true;
}

bool checkpoint_touched_paths(struct strv *out, const struct strv *touched,
			      const struct strv *left_out)
{
	_strv_ struct strv all = {0};

	for (size_t i = 0; i < touched->n; i++)
		if (!add_path(&all, touched->v[i]))
			return false;
	for (size_t i = 0; i < left_out->n; i++) {
		const char *v = left_out->v[i];
		size_t len = strlen(v);

		strv_take(&all, mem_strndup(v, len - (v[len - 1] == '/')));
	}
	strv_sort(&all);
	for (size_t i = 0; i < all.n; i++)
		if (!has_above(out, all.v[i]))
			strv_add(out, all.v[i]);
	return true;
}

/* -- the tree --------------------------------------------------------------
 */

/* Replaces *tree by the one with these updates. */
static int update(git_oid *tree, git_repository *git,
		  const git_tree_update *updates, size_t n)
{
	_git_tree_ git_tree *old = NULL;

	if (git_tree_lookup(&old, git, tree) < 0 ||
	    git_tree_create_updated(tree, git, old, n, updates) < 0)
		return -1;
	return 0;
}

static int remove_paths(git_oid *tree, git_repository *git,
			const struct strv *paths)
{
	_free_ git_tree_update *u = mem_alloc((paths->n + 1) * sizeof *u);
	_git_tree_ git_tree *old = NULL;
	size_t n = 0;

	if (git_tree_lookup(&old, git, tree) < 0)
		return -1;
	for (size_t i = 0; i < paths->n; i++) {
		git_tree_entry *e = NULL;

		if (git_tree_entry_bypath(&e, old, paths->v[i]) == 0)
			u[n++] =
			    (git_tree_update){.action = GIT_TREE_UPDATE_REMOVE,
					      .path = paths->v[i]};
		git_tree_entry_free(e);
	}
	return update(tree, git, u, n);
}

static int add_files(git_oid *tree, git_repository *git, git_index *files)
{
	size_t n = git_index_entrycount(files);
	_free_ git_tree_update *u = mem_alloc((n + 1) * sizeof *u);

	for (size_t i = 0; i < n; i++) {
		const git_index_entry *e = git_index_get_byindex(files, i);

		u[i] = (git_tree_update){.action = GIT_TREE_UPDATE_UPSERT,
					 .id = e->id,
					 .filemode = (git_filemode_t)e->mode,
					 .path = e->path};
	}
	return update(tree, git, u, n);
}

/* -- all -------------------------------------------------------------------
 */

/* True if the path, or a path in the directory itself, was read. */
static bool was_read(const struct strv *paths, const char *dir)
{
	size_t len = strlen(dir);
	bool was = has_above(paths, dir);

	for (size_t i = 0; !was && i < paths->n; i++)
		was = file_is_below(paths->v[i], dir) &&
		      !strchr(paths->v[i] + len + 1, '/');
	return was;
}

static void set_lists(struct checkpoint *c, const struct scan *s,
		      const struct checkpoint *before, const struct strv *paths)
{
	mode_t mode;

	strv_copy(&c->left_out, &s->left_out);
	strv_copy(&c->empty, &s->empty);
	strv_copy(&c->modes, &s->modes);
	for (size_t i = 0; i < before->empty.n; i++)
		if (!was_read(paths, before->empty.v[i]))
			strv_add(&c->empty, before->empty.v[i]);
	for (size_t i = 0; i < before->modes.n; i++)
		if (!has_above(paths, modes_read(before->modes.v[i], &mode)))
			strv_add(&c->modes, before->modes.v[i]);
	strv_sort(&c->empty);
	strv_sort(&c->modes);
}

int checkpoint_take_touched(struct checkpoint *c, struct scan *s,
			    const struct checkpoint *before)
{
	_strv_ struct strv paths = {0};
	git_oid tree = before->files;
	struct err err;

	if (strcmp(before->kind, "undo") == 0 || /* may have ignored files */
	    !checkpoint_touched_paths(&paths, s->touched, &before->left_out) ||
	    scan_paths(s, &paths, &err) < 0 ||
	    remove_paths(&tree, s->w->git, &paths) < 0 ||
	    add_files(&tree, s->w->git, s->files) < 0)
		return -1;
	c->files = tree;
	set_lists(c, s, before, &paths);
	return 0;
}
