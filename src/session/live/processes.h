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
 * Ends every process of ours whose environment says that it belongs to the
 * session id (AF_SESSION_ID), but for those that somebody outside of it has
 * started, by the kernel's word on whose session they are in: TERM, after
 * grace_ms KILL. This process and those above it are spared. The caller holds
 * the session's lock, so that no supervisor is there whose they could be.
 * Blocks until they are gone, a second longer than grace_ms at most. Returns
 * how many there were; -1 where some will not go.
 *
 * While the supervisor lives it finds them all, as their reaper; this is for
 * its death by KILL, and does not find one that has emptied its environment.
 */
int processes_end(const char *id, int64_t grace_ms, struct err *err);

/*
 * Calls fn for every process of ours whose environment has AF_SESSION_ID,
 * whether its supervisor lives or not, but for this one and those above it.
 * It is held meanwhile by pidfd (-1: an old kernel); id is borrowed.
 */
typedef void (*processes_fn)(void *ctx, pid_t pid, int pidfd, const char *id);
void processes_each(processes_fn fn, void *ctx);

/*
 * The process of ours that listens on the socket path, by the kernel's word
 * (also where the file is gone), and carries the mark of the session id:
 * its pid, or 0. Both are needed: what a session's server starts inherits
 * its environment, and a stranger may listen where the server did.
 */
pid_t processes_find_server(const char *id, const char *path);

/*
 * Ends that one, TERM and after grace_ms KILL. The caller holds the session's
 * lock. Blocks until it is gone, a second longer than grace_ms at most. 0 as
 * well where there is none.
 */
int processes_end_server(const char *id, const char *path, int64_t grace_ms,
			 struct err *err);

/* The nearest supervisor above pid; 0: none; -1: pid is gone, or of another
 * pid namespace. */
pid_t process_supervisor(pid_t pid);

/*
 * Keys, answers and possible commands are for the user alone: an agent could
 * allow itself, or another agent, anything. Returns 0 if supervisor, which
 * process_supervisor() returned, is 0; else ERR_REFUSED.
 */
int process_check_user(pid_t supervisor, struct err *err);

/* True where pid is below above. */
bool process_is_below(pid_t pid, pid_t above);

/*
 * Calls fn for each supervisor of this user whose session's directory does not
 * exist, if that was in our data directory or if its data directory does not
 * exist, either. pidfd holds the process (-1 on an old kernel); fn may not
 * keep it.
 */
typedef void processes_left_fn(void *ctx, pid_t pid, int pidfd,
			       const char *session_dir);
void processes_each_left(processes_left_fn *fn, void *ctx);

#endif
