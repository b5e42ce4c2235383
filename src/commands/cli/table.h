/*
 * table.h - rows of cells, aligned, on standard output; and a list in any of
 * the ways that commands print one.
 */
#ifndef AFW_COMMANDS_CLI_TABLE_H
#define AFW_COMMANDS_CLI_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

/*
 * A table: cells go in row by row; columns are aligned by width, and to the
 * right where their title begins with '>'. The last column is never padded
 * and is cut at the terminal's width.
 */
struct table;

/* titles: the first row; NULL: none. */
struct table *table_create(size_t columns, const char *const *titles);
/* Leaves a column out, whatever cells it gets; not the last one. */
void table_hide(struct table *t, size_t column);
/* Copies text (NULL: ""); sgr is borrowed, "" or NULL for none. */
void table_cell(struct table *t, const char *text, const char *sgr);
void table_cellf(struct table *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* A row of its own that spans all columns. */
void table_heading(struct table *t, const char *text, const char *sgr);
/* clock_age(), or "-" where ms is below 0. */
void table_age(struct table *t, int64_t ms);
/* "12K", "690M": what it takes, rounded up. */
void table_size(struct table *t, int64_t bytes);
/* Prints all rows, and destroys it. */
void table_end(struct table *t);

/* -- a list ---------------------------------------------------------------- */

struct args;

enum list_kind {
	LIST_TEXT,  /* text, a number, or texts with a blank between */
	LIST_SIZE,  /* bytes */
	LIST_SINCE, /* a time, as an age */
};

struct list_column {
	const char *key;   /* in the row; NULL ends */
	const char *title; /* NULL: no column has one */
	enum list_kind kind;
	const char *sgr;  /* or NULL */
	const char *none; /* if the row has no such value; NULL: "" */
};

/*
 * Prints rows, an array of objects, and deletes it: as it is with --json, the
 * values of the first column with --quiet, else as a table. If there is none,
 * the table is a hint on standard error: empty, or NULL. Returns 0.
 */
int list_print(cJSON *rows, const struct list_column *columns,
	       const struct args *args, const char *empty);

#endif
