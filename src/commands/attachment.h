/*
 * attachment.h - a terminal that is attached to a session: the supervisor
 * copies bytes (attach_terminal.c), or a command of the backend shows it
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
	int tty_fd; /* passed to the supervisor; -1: relay */
	int signal_fd;
	struct termios saved;
	bool over;
	char reason[32], text[200];
};

/* Sets rq to the request "attach", with the detach keys, for request_finish(),
 * and the text of the first line; -1 with err if the configuration has no valid
 * key. */
#define ATTACH_LINE 512
int attachment_request(struct request *rq, char line[static ATTACH_LINE],
		       const struct session *s, const struct config *config,
		       bool read_only, struct err *err);
/* Sets why the attachment ended: "exit", "lost", "signal", "detached". */
void attachment_end(struct attachment *a, const char *reason);
/* Handles an event from the supervisor; relayed output is printed. */
void attachment_handle_event(struct attachment *a, const cJSON *o);
/* Prints one line about what happened to the session; ERR_FAILED if the
 * connection was lost. */
int attachment_print_end(const struct session *s, const struct attachment *a,
			 struct err *err);

/* Attaches through the supervisor, as attach_session() describes. first_line is
 * shown at first; NULL: that of attachment_request(). Blocks. */
int attach_terminal(const struct session *s, const struct config *config,
		    bool read_only, const char *first_line, struct err *err);

/* Runs the command that the backend names on this terminal. Blocks. */
int attach_tmux(const struct session *s, const struct config *config,
		bool read_only, struct err *err);
/* Prints that command for a shell. */
int attach_print_command(const struct session *s, const struct config *config,
			 bool read_only, struct err *err);

#endif
