/* learn.h - proposes a [harness.NAME] section from a recording in which a
 * person has shown a program, and checks it by a replay. */
#ifndef AFW_SUPERVISOR_MONITOR_LEARN_H
#define AFW_SUPERVISOR_MONITOR_LEARN_H

/*
 * For `afw adapters new`. The standard input is an object: varies (lesson.h),
 * steps, a list of {step, from}, and end, in ms of the recording. Prints an
 * object: section, as for rules_create(); checks, a list of {step, result,
 * found}; and found, what each key found. Returns the exit code.
 */
int learn_run(const char *file);

#endif
