/* roster.h - the dashboard's sessions: all of them, which are shown, in which
 * order, and which one is selected. Does not use curses. */
#ifndef AFW_TUI_MODEL_ROSTER_H
#define AFW_TUI_MODEL_ROSTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "session/session.h"
#include "tui/model/order.h"

struct roster_group {
	char *key;	 /* order_key() */
	size_t first, n; /* in sorted */
	bool waits;	 /* one of its sessions waits for the user */
	bool folded;
	bool flat; /* it has no heading */
};

struct roster_row {
	size_t at; /* index in sorted; for a heading, in groups */
	bool heading;
};

/* Zeroed: empty. */
struct roster {
	struct session_list list; /* in no order */
	enum order order;
	enum order_by by,
	    grouped; /* as chosen; as it is: see roster_arrange() */
	/* Indices into list of the sessions that pass the filter, in order,
	 * including those in folded groups. */
	size_t *sorted;
	size_t nsorted;
	struct roster_group *groups; /* of these, in order */
	size_t ngroups;
	struct strv folded; /* keys of groups */
	struct roster_row *shown;
	size_t nshown;
	size_t cursor; /* index into shown */
	/* "": a heading, or nothing, is selected */
	char selected[SPEC_ID_LEN + 1];
	/* the selected heading's key, or NULL */
	char *heading;
	char *filter; /* NULL: none */
	bool hidden;  /* show also those that are archived or snoozed */
	bool inbox;   /* only waiting sessions, longest wait first; those that
			 share a limit are folded to one line */
	struct strv marked; /* ids, in the order in which they were marked */
	/* of those that may be listed; and how many are hidden, how many of
	 * them need the user */
	size_t counts[WORD_COUNT], nhidden, nmissed;
	int64_t due_ms; /* wall: when the next snoozed one is shown; 0: none */
};

void roster_finish(struct roster *r);

/* Reads all sessions of this machine. If that fails, the old ones stay. glance:
 * for a first picture, faster, with only what lists show. */
int roster_load(struct roster *r, bool glance, struct err *err);

enum roster_change {
	ROSTER_SAME,	/* order and number have not changed */
	ROSTER_REORDER, /* roster_arrange() would move something */
	/* a session was added or removed: call roster_arrange() */
	ROSTER_SET,
};

/* Reads one session again; removes it if it no longer exists. A session without
 * a spec.json is still being made, and is left out. */
enum roster_change roster_reload(struct roster *r, const char *id);

/* Takes over a session, a new one or one that has changed. That of another
 * machine never replaces one of this machine: it is dropped. */
enum roster_change roster_put(struct roster *r, struct session *now);
/* Removes a session of this or of another machine; does nothing if it is of the
 * other kind. */
enum roster_change roster_remove(struct roster *r, const char *id, bool here);

/* Updates the running sessions from the board. */
enum roster_change roster_update(struct roster *r);

/* Sets counts and due_ms; roster_arrange() does so too. */
void roster_count(struct roster *r);

/*
 * Filters, sorts and groups (by repository only if there are several), and
 * restores the selection by its id; in a folded group the heading is selected.
 * If the session was removed, the session now in its place is selected.
 */
void roster_arrange(struct roster *r);

/* Sets the filter, copied; NULL or empty: none. Calls roster_arrange(). */
void roster_filter(struct roster *r, const char *text);

/* Shows also the hidden sessions, or hides them again. */
void roster_show_hidden(struct roster *r, bool on);

/* On: selects the session that has waited longest. */
void roster_show_inbox(struct roster *r, bool on);

/* Returns the selected session; NULL if nothing is shown, or a heading is
 * selected. Borrowed until the next change. */
const struct session *roster_selected(const struct roster *r);
const struct session *roster_shown(const struct roster *r, size_t i);
/* Return the group whose heading is row i, or NULL; and one of its sessions. */
const struct roster_group *roster_heading(const struct roster *r, size_t i);
const struct session *roster_member(const struct roster *r,
				    const struct roster_group *g, size_t i);
/* Appends its name for people: for a repository the last part of its path, for
 * those that share a limit a line about it. */
void roster_group_title(const struct roster *r, const struct roster_group *g,
			struct buf *out);
const struct session *roster_by_id(const struct roster *r, const char *id);

/* Stops at the ends. */
void roster_move(struct roster *r, long delta);
/* Selects the session and unfolds its group. */
bool roster_select(struct roster *r, const char *id);

/* Marks the session, or removes its mark. A session that is removed loses its
 * mark. */
void roster_mark(struct roster *r, const char *id);

/* Marks all sessions that pass the filter, or all of a group; if all are
 * marked, removes the marks. */
void roster_mark_all(struct roster *r, const struct roster_group *g);

/* Folds the group of the selected row and selects its heading, or unfolds it;
 * returns false if nothing changes. */
bool roster_fold(struct roster *r, bool fold);

/* Selects the next session after the cursor that waits for the user, otherwise
 * one in error or completed; returns false if there is none. */
bool roster_next_waiting(struct roster *r);

/* Returns its name, with its repository if there are several and no heading
 * shows it, for the caller to free. */
char *roster_label(const struct roster *r, const struct session *s);

/* Appends details that session_status_word() does not include; groups: also its
 * groups. */
void roster_detail(const struct session *s, bool groups, struct buf *out);

#endif
