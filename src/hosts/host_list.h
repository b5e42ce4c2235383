/*
 * host_list.h - the other machines of the user: [host.NAME] in their afw.ini.
 */
#ifndef AFW_HOSTS_HOST_LIST_H
#define AFW_HOSTS_HOST_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/err.h"

struct config;

/* A session of a host is named HOST:SESSION. */
#define HOST_MARK ':'

struct host {
	char *name;
	char *url; /* ssh://[USER@]HOST[:PORT][/PATH] (ssh_url.h) */
};

/* In the order of the file; zeroed: empty. */
struct host_list {
	struct host *v;
	size_t n;
};

/* -1 with err if a section is not complete; l is empty then. The caller calls
 * host_list_finish(). */
int host_list_load(struct host_list *l, const struct config *c,
		   struct err *err);
void host_list_finish(struct host_list *l);
#define _host_list_ CLEANUP(host_list_finish)

/* Returns the host of that name, or NULL. */
const struct host *host_find(const struct host_list *l, const char *name);

/* Returns whether that is this machine's name: "here" or "local". */
bool host_is_here(const char *name);

/*
 * Returns the host of "HOST:SESSION", with *session at the part after the
 * colon; NULL if the word does not begin with the name of a host.
 */
const struct host *host_of_session(const struct host_list *l, const char *word,
				   const char **session);

#endif
