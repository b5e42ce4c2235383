/*
 * worktree_client.h - runs requests in afw-worktree(8): one request, progress,
 * one answer. afw and the supervisor do all git work this way.
 *
 * The child is found by program_find() (wire/program.h). It reads one JSON
 * object on one line from its standard input and writes JSON lines:
 *
 *   {"progress":"checkout","done":120,"total":5000}       any number
 *   {"output":"npm install\n..."}        what a setup command prints
 *   {"ok":true, ...}  or
 *   {"ok":false,"code":4,"error":"...","hint":"..."}      exactly one, last
 *
 * With "--serve" it reads further requests, until one fails.
 * worktree_request.def describes the requests and the answers; paths are
 * absolute, codes are enum err_kind, ino is decimal text (json_set_u64()).
 */
#ifndef AFW_WIRE_WORKTREE_CLIENT_H
#define AFW_WIRE_WORKTREE_CLIENT_H

#include <cjson/cJSON.h>
#include <signal.h>
#include <stdint.h>

#include "base/err.h"
#include "wire/worktree_request.h"

/* The hint if there is no repository where a session was made. */
#define REPOSITORY_MOVED                                                       \
	"put it back; if it was moved, go there: `git worktree repair`, then " \
	"`afw reconcile --apply`"

/* Called for each line before the answer ("progress", "output", "diff");
 * borrowed. */
typedef void (*worktree_client_fn)(void *ctx, const cJSON *line);

/* Decides about a line with "confirm", for which the child waits, such as the
 * answer of create, which is recorded here. -1 with err: no. The child keeps
 * *held open until it ends, too; -1: none. */
typedef int (*worktree_client_confirm_fn)(void *ctx, const cJSON *line,
					  int *held, struct err *err);

/*
 * Runs one request. fn may be NULL. Returns the answer (ok is true in it), to
 * be freed with cJSON_Delete(), or NULL with err filled from the child's error.
 * Blocks until the child is done; timeout_ms 0: no limit here (the child limits
 * every wait). SIGINT and SIGTERM to the process group reach the child too,
 * which then rolls back and reports that; this function still waits for its
 * answer.
 */
cJSON *worktree_client_run(struct worktree_request request,
			   worktree_client_fn fn, void *ctx, int64_t timeout_ms,
			   struct err *err);

/*
 * As worktree_client_run(), for a caller that handles signals: once *stop is
 * not 0 the child is told to stop and roll back (a `kill` of afw alone does not
 * reach it), and this waits for its answer. confirm (or NULL) is for a request
 * with "confirm": the child rolls back unless it returns 0, also if we are
 * killed before. The child keeps lock_fd (or -1) open too: if we are killed, a
 * lock on it is released only when the child has rolled back.
 */
cJSON *worktree_client_run_until(struct worktree_request request,
				 worktree_client_fn fn,
				 worktree_client_confirm_fn confirm, void *ctx,
				 int lock_fd, int64_t timeout_ms,
				 const volatile sig_atomic_t *stop,
				 struct err *err);

/* Has the child of worktree_client_run() wait for the next request from now on,
 * for a command with many: starting one takes longer than most requests. false:
 * ends it. */
void worktree_client_keep(bool on);

#endif
