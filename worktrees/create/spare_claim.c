/* spare_claim.c - takes a spare for a new worktree. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/random.h"
#include "worktrees/create/create.h"
#include "worktrees/git/cleanup.h"

/* True if the files that the base has, and it has not, have room there. */
static bool has_room(const struct spare *s, int tree)
{
	for (size_t i = 0; i < s->changes.n; i++) {
		const struct tree_change *ch = &s->changes.v[i];
		const char *last;
		_close_ int dir = -1;
		struct stat st;

		/* These change other files, too. */
		if (strcmp(repo_basename(ch->path), ".gitattributes") == 0 ||
		    ch->old_mode == GIT_FILEMODE_COMMIT ||
		    ch->new_mode == GIT_FILEMODE_COMMIT)
			return false;
		if (ch->old_mode)
			continue;
		dir = file_open_parent(tree, ".", ch->path, 0, &last);
		if (dir < 0
			? errno != ENOENT
			: fstatat(dir, last, &st, AT_SYMLINK_NOFOLLOW) == 0 ||
			      errno != ENOENT)
			return false;
	}
	return true;
}

/* Sets s->changes. False if afw would have to fetch something, or could not
 * tell. */
static bool find_changes(const struct create *c, struct spare *s, int tree)
{
	_git_tree_ git_tree *old = NULL, *new = NULL;
	git_oid id;

	if (git_oid_fromstr(&id, json_str_or(s->info, "tree", "")) < 0)
		return false;
	if (git_oid_equal(&id, &c->base.tree))
		return true;
	return !repo_is_partial(c->repo.here) &&
	       git_tree_lookup(&old, c->repo.here, &id) == 0 &&
	       git_tree_lookup(&new, c->repo.here, &c->base.tree) == 0 &&
	       tree_diff(&s->changes, c->repo.here, old, new) == 0 &&
	       has_room(s, tree);
}

bool spare_fits(const struct create *c, struct spare *s, const char *as,
		int tree)
{
	_close_ int checkout = spare_open_checkout(c);
	_free_ char *why = NULL;

	return (checkout >= 0 || !c->repo.checkout) &&
	       strcmp(json_str_or(s->info, "as", ""), as) == 0 &&
	       find_changes(c, s, tree) &&
	       spare_is_as_made(s, tree, checkout, &why);
}

/* The mark first: a killed run's names the directory, wherever that is. */
static int take(struct create *c, const char *base, int tree, struct err *err)
{
	struct stat st;

	if (fstat(tree, &c->st) < 0 ||
	    fstatat(c->dir, c->place.base, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return 0; /* the name is taken: that is reported later */
	c->mark.has_tree = true;
	c->mark.ino = c->st.st_ino;
	if (mark_write(&c->mark, err) < 0)
		return -1;
	if (file_rename_new(c->dir, base, c->dir, c->place.base) == 0 &&
	    fstatat(c->dir, c->place.base, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    st.st_ino == c->st.st_ino)
		return 1;
	c->mark.has_tree = false;
	return mark_write(&c->mark, err);
}

/* Returns as spare_claim(). */
static int try(struct create *c, struct spare *s, const char *id,
	       const char *as, struct err *err)
{
	_free_ char *path = NULL;
	_close_ int tree = -1;
	const char *base;
	int r;

	if (!spare_open(s, c->admins, id, true) || !(path = spare_directory(s)))
		return 0;
	base = repo_basename(path);
	tree = openat(c->dir, base, FILE_DIR_FLAGS);
	if (tree < 0 || !file_is_below(path, c->place.dir) ||
	    !spare_fits(c, s, as, tree))
		return 0;
	r = take(c, base, tree, err);
	if (r == 1)
		c->tree = TAKE_FD(tree);
	return r;
}

int spare_claim(struct create *c, struct err *err)
{
	_strv_ struct strv found = {0};
	_dir_ DIR *d = file_list(c->admins, ".");
	_free_ char *as = NULL;
	const char *id;
	int r = 0;

	while (r == 0 && (id = file_list_next(d))) {
		if (!random_is_named(id, SPARE_ENTRY, SPARE_HEX))
			continue;
		if (!as && !(as = spare_made_with(c, &found, err)))
			return -1;
		r = try(c, &c->spare, id, as, err);
		if (r == 0)
			spare_finish(&c->spare);
	}
	return r;
}
