/*
 * pull_request.h - the pull request of a session's branch, in a file of its own,
 * because `afw pr` does not hold the session's lock.
 */
#ifndef AFW_SESSION_DISK_PULL_REQUEST_H
#define AFW_SESSION_DISK_PULL_REQUEST_H

#include <stdbool.h>

#include "base/err.h"

#define PR_URL_MAX 1024

/* url: one word, safe to print (pr_find()), or NULL. asking: a command that may
 * make another one is about to run. */
int pr_save(const char *session_dir, const char *url, bool asking,
	    struct err *err);

/* Whether that was saved last: nobody knows what came of it. */
bool pr_is_asking(const char *session_dir);

/* To be freed; NULL where there is none. One open(2). */
char *pr_load(const char *session_dir);

/* The last http:// or https:// address in what a program printed; to be
 * freed; NULL where there is none, or it is no sound one. */
char *pr_find(const char *text);

#endif
