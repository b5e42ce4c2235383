/* trash_list.h - prints what is in the trash. */
#ifndef AFW_COMMANDS_TRASH_LIST_H
#define AFW_COMMANDS_TRASH_LIST_H

#include "session/disk/store.h"

/* For people, or as JSON. holds: also what of it is nowhere else, as far as
 * there is time to look. */
void trash_list_print(const struct trashed_list *l, bool json, bool holds);

/* What restore and purge take, each: a name that several have is none. */
void trash_list_names(const struct trashed_list *l);

/* What restore takes for s: its name, or its id where several have that. */
const char *trash_list_called(const struct trashed_list *l,
			      const struct spec *s, char out[80]);

#endif
