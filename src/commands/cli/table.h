/* table.h - aligned rows of cells on standard output; and lists, in each form
 * that commands print. */
#ifndef AFW_COMMANDS_CLI_TABLE_H
#define AFW_COMMANDS_CLI_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

/*
 * A table, filled row by row. Columns are as wide as their widest cell, and
 * aligned to the right if their title begins with '>'. The last column is not
 * padded and is cut at the terminal's width.
 */
struct table;

/* titles is the first row; NULL: none. */
struct table *table_create(size_t columns, const char *const *titles);
/* Hides a column, which still gets its cells; not the last column. */
void table_hide(struct table *t, size_t column);
/* Copies text (NULL: ""); sgr is borrowed, "" or NULL for none. */
void table_cell(struct table *t, const char *text, const char *sgr);
void table_cellf(struct table *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a row with one cell that spans all columns. */
void table_heading(struct table *t, const char *text, const char *sgr);
/* Adds clock_age(ms), or "-" if ms is below 0. */
void table_age(struct table *t, int64_t ms);
/* Adds a size, rounded up: "12K", "690M". */
void table_size(struct table *t, int64_t bytes);
/* Prints all rows and destroys the table. */
void table_end(struct table *t);
/* The same, but prints each row as a column, the titles as the first one, if
 * all fit the terminal. */
void table_end_turned(struct table *t);

/* -- a list ---------------------------------------------------------------- */

struct args;

enum list_kind {
	LIST_TEXT,  /* text, a number, or an array of texts, joined by blanks */
	LIST_SIZE,  /* bytes */
	LIST_SINCE, /* a time, printed as an age */
};

struct list_column {
	const char *key;   /* the member of the row; NULL ends */
	const char *title; /* NULL: no column has a title */
	enum list_kind kind;
	const char *sgr;  /* or NULL */
	const char *none; /* printed if the row has no such value; NULL: "" */
};

/*
 * Prints rows, an array of objects, and deletes it: unchanged with --json, only
 * the values of the first column with --quiet, otherwise as a table. If rows is
 * empty, empty (or nothing, if NULL) is printed as a hint on standard error
 * instead of a table. Returns 0.
 */
int list_print(cJSON *rows, const struct list_column *columns,
	       const struct args *args, const char *empty);

#endif
