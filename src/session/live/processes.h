/*
 * processes.h - the processes of sessions: what a harness left behind when its
 * supervisor was killed, what is below a supervisor, and supervisors whose
 * session was deleted by hand.
 */
#ifndef AFW_SESSION_LIVE_PROCESSES_H
#define AFW_SESSION_LIVE_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

/*
 * Ends every process of this user whose environment has the session's id
 * (AF_SESSION_ID): TERM, after grace_ms KILL. Processes that were started
 * outside the session (the kernel's session id shows it), this process and its
 * ancestors are left alone. The caller holds the session's lock, so no
 * supervisor owns them. Blocks until they have ended, grace_ms plus a second at
 * most. Returns how many there were; -1 if some did not end.
 *
 * A running supervisor finds all of them, because it is their reaper; this
 * function is for one that was killed, and misses a process that has emptied
 * its environment.
 */
int processes_end(const char *id, int64_t grace_ms, struct err *err);

/*
 * Calls fn for every process of this user whose environment has AF_SESSION_ID,
 * except this one and its ancestors, whether its supervisor is running or not.
 * pidfd refers to the process meanwhile (-1: an old kernel); id is borrowed.
 */
typedef void (*processes_fn)(void *ctx, pid_t pid, int pidfd, const char *id);
void processes_each(processes_fn fn, void *ctx);

/*
 * Returns the pid of the process of this user that listens on the socket path
 * (the kernel reports it, even if the file was deleted) and has the session's
 * id in its environment; or 0. Both are checked: the children of a session's
 * server inherit its environment, and a foreign process may listen on the same
 * path.
 */
pid_t processes_find_server(const char *id, const char *path);

/*
 * Ends that process: TERM, after grace_ms KILL. The caller holds the session's
 * lock. Blocks until it has ended, grace_ms plus a second at most. Also returns
 * 0 if there is none.
 */
int processes_end_server(const char *id, const char *path, int64_t grace_ms,
			 struct err *err);

/* Returns the nearest supervisor among pid's ancestors; 0: none; -1: pid has
 * ended, or is in another pid namespace. */
pid_t process_supervisor(pid_t pid);

/*
 * Keys, answers and possible commands are for the user alone: an agent could
 * allow itself, or another agent, anything. Returns 0 if supervisor, which
 * process_supervisor() returned, is 0; else ERR_REFUSED.
 */
int process_check_user(pid_t supervisor, struct err *err);

/* Returns whether above is an ancestor of pid. */
bool process_is_below(pid_t pid, pid_t above);

/*
 * Calls fn for each supervisor of this user whose session's directory does not
 * exist, if that was in our data directory or if its data directory does not
 * exist, either. pidfd holds the process (-1 on an old kernel); fn may not
 * keep it.
 */
typedef void processes_orphan_fn(void *ctx, pid_t pid, int pidfd,
				 const char *session_dir);
void processes_each_orphan(processes_orphan_fn *fn, void *ctx);

#endif
