/* doctor.h - what the files of `afw doctor` share: a check adds its results. */
#ifndef AFW_COMMANDS_DOCTOR_H
#define AFW_COMMANDS_DOCTOR_H

#include "session/repair/survey.h"

#define OK   FINDING_OK
#define WARN FINDING_WARN
#define FAIL FINDING_FAIL

/* Adds one result. hint: what helps if the level is not OK, or NULL. Returns
 * 0. */
int doctor_add(struct survey *s, const char *check, int level, const char *hint,
	       const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Checks afw's own programs: all there, all of this version, all start. Says
 * how afw was installed, and which libraries they found. */
int doctor_check_programs(struct survey *s, struct err *err);

#endif
