/*
 * tmux_args.h - the configuration of tmux and the arguments of every call.
 * Pure, and the only place that has them.
 *
 * No list goes through a shell. A list is appended to argv, which the caller
 * finishes.
 */
#ifndef AFW_TERMINAL_TMUX_ARGS_H
#define AFW_TERMINAL_TMUX_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"
#include "terminal/terminal.h"

/* 3.2 has no hook client-focus-in, and passes on what a program in a pane
 * hides from it (allow-passthrough is of 3.3). */
#define TMUX_MINIMUM 303 /* 3.3 */

/* Variables of the server's environment, for the pipe's command. */
#define TMUX_ENV_PROGRAM "AFW_PANE_PROGRAM"
#define TMUX_ENV_SOCKET	 "AFW_PANE_SOCKET"

/* Parses "tmux 3.3a" to 303, "tmux next-3.8" to 308; -1 without a number. */
int tmux_args_version(const char *text);

/* Writes the server's configuration file. */
void tmux_args_config(struct buf *out, int history, const char *term);

struct tmux_args_start {
	const char *socket, *config;
	int cols, rows;
	const char *program;	 /* afw-guard */
	const char *pane_socket; /* the socket that it connects to */
};

/* Starts server, session and pane, and the pipe of its output. Prints
 * "SERVER_PID PANE_ID". */
void tmux_args_start(const struct tmux_args_start *st, struct strv *argv);

/*
 * Writes standard input to the pane, byte for byte, in any mode of the pane.
 * version: as from tmux_args_version().
 */
void tmux_args_write(const char *socket, const char *pane, int version,
		     struct strv *argv);

/* Asks when a user last typed through a client. tmux counts keys, mouse and
 * attaching as a session's activity, but not our pastes or output (measured
 * with 3.3a). */
void tmux_args_query_typed(const char *socket, const char *pane,
			   struct strv *argv);
/* Parses the answer: at least this many ms before wall_ms (CLOCK_REALTIME; tmux
 * reports whole seconds). TERMINAL_TYPED_NEVER: no client was ever attached, or
 * its clock differs; TERMINAL_TYPED_UNKNOWN: not an answer. */
int64_t tmux_args_typed_ago(const char *answer, int64_t wall_ms);

/* Shows the session on this terminal. detach_key is tmux's name of the key, or
 * NULL; it replaces an earlier one. */
void tmux_args_attach(const char *socket, const char *detach_key,
		      const struct terminal_attach *a, struct strv *argv);

void tmux_args_kill(const char *socket, struct strv *argv);
void tmux_args_query_version(struct strv *argv);

/* Returns tmux's name of a key (base/keyname.h), for an argument, to be freed;
 * NULL if tmux has none. */
char *tmux_args_key(const char *name);

#endif
