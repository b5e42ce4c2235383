/*
 * groups.h - the groups that a session is in: names that the user gives, to
 * send to several at once.
 *
 * An empty file for each in sessions/<id>/groups. So joining and leaving are
 * one step each, whoever else does so at the moment and whether a supervisor
 * lives; neither needs the session's lock.
 */
#ifndef AFW_SESSION_DISK_GROUPS_H
#define AFW_SESSION_DISK_GROUPS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"

#define GROUPS_MAX 32 /* of one session */

/* A name as a session's: name_check(). */
int groups_check(const char *group, struct err *err);

/* Where it is in the group already, or is not: 0. ERR_LIMIT. */
int groups_join(const char *session_dir, const char *group, struct err *err);
int groups_leave(const char *session_dir, const char *group, struct err *err);

/* Cheap: one system call. */
bool groups_has(const char *session_dir, const char *group);

/* All of them, by name, in out, an empty one. None where nothing can be read.
 */
void groups_load(const char *session_dir, struct strv *out);

#endif
