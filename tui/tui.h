/* tui.h - the dashboard: one struct that all views share. */
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
struct conflicts;
struct feed;
struct hosts;
struct job_request;
struct jobs;
struct memory;
struct tabs;
struct changes;
struct remote;

struct tui {
	struct loop *loop;
	struct roster roster;
	struct feed *feed;
	struct remote *remote;
	struct hosts *hosts;
	struct tabs *tabs;
	struct changes *watch;
	struct jobs *jobs;
	struct bell *bell;
	struct conflicts *conflicts;
	struct memory *memory;
	struct view *view; /* the top of the stack */
	unsigned views;	   /* number of views pushed */
	char *repository;  /* of the current directory, or NULL */
	char *checkout;	   /* session_checkout_here(), or NULL */
	char *afw;	   /* path of the program */
	bool preview, mouse;
	struct chosen columns;
	struct frame frame;   /* the list's, as last drawn */
	int divided[2];	      /* layout_frame() */
	bool dividing;	      /* the mouse drags the border */
	struct strv editor;   /* the option */
	cJSON *commands;      /* config_sections(): [command.NAME]; or NULL */
	char *detach_key;     /* for people, "Ctrl-\"; NULL: there is none */
	uint32_t back_char;   /* stops typing to the agent */
	const char *back_key; /* its name, for people */
	bool came_back;	  /* the user knows how to leave an agent's screen */
	bool handed_over; /* a child has the terminal */

	struct drafts drafts;
	struct strv sent;    /* messages, the newest last */
	struct strv landing; /* repositories in which a landing runs */
	char *new_harness, *new_command; /* the last choice in the form */
	/* number of commands that have ended */
	unsigned done;
	char wanted[SPEC_ID_LEN + 1]; /* select this id when it appears */
	/* Select the session that was made since then, wall ms; 0: none */
	int64_t wanted_since;

	char *since;   /* what is new, in the first row, or NULL */
	char *message; /* above the last row, or NULL */
	enum look message_look;
	int64_t message_until_ms;   /* monotonic; 0: until the next key */
	int cursor_row, cursor_col; /* -1: hidden */
	/* how long the picture is valid; -1: until a change */
	int64_t lasts_ms;

	/* The sources of events (events.c). */
	struct loop_io *input;
	struct loop_timer *draw, *reload, *arrange, *age, *input_more;
	int64_t last_draw_ms, last_reload_ms, last_key_ms;
	struct strv changed; /* ids to read again */
	bool reload_all, board_changed;
	enum roster_change hosts_changed; /* by hosts.c */
	int exit_code;
};

/* Runs the dashboard on the terminal. Returns the exit code, or -1 with err. */
int tui_run(struct err *err);

void tui_quit(struct tui *t);
bool tui_is_cramped(void);  /* too small to show anything */
struct rect tui_body(void); /* the area between header and footer */
void tui_reload_all(struct tui *t);
/* Reads what has changed, that long after the last picture. */
void tui_reload_soon(struct tui *t, int64_t ms);
void tui_redraw(struct tui *t); /* draws soon */
/* while drawing: valid for ms */
void tui_lasts(struct tui *t, int64_t ms);
void tui_cursor(struct tui *t, int row, int col); /* while drawing */

/* Shows a message in the status line until the next key; LOOK_PLAIN, for less
 * important messages, disappears by itself. Takes a format. */
void tui_set_message(struct tui *t, enum look look, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The first hands the terminal over, the second takes it over again. */
void tui_release_terminal(struct tui *t);
void tui_reclaim_terminal(struct tui *t);
/* Hands the terminal to a program; done calls tui_reclaim_terminal(). Returns
 * false if it could not be started, which is shown; arg is dropped. */
bool tui_run_program(struct tui *t, struct job_request *rq);

/* The loop's events (events.c), for run.c to put together. */
void events_start(struct tui *t);
void events_listen(struct tui *t);
void events_on_change(void *ctx, const char *id, const char *file);
void events_on_feed(void *ctx);
void events_on_signal(void *ctx, int signo);

/* Draws the whole picture (draw.c). */
void tui_draw(struct tui *t);

#endif
