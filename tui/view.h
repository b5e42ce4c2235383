/*
 * view.h - what fills the window, and gets the keys.
 *
 * Views lie on a stack; the list is at the bottom. The top one gets the keys
 * and the footer. A view is a struct that begins with struct view.
 */
#ifndef AFW_TUI_VIEW_H
#define AFW_TUI_VIEW_H

#include <stdbool.h>

#include "tui/term/paint.h"
#include "tui/term/term.h"

struct tui;
struct view;
struct mouse;

/*
 * A key of a view, or several that belong together: for its last row, for the
 * help, and to be run. Those without run are moved by, or are the terminal's.
 */
struct view_key {
	const char *key;  /* "x", "K/J", "Enter", "{down}/{up}" */
	const char *word; /* in the last row; "": not there; NULL: key is a
			     heading in the help */
	const char *help; /* NULL: the word */
	/* Called by view_run_key(); pressed tells K from J. */
	void (*run)(struct tui *t, struct view *v, uint32_t pressed);
};

struct view_ops {
	/* It has the whole body: what lies below is not drawn. */
	bool covers;
	/* Its keys are commands: the key for the help is not its own. */
	bool has_help;
	/* It stays, with what was typed, until its command has done it. */
	bool holds;
	/*
	 * Draws into body, which has been emptied or drawn by the view
	 * below. May set the cursor by tui_cursor(). Changes nothing else.
	 * NULL: it has only a footer.
	 */
	void (*draw)(struct tui *t, struct view *v, const struct rect *body);
	/*
	 * A key. May push views, and pop itself, after which v is gone.
	 */
	void (*key)(struct tui *t, struct view *v, struct key k);
	/* The mouse, over the body or not; NULL: does nothing. */
	void (*mouse)(struct tui *t, struct view *v, const struct mouse *m);
	/* The sessions may be others by now, or one of our commands is done; also
	 * where another view lies above. May be NULL. */
	void (*changed)(struct tui *t, struct view *v);
	/* Unless the view has its own; ends with a NULL key. NULL: footer draws
	 * them. */
	const struct view_key *keys;
	void (*footer)(struct tui *t, struct view *v, const struct rect *r);
	void (*destroy)(struct view *v);
};

struct view {
	const struct view_ops *ops;
	struct view *below;
	unsigned serial;	  /* view_push() */
	bool held;		  /* takes no keys but Esc, which leaves it */
	const struct view_key *keys; /* NULL: those of ops */
};

/* The views' makers; each result is for view_push(), which owns it then. */
struct view *list_view(void);
/* The keys of the view, which has a table of them or is the list. */
struct view *help_view(const struct tui *t, const struct view *of);
void help_draw_keys(const struct rect *r, const struct view_key *keys);
/* Scrolls through text (copied). diff: it is one, to be coloured. */
struct view *pager_view(const char *title, const char *text, bool diff);
struct view *queue_view(struct tui *t); /* the messages that wait, of all */
struct view *trash_view(struct tui *t);
struct view *form_view(struct tui *t);
/* A line behind "/", begun with text (may be NULL); calls typed with each
 * change of it, which says whether that is there, and with NULL where it is
 * given up. */
struct view *prompt_view(const char *text,
			 bool (*typed)(struct tui *t, const char *text));
/* A line behind a label (which is taken), begun with text; Enter calls enter
 * with it. False: refused, with that said. */
struct view *prompt_enter_view(char *label, const char *id, const char *text,
			       bool (*enter)(struct tui *t, const char *id,
					     const char *text));
/* Asks (the question is taken); calls yes with arg if the answer is y, else
 * drop, unless that is NULL. */
struct view *confirm_view(char *question, void (*yes)(struct tui *t, void *arg),
			  void *arg, void (*drop)(void *arg));

const struct view_key *view_keys(const struct view *v); /* or NULL */
/* Runs the one of its keys that this is; false: none. For the view's own key,
 * after what the user's keys do. */
bool view_run_key(struct tui *t, struct view *v, struct key k);
void view_push(struct tui *t, struct view *v);
void view_pop(struct tui *t); /* the top one; never the last */

/* A command was started for the top view: holds it, if it is one that holds.
 * Returns what view_release() takes; 0: it is not held. */
unsigned view_hold(struct tui *t);
/* The command has ended: the view goes if it has done it. False: the user has
 * left it, or there was none. */
bool view_release(struct tui *t, unsigned serial, bool done);

void view_free(struct view *v);	   /* the destroy of one that holds nothing */
void views_changed(struct tui *t); /* tells them so: changed */

/* The keys of the list (footer.c). */
void footer_draw(struct tui *t, struct view *v, const struct rect *r);

#endif
