/*
 * tui.h - the dashboard: one struct that all views share.
 */
#ifndef AFW_TUI_TUI_H
#define AFW_TUI_TUI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/loop.h"
#include "tui/model/drafts.h"
#include "tui/model/roster.h"
#include "tui/term/layout.h"
#include "tui/view.h"

#define TUI_REDRAW_MS	 50 /* at most 20 pictures a second */
#define TUI_MESSAGE_ROWS 4

struct bell;
struct clash;
struct feed;
struct job_request;
struct jobs;
struct memory;
struct tabs;
struct changes;

struct tui {
	struct loop *loop;
	struct roster roster;
	struct feed *feed;
	struct tabs *tabs;
	struct changes *watch;
	struct jobs *jobs;
	struct bell *bell;
	struct clash *clash;
	struct memory *memory;
	struct view *view; /* the top of the stack */
	unsigned views;	   /* pushed until now */
	char *repository;  /* that the current directory is in, or NULL */
	char *checkout;	   /* session_checkout_here(), or NULL */
	char *afw;	   /* path of the program */
	bool preview, mouse;
	struct chosen columns;
	struct frame frame; /* of the list, as drawn last */
	int divided[2];	    /* layout_frame() */
	bool dividing;	    /* the mouse holds what divides it */
	struct strv editor; /* the option */
	char *detach_key; /* for people, "Ctrl-\"; NULL: there is none */
	uint32_t back_char;   /* comes back where keys go to the agent */
	const char *back_key; /* it, for people */
	bool came_back;	  /* knows how to leave an agent's screen */
	bool handed_over; /* a child has the terminal */

	struct drafts drafts;
	struct strv sent; /* messages, the newest last */
	char *new_harness, *new_command; /* the last choice in the form */
	unsigned done;			 /* commands of ours */
	char wanted[SPEC_ID_LEN + 1];	 /* to be selected when it appears */

	char *message; /* in the last rows, or NULL */
	enum look message_look;
	int64_t message_until_ms;   /* monotonic; 0: until the next key */
	int cursor_row, cursor_col; /* -1: hidden */
	int64_t lasts_ms; /* the picture; -1: until something is new */

	/* What wakes it (events.c). */
	struct loop_io *input;
	struct loop_timer *draw, *reload, *arrange, *age, *input_more;
	int64_t last_draw_ms, last_reload_ms, last_key_ms;
	struct strv changed; /* ids to be read again */
	bool reload_all, board_changed;
	int exit_code;
};

/* Runs the dashboard on the terminal. Returns the exit code, or -1. */
int tui_run(struct err *err);

void tui_quit(struct tui *t);
bool tui_is_cramped(void);  /* too small to show anything but that */
struct rect tui_body(void); /* what is between the header and the footer */
void tui_reload_all(struct tui *t);
void tui_redraw(struct tui *t);			  /* soon */
void tui_lasts(struct tui *t, int64_t ms);	  /* while drawing: that long */
void tui_cursor(struct tui *t, int row, int col); /* while drawing */

/* The status line, until the next key; what is only good to know (LOOK_PLAIN)
 * goes by itself. Takes a format. */
void tui_say(struct tui *t, enum look look, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Gives the terminal away, and takes it back. */
void tui_hand_over(struct tui *t);
void tui_take_back(struct tui *t);
/* Gives it to a program, below a line of text (NULL: none); done calls
 * tui_take_back(). False, with that said: it was not started, and arg is
 * dropped. */
bool tui_run_program(struct tui *t, struct job_request *rq, const char *text);

/* The loop's events (events.c), for run.c to put together. */
void events_start(struct tui *t);
void events_listen(struct tui *t);
void events_on_change(void *ctx, const char *id, const char *file);
void events_on_feed(void *ctx);
void events_on_signal(void *ctx, int signo);

/* The picture as a whole (draw.c). */
void tui_draw(struct tui *t);

#endif
