/* support_undo.h - undo in the worktree of support_worktree.h's session "one".
 */
#ifndef AFW_TESTS_SUPPORT_UNDO_H
#define AFW_TESTS_SUPPORT_UNDO_H

#include "support_worktree.h"

#define W     ".af_worktrees/r-one"
#define ADMIN "r/.git/worktrees/r-one"

/* Shell commands: what git says, and all that an undo may change. */
#define ALL_HERE "(git rev-parse HEAD; git status -sb; git log --format=%%s)"
#define ALL                                                                    \
	"(cd " W "; git rev-parse HEAD; git symbolic-ref HEAD; "               \
	"GIT_OPTIONAL_LOCKS=0 git status --porcelain; git ls-files -s; "       \
	"find . -name .git -prune -o -printf '%%p %%y %%m %%l\\n' "            \
	"-type f -exec sha1sum {} + | sort; "                                  \
	"sha1sum <../../" ADMIN "/index)"

/* Makes the repository and the session, and a checkpoint of a turn's begin. */
void wt_undo_begin(void);

/* Takes a checkpoint. members: more of the request. */
void wt_undo_take(const char *members);

/* Undoes, which must succeed; returns how many files were verified. */
long wt_undo(const char *members);

/* Fails unless the undo is refused, with this code, and nothing is changed. */
void wt_undo_refused(const char *members, int code, const char *text,
		     const char *hint);

#endif
