/*
 * expand.h - ${AFW_ROLE} and its like in a text, and nothing else: no other
 * variable, no command, no shell.
 */
#ifndef AFW_CONFIG_EXPAND_H
#define AFW_CONFIG_EXPAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct expand {
	const char *name; /* "AFW_ROLE"; NULL ends a list */
	const char *value;
};

/* Of the session that a template is for: what ${AFW_...} in its files are. */
struct expand_values {
	const char *workspace, *session, *role, *repository;
	const char *branch; /* NULL: branch_prefix and the workspace */
};

/* Whether there is anything to expand. */
bool expand_has(const char *text);

/*
 * Appends text to out, each ${AFW_...} replaced by its value in list. words:
 * text is for words_split(): a value, whatever it holds, stays in its word.
 * ERR_FAILED with what was probably meant where one is not in the list, or not
 * closed, behind "FILE:LINE: " if file is not NULL; so where a value has a ${
 * in it (a branch may), which a later reader would expand. Other ${...} stay.
 */
int expand_text(const char *text, const struct expand *list, bool words,
		const char *file, struct buf *out, struct err *err);

#endif
