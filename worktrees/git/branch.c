/* branch.c - deletes a branch, but never commits. */
#include "worktrees/git/branch.h"

#include <stdlib.h>
#include <string.h>

#include "worktrees/git/cleanup.h"
#include "worktrees/git/merged.h"
#include "worktrees/git/repo.h"

int branch_delete_ref(git_repository *git, const char *name, const git_oid *oid)
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

/* Why it must stay, to be freed; NULL: it may go, unless err is filled. */
static char *reason(git_repository *main, const char *branch, const char *ref,
		    const git_oid *tip, const char *when, const git_oid *head,
		    struct err *err)
{
	bool always = strcmp(when, "always") == 0, merged = false;

	if (strcmp(when, "never") == 0)
		return mem_printf("the branch %s stays", branch);
	if (!(always && is_below(main, head, tip)) &&
	    merged_all(main, tip, 1, ref, &merged, err) < 0)
		return NULL;
	if (!merged && !(always && is_below(main, head, tip)))
		return mem_printf("the branch %s has commits that no other "
				  "branch has",
				  branch);
	if (merged_checked_out(main, ref, NULL))
		return mem_printf("the branch %s is checked out elsewhere",
				  branch);
	return NULL;
}

int branch_delete(git_repository *main, const char *branch, const git_oid *tip,
		  const char *when, const git_oid *head, bool *deleted,
		  char **kept, struct err *err)
{
	_free_ char *name = mem_printf("refs/heads/%s", branch);
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
		e = branch_delete_ref(main, name, &at);
		*deleted = e == 0;
	}
	/* what was committed to it since we looked is kept too */
	if (e == GIT_EMODIFIED)
		*kept = mem_printf("the branch %s has moved", branch);
	else if (err->kind == ERR_NONE && e < 0 && e != GIT_ENOTFOUND)
		repo_err(err, ERR_FAILED, "delete the branch %s", branch);
	return err->kind == ERR_NONE ? 0 : -1;
}
