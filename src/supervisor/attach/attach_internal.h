/* attach_internal.h - one attached terminal; for attach*.c only. */
#ifndef AFW_SUPERVISOR_ATTACH_ATTACH_INTERNAL_H
#define AFW_SUPERVISOR_ATTACH_ATTACH_INTERNAL_H

#include <termios.h>

#include "supervisor/attach/attach.h"
#include "supervisor/attach/detach_key.h"
#include "supervisor/part.h"

struct attached {
	struct supervisor *sv;
	struct attached *next;
	struct peer *peer;
	int fd; /* the terminal; -1: relay */
	struct loop_io *io;
	struct termios saved;
	bool have_saved;
	int cols, rows;
	bool read_only;
	bool focused; /* as far as the terminal reports it */
	enum { CLIPBOARD_NEVER, CLIPBOARD_FOCUSED, CLIPBOARD_ALWAYS } clipboard;
	bool stale; /* has lost frames: it is redrawn when it can take bytes */
	bool clipped;	      /* gets a picture, not the harness's own bytes */
	char first_line[200]; /* shown at first, over the harness's; "" */
	struct screen_modes modes; /* clipped: the modes last set */
	struct detach_key detach;
	struct buf out;
	struct buf split; /* may be the beginning of a detach key */
	struct loop_timer *repaint, *split_timer, *first_line_timer;
};

/* The request "attach"; takes tty_fd over (-1: relay through the peer). */
int attach_add(struct peer *p, const struct attach_request *rq, int tty_fd,
	       struct err *err);

/* Sets the new size of the client's terminal. */
void attach_resize(struct attached *a, int cols, int rows);

/* Handles keys that came through the peer (relay). */
void attach_input(struct attached *a, const char *data, size_t len);

/* Restores the terminal, sends the reason to the peer, and frees a. NULL is
 * allowed. */
void attach_end(struct attached *a, const char *reason, const char *text);
/* Sends the end of the attachment to its client p. */
void attach_send_end(struct peer *p, const char *reason, const char *text);

/* Shows output of the harness on all terminals. */
void attach_output(struct supervisor *sv, const char *data, size_t len);
/* Sets the clipboard of those terminals whose user allows it. */
void attach_clipboard(struct supervisor *sv, const char *text, size_t len);

/* Sends bytes to the terminal; they are queued if it does not take them. */
void attach_emit(struct attached *a, const char *data, size_t len);
/* Writes queued bytes without blocking. Returns false if the terminal is
 * gone. */
bool attach_flush(struct attached *a);
/* Sets the loop events that the terminal needs now. */
void attach_update_events(struct attached *a);

/* Draws the screen again; reset: with the history and all modes. */
void attach_redraw(struct attached *a, bool reset);
void attach_repaint(void *ctx); /* of a timer: ctx is the attached */
void attach_uncover(void *ctx); /* of a timer: ends a->first_line */

#endif
