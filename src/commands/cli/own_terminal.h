/*
 * own_terminal.h - a separate terminal (pty) for a command that must not have
 * the user's. The command's output is shown on the user's terminal, filtered
 * like an attached session's (screen/screen.h).
 *
 * With the user's terminal the command could leave a process running that later
 * reads what the user types.
 */
#ifndef AFW_COMMANDS_CLI_OWN_TERMINAL_H
#define AFW_COMMANDS_CLI_OWN_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

#include "base/spawn.h"
#include "commands/cli/filter.h"
#include "commands/cli/foreground.h"

struct own_terminal {
	int master, slave;     /* -1: no descriptor is a terminal */
	int user;	       /* the user's terminal, for output */
	bool keys;	       /* standard input is in raw mode and is copied */
	bool styled;	       /* more than plain text was printed */
	bool focus;	       /* the user's terminal reports its focus */
	const char *clipboard; /* as in afw.ini(5) */
	int64_t typed_at;
	struct termios saved;
	/* filter.replies holds all input for the command */
	struct filter filter;
};

/*
 * Puts the command of sp into a session of its own. Each descriptor in sp->fd
 * that is a terminal is replaced by the new one. With keys (standard input and
 * output are a terminal) the new terminal is the controlling terminal;
 * otherwise its input is empty. clipboard is borrowed. -1 with err, and then
 * nothing needs to be closed.
 */
int own_terminal_open(struct own_terminal *t, struct spawn *sp,
		      const char *clipboard, struct err *err);

/* Call it when the command has been started: from then on it gets the user's
 * keys. */
void own_terminal_begin(struct own_terminal *t, struct foreground *f);

/* The descriptors to poll, in addition to the command's end. */
#define OWN_TERMINAL_FDS 3
void own_terminal_watch(const struct own_terminal *t,
			struct pollfd p[OWN_TERMINAL_FDS]);

/* Copies what is available. Returns false if the user's terminal is gone. */
bool own_terminal_copy(struct own_terminal *t,
		       const struct pollfd p[OWN_TERMINAL_FDS]);

/* Call it when the size of the user's terminal has changed. */
void own_terminal_resize(struct own_terminal *t);

/* Call it when all processes that used it have ended. Prints the rest and
 * restores the user's terminal. Blocks for a few seconds at most if that
 * terminal does not accept output. */
void own_terminal_close(struct own_terminal *t);

#endif
