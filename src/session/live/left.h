/* left.h - running supervisors whose session was deleted by hand. */
#ifndef AFW_SESSION_LIVE_LEFT_H
#define AFW_SESSION_LIVE_LEFT_H

#include <sys/types.h>

/*
 * Calls fn for each supervisor of this user whose session's directory does not
 * exist, if that was in our data directory or if its data directory does not
 * exist, either. pidfd holds the process (-1 on an old kernel); fn may not
 * keep it.
 */
typedef void left_fn(void *ctx, pid_t pid, int pidfd, const char *session_dir);
void left_each(left_fn *fn, void *ctx);

#endif
