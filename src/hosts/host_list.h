/*
 * host_list.h - the other machines of the user: [host.NAME] in their afw.ini.
 */
#ifndef AFW_HOSTS_HOST_LIST_H
#define AFW_HOSTS_HOST_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/mem.h"

struct config;

/* A session of a host is named HOST:SESSION. */
#define HOST_MARK ':'

struct host {
	char *name;
	char *url; /* ssh://[USER@]HOST[:PORT][/PATH] (ssh_url.h) */
	/* NULL: it has a url; else what makes its place (engine.h), whose url
	 * is ssh://NAME[/PATH] */
	char *engine;
	char *image;	     /* for the engine */
	struct strv options; /* likewise */
	int64_t up_timeout_ms;
	bool each; /* no place itself: each session has one, which is the host
		      NAME.SESSION */
	bool keep; /* with each: fetches the session's work from its place */
};

/* In the order of the file, after each host its places; zeroed: empty. */
struct host_list {
	struct host *v;
	size_t n;   /* without those that have no place, as nothing is there */
	size_t all; /* with them, at the end */
};

/* -1 with err if a section is not complete; l is empty then. The caller calls
 * host_list_finish(). */
int host_list_load(struct host_list *l, const struct config *c,
		   struct err *err);
void host_list_finish(struct host_list *l);
#define _host_list_ CLEANUP(host_list_finish)

/* Returns the host of that name, or NULL. */
const struct host *host_find(const struct host_list *l, const char *name);

/* Returns the host of which that is a place, made or not: NAME.SESSION; or
 * NULL. */
const struct host *host_of_place(const struct host_list *l, const char *place);

/* Returns whether that is this machine's name: "here" or "local". */
bool host_is_here(const char *name);

/*
 * Returns the host of "HOST:SESSION", with *session at the part after the
 * colon; NULL if the word does not begin with the name of a host.
 */
const struct host *host_of_session(const struct host_list *l, const char *word,
				   const char **session);

#endif
