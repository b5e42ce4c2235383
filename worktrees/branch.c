/* branch.c - deletes a branch, but never commits. */
#include "worktrees/branch.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "worktrees/merged.h"
#include "worktrees/ref.h"
#include "worktrees/repo.h"

struct question {
	git_repository *main;
	const char *branch, *ref, *when;
	const git_oid *tip;
	char *why; /* it must stay, to be freed; NULL: it may go */
	struct err *err;
};

static char *reason(const struct question *q)
{
	bool merged = false;

	if (strcmp(q->when, "never") == 0)
		return mem_printf("the branch %s stays", q->branch);
	if (strcmp(q->when, "always") != 0) {
		if (merged_into_any(q->main, q->tip, q->ref, &merged, q->err) <
		    0)
			return NULL;
		if (!merged)
			return mem_printf("the branch %s has commits that no "
					  "other branch has",
					  q->branch);
	}
	if (merged_checked_out(q->main, q->ref))
		return mem_printf("the branch %s is checked out elsewhere",
				  q->branch);
	return NULL;
}

static bool may_go(void *ctx)
{
	struct question *q = ctx;

	q->why = reason(q);
	return !q->why && q->err->kind == ERR_NONE;
}

int branch_delete(git_repository *main, const char *branch, const git_oid *tip,
		  const char *when, bool *deleted, char **kept, struct err *err)
{
	char *name = mem_printf("refs/heads/%s", branch);
	struct question q = {.main = main,
			     .branch = branch,
			     .ref = name,
			     .when = when,
			     .tip = tip,
			     .err = err};
	int r = 0, e;

	err_clear(err);
	/* Asked where no other afw can answer at once: of two branches with
	 * the same commits each would leave them to the other. */
	e = ref_delete_if(main, name, tip, may_go, &q);
	*deleted = e == 0;
	*kept = q.why;
	/* what was committed to it since we looked is kept too */
	if (e == GIT_EMODIFIED)
		*kept = mem_printf("the branch %s has moved", branch);
	else if (err->kind != ERR_NONE)
		r = -1;
	else if (e < 0 && e != GIT_EUSER && e != GIT_ENOTFOUND)
		r = repo_err(err, ERR_FAILED, "delete the branch %s", branch);
	free(name);
	return r;
}
