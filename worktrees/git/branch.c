/* branch.c - finds where a branch is checked out; deletes a branch, but never
 * commits. */
#include "worktrees/git/branch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/gitfile.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/merged.h"
#include "worktrees/git/repo.h"

/* True if the line of a file is prefix and a reference that is ref or resolves
 * to it; also if the file cannot be read. */
static bool names_ref(git_repository *main, int dir, const char *file,
		      const char *prefix, const char *ref)
{
	_free_ char *line = repo_line(dir, file), *real = NULL;
	size_t len = strlen(prefix);
	git_oid at;

	if (!line)
		return errno != ENOENT && errno != ENOTDIR;
	if (strncmp(line, prefix, len) != 0)
		return false;
	real = repo_resolve(main, line + len, &at);
	return strcmp(real ? real : line + len, ref) == 0;
}

/* dir is the git directory of the worktree that entry names. */
static void check_head(git_repository *main, int dir, const char *entry,
		       const char *ref, struct strv *out, bool *rebases)
{
	if (names_ref(main, dir, "rebase-merge/head-name", "", ref) ||
	    names_ref(main, dir, "rebase-apply/head-name", "", ref))
		*rebases = true;
	else if (!names_ref(main, dir, "HEAD", "ref: ", ref))
		return;
	strv_add(out, entry);
}

/* True if the main repository is bare; libgit2 misses that if
 * extensions.worktreeConfig is set. */
static bool is_bare(git_repository *main)
{
	return git_repository_is_bare(main) ||
	       repo_config_bool(main, "core.bare", false);
}

/* libgit2's own function opens each worktree, and misses a rebase. */
int branch_worktrees(git_repository *main, const char *ref, struct strv *out,
		     bool *rebases, struct err *err)
{
	const char *common = git_repository_commondir(main), *name;
	_close_ int dir = open(common, FILE_DIR_FLAGS);
	_dir_ DIR *d = dir < 0 ? NULL : file_list(dir, "worktrees");

	*rebases = false;
	if (dir < 0 || (!d && errno != ENOENT))
		return err_errno(err, "read %s", common);
	if (!is_bare(main))
		check_head(main, dir, "", ref, out, rebases);
	while (d && (name = file_list_next(d))) {
		_close_ int fd = openat(dirfd(d), name, FILE_DIR_FLAGS);

		if (fd >= 0)
			check_head(main, fd, name, ref, out, rebases);
	}
	return 0;
}

bool branch_is_checked_out(git_repository *main, const char *ref,
			   const char *except)
{
	_strv_ struct strv found = {0};
	bool rebases;

	if (branch_worktrees(main, ref, &found, &rebases, NULL) < 0)
		return true;
	if (except)
		strv_drop(&found, except);
	return found.n > 0;
}

/* Deletes the reference if it is (still) at oid. */
static int delete_ref(git_repository *git, const char *name, const git_oid *oid)
{
	_git_reference_ git_reference *ref = NULL;
	int r = git_reference_lookup(&ref, git, name);

	if (r == 0 && (!git_reference_target(ref) ||
		       !git_oid_equal(git_reference_target(ref), oid)))
		r = GIT_EMODIFIED;
	/* compared once more there, under git's own lock */
	return r == 0 ? git_reference_delete(ref) : r;
}

static bool is_below(git_repository *git, const git_oid *head,
		     const git_oid *tip)
{
	return head && (git_oid_equal(head, tip) ||
			git_graph_descendant_of(git, head, tip) > 0);
}

/* Returns why it must stay, to be freed; NULL: it may be deleted, unless err is
 * filled. */
static char *reason(git_repository *main, const char *branch, const char *ref,
		    const git_oid *tip, const char *when, const git_oid *head,
		    struct err *err)
{
	bool always = strcmp(when, "always") == 0, merged = false;

	if (strcmp(when, "never") == 0)
		return mem_strdup("you asked for it");
	if (!(always && is_below(main, head, tip)) &&
	    merged_all(main, tip, 1, ref, &merged, err) < 0)
		return NULL;
	if (!merged && !(always && is_below(main, head, tip)))
		return mem_printf("it has commits that no other branch has; "
				  "`git branch -D %s` deletes it with them",
				  branch);
	if (branch_is_checked_out(main, ref, NULL))
		return mem_strdup("it is checked out elsewhere");
	return NULL;
}

int branch_delete(git_repository *main, const char *branch, const git_oid *tip,
		  const char *when, const git_oid *head, bool *deleted,
		  char **kept, struct err *err)
{
	_free_ char *name = mem_printf("refs/heads/%s", branch);
	_free_ char *work = mem_printf(GITFILE_WORK "%s", branch);
	git_oid at;
	int e = git_reference_name_to_id(&at, main, name);

	err_clear(err);
	*deleted = false;
	*kept = NULL;
	if (e == 0 && tip && !git_oid_equal(tip, &at))
		e = GIT_EMODIFIED;
	if (e == 0)
		*kept = reason(main, branch, name, &at, when, head, err);
	if (e == 0 && !*kept && err->kind == ERR_NONE) {
		e = delete_ref(main, name, &at);
		*deleted = e == 0;
		if (*deleted)
			git_reference_remove(main, work);
	}
	/* commits made since the check are kept too */
	if (e == GIT_EMODIFIED)
		*kept = mem_strdup("it has moved");
	else if (err->kind == ERR_NONE && e < 0 && e != GIT_ENOTFOUND)
		repo_err(err, ERR_FAILED, "delete the branch %s", branch);
	return err->kind == ERR_NONE ? 0 : -1;
}
