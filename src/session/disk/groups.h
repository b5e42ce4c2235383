/*
 * groups.h - the groups that a session is in: names that the user gives, to
 * send to several at once.
 *
 * Each group is an empty file in sessions/<id>/groups, so joining and leaving
 * are one system call each and need no lock, whether the session is running or
 * not.
 */
#ifndef AFW_SESSION_DISK_GROUPS_H
#define AFW_SESSION_DISK_GROUPS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"

#define GROUPS_MAX 32 /* of one session */

/* Checks the name as that of a session: name_check(). */
int groups_check(const char *group, struct err *err);

/* Also return 0 if the session is in the group already, or is not in it.
 * ERR_LIMIT: it is in GROUPS_MAX others. */
int groups_join(const char *session_dir, const char *group, struct err *err);
int groups_leave(const char *session_dir, const char *group, struct err *err);

/* Cheap: one system call. */
bool groups_has(const char *session_dir, const char *group);

/* Appends the names to out (empty), sorted; none if the directory cannot be
 * read.
 */
void groups_load(const char *session_dir, struct strv *out);

#endif
