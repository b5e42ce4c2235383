/*
 * pull_request.h - the pull request of a session's branch, in a file of its
 * own, because `afw pr` does not hold the session's lock.
 */
#ifndef AFW_SESSION_DISK_PULL_REQUEST_H
#define AFW_SESSION_DISK_PULL_REQUEST_H

#include <stdbool.h>

#include "base/err.h"

#define PR_URL_MAX 1024

/* Saves url, one word that is safe to print (pr_find()), or NULL. asking: a
 * command is about to run that may create another pull request. */
int pr_save(const char *session_dir, const char *url, bool asking,
	    struct err *err);

/* Returns whether "asking" was saved last: then it is unknown what the command
 * did.
 */
bool pr_is_asking(const char *session_dir);

/* Returns the saved url, to be freed, or NULL. Costs one open(2). */
char *pr_load(const char *session_dir);

/* Returns the last http:// or https:// address in the output of a program, to
 * be freed; NULL if there is none or it is not valid. */
char *pr_find(const char *text);

#endif
