/* branch.c - deletes a branch, but never commits. */
#include "worktrees/branch.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "worktrees/merged.h"
#include "worktrees/repo.h"

/* Why it must stay, to be freed; NULL: it may go. */
static char *reason(git_repository *main, const char *branch, const char *ref,
		    const git_oid *tip, const char *when, struct err *err)
{
	bool merged = false;

	if (strcmp(when, "never") == 0)
		return mem_printf("the branch %s stays", branch);
	if (strcmp(when, "always") != 0) {
		if (merged_into_any(main, tip, ref, &merged, err) < 0)
			return NULL;
		if (!merged)
			return mem_printf("the branch %s has commits that no "
					  "other branch has",
					  branch);
	}
	if (merged_checked_out(main, ref))
		return mem_printf("the branch %s is checked out elsewhere",
				  branch);
	return NULL;
}

int branch_delete(git_repository *main, const char *branch, const git_oid *tip,
		  const char *when, bool *deleted, char **kept, struct err *err)
{
	char *name = mem_printf("refs/heads/%s", branch);
	git_reference *ref = NULL;
	int r = 0;

	*deleted = false;
	err_clear(err);
	*kept = reason(main, branch, name, tip, when, err);
	if (err->kind != ERR_NONE)
		r = -1;
	else if (!*kept && git_reference_lookup(&ref, main, name) == 0) {
		/* what was committed to it since we looked is kept too */
		if (!git_reference_target(ref) ||
		    !git_oid_equal(git_reference_target(ref), tip))
			*kept = mem_printf("the branch %s has moved", branch);
		else if (git_reference_delete(ref) < 0)
			r = repo_err(err, ERR_FAILED, "delete the branch %s",
				     branch);
		else
			*deleted = true;
	}
	git_reference_free(ref);
	free(name);
	return r;
}
