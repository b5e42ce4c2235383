/* clone_url.h - the URL that a repository is cloned from. */
#ifndef AFW_SUPERVISOR_HEADLESS_CLONE_URL_H
#define AFW_SUPERVISOR_HEADLESS_CLONE_URL_H

#include "base/err.h"

/* Sets *url, to be freed, from a URL or OWNER/NAME of server; NULL: repo is a
 * directory. ERR_USAGE if there is a user name or a password in it. */
int clone_url(const char *repo, const char *server, char **url,
	      struct err *err);

/* Returns "app" for https://example.org/you/app.git; to be freed. */
char *clone_name(const char *url);

#endif
