/*
 * recall.h - a supervisor that lives, but cannot be reached any more.
 *
 * The runtime directory is not ours alone: a logout without lingering, or who
 * cleans up, may empty it under running sessions (pam_systemd(8)). Their
 * supervisors listen anew when they are told to by SIGUSR1, as tmux servers do
 * (tmux(1)), and write down where (dirs_socket()).
 */
#ifndef AFW_SESSION_LIVE_RECALL_H
#define AFW_SESSION_LIVE_RECALL_H

#include "base/err.h"
#include "session/session.h"

/* Whether somebody listens where the session's supervisor says that it does.
 * Does not block. */
bool recall_is_reachable(const char *id);

/* Returns the directory of the session that pid, a supervisor of this user,
 * runs; NULL if it is not one. To be freed. */
char *recall_session_dir(pid_t pid);

/* Whether pid is a supervisor of ours, at work on the session. */
bool recall_runs(pid_t pid, const char *session_dir);

/*
 * Tells the supervisor of s to listen anew; false where none is found that
 * would. It is a process of ours that runs this session, and takes the signal:
 * one of an older afw would die of it. Does not block.
 */
bool recall_tell(const struct session *s);

/*
 * The same, and waits until it can be reached, RECALL_MS at most.
 * ERR_NOT_RUNNING where there is none, ERR_TIMEOUT where it does not come.
 */
#define RECALL_MS 3000
int recall_supervisor(const struct session *s, struct err *err);

#endif
