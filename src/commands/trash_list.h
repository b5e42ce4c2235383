/* trash_list.h - prints what is in the trash. */
#ifndef AFW_COMMANDS_TRASH_LIST_H
#define AFW_COMMANDS_TRASH_LIST_H

#include "session/trash.h"

void trash_list_table(const struct trashed_list *l); /* for people */
void trash_list_json(const struct trashed_list *l);

/* What restore and purge take, each: a name that several have is none. */
void trash_list_names(const struct trashed_list *l);

#endif
