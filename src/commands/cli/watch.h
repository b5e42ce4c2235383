/*
 * watch.h - waits until something happens in sessions' directories: a state
 * file renamed into place, output in the transcript, the lock let go.
 *
 * inotify; where the kernel has none to give, it looks four times a second.
 */
#ifndef AFW_COMMANDS_CLI_WATCH_H
#define AFW_COMMANDS_CLI_WATCH_H

#include <stdint.h>

struct watch;

struct watch *watch_create(void);
void watch_destroy(struct watch *w); /* NULL does nothing */
/* Where the directory is gone, the next watch_wait() returns at once. */
void watch_add(struct watch *w, const char *session_dir);
/* And what describes the session's moment (board.h). */
void watch_add_shown(struct watch *w, const char *session_dir);

/* The same, but not what its terminal prints. */
void watch_add_row(struct watch *w, const char *session_dir);
/* Input on fd ends a wait, too. */
void watch_add_input(struct watch *w, int fd);

/*
 * Returns when something has happened since the last call, after timeout_ms
 * (-1: none), and now and then without a reason: the caller looks again
 * each time. A signal ends it too.
 */
void watch_wait(struct watch *w, int64_t timeout_ms);

#endif
