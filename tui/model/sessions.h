/*
 * sessions.h - the sessions as the dashboard has them: all of them, which of
 * them are shown, in which order, and which one is selected. No curses.
 */
#ifndef AFW_TUI_MODEL_SESSIONS_H
#define AFW_TUI_MODEL_SESSIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "session/session.h"
#include "tui/model/order.h"

struct model_group {
	char *key;	 /* order_key() */
	size_t first, n; /* in sorted */
	bool waits;	 /* one of them, for the user */
	bool folded;
};

struct model_row {
	size_t at; /* in sorted; of a heading in groups */
	bool heading;
};

/* A zeroed one is empty. */
struct model {
	struct session_list list; /* in no order */
	enum order order;
	enum order_by by,
	    grouped;	/* as chosen; as it is: see model_arrange() */
	size_t *sorted; /* indices into list of those that pass the filter, in
			   order, with those that are folded */
	size_t nsorted;
	struct model_group *groups; /* of these, in order */
	size_t ngroups;
	struct strv folded; /* their keys */
	struct model_row *shown;
	size_t nshown;
	size_t cursor;			/* index into shown */
	char selected[SPEC_ID_LEN + 1]; /* "": a heading is, or nothing */
	char *heading;			/* its key, or NULL */
	char *filter;			/* NULL: none */
	bool inbox; /* only those that wait, the longest first; no groups */
	struct strv marked; /* ids, in the order of their being marked */
	size_t counts[WORD_COUNT];
};

void model_finish(struct model *m);

/*
 * Reads all sessions. On failure what was there stays. glance: for a first
 * picture, faster, with what lists show alone.
 */
int model_load(struct model *m, bool glance, struct err *err);

enum model_change {
	MODEL_SAME,    /* order and number are as before */
	MODEL_REORDER, /* model_arrange() would move something */
	MODEL_SET,     /* a session is new or gone: call model_arrange() */
};

/*
 * Reads one session again; one that is not there any more goes. One that
 * has no spec.json yet is still being made: it is left out.
 */
enum model_change model_reload(struct model *m, const char *id);

/* Brings those that live up to what the board says. */
enum model_change model_update(struct model *m);

/* Sets counts: model_arrange() does so, too. */
void model_count(struct model *m);

/*
 * Filters, sorts, groups (by repository only if there are several) and finds
 * the selection again by its id; in a folded group it is the heading. Where it
 * is gone, the one that takes its place is selected.
 */
void model_arrange(struct model *m);

/* text NULL or empty: no filter. Takes a copy; calls model_arrange(). */
void model_filter(struct model *m, const char *text);

/* On: selects who has waited longest. */
void model_show_inbox(struct model *m, bool on);

/* NULL where nothing is shown, or a heading. Borrowed until the next change. */
const struct session *model_selected(const struct model *m);
const struct session *model_shown(const struct model *m, size_t i);
/* The one that this row is the heading of, or NULL; and a session of it. */
const struct model_group *model_heading(const struct model *m, size_t i);
const struct session *model_member(const struct model *m,
				   const struct model_group *g, size_t i);
const struct session *model_by_id(const struct model *m, const char *id);

/* Cut at the ends. */
void model_move(struct model *m, long delta);
/* Unfolds its group. */
bool model_select(struct model *m, const char *id);

/* Marks it, or no longer; a session that goes takes its mark along. */
void model_mark(struct model *m, const char *id);

/* Marks all that pass the filter, or all of a group; where all are, none of
 * them any more. */
void model_mark_all(struct model *m, const struct model_group *g);

/* Folds the group of the selected row and selects its heading, or unfolds it;
 * false where nothing changes. */
bool model_fold(struct model *m, bool fold);

/* The next session behind the cursor that waits for the user, else one in
 * error or completed; false where there is none. */
bool model_next_waiting(struct model *m);

/* Its name, with its repository if there are several and no heading has it; to
 * be freed. */
char *model_label(const struct model *m, const struct session *s);

/* What there is to say of it beyond session_status_word(); groups: these, too.
 */
void model_detail(const struct session *s, bool groups, struct buf *out);

#endif
