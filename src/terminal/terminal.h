/*
 * terminal.h - where a harness's terminal lives: one vtable, one struct per
 * backend. `pty` owns a pseudo-terminal; `tmux` will put it into a pane.
 *
 * All calls are the supervisor's; none blocks but start (until exec has
 * happened or failed).
 */
#ifndef AFW_TERMINAL_TERMINAL_H
#define AFW_TERMINAL_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

struct terminal; /* a backend's own */

struct terminal_start {
	char *const *argv; /* looked up in the PATH of envp */
	char *const *envp;
	const char *dir;
	int cols, rows;
};

/* The line discipline, for who types into it. */
struct terminal_tty {
	bool canonical; /* ICANON: lines of at most 4,095 bytes */
	bool echo;
};

struct terminal_backend {
	const char *name;

	/*
	 * Starts the harness in a session of its own. *pid is it. NULL with
	 * the real reason where exec failed.
	 */
	struct terminal *(*start)(const struct terminal_start *st, pid_t *pid,
				  struct err *err);
	void (*destroy)(struct terminal *t);

	/* Readable when there is output; read gives 0 when it has ended, -1
	 * with EAGAIN when there is none now. */
	int (*fd)(const struct terminal *t);
	ssize_t (*read)(struct terminal *t, char *data, size_t len);

	/* Takes what it can: bytes taken, or -1 with EAGAIN or worse. */
	ssize_t (*write)(struct terminal *t, const char *data, size_t len);

	int (*resize)(struct terminal *t, int cols, int rows);
	int (*tty)(const struct terminal *t, struct terminal_tty *out);
};

extern const struct terminal_backend *const terminal_backends[]; /* NULL ends */
const struct terminal_backend *terminal_find(const char *name);

#endif
