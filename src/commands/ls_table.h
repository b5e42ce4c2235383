/* ls_table.h - the columns and rows of afw ls, and their order. */
#ifndef AFW_COMMANDS_LS_TABLE_H
#define AFW_COMMANDS_LS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "session/session_rows.h"

struct args;

#define COLUMNS_MAX 32

/* What the table shows. */
struct ls_table {
	const struct session_row *columns[COLUMNS_MAX];
	size_t n;
	bool chosen; /* by the user: keep all columns */
	bool files;  /* a column needs more than the board has */
};

/* Sets the columns of --columns, else the usual ones. ERR_USAGE. */
int ls_choose_columns(struct ls_table *t, const struct args *args,
		      struct err *err);

/* The sessions that the table leaves out: only --archived shows them. */
struct ls_hidden {
	size_t archived, snoozed;
	struct strv missed; /* the names of those that need the user */
};

void ls_hidden_finish(struct ls_hidden *h);

/* Appends "2 archived, 1 snoozed; fix-login needs you"; nothing if none is. */
void ls_hidden_print(const struct ls_hidden *h, struct buf *out);

/*
 * Returns whether the options ask for the session; JSON has also those that the
 * user has hidden. here: session_repository_here(), or NULL. Adds to h (or
 * NULL) a session that only this leaves out.
 */
bool ls_is_meant(const struct session *s, const struct args *args,
		 const char *here, struct ls_hidden *h);

/* Removes the sessions that were not asked for; returns how many. */
size_t ls_filter(struct session_list *l, const struct args *args,
		 struct ls_hidden *h);

/*
 * Sorts by repository, if there are several: this one first, then by name; and
 * then those that are pinned, by urgency and age. Repositories of several
 * machines that have one name become one: spec.repository of other machines'
 * sessions is set to it.
 */
void ls_sort(struct session_list *l);

/* Returns whether session i is the first of its repository. */
bool ls_begins_group(const struct session_list *l, size_t i);

/* Prints at most `most` lines; returns how many sessions they show. */
size_t ls_print_table(const struct session_list *l, const struct ls_table *t,
		      size_t most);

/* Prints the names as commands here accept them; completion offers these. */
void ls_print_names(const struct session_list *l);

#endif
