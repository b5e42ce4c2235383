/* conflicts.h - finds and prints conflicts between sessions. */
#ifndef AFW_COMMANDS_CONFLICTS_H
#define AFW_COMMANDS_CONFLICTS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/err.h"
#include "session/session.h"

/* Returns whether it has a worktree and a branch, so that it can be compared.
 */
bool conflicts_possible(const struct session *s);

/*
 * Compares the sessions, which must be possible and of one repository, with
 * each other and with the branch into (NULL: the first one's base). Returns the
 * object of `afw conflicts --json`, to be deleted; NULL with err. Blocks for at
 * most two minutes.
 */
cJSON *conflicts_find(const struct session_list *l, const char *into,
		      struct err *err);

/* The same; works: for each session a commit of all its work, so that its
 * worktree is not read, or need not be here; or NULL. */
cJSON *conflicts_find_with(const struct session_list *l,
			   const char *const *works, const char *into,
			   struct err *err);

/* Prints a line "INDENT path: both changed it, lines 4-6" for each conflict. */
void conflicts_print(const cJSON *conflicts, const char *indent);

#endif
