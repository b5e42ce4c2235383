/* host_child.h - afw -H NAME ..., as a child of ours. */
#ifndef AFW_HOSTS_HOST_CHILD_H
#define AFW_HOSTS_HOST_CHILD_H

#include "base/child.h"

/*
 * Starts afw's command (words, NULL ends) on that host, in no repository and
 * without a terminal: nothing asks the user. st says the rest; its spawn needs
 * only fd. NULL with err.
 */
struct child *host_child_start(struct children *cs, const char *host,
			       const char *const *words, struct child_start *st,
			       struct err *err);

/* Returns why it has ended, by what afw and ssh have printed (keep_errors); to
 * be freed. Not safe to print as it is. */
char *host_child_reason(const struct child_end *end);

#endif
