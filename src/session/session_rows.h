/*
 * session_rows.h - what is shown of a session, in the order in which it is
 * shown: the lines of `afw status` and the columns of `afw ls`.
 *
 * A row prints a field of the spec or the state by its kind, or has a function
 * that says more than the field.
 */
#ifndef AFW_SESSION_SESSION_ROWS_H
#define AFW_SESSION_SESSION_ROWS_H

#include <stdbool.h>

#include "base/buf.h"
#include "session/session.h"

struct session_row {
	const char *name;  /* of the field, or as `ls -o` has it; NULL ends */
	const char *title; /* in front of the line, or above the column, with
			      '>' if it is aligned to the right */
	/* Appends; NULL: the value of the field. */
	void (*print)(const struct session *s, struct buf *out);
	bool many;  /* a line of status for each line of text */
	bool why;   /* status shows it with --explain only */
	bool dash;  /* ls prints "-" if there is nothing */
	bool files; /* needs more than the board has (session_list_load()) */
};

#define SESSION_ROW(n, t, p)                                                   \
	{                                                                      \
		.name = (n), .title = (t), .print = (p)                        \
	}
#define SESSION_ROW_IF(n, t, p, flag)                                          \
	{                                                                      \
		.name = (n), .title = (t), .print = (p), .flag = true          \
	}

extern const struct session_row session_lines[];
extern const struct session_row session_columns[];

/* Appends nothing if there is nothing to show. An agent may have written it:
 * not safe to print as it is. */
void session_row_print(const struct session_row *row, const struct session *s,
		       struct buf *out);

/* What both have: how long ago that was, its cost, its pull request. */
void session_print_age(int64_t since, struct buf *out);
void session_print_cost(const struct session *s, struct buf *out);
void session_print_pr(const struct session *s, struct buf *out);

/* The column of that name, or NULL with the names as hint. */
const struct session_row *session_column_find(const char *name,
					      struct err *err);

#endif
