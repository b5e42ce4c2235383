/*
 * undo_plan.c - finds which files an undo replaces, and checks each before the
 * first one is changed.
 *
 * Ignored files are never changed: those that are ignored now, and those that
 * were ignored then. A file that git tracks although a pattern matches it is
 * removed only if it was made since: before that it may have been the user's.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/delete_tree.h"
#include "worktrees/checkpoint/modes.h"
#include "worktrees/checkpoint/undo.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/tree_diff.h"

#define IGNORE_FILE ".gitignore"

/* -- what is ignored in the target -----------------------------------------
 */

/* Zero has no text. */
static int add_blob(struct buf *to, const struct undo_plan *p,
		    const git_oid *id)
{
	_git_blob_ git_blob *blob = NULL;

	if (git_oid_is_zero(id))
		return 0;
	if (git_blob_lookup(&blob, p->w->git, id) < 0)
		return -1;
	buf_add(to, git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob));
	return 0;
}

/* The rules from outside the worktree are above those of its top. */
static int write_rules(const struct undo_plan *p, const char *top,
		       const char *path, const git_oid *id, struct err *err)
{
	_buf_ struct buf text = {0};
	const char *last;
	_close_ int dir = file_open_parent(AT_FDCWD, top, path, 0700, &last);

	buf_adds(&text, "");
	if ((last == path && add_blob(&text, p, &p->rules) < 0) ||
	    add_blob(&text, p, id) < 0)
		return repo_err(err, ERR_FAILED, "read %s", path);
	return dir < 0
		   ? err_errno(err, "make the directory of %s", path)
		   : file_replace(dir, last, text.data, text.len, false, err);
}

/* Makes a directory with the .gitignore files of the target, and opens it as
 * the worktree of *git. */
static int open_rules(const struct undo_plan *p, const char *top,
		      git_repository **git, struct err *err)
{
	_tree_changes_ struct tree_changes all = {0};
	int rc = delete_tree(AT_FDCWD, top, err);

	if (tree_diff(&all, p->w->git, NULL, p->new) < 0)
		return repo_err(err, ERR_FAILED, "read a checkpoint's files");
	if (rc == 0 && mkdir(top, 0700) < 0)
		return err_errno(err, "make directory %s", top);
	if (rc == 0)
		rc = write_rules(p, top, IGNORE_FILE, &(git_oid){0}, err);
	for (size_t i = 0; rc == 0 && i < all.n; i++) {
		const struct tree_change *c = &all.v[i];

		if (strcmp(repo_basename(c->path), IGNORE_FILE) == 0 &&
		    c->new_mode != GIT_FILEMODE_LINK)
			rc = write_rules(p, top, c->path, &c->new_id, err);
	}
	if (rc < 0)
		return -1;
	if (repo_open_git(git, p->w->admin) < 0 ||
	    repo_set_workdir(*git, top) < 0)
		return repo_err(err, ERR_FAILED, "open %s", top);
	return 0;
}

static bool changes_rules(const struct undo_plan *p)
{
	if (!git_oid_is_zero(&p->rules))
		return true;
	for (size_t i = 0; i < p->swap.n; i++)
		if (strcmp(repo_basename(p->swap.v[i].path), IGNORE_FILE) == 0)
			return true;
	return false;
}

static bool is_ignored(git_repository *git, const char *path)
{
	int ignored = 0;

	return git_ignore_path_is_ignored(&ignored, git, path) == 0 && ignored;
}

/* True if the file was made after the target. */
static bool is_newer(const struct undo_plan *p, const struct swap_file *f)
{
	struct statx st;

	if (statx(p->swap.worktree, f->path, AT_SYMLINK_NOFOLLOW, STATX_BTIME,
		  &st) < 0 ||
	    !(st.stx_mask & STATX_BTIME))
		return f->seen.st_mtim.tv_sec * 1000 > p->at;
	return st.stx_btime.tv_sec * 1000 + st.stx_btime.tv_nsec / 1000000 >
	       p->at;
}

/* Skips the files that would be removed, and are ignored now or then. */
static int skip_ignored(struct undo_plan *p, struct err *err)
{
	_free_ char *top = mem_printf("%s/afw-ignore", p->w->admin);
	_git_repository_ git_repository *git = NULL;
	bool differ = changes_rules(p);
	int rc = differ ? open_rules(p, top, &git, err) : 0;

	for (size_t i = 0; rc == 0 && i < p->swap.n; i++) {
		struct swap_file *f = &p->swap.v[i];

		if (f->mode || (is_ignored(p->w->git, f->path)
				    ? is_newer(p, f)
				    : !differ || !is_ignored(git, f->path)))
			continue;
		f->skip = true;
		strv_add(&p->left_alone, f->path);
	}
	if (differ)
		delete_tree(AT_FDCWD, top, NULL);
	return rc;
}

/* -- one file --------------------------------------------------------------
 */

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

enum found {
	FOUND_FAILED = -1,
	FOUND_NOTHING,
	FOUND_DIR,
	FOUND_FILE,
	FOUND_OTHER
};

/* Finds what is there: for a file its stat, and its contents' mode and id. */
static enum found find(const struct undo_plan *p, const char *path,
		       struct stat *st, unsigned *mode, git_oid *id,
		       struct err *err)
{
	const char *name;
	_close_ int at =
	    file_open_parent(p->swap.worktree, ".", path, 0, &name);
	_buf_ struct buf text = {0};
	struct stat again;
	int rc;

	*st = (struct stat){0};
	if (at < 0)
		return errno == ENOENT || errno == ENOTDIR || errno == ELOOP
			   ? FOUND_NOTHING
			   : (enum found)err_errno(
				 err, "open the directory of %s", path);
	if (fstatat(at, name, st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT
			   ? FOUND_NOTHING
			   : (enum found)err_errno(err, "read %s", path);
	if (S_ISDIR(st->st_mode))
		return FOUND_DIR;
	rc = scan_read(at, name, INT64_MAX / 2, &text, st, err);
	if (rc != 0)
		return rc < 0 ? FOUND_FAILED : FOUND_OTHER;
	*mode = scan_mode(st);
	if (git_odb_hash(id, text.data, text.len, GIT_OBJECT_BLOB) < 0)
		return (enum found)repo_err(err, ERR_FAILED, "hash %s", path);
	return fstatat(at, name, &again, AT_SYMLINK_NOFOLLOW) == 0 &&
		       is_same(st, &again)
		   ? FOUND_FILE
		   : FOUND_OTHER;
}

static int changed(const char *path, struct err *err)
{
	err_set(err, ERR_CONFLICT, "%s was changed meanwhile", path);
	return err_hint(err, "something writes there: try again when it has "
			     "ended");
}

static bool is_old(enum found found, unsigned mode, const git_oid *id,
		   const struct tree_change *c)
{
	if (!c->old_mode)
		return found == FOUND_NOTHING || found == FOUND_DIR;
	return found == FOUND_FILE && mode == c->old_mode &&
	       git_oid_equal(id, &c->old_id);
}

/* Returns the file of the plan, which is in git's order; NULL: it stays. */
static const struct swap_file *find_planned(const struct undo_plan *p,
					    const char *path)
{
	size_t from = 0, to = p->swap.n;

	while (from < to) {
		size_t i = from + (to - from) / 2;
		int d = strcmp(p->swap.v[i].path, path);

		if (d == 0)
			return p->swap.v[i].skip ? NULL : &p->swap.v[i];
		if (d < 0)
			from = i + 1;
		else
			to = i;
	}
	return NULL;
}

bool undo_plan_makes(const struct undo_plan *p, const git_index_entry *e)
{
	const struct swap_file *f = find_planned(p, e->path);
	git_oid id;

	if (f)
		return f->mode == e->mode && git_oid_equal(&f->id, &e->id);
	return tree_find(p->old, e->path, &id) == e->mode &&
	       git_oid_equal(&id, &e->id);
}

bool undo_plan_leaves(const struct undo_plan *p, const char *path)
{
	unsigned mode = tree_find(p->old, path, NULL);

	return (!mode || mode == GIT_FILEMODE_TREE) && !find_planned(p, path);
}

static bool is_planned(const void *plan, const char *path)
{
	return find_planned(plan, path) != NULL;
}

static int check_room(const struct undo_plan *p, struct swap_file *f,
		      struct err *err)
{
	_free_ char *obstacle = swap_find_obstacle(&p->swap, f, is_planned, p);

	if (!obstacle)
		return 0;
	if (p->repairs) {
		f->skip = true;
		return 0;
	}
	err_set(err, ERR_CONFLICT, "%s is in the way of the old %s", obstacle,
		f->path);
	return err_hint(err, "move it away, and try again");
}

/* Compares the file with the old one, and sets what is replaced. */
static int check_file(struct undo_plan *p, const struct tree_change *c,
		      struct err *err)
{
	struct swap_file *f =
	    swap_add(&p->swap, c->path, c->new_mode, &c->new_id);
	unsigned mode = 0;
	git_oid id = {0};
	struct stat st;
	enum found found = find(p, c->path, &st, &mode, &id, err);

	if (found == FOUND_FAILED)
		return -1;
	if (found == FOUND_FILE)
		f->seen = st;
	if (is_old(found, mode, &id, c))
		return 0;
	if (!p->repairs)
		return changed(c->path, err);
	/* As in the target already, or changed by another program: leave it. */
	f->skip = !f->mode || (found != FOUND_NOTHING && found != FOUND_DIR);
	return 0;
}

/* -- all -------------------------------------------------------------------
 */

/* True if path is in the list, or below a directory of it ("a/"). */
static bool is_left_out(const struct strv *left_out, const char *path)
{
	for (size_t i = 0; i < left_out->n; i++) {
		const char *v = left_out->v[i];
		size_t len = strlen(v);

		if (v[len - 1] == '/' ? strncmp(path, v, len) == 0
				      : strcmp(path, v) == 0)
			return true;
	}
	return false;
}

bool undo_plan_has(const struct undo_plan *p, const char *path)
{
	bool has = p->only.n == 0;

	for (size_t i = 0; !has && i < p->only.n; i++) {
		size_t len = strlen(p->only.v[i]);

		while (len > 1 && p->only.v[i][len - 1] == '/')
			len--;
		has = strncmp(path, p->only.v[i], len) == 0 &&
		      (path[len] == '\0' || path[len] == '/');
	}
	return has && !is_left_out(&p->left_alone, path);
}

struct modes_of {
	const struct undo_plan *p;
	const struct checkpoint *want;
};

static bool has_modes(const void *ctx, const char *path, bool list)
{
	const struct modes_of *m = ctx;
	size_t len = strlen(path);
	_free_ char *dir = mem_strndup(path, len ? len - 1 : 0);
	unsigned mode = tree_find(m->p->new, path, NULL);

	if (!len || path[len - 1] != '/')
		return undo_plan_has(m->p, path) && mode &&
		       mode != GIT_FILEMODE_TREE &&
		       !(list && find_planned(m->p, path));
	return undo_plan_has(m->p, dir) &&
	       (mode || strv_has(&m->want->empty, dir));
}

void undo_plan_modes(const struct undo_plan *p, const struct checkpoint *had,
		     const struct checkpoint *want, struct strv *list)
{
	const struct modes_of of = {p, want};
	const struct modes m = {want->umask, p->swap.worktree, has_modes, &of};

	modes_restore(&m, &had->modes, &want->modes, list);
}

/* Compares the two trees, and what differs with the worktree. */
static int check_files(struct undo_plan *p, const git_oid *old,
		       const git_oid *new, struct err *err)
{
	_tree_changes_ struct tree_changes changes = {0};
	git_repository *git = p->w->git;

	if (git_tree_lookup(&p->old, git, old) < 0 ||
	    git_tree_lookup(&p->new, git, new) < 0 ||
	    tree_diff(&changes, git, p->old, p->new) < 0)
		return repo_err(err, ERR_FAILED, "compare two checkpoints");
	for (size_t i = 0; i < changes.n; i++)
		if (undo_plan_has(p, changes.v[i].path) &&
		    check_file(p, &changes.v[i], err) < 0)
			return -1;
	return 0;
}

int undo_plan_make(struct undo_plan *p, const struct checkpoint *old,
		   const struct checkpoint *new, struct err *err)
{
	p->swap.worktree = open(p->w->path, FILE_DIR_FLAGS);
	if (p->swap.worktree < 0)
		return err_errno(err, "open %s", p->w->path);
	if (check_files(p, &old->files, &new->files, err) < 0 ||
	    (!p->repairs && skip_ignored(p, err) < 0))
		return -1;
	for (size_t i = 0; i < p->swap.n; i++) {
		struct swap_file *f = &p->swap.v[i];

		if (f->mode && !f->skip && check_room(p, f, err) < 0)
			return -1;
	}
	return 0;
}

void undo_plan_finish(struct undo_plan *p)
{
	git_tree_free(p->old);
	git_tree_free(p->new);
	swap_finish(&p->swap);
	strv_finish(&p->only);
	strv_finish(&p->left_alone);
}
