/*
 * terminal.h - where a harness's terminal lives: one vtable, one struct per
 * backend. `pty` owns a pseudo-terminal; `tmux` puts it into a pane of a
 * private tmux server.
 *
 * All calls are the supervisor's, but check; none blocks but check and start
 * (until exec has happened or failed). Members after `write` may be NULL.
 */
#ifndef AFW_TERMINAL_TERMINAL_H
#define AFW_TERMINAL_TERMINAL_H

/* TERMINAL_TYPED: nobody has; there was no answer, which says nothing. */
#define TERMINAL_TYPED_NEVER   (-1)
#define TERMINAL_TYPED_UNKNOWN (-2)

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/loop.h"
#include "base/mem.h"

#define TERMINAL_HELPERS 4

struct terminal; /* a backend's own */

struct terminal_start {
	char *const *argv; /* looked up in the PATH of envp */
	char *const *envp;
	const char *dir; /* its name */
	int dir_fd;	 /* where it runs */
	const int *fds;	 /* it has them as 3, 4 …; 0 ends, 4 at most; NULL */
	int cols, rows;
	int scrollback;	   /* lines */
	const char *id;	   /* of the session */
	const char *run;   /* prefix for sockets: <runtime>/<id> */
	const char *state; /* the session's own directory */
	struct loop *loop; /* outlives the terminal */
	struct terminal_events {
		void *ctx;
		/* The harness is gone, which was no child of the caller's. */
		void (*exited)(void *ctx, int wait_status);
		/* The terminal went away under it; why, in words. */
		void (*lost)(void *ctx, const char *why);
		/* write() may take more. */
		void (*room)(void *ctx);
		/* A call of the backend's own failed, which write() or
		 * ask_typed() led to: why, in words. typed: of bytes
		 * that write() was given; nothing of them has arrived (maybe:
		 * nobody knows), and they are not to be given once more. Not
		 * from within write(). */
		void (*failed)(void *ctx, const char *why, bool typed,
			       bool maybe);
		/* The answer to ask_typed(): at least so many ms ago somebody
		 * typed last, or one of TERMINAL_TYPED. */
		void (*typed)(void *ctx, int64_t ms_ago);
	} events;
};

/* How a client is to show it. */
struct terminal_attach {
	const char *detach_key; /* base/keyname.h, or NULL */
	bool read_only;
	bool truecolor;		/* its terminal has 24 bits of colour */
	const char *clipboard;	/* focused, always; else never */
	const char *first_line; /* shown for a moment; NULL: nothing */
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

	/* Takes what it can: bytes taken, or -1 with EAGAIN or worse. With
	 * EAGAIN it may be at it: until room() or failed() has been called
	 * the caller's bytes must stay as they are. */
	ssize_t (*write)(struct terminal *t, const char *data, size_t len);

	/* It calls room() by itself: its fd does not tell when write() may
	 * take more. */
	bool tells_room;

	/* What the harness prints as errors comes apart: readable by read(2),
	 * which does not block. NULL: it comes with the rest. */
	int (*errors)(const struct terminal *t);

	/* The harness reads an end of file behind what was written. */
	void (*close_input)(struct terminal *t);

	/* NULL: its size is decided elsewhere. */
	int (*resize)(struct terminal *t, int cols, int rows);
	int (*tty)(const struct terminal *t, struct terminal_tty *out);

	/* Can it be had here? ERR_FAILED with what is missing. */
	int (*check)(struct err *err);

	/* What runs in it has this TERM; NULL: what the user asked for. */
	const char *(*term)(void);

	/* It answers the harness's queries by itself, so that nobody else
	 * must. */
	bool answers_queries;

	/* Where resize is NULL: what its size is now. */
	int (*size)(const struct terminal *t, int *cols, int *rows);

	/* People may type past us: asks when somebody did last, which
	 * events.typed() tells. -1 with EAGAIN: ask again after room(). NULL:
	 * nobody can. */
	int (*ask_typed)(struct terminal *t);

	/* Processes of the backend's own below us (0 ends the list): not the
	 * harness's, though it may be below them. */
	void (*helpers)(const struct terminal *t, pid_t out[TERMINAL_HELPERS]);

	/* Has the harness's tree killed from inside, for a moment; false where
	 * nobody is there to do it. */
	bool (*kill)(const struct terminal *t);

	/* A child of ours was reaped; true where it was a helper. */
	bool (*reaped)(struct terminal *t, pid_t pid, int wait_status);

	/* The harness's tree is gone: ends the helpers, once all output can
	 * be read. True when they are gone; else call again, after reaped()
	 * or a while. */
	bool (*end)(struct terminal *t);

	/* The command that shows it, for the client to run; -1 with err. */
	int (*attach)(const struct terminal *t, const struct terminal_attach *a,
		      struct strv *argv, struct err *err);
};

extern const struct terminal_backend *const terminal_backends[]; /* NULL ends */
const struct terminal_backend *terminal_find(const char *name);

#endif
