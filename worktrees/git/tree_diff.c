/*
 * tree_diff.c - compares two trees of git.
 *
 * libgit2 would read each directory, also those that are equal.
 */
#include "worktrees/git/tree_diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "worktrees/git/cleanup.h"

static const git_tree_entry *find(const git_tree *tree, const char *name)
{
	return tree ? git_tree_entry_byname(tree, name) : NULL;
}

static bool is_dir(const git_tree_entry *e)
{
	return e && git_tree_entry_type(e) == GIT_OBJECT_TREE;
}

static void add_file(struct tree_changes *out, const char *path,
		     const git_tree_entry *old, const git_tree_entry *new)
{
	struct tree_change c = {.path = mem_strdup(path)};

	if (old && !is_dir(old)) {
		c.old_mode = git_tree_entry_filemode(old);
		c.old_id = *git_tree_entry_id(old);
	}
	if (new && !is_dir(new)) {
		c.new_mode = git_tree_entry_filemode(new);
		c.new_id = *git_tree_entry_id(new);
	}
	out->v = mem_grow(out->v, out->n, sizeof *out->v);
	out->v[out->n++] = c;
}

static int diff(struct tree_changes *out, git_repository *git,
		const git_tree *old, const git_tree *new, const char *prefix);

/* Either may be NULL: none. One may be a file, the other a directory. */
static int add(struct tree_changes *out, git_repository *git,
	       const git_tree_entry *old, const git_tree_entry *new,
	       const char *prefix)
{
	_free_ char *path =
	    mem_printf("%s%s", prefix, git_tree_entry_name(old ? old : new));
	_free_ char *below = mem_printf("%s/", path);
	_git_tree_ git_tree *a = NULL, *b = NULL;

	if ((old && !is_dir(old)) || (new && !is_dir(new)))
		add_file(out, path, old, new);
	if ((is_dir(old) &&
	     git_tree_lookup(&a, git, git_tree_entry_id(old)) < 0) ||
	    (is_dir(new) &&
	     git_tree_lookup(&b, git, git_tree_entry_id(new)) < 0))
		return -1;
	return diff(out, git, a, b, below);
}

/* Either may be NULL: empty. */
static int diff(struct tree_changes *out, git_repository *git,
		const git_tree *old, const git_tree *new, const char *prefix)
{
	for (size_t i = 0; old && i < git_tree_entrycount(old); i++) {
		const git_tree_entry *a = git_tree_entry_byindex(old, i);
		const git_tree_entry *b = find(new, git_tree_entry_name(a));

		if (b &&
		    git_oid_equal(git_tree_entry_id(a), git_tree_entry_id(b)) &&
		    git_tree_entry_filemode(a) == git_tree_entry_filemode(b))
			continue;
		if (add(out, git, a, b, prefix) < 0)
			return -1;
	}
	for (size_t i = 0; new &&i < git_tree_entrycount(new); i++) {
		const git_tree_entry *b = git_tree_entry_byindex(new, i);

		if (!find(old, git_tree_entry_name(b)) &&
		    add(out, git, NULL, b, prefix) < 0)
			return -1;
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct tree_change *x = a, *y = b;

	return strcmp(x->path, y->path);
}

int tree_diff(struct tree_changes *out, git_repository *git,
	      const git_tree *old, const git_tree *new)
{
	*out = (struct tree_changes){0};
	if (diff(out, git, old, new, "") < 0)
		return -1;
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, compare);
	return 0;
}

int tree_diff_git(git_diff **out, git_repository *git, git_tree *old,
		  git_tree *new, int64_t max_bytes)
{
	_tree_changes_ struct tree_changes changed = {0};
	_strv_ struct strv paths = {0};
	git_diff_options opt;

	if (tree_diff(&changed, git, old, new) < 0)
		return -1;
	for (size_t i = 0; i < changed.n; i++)
		strv_add(&paths, changed.v[i].path);
	strv_add(&paths, ".git"); /* none would be all paths */
	git_diff_options_init(&opt, GIT_DIFF_OPTIONS_VERSION);
	opt.flags =
	    GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_DISABLE_PATHSPEC_MATCH;
	opt.max_size = max_bytes;
	opt.pathspec = (git_strarray){paths.v, paths.n};
	return git_diff_tree_to_tree(out, git, old, new, &opt);
}

void tree_changes_finish(struct tree_changes *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->v[i].path);
	free(c->v);
	*c = (struct tree_changes){0};
}

unsigned tree_find(const git_tree *tree, const char *path, git_oid *id)
{
	git_tree_entry *e = NULL;
	unsigned mode = 0;

	if (git_tree_entry_bypath(&e, tree, path) == 0) {
		mode = git_tree_entry_filemode(e);
		if (id)
			*id = *git_tree_entry_id(e);
	}
	git_tree_entry_free(e);
	return mode;
}
