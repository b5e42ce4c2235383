/*
 * import_objects.c - imports objects of a private git directory that the
 * repository lacks.
 *
 * Only objects are read there, by their ids: each is hashed and parsed, and
 * every object that it names must be there or in the repository. The agent's
 * references, configuration, alternate stores and links are not followed. The
 * objects are written as one pack.
 */
#include "worktrees/private/import_objects.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>

#include "base/file.h"
#include "base/mem.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/index_lock.h"
#include "worktrees/git/lfs.h"
#include "worktrees/git/sparse_index.h"
#include "worktrees/limits.h"

/* -- what is new -------------------------------------------------------------
 */

struct object {
	git_oid oid;
	git_object_t type;
};

/* Each object once, in the order of discovery; the pack knows which. */
struct fresh {
	git_packbuilder *pack;
	struct object *list;
	size_t n;
	git_odb *home; /* objects there need not be imported */
	git_odb *both;
	git_repository *git; /* the repository */
	const char *dir;     /* the private git directory */
	git_index *promised; /* of a partial clone: git would fetch its files */
};

static bool is_promised(const struct fresh *f, const git_oid *oid)
{
	size_t n = f->promised ? git_index_entrycount(f->promised) : 0;

	for (size_t i = 0; i < n; i++) {
		const git_index_entry *e =
		    git_index_get_byindex(f->promised, i);

		if (index_entry_skipped(e) && git_oid_equal(&e->id, oid))
			return !git_odb_exists(f->both, oid);
	}
	return false;
}

static int add(struct fresh *f, const git_oid *oid, git_object_t type,
	       struct err *err)
{
	if (git_odb_exists_ext(f->home, oid, GIT_ODB_LOOKUP_NO_REFRESH) ||
	    (type == GIT_OBJECT_BLOB && is_promised(f, oid)))
		return 0;
	if (git_packbuilder_insert(f->pack, oid, NULL) < 0)
		return repo_err(err, ERR_FAILED, "read its object %s",
				git_oid_tostr_s(oid));
	if (git_packbuilder_object_count(f->pack) > f->n) {
		f->list = mem_grow(f->list, f->n, sizeof *f->list);
		f->list[f->n++] = (struct object){.oid = *oid, .type = type};
	}
	return 0;
}

/* True for a name that git fsck allows: it leads neither out of a tree nor into
 * .git. */
static bool is_name(const char *name)
{
	return name[0] && !strchr(name, '/') && strcmp(name, ".") != 0 &&
	       strcmp(name, "..") != 0 && strcasecmp(name, ".git") != 0;
}

static int look_at_tree(struct fresh *f, git_repository *git,
			const git_oid *oid, struct err *err)
{
	_git_tree_ git_tree *tree = NULL;
	int rc = 0;

	if (git_tree_lookup(&tree, git, oid) < 0)
		return repo_err(err, ERR_FAILED, "read its tree %s",
				git_oid_tostr_s(oid));
	for (size_t i = 0; rc == 0 && i < git_tree_entrycount(tree); i++) {
		const git_tree_entry *e = git_tree_entry_byindex(tree, i);
		git_object_t type = git_tree_entry_type(e);

		if (!is_name(git_tree_entry_name(e)))
			rc = err_set(err, ERR_FAILED,
				     "its tree %s has a file that git forbids",
				     git_oid_tostr_s(oid));
		else if (type != GIT_OBJECT_COMMIT) /* not a submodule */
			rc = add(f, git_tree_entry_id(e), type, err);
	}
	return rc;
}

static int look_at_commit(struct fresh *f, git_repository *git,
			  const git_oid *oid, struct err *err)
{
	_git_commit_ git_commit *commit = NULL;
	int rc;

	if (git_commit_lookup(&commit, git, oid) < 0)
		return repo_err(err, ERR_FAILED, "read its commit %s",
				git_oid_tostr_s(oid));
	rc = add(f, git_commit_tree_id(commit), GIT_OBJECT_TREE, err);
	for (unsigned i = 0; rc == 0 && i < git_commit_parentcount(commit); i++)
		rc = add(f, git_commit_parent_id(commit, i), GIT_OBJECT_COMMIT,
			 err);
	return rc;
}

/* If it is a pointer of git LFS, git-lfs there has stored the contents beside
 * the agent's objects. */
static int look_at_file(const struct fresh *f, const git_oid *oid,
			struct err *err)
{
	git_odb_object *file = NULL;
	git_object_t type;
	size_t size;
	int rc = 0;

	if (git_odb_read_header(&size, &type, f->both, oid) < 0 ||
	    type != GIT_OBJECT_BLOB)
		return err_set(err, ERR_FAILED, "its object %s is not a file",
			       git_oid_tostr_s(oid));
	if (size < LFS_TEXT && git_odb_read(&file, f->both, oid) == 0)
		rc = lfs_import(f->git, f->dir, git_odb_object_data(file),
				git_odb_object_size(file), err);
	git_odb_object_free(file);
	return rc;
}

/* Adds the objects that the found ones name. */
static int follow(struct fresh *f, git_repository *git, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < f->n; i++) {
		git_oid oid = f->list[i].oid; /* the list may move */

		if (f->list[i].type == GIT_OBJECT_COMMIT)
			rc = look_at_commit(f, git, &oid, err);
		else if (f->list[i].type == GIT_OBJECT_TREE)
			rc = look_at_tree(f, git, &oid, err);
		else
			rc = look_at_file(f, &oid, err);
	}
	return rc;
}

/* Adds the files of an index. An agent may have deleted the object of one, or
 * named another kind of object: git, too, notices only when it needs it. */
static int add_files(struct fresh *f, git_index *index, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);
		git_object_t type;
		size_t size;

		if (e->mode != GIT_FILEMODE_COMMIT &&
		    !git_odb_exists_ext(f->home, &e->id,
					GIT_ODB_LOOKUP_NO_REFRESH) &&
		    git_odb_read_header(&size, &type, f->both, &e->id) == 0 &&
		    type == GIT_OBJECT_BLOB)
			rc = add(f, &e->id, GIT_OBJECT_BLOB, err);
	}
	return rc;
}

/* -- bringing it -------------------------------------------------------------
 */

/* Opens its own objects, not objects of alternate stores that it names. */
static int open_both(git_odb **out, const char *private_dir,
		     const struct repo_worktree *w)
{
	_free_ char *own = file_join(private_dir, "objects"),
		    *home = file_join(w->git_dir, "objects");
	git_odb_backend *loose = NULL, *packs = NULL;
	int rc = git_odb_open(out, home);

	if (rc == 0)
		rc = git_odb_backend_loose(&loose, own, -1, 0, 0, 0);
	if (rc == 0)
		rc = git_odb_add_backend(*out, loose, 1);
	if (rc == 0)
		rc = git_odb_backend_pack(&packs, own);
	if (rc == 0)
		rc = git_odb_add_backend(*out, packs, 1);
	return rc;
}

/* Writes in a directory that the agent may change: see limits_no_links(). */
static int write_pack(struct fresh *f, const struct repo_worktree *w,
		      const char *private_dir, const git_oid *tip,
		      git_index *index, struct err *err)
{
	_free_ char *packs = file_join(w->git_dir, "objects/pack");
	_git_repository_ git_repository *both = NULL;

	if (git_repository_odb(&f->home, w->git) < 0 ||
	    open_both(&f->both, private_dir, w) < 0 ||
	    git_repository_wrap_odb(&both, f->both) < 0 ||
	    git_packbuilder_new(&f->pack, both) < 0)
		return repo_err(err, ERR_FAILED, "open %s", private_dir);
	if ((tip ? add(f, tip, GIT_OBJECT_COMMIT, err)
		 : add_files(f, index, err)) < 0 ||
	    follow(f, both, err) < 0)
		return -1;
	if (f->n > 0 &&
	    git_packbuilder_write(f->pack, packs, 0444, NULL, NULL) < 0)
		return repo_err(err, ERR_FAILED, "write them to %s", packs);
	return 0;
}

int import_objects(const struct repo_worktree *w, const char *private_dir,
		   const git_oid *tip, git_index *index, struct err *err)
{
	/* An index that the agent has written could promise anything. */
	_free_ char *promised = file_join(w->admin, "index");
	struct fresh f = {.git = w->git, .dir = private_dir};
	int rc;

	if (repo_is_partial(w->git) &&
	    sparse_index_open(&f.promised, promised, w->git) < 0)
		return index_lock_unreadable(w->git, err);
	limits_no_links(private_dir);
	rc = write_pack(&f, w, private_dir, tip, index, err);
	limits_no_links(NULL);
	git_packbuilder_free(f.pack);
	git_odb_free(f.both);
	git_index_free(f.promised);
	if (f.home)
		git_odb_refresh(f.home);
	git_odb_free(f.home);
	free(f.list);
	return rc;
}
