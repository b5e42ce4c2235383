/*
 * tried.h - which session's state a main worktree has for now: a file in its
 * git directory, which afw-worktree writes.
 */
#ifndef AFW_WIRE_TRIED_H
#define AFW_WIRE_TRIED_H

#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"

#define TRIED_FILE "afw-try"

/* The hint if that file is damaged. */
#define TRIED_DAMAGED                                                          \
	"it is damaged: check out a branch there with git, then remove it"

/* Zeroed: there is none. */
struct tried {
	char *session;	/* its id */
	char *name;	/* of it, then */
	char *commit;	/* HEAD since: its state */
	char *head;	/* the branch before, "refs/heads/main"; NULL: none */
	char *from;	/* the commit before */
	int64_t before; /* the main worktree's checkpoint of then */
};

/* Reads that of a git directory. -1 with err if it cannot be read.
 * tried_finish() in every case. */
int tried_load(struct tried *t, const char *git_dir, struct err *err);

/* The same of a main worktree, or a bare repository. */
int tried_load_of(struct tried *t, const char *repository, struct err *err);

int tried_save(const struct tried *t, const char *git_dir, struct err *err);
void tried_drop(const char *git_dir);
void tried_finish(struct tried *t);
#define _tried_ CLEANUP(tried_finish)

#endif
