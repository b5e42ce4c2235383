/* attach_internal.h - what attach*.c share: one terminal that shows it. */
#ifndef AFW_SUPERVISOR_ATTACH_ATTACH_INTERNAL_H
#define AFW_SUPERVISOR_ATTACH_ATTACH_INTERNAL_H

#include <termios.h>

#include "supervisor/attach/attach.h"
#include "supervisor/attach/detach_key.h"
#include "supervisor/part.h"

#define ATTACH_HELD_MAX ((size_t)64 * 1024) /* of keys; then none are read */

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
	bool focused; /* as far as it tells */
	enum { CLIPBOARD_NEVER, CLIPBOARD_FOCUSED, CLIPBOARD_ALWAYS } clipboard;
	bool stale;   /* lost frames: a redraw comes when it can take one */
	bool clipped; /* cannot show the harness's own bytes */
	char first_line[200];	   /* shown at first, over the harness's; "" */
	struct screen_modes modes; /* clipped: what it was last brought into */
	struct detach_key detach;
	struct buf out;
	struct buf held;  /* keys that wait: a message is being pasted */
	struct buf split; /* what may be the beginning of a detach key */
	struct loop_timer *repaint, *split_timer, *first_line_timer;
};

/* The op "attach"; takes tty_fd (-1: relay through the peer). */
int attach_add(struct peer *p, const cJSON *request, int tty_fd,
	       struct err *err);

/* The client's terminal has another size now. */
void attach_resize(struct attached *a, int cols, int rows);

/* Relay: keys that came by the peer. */
void attach_input(struct attached *a, const char *data, size_t len);

/* Restores the terminal, tells the peer why, frees. NULL does nothing. */
void attach_end(struct attached *a, const char *reason, const char *text);
/* That client: it is over. */
void attach_tell_end(struct peer *p, const char *reason, const char *text);

/* Output of the harness, for all. */
void attach_output(struct supervisor *sv, const char *data, size_t len);
/* The harness sets the clipboard: for those terminals whose user allows it. */
void attach_clipboard(struct supervisor *sv, const char *text, size_t len);
/* Keys that were held back go, unless a message is still being pasted. */
void attach_release(struct supervisor *sv);

/* Bytes for it; they wait where it does not take them. */
void attach_emit(struct attached *a, const char *data, size_t len);
/* Writes what waits, as far as it goes. False: the terminal is gone. */
bool attach_flush(struct attached *a);
/* Asks the loop for what it can take or give by now. */
void attach_wanted(struct attached *a);

/* The picture as it is now; reset: with the history and all modes. */
void attach_redraw(struct attached *a, bool reset);
void attach_repaint(void *ctx); /* the timer's: ctx is the attached */
void attach_uncover(void *ctx); /* the same: the first line is the harness's */

#endif
