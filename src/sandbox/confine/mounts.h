/* mounts.h - makes a view of the file system for one process and its
 * children. */
#ifndef AFW_SANDBOX_CONFINE_MOUNTS_H
#define AFW_SANDBOX_CONFINE_MOUNTS_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "base/err.h"
#include "base/mem.h"

#define MOUNTS_MAX 256

/* Directories that are private to the view, and writable. NULL ends. */
extern const char *const mounts_own[];

/* The rules' paths, those of write first. */
struct mounts {
	struct strv paths;
	size_t writable;
	int fds[MOUNTS_MAX];  /* each opened once (O_PATH); -1: missing */
	int gits[MOUNTS_MAX]; /* what replaces its .git; -1: nothing */
};

/*
 * Moves this process into namespaces of users (as the same user), mounts and
 * System V's shared memory: -1 with errno if the system does not allow it.
 */
int mounts_enter(void);

/* Opens the paths; call it after mounts_enter(), in the rules' directory dir. m
 * must be zeroed. */
int mounts_open(const cJSON *rules, struct mounts *m, struct err *err);
void mounts_close(struct mounts *m);

/*
 * Makes everything read only, also for chmod(2) and the like, which Landlock
 * does not cover, except the rules' write and a private /tmp; fixed and gits as
 * in confine.h. Enters dir, if that is mounted.
 */
int mounts_apply(const cJSON *rules, const struct mounts *m, struct err *err);

#endif
