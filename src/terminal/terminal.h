/*
 * terminal.h - a harness's terminal: one vtable, one struct per backend. `pty`
 * owns a pseudo-terminal; `tmux` uses a pane of a private tmux server.
 *
 * The supervisor makes all calls, except check; only check and start block
 * (until exec has succeeded or failed). Members after `write` may be NULL.
 */
#ifndef AFW_TERMINAL_TERMINAL_H
#define AFW_TERMINAL_TERMINAL_H

/* TERMINAL_TYPED_NEVER: no user has typed; TERMINAL_TYPED_UNKNOWN: no
 * answer. */
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
	char *const *argv; /* found in the PATH of envp */
	char *const *envp;
	const char *dir; /* its name */
	int dir_fd;	 /* where it runs */
	const int *fds; /* become its 3, 4 …; 0 ends, at most 3; may be NULL */
	int cols, rows;
	int scrollback;	   /* lines */
	const char *id;	   /* of the session */
	const char *run;   /* prefix for sockets: <runtime>/<id> */
	const char *state; /* the session's own directory */
	struct loop *loop; /* outlives the terminal */
	struct terminal_events {
		void *ctx;
		/* The harness has ended; it was not a child of the caller. */
		void (*exited)(void *ctx, int wait_status);
		/* The last of what it started has ended, too; or NULL. */
		void (*alone)(void *ctx);
		/* The harness has lost its terminal; why, in words. */
		void (*lost)(void *ctx, const char *why);
		/* write() may accept more. */
		void (*room)(void *ctx);
		/* A call of the backend after write() or query_typed() failed;
		 * why, in words. typed: it was for bytes of write(), which have
		 * not arrived (maybe: unknown) and must not be written again.
		 * Never called from within write(). */
		void (*failed)(void *ctx, const char *why, bool typed,
			       bool maybe);
		/* The answer to query_typed(): a user typed last at least
		 * ms_ago ms ago, or one of TERMINAL_TYPED. */
		void (*typed)(void *ctx, int64_t ms_ago);
	} events;
};

/* How a client shows it. */
struct terminal_attach {
	const char *detach_key; /* base/keyname.h, or NULL */
	bool read_only;
	bool truecolor;		/* its terminal has 24 bits of colour */
	const char *clipboard;	/* focused, always; else never */
	const char *first_line; /* shown for a moment; NULL: nothing */
};

/* The line discipline, for code that types into the terminal. */
struct terminal_tty {
	bool canonical; /* ICANON: lines of at most 4,095 bytes */
	bool echo;
};

struct terminal_backend {
	const char *name;

	/*
	 * Starts the harness in its own session; *pid is its pid. NULL with the
	 * real reason if exec failed.
	 */
	struct terminal *(*start)(const struct terminal_start *st, pid_t *pid,
				  struct err *err);
	void (*destroy)(struct terminal *t);

	/* fd is readable when there is output; read returns 0 when it has
	 * ended, -1 with EAGAIN if there is none now. */
	int (*fd)(const struct terminal *t);
	ssize_t (*read)(struct terminal *t, char *data, size_t len);

	/* Writes what it can; returns the bytes accepted, or -1 with errno.
	 * After EAGAIN it may still be writing: until room() or failed() is
	 * called, the caller must not change the bytes. */
	ssize_t (*write)(struct terminal *t, const char *data, size_t len);

	/* It calls room() itself: its fd does not show when write() accepts
	 * more. */
	bool tells_room;

	/* Returns a separate, nonblocking descriptor for the harness's standard
	 * error. NULL: it is part of the output. */
	int (*errors)(const struct terminal *t);

	/* Makes the harness read an end of file after the bytes written. */
	void (*close_input)(struct terminal *t);

	/* NULL: its size is set elsewhere. */
	int (*resize)(struct terminal *t, int cols, int rows);
	int (*tty)(const struct terminal *t, struct terminal_tty *out);

	/* Checks that it can be used here; ERR_FAILED with what is missing. */
	int (*check)(struct err *err);

	/* Returns TERM for programs in it; NULL: the user's choice. */
	const char *(*term)(void);

	/* It answers the harness's terminal queries, so the supervisor must
	 * not. */
	bool answers_queries;

	/* If resize is NULL: returns its present size. */
	int (*size)(const struct terminal *t, int *cols, int *rows);

	/* If users can type without the supervisor: asks when one last did;
	 * events.typed() gets the answer. -1 with EAGAIN: call again after
	 * room(). NULL: they cannot. */
	int (*query_typed)(struct terminal *t);

	/* Stores the backend's own processes below the supervisor (0 ends the
	 * list); the harness may be below them. */
	void (*helpers)(const struct terminal *t, pid_t out[TERMINAL_HELPERS]);

	/* Makes a helper kill the harness's tree, for a moment; false if there
	 * is no helper. */
	bool (*kill)(const struct terminal *t);

	/* Handles a reaped child; true if it was a helper. */
	bool (*reaped)(struct terminal *t, pid_t pid, int wait_status);

	/* Ends the helpers after the harness's tree has ended, once all output
	 * can be read. True when they have ended; else call again, after
	 * reaped() or a while. */
	bool (*end)(struct terminal *t);

	/* Stores the command that shows it, which the client runs; -1 with
	 * err. */
	int (*attach)(const struct terminal *t, const struct terminal_attach *a,
		      struct strv *argv, struct err *err);
};

const struct terminal_backend *terminal_find(const char *name);

#endif
