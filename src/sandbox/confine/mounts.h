/* mounts.h - a view of the file system for one process and its children. */
#ifndef AFW_SANDBOX_CONFINE_MOUNTS_H
#define AFW_SANDBOX_CONFINE_MOUNTS_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "base/err.h"
#include "base/mem.h"

#define MOUNTS_MAX 256

/* Of its own to whoever is in the view, and writable. NULL ends. */
extern const char *const mounts_own[];

/* The rules' paths, those of write first. */
struct mounts {
	struct strv paths;
	size_t writable;
	int fds[MOUNTS_MAX]; /* each opened once (O_PATH); -1: not there */
	int git;	     /* the rules' git; -1: there is none */
};

/*
 * Moves this process into namespaces of users (as the same user), mounts and
 * System V's shared memory: -1 with errno where the system allows none.
 */
int mounts_enter(void);

/* Opens the paths: after mounts_enter(), and in the directory dir of the
 * rules. m is zeroed before. */
int mounts_open(const cJSON *rules, struct mounts *m, struct err *err);
void mounts_close(struct mounts *m);

/*
 * All is read only, for chmod(2) and its like too, which Landlock knows
 * nothing of, but rules' write and a /tmp of its own; fixed and git are as
 * confine.h says. Enters dir, where that is mounted.
 */
int mounts_apply(const cJSON *rules, const struct mounts *m, struct err *err);

#endif
