/*
 * operations.h - the operations of afw-worktree(8), one function each:
 * worktree_undo() and so on. wire/worktree_request.def describes their requests
 * and answers.
 *
 * Each fills answer (an empty object) and returns 0, or returns -1 with err
 * filled and nothing changed on disk. create writes its answer itself: the
 * worktree is removed again if the caller does not read it.
 */
#ifndef AFW_WORKTREES_OPERATIONS_H
#define AFW_WORKTREES_OPERATIONS_H

#include "wire/worktree_request.h"
#include "worktrees/output.h"

#define OPERATION(op, ...)                                                     \
	int worktree_##op(struct output *out, const struct op##_request *req,  \
			  cJSON *answer, struct err *err);
#include "wire/worktree_request.def"

/*
 * Runs one request line and writes its answer line, for bad requests too.
 * Returns the exit code.
 */
int request_run(struct output *out, const char *line, size_t len);

#endif
