/*
 * harvest.c - the commits of a private git directory come home: the objects
 * first (bring.c), then git's index for the worktree, then the branch. What
 * ends this half-way leaves the repository whole, and it is done again.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "worktrees/private_git.h"
#include "worktrees/worktree.h"

/* git, asked on the host, tells what is not committed, not its reverse. */
static int move_index(const struct repo_worktree *w, const char *branch,
		      const git_oid *tip, struct err *err)
{
	git_commit *commit = NULL;
	git_index *index = NULL;
	git_tree *tree = NULL;
	char *on = repo_branch(w->git);
	int rc;

	/* Somebody has another branch there, with its own index. */
	if (!on || strcmp(on, branch) != 0) {
		free(on);
		return 0;
	}
	free(on);
	rc = git_commit_lookup(&commit, w->git, tip);
	if (rc == 0)
		rc = git_commit_tree(&tree, commit);
	if (rc == 0)
		rc = git_repository_index(&index, w->git);
	if (rc == 0)
		rc = git_index_read_tree(index, tree);
	if (rc == 0)
		rc = git_index_write(index);
	git_index_free(index);
	git_tree_free(tree);
	git_commit_free(commit);
	return rc < 0 ? repo_err(err, ERR_FAILED, "write the index") : 0;
}

static int set_ref(git_repository *git, const char *name, const git_oid *to,
		   const git_oid *from, struct err *err)
{
	git_reference *ref = NULL;
	int rc = git_reference_create_matching(&ref, git, name, to, 1, from,
					       "afw: commits of its sandbox");

	git_reference_free(ref);
	return rc < 0 ? repo_err(err, ERR_FAILED, "move %s", name) : 0;
}

/* The repository's branch is where it was at the last harvest, or before. */
static bool may_follow(git_repository *git, const git_oid *now,
		       const git_oid *last, const git_oid *tip)
{
	return git_oid_equal(now, last) ||
	       git_graph_descendant_of(git, tip, now) == 1;
}

static int move_branch(const struct repo_worktree *w, const cJSON *req,
		       const git_oid *last, const git_oid *tip, cJSON *answer,
		       struct err *err)
{
	const char *branch = json_str_or(req, "branch", "");
	char *ref = mem_printf("refs/heads/%s", branch),
	     *aside =
		 mem_printf("refs/afw/%s", json_str_or(req, "worktree_id", "")),
	     *said;
	git_commit *commit = NULL;
	git_oid now;
	int rc = 0;

	/* Not a tree of the repository's own, say. */
	if (git_commit_lookup(&commit, w->git, tip) < 0)
		rc = repo_err(err, ERR_FAILED, "read its commit %s",
			      git_oid_tostr_s(tip));
	else if (git_reference_name_to_id(&now, w->git, ref) < 0)
		rc = set_ref(w->git, ref, tip, NULL, err);
	else if (git_oid_equal(&now, tip) ||
		 git_graph_descendant_of(w->git, &now, tip) == 1)
		;
	else if (may_follow(w->git, &now, last, tip)) {
		rc = move_index(w, branch, tip, err);
		if (rc == 0)
			rc = set_ref(w->git, ref, tip, &now, err);
	} else {
		rc = set_ref(w->git, aside, tip, NULL, err);
		said = mem_printf("%s was moved here meanwhile: the commits of "
				  "its sandbox are %s",
				  branch, aside);
		json_set_str(answer, "harvest", said);
		free(said);
	}
	git_commit_free(commit);
	free(ref);
	free(aside);
	return rc;
}

static void read_last(const char *file, git_oid *last)
{
	struct buf text = {0};

	memset(last, 0, sizeof *last);
	if (file_read(AT_FDCWD, file, 4096, &text, NULL) == 0 &&
	    text.len >= GIT_OID_HEXSZ)
		git_oid_fromstrn(last, text.data, GIT_OID_HEXSZ);
	buf_finish(&text);
}

static int bring_home(const cJSON *req, const char *last_file,
		      const git_oid *last, const git_oid *tip, cJSON *answer,
		      struct err *err)
{
	const char *dir = json_str(req, "private");
	struct repo_worktree w;
	int rc = repo_worktree_open(&w, req, err);

	if (rc == 0)
		rc = private_git_bring(&w, dir, tip, err);
	if (rc == 0)
		rc = move_branch(&w, req, last, tip, answer, err);
	repo_worktree_finish(&w);
	if (rc == 0)
		rc = file_replace(AT_FDCWD, last_file, git_oid_tostr_s(tip),
				  GIT_OID_HEXSZ, false, err);
	return rc;
}

/* One at a time: the other may have brought it home by then. Waits as long as
 * the request may take. */
static int bring_alone(const cJSON *req, const char *last_file,
		       const git_oid *tip, cJSON *answer, struct err *err)
{
	char *lock = mem_printf("%s.lock", last_file);
	int fd = file_open(AT_FDCWD, lock, O_RDWR | O_CREAT | O_CLOEXEC, err);
	git_oid last;
	int rc = -1;

	if (fd >= 0 && flock(fd, LOCK_EX) < 0)
		err_errno(err, "lock %s", lock);
	else if (fd >= 0) {
		read_last(last_file, &last);
		rc = git_oid_equal(tip, &last)
			 ? 0
			 : bring_home(req, last_file, &last, tip, answer, err);
	}
	file_close(fd);
	free(lock);
	return rc;
}

int harvest(const cJSON *req, cJSON *answer, struct err *err)
{
	const char *dir = json_str(req, "private"),
		   *branch = json_str_or(req, "branch", "");
	char *ref, *last_file, *said;
	git_oid tip, last;
	int rc;

	if (!dir)
		return 0;
	ref = mem_printf("refs/heads/%s", branch);
	last_file = mem_printf("%s.harvested", dir);
	read_last(last_file, &last);
	rc = private_git_ref(dir, ref, &tip, err);
	if (rc == 0) {
		said = mem_printf("its sandbox has no branch %s any more: what "
				  "it has committed since stays in %s",
				  branch, dir);
		json_set_str(answer, "harvest", said);
		free(said);
	} else if (rc == 1) {
		rc = git_oid_equal(&tip, &last)
			 ? 0
			 : bring_alone(req, last_file, &tip, answer, err);
	}
	free(ref);
	free(last_file);
	if (rc < 0) {
		err_prefix(err, "bring its commits home from %s", dir);
		err_hint(err,
			 "they stay there; look with: git --git-dir=%s "
			 "log",
			 dir);
	}
	return rc;
}
