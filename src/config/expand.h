/*
 * expand.h - expands ${AFW_ROLE} and the like in a text, and nothing else: no
 * other variable, no command, no shell.
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

/* The values of ${AFW_...} in a template's files, for one session. */
struct expand_values {
	const char *workspace, *session, *role, *repository;
	const char *branch; /* NULL: branch_prefix, then the workspace */
};

/* True if there is anything to expand. */
bool expand_has(const char *text);

/*
 * Appends text to out, each ${AFW_...} replaced by its value in list. words:
 * text is for words_split(), and no value is split into words. Other ${...} are
 * kept, and those of session_vars.h, which are not known yet. ERR_FAILED, after
 * "FILE:LINE: " if file is not NULL, if a name is not in the list (with the
 * nearest), is not closed, or if its value has a ${ in it (a branch may), which
 * a later reader would expand.
 */
int expand_text(const char *text, const struct expand *list, bool words,
		const char *file, struct buf *out, struct err *err);

#endif
