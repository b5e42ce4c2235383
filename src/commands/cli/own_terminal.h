/*
 * own_terminal.h - a terminal of afw's own for a command that may not have the
 * user's, which shows what the command prints there: filtered, as of an
 * attached session (screen/screen.h).
 *
 * The command could otherwise leave a process behind that reads what is typed
 * into the user's terminal later.
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
	int user;	       /* the user's, for output */
	bool keys;	       /* standard input, in raw mode, is copied */
	bool styled;	       /* more than text was printed */
	bool focus;	       /* the user's reports its focus */
	const char *clipboard; /* as in afw.ini(5) */
	int64_t typed_at;
	struct termios saved;
	struct filter filter; /* its replies: all that the command is to get */
};

/*
 * Puts the command of sp into a session of its own. What of sp->fd is a
 * terminal becomes the new one; with keys (standard input and output are one)
 * all are its controlling terminal, else the input is empty. clipboard is
 * borrowed. -1 with err, and nothing is to be closed.
 */
int own_terminal_open(struct own_terminal *t, struct spawn *sp,
		      const char *clipboard, struct err *err);

/* The command has it: the user's keys are its from now on. */
void own_terminal_begin(struct own_terminal *t, struct foreground *f);

/* What is to be waited for, besides the command's end. */
#define OWN_TERMINAL_FDS 3
void own_terminal_watch(const struct own_terminal *t,
			struct pollfd p[OWN_TERMINAL_FDS]);

/* Copies what there is. False: the user's terminal is gone. */
bool own_terminal_copy(struct own_terminal *t,
		       const struct pollfd p[OWN_TERMINAL_FDS]);

/* The size of the user's terminal is another one. */
void own_terminal_resize(struct own_terminal *t);

/* All that used it has ended: prints the rest, and the user's terminal is as it
 * was. Blocks for seconds at most if that takes nothing. */
void own_terminal_close(struct own_terminal *t);

#endif
