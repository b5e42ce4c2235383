/* trash_list.h - prints the entries of the trash. */
#ifndef AFW_COMMANDS_TRASH_LIST_H
#define AFW_COMMANDS_TRASH_LIST_H

#include "session/disk/store.h"

/* Prints the entries for people, or as JSON. holds: also check each for unsaved
 * work, as long as the time limit allows. */
void trash_list_print(const struct trashed_list *l, bool json, bool holds);

/* Prints the names that restore and purge accept, one a line; a name that
 * several entries have is left out. */
void trash_list_names(const struct trashed_list *l);

/* Returns what restore accepts for s: its name, or its id if several entries
 * have that name. */
const char *trash_list_called(const struct trashed_list *l,
			      const struct spec *s, char out[80]);

#endif
