/*
 * attachment.h - one terminal attached to a session, in either of two ways: the
 * supervisor copies (attach_terminal.c), or a command of the backend shows it
 * (attach_tmux.c).
 */
#ifndef AFW_COMMANDS_ATTACHMENT_H
#define AFW_COMMANDS_ATTACHMENT_H

#include <stdbool.h>
#include <termios.h>

#include <cjson/cJSON.h>

#include "base/err.h"
#include "config/config.h"
#include "session/session.h"
#include "wire/client.h"

#define ATTACH_REPLY_MS 5000

struct attachment {
	struct client *client;
	int tty_fd; /* handed over; -1: relay */
	int signal_fd;
	struct termios saved;
	bool over;
	char reason[32], text[200];
};

/* Returns the request "attach", with the keys that detach and what to show in
 * the first line; NULL if the configuration names no valid key. */
cJSON *attachment_request(const struct session *s, const struct config *config,
			  bool read_only, struct err *err);
/* Sets why it ended: "exit", "lost", "signal", "detached". */
void attachment_end(struct attachment *a, const char *reason);
/* Takes an event from the supervisor; output that it relays is printed. */
void attachment_take_event(struct attachment *a, const cJSON *o);
/* Prints one line on what has become of the session; ERR_FAILED if the
 * connection was lost. */
int attachment_print_end(const struct session *s, const struct attachment *a,
			 struct err *err);

/* The supervisor shows it here; attach_session() has the rest. */
int attach_terminal(const struct session *s, const struct config *config,
		    bool read_only, struct err *err);

/* Runs the command that the backend names for it, on this terminal. */
int attach_tmux(const struct session *s, const struct config *config,
		bool read_only, struct err *err);
/* Prints that command for a shell. */
int attach_print_command(const struct session *s, const struct config *config,
			 bool read_only, struct err *err);

#endif
