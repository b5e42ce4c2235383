/* snapshot.c - makes a tree of a worktree's present state. */
#include "worktrees/changes/snapshot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>

#include "worktrees/changes/submodule.h"
#include "worktrees/changes/work.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/filter.h"
#include "worktrees/limits.h"
#include "worktrees/private/harvest.h"

#define PRIORITY 1000 /* before git's own */
#define LARGE	 ((off_t)8 * 1024 * 1024)

int snapshot_begin(git_odb **out, git_repository *main, struct err *err)
{
	git_odb_backend *memory = NULL;

	if (git_repository_odb(out, main) < 0 || git_mempack_new(&memory) < 0)
		return repo_err(err, ERR_FAILED, "open the object store");
	if (git_odb_add_backend(*out, memory, PRIORITY) < 0) {
		memory->free(memory);
		return repo_err(err, ERR_FAILED, "open the object store");
	}
	return 0;
}

static bool is_large(const struct repo_worktree *w, const char *path)
{
	_free_ char *full = file_join(w->path, path);
	struct stat st;

	return lstat(full, &st) == 0 && st.st_size > LARGE;
}

/* Adds a large file by its id alone. */
static int add_large(const struct repo_worktree *w, git_index *index,
		     const char *path)
{
	git_index_entry e = {.mode = GIT_FILEMODE_BLOB, .path = path};
	const char *hex;
	git_oid oid;

	if (git_repository_hashfile(&oid, w->git, path, GIT_OBJECT_BLOB, NULL) <
	    0)
		return -1;
	hex = git_oid_tostr_s(&oid);
	return git_index_add_from_buffer(index, &e, hex, strlen(hex) + 1);
}

/* Files that vanish meanwhile, or may not be read, are left out. */
static void add_files(const struct repo_worktree *w, git_index *index,
		      const struct strv *files, bool stored)
{
	limits_no_links(w->path);
	filter_store_whole(true); /* its object may be on no other machine */
	for (size_t i = 0; i < files->n; i++) {
		const char *path = files->v[i];
		int rc = -1;

		if (submodule_add(w, index, path))
			continue;
		if (work_is_file(w, path, NULL) > 0)
			rc = !stored && is_large(w, path)
				 ? add_large(w, index, path)
				 : git_index_add_bypath(index, path);
		if (rc < 0)
			git_index_remove_bypath(index, path);
	}
	filter_store_whole(false);
	limits_no_links(NULL);
}

static int make_tree(const struct repo_worktree *w, const git_oid *head,
		     const struct strv *files, bool stored, git_oid *tree,
		     struct err *err)
{
	_git_tree_ git_tree *before = repo_tree(w->git, head, err);
	_git_index_ git_index *index = NULL;
	int rc = -1;

	if (!before)
		return -1;
	if (git_index_new(&index) == 0 &&
	    git_repository_set_index(w->git, index) == 0 &&
	    git_index_read_tree(index, before) == 0) {
		add_files(w, index, files, stored);
		rc = repo_write_tree(tree, index, w->git);
	}
	return rc < 0 ? repo_err(err, ERR_FAILED, "read %s", w->path) : 0;
}

int snapshot_take(const struct repo_place *place, git_odb *odb, git_oid *head,
		  git_oid *tree, struct err *err)
{
	_json_ cJSON *said = cJSON_CreateObject();
	_strv_ struct strv files = {0};
	_repo_worktree_ struct repo_worktree w = REPO_WORKTREE_NONE;

	if (harvest(place, said, err) < 0 ||
	    repo_worktree_open(&w, place, err) < 0 ||
	    work_uncommitted(&w, &files, NULL, err) < 0)
		return -1;
	if (git_reference_name_to_id(head, w.git, "HEAD") < 0 ||
	    (odb && git_repository_set_odb(w.git, odb) < 0))
		return repo_err(err, ERR_FAILED, "read %s", w.path);
	return make_tree(&w, head, &files, !odb, tree, err);
}

/* Sets *id to a commit of the tree after head. */
static int make_commit(git_oid *id, git_repository *git, const git_oid *head,
		       const git_oid *tree, struct err *err)
{
	_git_commit_ git_commit *parent = NULL;
	_git_tree_ git_tree *files = NULL;
	git_signature *who = NULL;
	int rc = git_commit_lookup(&parent, git, head);

	if (rc == 0)
		rc = git_tree_lookup(&files, git, tree);
	if (rc == 0)
		rc = git_signature_now(&who, "afw", "afw@localhost");
	if (rc == 0)
		rc = git_commit_create(id, git, NULL, who, who, NULL,
				       "uncommitted changes\n", files, 1,
				       (const git_commit *[]){parent});
	git_signature_free(who);
	return rc < 0 ? repo_err(err, ERR_FAILED, "make a commit") : 0;
}

int snapshot_store(const struct repo_place *place, git_repository *main,
		   git_oid *id, bool *changed, struct err *err)
{
	_git_tree_ git_tree *committed = NULL;
	git_oid head, tree;

	if (snapshot_take(place, NULL, &head, &tree, err) < 0 ||
	    !(committed = repo_tree(main, &head, err)))
		return -1;
	*id = head;
	*changed = !git_oid_equal(git_tree_id(committed), &tree);
	return *changed ? make_commit(id, main, &head, &tree, err) : 0;
}
