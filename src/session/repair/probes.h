/* probes.h - the checks of files and of processes, and their repairs: rows of
 * survey.c. */
#ifndef AFW_SESSION_REPAIR_PROBES_H
#define AFW_SESSION_REPAIR_PROBES_H

#include "base/err.h"
#include "session/repair/findings.h"

/* probe_files.c */
int probe_sessions(struct survey *s, struct err *err);
bool repair_session(const struct survey *s, const struct finding *f);
int probe_removals(struct survey *s, struct err *err);
bool repair_removals(const struct survey *s, const struct finding *f);
int probe_staging(struct survey *s, struct err *err);
bool repair_staging(const struct survey *s, const struct finding *f);
int probe_worktrees(struct survey *s, struct err *err);
int probe_directories(struct survey *s, struct err *err);
bool repair_directory(const struct survey *s, const struct finding *f);

/* probe_git.c */
int probe_git(struct survey *s, struct err *err);

/* probe_moved.c */
int probe_moved(struct survey *s, struct err *err);
bool repair_moved(const struct survey *s, const struct finding *f);

/* probe_live.c */
int probe_servers(struct survey *s, struct err *err);
bool repair_server(const struct survey *s, const struct finding *f);
int probe_supervisors(struct survey *s, struct err *err);
int probe_sockets(struct survey *s, struct err *err);
bool repair_socket(const struct survey *s, const struct finding *f);
int probe_processes(struct survey *s, struct err *err);

#endif
