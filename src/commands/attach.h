/*
 * attach.h - attaching this terminal, for `afw attach` and `new --attach`, and
 * what the two ways to do so share: the supervisor copies (attach.c), or a
 * command of the backend's shows it (attach_outside.c).
 */
#ifndef AFW_COMMANDS_ATTACH_H
#define AFW_COMMANDS_ATTACH_H

#include <stdbool.h>
#include <termios.h>

#include <cjson/cJSON.h>

#include "base/err.h"
#include "config/config.h"
#include "session/session.h"
#include "wire/client.h"

#define ATTACH_REPLY_MS 5000

/*
 * Gives the terminal to the session until the user detaches or the harness
 * ends, and restores it in every case. Blocks. ERR_FAILED where the
 * connection was lost.
 */
int attach_session(const struct session *s, const struct config *config,
		   bool read_only, struct err *err);

struct attachment {
	struct client *client;
	int tty_fd; /* handed over; -1: relay */
	int signal_fd;
	struct termios saved;
	bool over;
	char reason[32], text[200];
};

/* The request "attach", with the keys that detach and what to show in the first
 * line; NULL where the configuration names no key. */
cJSON *attachment_request(const struct session *s, const struct config *config,
			  bool read_only, struct err *err);
/* Why it ended: "exit", "lost", "signal", "detached". */
void attachment_over(struct attachment *a, const char *reason);
/* An event of the supervisor's; output is printed where it is relayed. */
void attachment_event(struct attachment *a, const cJSON *o);
/* One line on what has become of the session; ERR_FAILED where it was lost. */
int attachment_say_end(const struct session *s, const struct attachment *a,
		       struct err *err);

/* Runs the command that the backend names for it, on this terminal. */
int attach_outside(const struct session *s, const struct config *config,
		   bool read_only, struct err *err);
/* Prints that command for a shell. */
int attach_print_command(const struct session *s, const struct config *config,
			 bool read_only, struct err *err);

#endif
