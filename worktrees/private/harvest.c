/*
 * harvest.c - imports the commits of a private git directory: the objects first
 * (import_objects.c), then git's index for the worktree, then the branch. If
 * this ends half-way, the repository is intact, and the next run repeats it.
 */
#include "worktrees/private/harvest.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/index_lock.h"
#include "worktrees/git/sparse.h"
#include "worktrees/git/sparse_index.h"
#include "worktrees/private/import_objects.h"
#include "worktrees/private/private_ref.h"
#include "worktrees/operations.h"
#include "worktrees/wait_lock.h"

struct harvest {
	const char *dir, *branch;
	char *ref;	 /* refs/heads/branch */
	char *last_file; /* where last is kept */
	git_oid last,
	    tip; /* of the branch there: at the last import, and now */
};

static void set(struct harvest *h, const struct repo_place *place)
{
	h->dir = place->private;
	h->branch = place->branch;
	h->ref = mem_printf("refs/heads/%s", h->branch);
	h->last_file = mem_printf("%s.harvested", h->dir);
}

static void unset(struct harvest *h)
{
	free(h->ref);
	free(h->last_file);
}

#define _harvest_ CLEANUP(unset)

static bool is_news(struct harvest *h)
{
	_free_ char *line = repo_line(AT_FDCWD, h->last_file);

	memset(&h->last, 0, sizeof h->last);
	if (line && strlen(line) >= GIT_OID_HEXSZ)
		git_oid_fromstrn(&h->last, line, GIT_OID_HEXSZ);
	return !git_oid_equal(&h->tip, &h->last);
}

static int is_home(const struct harvest *h, struct err *err)
{
	return file_replace(AT_FDCWD, h->last_file, git_oid_tostr_s(&h->tip),
			    GIT_OID_HEXSZ, false, err);
}

/*
 * Makes git skip submodules: on the host, the user's `git status` would read
 * that repository, and its configuration, which the agent writes, may name
 * programs. always: write the index even if there is none.
 */
static int write_index(git_index *index, bool always)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < git_index_entrycount(index); i++) {
		git_index_entry e = *git_index_get_byindex(index, i);

		if (e.mode != GIT_FILEMODE_COMMIT)
			continue;
		e.flags |= GIT_INDEX_ENTRY_EXTENDED;
		e.flags_extended |= GIT_INDEX_ENTRY_SKIP_WORKTREE;
		rc = git_index_add(index, &e);
		always = true;
	}
	return rc == 0 && always ? git_index_write(index) : rc;
}

int harvest_begin(const struct repo_place *place, const struct repo_worktree *w,
		  struct err *err)
{
	_git_index_ git_index *index = NULL;
	_harvest_ struct harvest h = {0};

	set(&h, place);
	if (sparse_index_of(&index, w->git) < 0 ||
	    write_index(index, false) < 0)
		return repo_err(err, ERR_FAILED, "write the index");
	return git_reference_name_to_id(&h.tip, w->git, h.ref) == 0
		   ? is_home(&h, err)
		   : 0;
}

/* Moves the index in git's entry, so that git on the host shows the uncommitted
 * changes, not the reverse of the new commits. */
static int move_index(const struct repo_worktree *w, const char *branch,
		      const git_commit *commit, struct err *err)
{
	_git_index_ git_index *index = NULL;
	_git_tree_ git_tree *tree = NULL;
	_sparse_ struct sparse sparse = {0};
	_free_ char *on = repo_branch(w->git);

	/* Otherwise another branch is checked out there, with its own index. */
	if (!on || strcmp(on, branch) != 0)
		return 0;
	if (sparse_index_of(&index, w->git) < 0)
		return index_lock_unreadable(w->git, err);
	if (git_commit_tree(&tree, commit) < 0 ||
	    git_index_read_tree(index, tree) < 0)
		return repo_err(err, ERR_FAILED, "read the commit");
	if (sparse_load(&sparse, w->git, err) < 0)
		return -1;
	sparse_mark(&sparse, index);
	return write_index(index, true) < 0
		   ? repo_err(err, ERR_FAILED, "write the index")
		   : 0;
}

static int set_ref(git_repository *git, const char *name, const git_oid *to,
		   const git_oid *from, struct err *err)
{
	_git_reference_ git_reference *ref = NULL;

	return git_reference_create_matching(&ref, git, name, to, 1, from,
					     "afw: commits of its sandbox") < 0
		   ? repo_err(err, ERR_FAILED, "move %s", name)
		   : 0;
}

static int put_aside(const struct harvest *h, git_repository *git,
		     const struct repo_place *place, cJSON *answer,
		     struct err *err)
{
	_free_ char *ref = mem_printf("refs/afw/%s", place->worktree_id),
		    *said = mem_printf("%s was moved here meanwhile: the "
				       "commits of its sandbox are %s",
				       h->branch, ref);

	json_set_str(answer, "harvest", said);
	return set_ref(git, ref, &h->tip, NULL, err);
}

static int move_branch(const struct harvest *h, const struct repo_worktree *w,
		       const struct repo_place *place, cJSON *answer,
		       struct err *err)
{
	_git_commit_ git_commit *commit = NULL;
	git_oid now;

	/* The tip may not be a commit. */
	if (git_commit_lookup(&commit, w->git, &h->tip) < 0)
		return repo_err(err, ERR_FAILED, "read its commit %s",
				git_oid_tostr_s(&h->tip));
	if (git_reference_name_to_id(&now, w->git, h->ref) < 0)
		return set_ref(w->git, h->ref, &h->tip, NULL, err);
	if (git_oid_equal(&now, &h->last) ||
	    git_graph_descendant_of(w->git, &h->tip, &now) == 1)
		return move_index(w, h->branch, commit, err) < 0
			   ? -1
			   : set_ref(w->git, h->ref, &h->tip, &now, err);
	if (git_oid_equal(&now, &h->tip) ||
	    git_graph_descendant_of(w->git, &now, &h->tip) == 1)
		return 0;
	return put_aside(h, w->git, place, answer, err);
}

/* Files that it writes in git's directory are shared as configured. */
static int import_news(struct harvest *h, const struct repo_worktree *w,
		       const struct repo_place *place, cJSON *answer,
		       struct err *err)
{
	mode_t mine = repo_share(w->git);
	int rc = import_objects(w, h->dir, &h->tip, NULL, err);

	if (rc == 0)
		rc = move_branch(h, w, place, answer, err);
	umask(mine);
	return rc == 0 ? is_home(h, err) : -1;
}

/* Imports under a lock, as another run may be importing the same. */
static int import_commits(struct harvest *h, const struct repo_place *place,
			  cJSON *answer, struct err *err)
{
	_repo_worktree_ struct repo_worktree w = REPO_WORKTREE_NONE;
	_free_ char *lock = mem_printf("%s.lock", h->last_file);
	_close_ int fd =
	    file_open(AT_FDCWD, lock, O_RDWR | O_CREAT | O_CLOEXEC, err);
	int rc;

	if (fd < 0)
		return -1;
	if (wait_lock(fd, lock, NULL, err) < 0)
		return -1;
	/* The other run may have imported more than we have read. */
	rc = private_ref_find(h->dir, h->ref, &h->tip, err);
	if (rc != 1 || !is_news(h))
		return rc < 0 ? -1 : 0;
	return repo_worktree_open(&w, place, err) < 0
		   ? -1
		   : import_news(h, &w, place, answer, err);
}

int harvest(const struct repo_place *place, cJSON *answer, struct err *err)
{
	_harvest_ struct harvest h = {0};
	_free_ char *said = NULL;
	int rc;

	if (!place->private)
		return 0;
	set(&h, place);
	rc = private_ref_find(h.dir, h.ref, &h.tip, err);
	if (rc == 0) {
		said = mem_printf("its sandbox has no branch %s any more: what "
				  "it has committed since stays in %s",
				  h.branch, h.dir);
		json_set_str(answer, "harvest", said);
	} else if (rc == 1) {
		rc = is_news(&h) ? import_commits(&h, place, answer, err) : 0;
	}
	/* Its configuration may name programs: never run the user's git on
	 * it. */
	if (rc < 0) {
		err_prefix(err, "import its commits from %s", h.dir);
		err_hint(err, "they stay there; `afw exec NAME -- git log` "
			      "prints them, in its sandbox");
	}
	return rc;
}
