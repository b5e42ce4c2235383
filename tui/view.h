/*
 * view.h - what fills the window, and gets the keys.
 *
 * Views are on a stack, with the list at the bottom. The top one gets the keys
 * and the footer. A view is a struct that begins with struct view.
 */
#ifndef AFW_TUI_VIEW_H
#define AFW_TUI_VIEW_H

#include <stdbool.h>

#include "tui/term/paint.h"
#include "tui/term/term.h"
#include "tui/widgets/scroll.h"

struct tui;
struct view;
struct mouse;
struct scroll;
struct session;
struct text;

/*
 * A key of a view, or several that belong together: its texts in the last row
 * and in the help, and its function. Keys without run are handled by the view's
 * key function, or by the terminal.
 */
struct view_key {
	const char *key; /* "x", "K/J", "Enter", "{down}/{up}" */
	/* in the last row; "": not there; NULL: key is a heading in the help */
	const char *word;
	const char *help; /* NULL: use word */
	/* Called by view_run_key(); pressed distinguishes K from J. */
	void (*run)(struct tui *t, struct view *v, uint32_t pressed);
};

struct view_ops {
	/* It has the whole body: the views below it are not drawn. */
	bool covers;
	/* Its keys are commands, so that the help key opens the help. */
	bool has_help;
	/* It stays open, with its text, until its command has succeeded. */
	bool holds;
	/* Draws into body, which is empty or was drawn by the view below. May
	 * call tui_cursor(). Changes nothing else. NULL: it has only a
	 * footer. */
	void (*draw)(struct tui *t, struct view *v, const struct rect *body);
	/* Handles a key. May push views, and pop itself, after which v is
	 * freed. */
	void (*key)(struct tui *t, struct view *v, struct key k);
	/* Handles the mouse, over the body or not; NULL: ignored. */
	void (*mouse)(struct tui *t, struct view *v, const struct mouse *m);
	/* Called when sessions may have changed or a command has ended, also if
	 * another view is above. May be NULL. */
	void (*changed)(struct tui *t, struct view *v);
	/* Returns whether a key can do something now; if not, the last row
	 * leaves it out. NULL: all can. */
	bool (*works)(const struct tui *t, const struct view *v,
		      const char *key);
	/* Unless the view has its own; ends with a NULL key. NULL: footer draws
	 * them. */
	const struct view_key *keys;
	void (*footer)(struct tui *t, struct view *v, const struct rect *r);
	/* Returns the text that widgets/search.h searches, or NULL. NULL: it
	 * has none. */
	struct scroll *(*text)(const struct tui *t, const struct view *v);
	void (*destroy)(struct view *v);
};

struct view {
	const struct view_ops *ops;
	struct view *below;
	unsigned serial; /* view_push() */
	/* takes no keys except Esc, which closes it */
	bool held;
	const struct view_key *keys; /* NULL: use those of ops */
};

/* These make views; pass each result to view_push(), which then owns it. */
struct view *list_view(void);
/* Shows the keys of the view, which has a table of them or is the list. */
struct view *help_view(const struct tui *t, const struct view *of);
/* Draws those of the keys that work now in v. */
void help_draw_keys(const struct tui *t, const struct view *v,
		    const struct rect *r, const struct view_key *keys);
/* Scrolls through text, which is copied. help: it is help_view()'s. */
struct view *pager_view(const char *title, const char *text, bool help);
/* the queued messages of all sessions */
struct view *queue_view(struct tui *t);
struct view *trash_view(struct tui *t);
/* Asks for a text, and searches it in all logs. */
struct view *search_view(void);
/* from: a session that the new one begins with, as in its checkpoint number; or
 * NULL. */
struct view *form_view(struct tui *t, const struct session *from,
		       int64_t number);
/* A diff of a session (views/diff_view.c). whole: it is all that the session
 * has changed, in whose place the view can show other diffs of it. */
struct view *diff_view(struct tui *t, const struct session *s,
		       const char *title, const char *diff, bool whole);
/* Makes the lines of its file, counted from 0, the first visible ones. */
void diff_view_go(struct view *v, size_t file);
/* The changes of two sessions, beside each other if there is room, and the
 * difference between their work (diffs.c). */
struct view *diffs_view(struct tui *t, const struct session *a,
			const struct session *b);
/* Reads a line after "/", starting with text (may be NULL). Calls typed after
 * each change; it returns whether there is a match. Calls it with NULL if the
 * user cancels. */
struct view *prompt_view(const char *text,
			 bool (*typed)(struct tui *t, const char *text));
/* Reads a line after a label (which it frees), starting with text; Enter calls
 * enter with it, which returns false if it shows an error. */
struct view *prompt_enter_view(char *label, const char *id, const char *text,
			       bool (*enter)(struct tui *t, const char *id,
					     const char *text));
/* The same for a text of at most max bytes, on which Ctrl-G calls compose; id
 * is any string for enter. */
struct view *prompt_compose_view(
    char *label, const char *id, const char *text, size_t max,
    bool (*enter)(struct tui *t, const char *id, const char *text),
    void (*compose)(struct tui *t, struct text *text));
/* The same for the message of a commit; an empty line means the words of name,
 * which are shown in its place. */
struct view *prompt_commit_view(char *label, const char *id, const char *name,
				const char *text,
				bool (*enter)(struct tui *t, const char *id,
					      const char *text));
/* Asks the question, which it frees; calls yes with arg if the answer is y,
 * otherwise drop, unless that is NULL. */
struct view *confirm_view(char *question, void (*yes)(struct tui *t, void *arg),
			  void *arg, void (*drop)(void *arg));
/* Makes the question of v, which is confirm_view()'s, one about a text, which
 * fills the window and can be scrolled. */
void confirm_show(struct view *v, const char *title, const char *text);

const struct view_key *view_keys(const struct view *v); /* or NULL */
/* Runs the view's key that matches k; returns false if there is none. For a
 * view's key function, after the user's keys. */
bool view_run_key(struct tui *t, struct view *v, struct key k);
void view_push(struct tui *t, struct view *v);
void view_pop(struct tui *t); /* the top one; never the last */

/* Call it when a command was started for the top view: holds that view, if it
 * has holds set. Returns the serial for view_release(); 0: it is not held. */
unsigned view_hold(struct tui *t);
/* Call it when the command has ended: closes the view if done. Returns false if
 * the user has closed it, or there was none. */
bool view_release(struct tui *t, unsigned serial, bool done);

/* the destroy function of a view that owns nothing */
void view_free(struct view *v);
void views_changed(struct tui *t); /* calls each view's changed function */

/* Draws the keys of the list (footer.c). */
void footer_draw(struct tui *t, struct view *v, const struct rect *r);

#endif
