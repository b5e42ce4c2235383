/*
 * spawn.h - child processes without a shell.
 *
 * A child starts with default signal handlers and an empty signal mask, and
 * with no file descriptor above 2 but those named. That exec failed is
 * reported by the parent's call, with the real reason, over a close-on-exec
 * pipe (abduco's way).
 */
#ifndef AFW_BASE_SPAWN_H
#define AFW_BASE_SPAWN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

struct spawn {
	char *const *argv; /* argv[0] is looked up as spawn_find() does */
	char *const *envp; /* NULL: this process's own */
	const char *dir;   /* working directory, or NULL */
	int dir_fd;	   /* the same, open; 0: by its name */
	int fd[3];	   /* become 0, 1, 2; -1 means /dev/null */
	int keep[4];	   /* further descriptors, kept at their number;
			      0 ends the list */
	bool new_session;  /* setsid() */
	int terminal;	   /* open; becomes the new session's; 0: none does */
	bool same_session; /* spawn_run(): it can open our terminal, and
			      Ctrl-C reaches it; only it is killed */
	bool keep_last;	   /* spawn_run(): of output over max bytes, the end
			      is kept, not the beginning */
};

/* Returns the pid, or -1. Blocks until exec has happened or failed. */
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
 * Where PATH has program (a slash in it: itself); NULL with errno, or to be
 * freed. A part of PATH that is empty or relative is left out: it would name
 * a program of whatever tree we happen to be in.
 */
char *spawn_find(const char *program);

/* execv() of what spawn_find() finds; returns with errno. */
void spawn_exec(char *const *argv);

/* Closes every descriptor above 2 except those in keep (0 ends it). */
void spawn_close_others(const int *keep);

#endif
