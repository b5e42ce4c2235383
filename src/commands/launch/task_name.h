/* task_name.h - makes a session's name from its task. */
#ifndef AFW_COMMANDS_LAUNCH_TASK_NAME_H
#define AFW_COMMANDS_LAUNCH_TASK_NAME_H

#include "base/err.h"

/*
 * Returns "make-login-test" for "Make the login test pass": at most three words
 * of the task, without those that say little, and with a number if a session or
 * a branch of the repository has that name; to be freed. repository: NULL if
 * there is none. NULL with err if git cannot list the branches.
 */
char *task_name(const char *task, const char *repository, struct err *err);

#endif
