/* merge_run.h - merges a session's branch, and prints the result. */
#ifndef AFW_COMMANDS_MERGE_RUN_H
#define AFW_COMMANDS_MERGE_RUN_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/err.h"
#include "session/session.h"

struct args;

/* Returns what --squash and --rebase choose, as in a request. */
const char *merge_how(const struct args *args);

/* Merges its branch into the branch into, as the options of `merge` say;
 * fetched: the branch came from another machine, and has no worktree here.
 * Returns afw-worktree's answer, to be deleted; NULL with err. Blocks. */
cJSON *merge_run(const struct session *s, const struct args *args,
		 const char *into, bool fetched, bool dry_run, struct err *err);

/* Prints the answer. Returns 0, or -1 with err if the merge was refused. last:
 * also what is said once about the session. */
int merge_report(const struct session *s, const cJSON *answer, bool last,
		 const struct args *args, struct err *err);

/* Names what is left to do: files of git LFS that are pointers, submodules. */
void merge_warn_left(const cJSON *answer);

/* Returns the branch that its i-th repository (spec_of()) is merged into,
 * borrowed; NULL with err: it cannot be. */
const char *merge_into(const struct session *s, size_t i,
		       const struct args *args, struct err *err);

/* merge_all.c: the same as merge_run() and merge_report() for a session with
 * several repositories: merges in all, or in none. */
int merge_all(const struct session *s, const struct args *args,
	      struct err *err);

#endif
