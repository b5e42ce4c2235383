/*
 * roster.h - the sessions as the dashboard has them: all of them, which of
 * them are shown, in which order, and which one is selected. No curses.
 */
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
	bool waits;	 /* one of them, for the user */
	bool folded;
};

struct roster_row {
	size_t at; /* in sorted; of a heading in groups */
	bool heading;
};

/* A zeroed one is empty. */
struct roster {
	struct session_list list; /* in no order */
	enum order order;
	enum order_by by,
	    grouped;	/* as chosen; as it is: see roster_arrange() */
	size_t *sorted; /* indices into list of those that pass the filter, in
			   order, with those that are folded */
	size_t nsorted;
	struct roster_group *groups; /* of these, in order */
	size_t ngroups;
	struct strv folded; /* their keys */
	struct roster_row *shown;
	size_t nshown;
	size_t cursor;			/* index into shown */
	char selected[SPEC_ID_LEN + 1]; /* "": a heading is, or nothing */
	char *heading;			/* its key, or NULL */
	char *filter;			/* NULL: none */
	bool inbox; /* only those that wait, the longest first; no groups */
	struct strv marked; /* ids, in the order of their being marked */
	size_t counts[WORD_COUNT];
};

void roster_finish(struct roster *r);

/*
 * Reads all sessions. On failure what was there stays. glance: for a first
 * picture, faster, with what lists show alone.
 */
int roster_load(struct roster *r, bool glance, struct err *err);

enum roster_change {
	ROSTER_SAME,	/* order and number are as before */
	ROSTER_REORDER, /* roster_arrange() would move something */
	ROSTER_SET,	/* a session is new or gone: call roster_arrange() */
};

/*
 * Reads one session again; one that is not there any more goes. One that
 * has no spec.json yet is still being made: it is left out.
 */
enum roster_change roster_reload(struct roster *r, const char *id);

/* Brings those that live up to what the board says. */
enum roster_change roster_update(struct roster *r);

/* Sets counts: roster_arrange() does so, too. */
void roster_count(struct roster *r);

/*
 * Filters, sorts, groups (by repository only if there are several) and finds
 * the selection again by its id; in a folded group it is the heading. Where it
 * is gone, the one that takes its place is selected.
 */
void roster_arrange(struct roster *r);

/* text NULL or empty: no filter. Takes a copy; calls roster_arrange(). */
void roster_filter(struct roster *r, const char *text);

/* On: selects who has waited longest. */
void roster_show_inbox(struct roster *r, bool on);

/* NULL where nothing is shown, or a heading. Borrowed until the next change. */
const struct session *roster_selected(const struct roster *r);
const struct session *roster_shown(const struct roster *r, size_t i);
/* The one that this row is the heading of, or NULL; and a session of it. */
const struct roster_group *roster_heading(const struct roster *r, size_t i);
const struct session *roster_member(const struct roster *r,
				    const struct roster_group *g, size_t i);
/* For people: of a repository's path the name alone. Borrowed. */
const char *roster_group_name(const struct roster *r,
			      const struct roster_group *g);
const struct session *roster_by_id(const struct roster *r, const char *id);

/* Cut at the ends. */
void roster_move(struct roster *r, long delta);
/* Unfolds its group. */
bool roster_select(struct roster *r, const char *id);

/* Marks it, or no longer; a session that goes takes its mark along. */
void roster_mark(struct roster *r, const char *id);

/* Marks all that pass the filter, or all of a group; where all are, none of
 * them any more. */
void roster_mark_all(struct roster *r, const struct roster_group *g);

/* Folds the group of the selected row and selects its heading, or unfolds it;
 * false where nothing changes. */
bool roster_fold(struct roster *r, bool fold);

/* The next session behind the cursor that waits for the user, else one in
 * error or completed; false where there is none. */
bool roster_next_waiting(struct roster *r);

/* Its name, with its repository if there are several and no heading has it; to
 * be freed. */
char *roster_label(const struct roster *r, const struct session *s);

/* What there is to say of it beyond session_status_word(); groups: these, too.
 */
void roster_detail(const struct session *s, bool groups, struct buf *out);

#endif
