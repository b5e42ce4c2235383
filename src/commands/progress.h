/* progress.h - what afw-worktree says while it works, for a person. */
#ifndef AFW_COMMANDS_PROGRESS_H
#define AFW_COMMANDS_PROGRESS_H

#include <cjson/cJSON.h>

struct progress;

struct progress *progress_create(const char *name);

/* Ends the line where one is shown. NULL does nothing. */
void progress_destroy(struct progress *p);

/* A worktree_client_fn: progress only on a terminal, the output of the setup
 * command always, on stderr, made safe. */
void progress_line(void *ctx, const cJSON *line);

#endif
