/*
 * shutdown.h - what a signal to the supervisor (TERM, INT, HUP) means, where
 * nobody asked for a stop or a suspend.
 *
 * From the supervisor of the session that it was started in (TREE_STOP_WORD):
 * a stop. From anybody else: the machine, or the user's login, comes to its
 * end. The session was to go on, so it is lost, and `afw resume --all` brings
 * it back.
 */
#ifndef AFW_SUPERVISOR_SHUTDOWN_H
#define AFW_SUPERVISOR_SHUTDOWN_H

#include "supervisor/supervisor.h"

/* How soon after the harness's own end a signal says that both have one
 * cause. */
#define SHUTDOWN_MS 3000

void shutdown_signal(struct supervisor *sv, int signo, int word);

/* "lost: ..." */
void shutdown_words(int signo, char *out, size_t size);

/*
 * After the end, the lock released: where the harness ended by itself, waits
 * SHUTDOWN_MS for a signal, and with one corrects what was written of that
 * end. The signals must be blocked (loop_signals).
 */
void shutdown_wait(struct supervisor *sv);

#endif
