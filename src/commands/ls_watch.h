/* ls_watch.h - afw ls --watch: the table, drawn again as it changes; and with
 * --json the feed, a line for each session that changes (afw-hosts(7)). */
#ifndef AFW_COMMANDS_LS_WATCH_H
#define AFW_COMMANDS_LS_WATCH_H

#include "commands/ls_table.h"

/* Return when the user ends it, or on -1 with err. */
int ls_watch(const struct args *args, const struct ls_table *t,
	     struct err *err);
int ls_feed(const struct args *args, struct err *err);

#endif
