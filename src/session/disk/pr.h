/*
 * pr.h - the pull request that was made for a session's branch, in a file of
 * its own: who makes it does not hold the session's lock.
 */
#ifndef AFW_SESSION_DISK_PR_H
#define AFW_SESSION_DISK_PR_H

#include "base/err.h"

#define PR_URL_MAX 1024

/* url: one word, safe to print (pr_find()). */
int pr_save(const char *session_dir, const char *url, struct err *err);

/* To be freed; NULL where there is none. One open(2). */
char *pr_load(const char *session_dir);

/* The last http:// or https:// address in what a program printed; to be
 * freed; NULL where there is none, or it is no sound one. */
char *pr_find(const char *text);

#endif
