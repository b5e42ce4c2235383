/*
 * diff_files.h - the files of a diff in git's form: a table of them, and which
 * line of which file a line of the diff shows. Lines are counted from 0; names
 * are those after the change.
 */
#ifndef AFW_TUI_WIDGETS_DIFF_FILES_H
#define AFW_TUI_WIDGETS_DIFF_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/mem.h"
#include "tui/widgets/scroll.h"

/* Appends titles, a row for each file and, if there are several, the sum, as
 * "  src/x.c  +12 -3"; nothing if there are no files. Returns how many there
 * are. */
size_t diff_files_print(const char *diff, struct buf *out);

/* Sets the lines of head, the table and, if whole, the diff, as the text of s,
 * a SCROLL_DIFF. If s chooses a line, that is the first file's at first, and
 * stays on the same row. */
void diff_files_set(struct scroll *s, const char *head, const char *diff,
		    bool whole);

/* Return, after that, the number of the file whose row is chosen, -1 for none;
 * and how many lines are above the diff. */
long diff_files_chosen(const struct scroll *s);
size_t diff_files_above(const struct scroll *s);

/* Returns the line of the diff with which its file n begins. */
size_t diff_files_start(const char *diff, size_t n);

/* Returns the number of the line in its file that a line of the diff shows, or
 * the next changed one, and appends the file's name; 0: the file is deleted, or
 * there is none. */
size_t diff_files_place(const char *diff, size_t line, struct buf *name);

/* Appends the names of the files, without those that are deleted. */
void diff_files_names(const char *diff, struct strv *out);

/* The diffs that a session has, by the option of `afw diff`. */
#define DIFF_SIDES 4
extern const struct diff_side {
	const char *name, *option, *nothing; /* nothing: the text if empty */
} diff_sides[DIFF_SIDES];

#endif
