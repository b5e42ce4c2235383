/*
 * doctor.h - what `afw doctor` and `afw reconcile` look for: rows of one kind,
 * each with how it is found and how it is repaired. The two run different rows.
 */
#ifndef AFW_COMMANDS_DOCTOR_H
#define AFW_COMMANDS_DOCTOR_H

#include "session/repair/survey.h"

#define OK   FINDING_OK
#define WARN FINDING_WARN
#define FAIL FINDING_FAIL

extern const struct probe doctor_probes[]; /* a NULL name ends */

/* Adds one result. hint: what helps if the level is not OK, or NULL. Returns
 * 0. */
int doctor_add(struct survey *s, const char *check, int level, const char *hint,
	       const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Adds what a host of that name has: doctor_host.c. Blocks for minutes at
 * most. */
int doctor_host(struct survey *s, const char *name, struct err *err);

/* Checks afw's own programs: all there, all of this version, all start. Says
 * how afw was installed, and which libraries they found. */
int doctor_check_programs(struct survey *s, struct err *err);

/* doctor_machine.c */
int doctor_data(struct survey *s, struct err *err);
int doctor_runtime(struct survey *s, struct err *err);
int doctor_sockets(struct survey *s, struct err *err);
int doctor_proc(struct survey *s, struct err *err);
int doctor_config(struct survey *s, struct err *err);
int doctor_git(struct survey *s, struct err *err);
int doctor_tmux(struct survey *s, struct err *err);
int doctor_sandboxes(struct survey *s, struct err *err);
int doctor_pty(struct survey *s, struct err *err);
int doctor_inotify(struct survey *s, struct err *err);
int doctor_terminal(struct survey *s, struct err *err);
int doctor_locale(struct survey *s, struct err *err);

/* doctor_try.c */
int doctor_try(struct survey *s, struct err *err);

/* doctor_containers.c */
int doctor_containers(struct survey *s, struct err *err);
bool doctor_remove_container(const struct survey *s, const struct finding *f);

#endif
