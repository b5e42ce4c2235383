/* host_each.h - runs a command on all hosts, for one that looks at all
 * sessions. */
#ifndef AFW_HOSTS_HOST_EACH_H
#define AFW_HOSTS_HOST_EACH_H

#include <stddef.h>

#include "hosts/host_list.h"

#define HOST_EACH_MS 20000

struct host_answer {
	const char *host;
	int code;	 /* the command's exit code; -1: it has not run there */
	const char *out; /* what it printed, 4 MiB at most: not safe to print as
			    it is */
	size_t len;
	const char *reason; /* with another code than 0: a printable line */
};
typedef void (*host_answer_fn)(void *ctx, const struct host_answer *a);

/* Runs the words (NULL ends) on all hosts at once, and calls fn for each, in
 * their order. Blocks until all have ended, HOST_EACH_MS at most. */
void host_each(const struct host_list *hosts, const char *const *words,
	       host_answer_fn fn, void *ctx);

#endif
