/*
 * spawn.h - starts child processes without a shell.
 *
 * A child starts with default signal handlers and an empty signal mask, and
 * with no file descriptor above 2 except those named. If exec fails, the
 * parent's call reports the real reason, which it gets over a close-on-exec
 * pipe (as in abduco).
 */
#ifndef AFW_BASE_SPAWN_H
#define AFW_BASE_SPAWN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

struct spawn {
	char *const *argv; /* argv[0] is found as by spawn_find() */
	char *const *envp; /* NULL: this process's own */
	const char *dir;   /* working directory, or NULL */
	int dir_fd;	   /* the same, open; 0: use dir */
	int fd[3];	   /* become 0, 1, 2; -1 means /dev/null */
	int keep[4];	   /* further descriptors, kept at their number;
			      0 ends the list */
	bool new_session;  /* setsid() */
	int terminal; /* open; becomes the new session's terminal; 0: none */
	bool same_session; /* spawn_run(): it can open our terminal, and gets
			      Ctrl-C; only it is killed */
	bool keep_last; /* spawn_run(): if output is over max bytes, its end is
			   kept, not its start */
};

/* Starts it. Returns the pid, or -1. Blocks until exec has succeeded or
 * failed. */
pid_t spawn_start(const struct spawn *sp, struct err *err);

/*
 * Runs to the end with input (may be NULL) on standard input; standard
 * output and error are appended to out and errout (either may be NULL:
 * /dev/null), at most max bytes each. *status is as from waitpid(). Killed
 * with its process group after timeout_ms: ERR_TIMEOUT.
 */
int spawn_run(const struct spawn *sp, const char *input, struct buf *out,
	      struct buf *errout, size_t max, int64_t timeout_ms, int *status,
	      struct err *err);

/*
 * Returns the path of program in PATH (or program itself, if it has a slash),
 * to be freed; NULL with errno. Empty and relative parts of PATH are left out:
 * they would name a program in the current directory.
 */
char *spawn_find(const char *program);

/* Calls execv() on the result of spawn_find(); returns with errno. */
void spawn_exec(char *const *argv);

/* Returns true in a new process, which has no terminal, /dev/null as 0, 1 and
 * 2, and no other descriptor; false in this one, and if there is none. Nobody
 * waits for it. */
bool spawn_background(void);

/* Closes every descriptor above 2 except those in keep (0 ends it). */
void spawn_close_others(const int *keep);

#endif
