/* reconcile_internal.h - between reconcile_run.c and its probes. */
#ifndef AFW_SESSION_REPAIR_RECONCILE_INTERNAL_H
#define AFW_SESSION_REPAIR_RECONCILE_INTERNAL_H

#include "base/err.h"
#include "base/mem.h"
#include "session/disk/trashed.h"
#include "session/repair/reconcile.h"
#include "session/session.h"

struct reconcile_run {
	const struct reconcile *how;
	struct findings *out;
	struct session_list sessions;
	struct trashed_list trash;
	struct strv repositories; /* of all sessions, each once */
};

/* One more finding, borrowed until the next; s and path may be NULL. */
struct finding *reconcile_add(struct reconcile_run *r, const char *kind,
			      const struct session *s, const char *path,
			      const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* NULL: there is none with that id. */
const struct session *reconcile_session(const struct reconcile_run *r,
					const char *id);

/* Whether the trash or a session has the id. */
bool reconcile_is_trashed(const struct reconcile_run *r, const char *id);

/*
 * The probes. Each adds what it finds; -1 with err where it could not look
 * at all of it.
 */
int reconcile_probe_sessions(struct reconcile_run *r, struct err *err);
int reconcile_probe_removals(struct reconcile_run *r, struct err *err);
int reconcile_probe_staging(struct reconcile_run *r, struct err *err);
int reconcile_probe_worktrees_gone(struct reconcile_run *r, struct err *err);
int reconcile_probe_directories(struct reconcile_run *r, struct err *err);
int reconcile_probe_git(struct reconcile_run *r, struct err *err);
int reconcile_probe_servers(struct reconcile_run *r, struct err *err);
int reconcile_probe_left(struct reconcile_run *r, struct err *err);
int reconcile_probe_reach(struct reconcile_run *r, struct err *err);
int reconcile_probe_sockets(struct reconcile_run *r, struct err *err);
int reconcile_probe_containers(struct reconcile_run *r, struct err *err);
int reconcile_probe_processes(struct reconcile_run *r, struct err *err);

#endif
