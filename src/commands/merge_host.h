/* merge_host.h - afw merge of a session on another machine. */
#ifndef AFW_COMMANDS_MERGE_HOST_H
#define AFW_COMMANDS_MERGE_HOST_H

#include "base/err.h"

struct args;

/* The over_host of `merge`: returns 0 if the session was made there, from a
 * branch there, so that it is merged there. Blocks as long as git and ssh
 * run. */
int merge_over_host(const struct args *args, const char *url, int *code,
		    struct err *err);

#endif
