/*
 * turnstile.h - lets the sessions of one agent do something one after the
 * other, and who watches its file know that one has done it.
 */
#ifndef AFW_SESSION_LIVE_TURNSTILE_H
#define AFW_SESSION_LIVE_TURNSTILE_H

#include <stdint.h>

/* Returns the path of the file that every pass writes, to be watched and freed;
 * NULL if there is no such place. name: "codex.login". */
char *turnstile_path(const char *name);

/* Takes the next turn: returns the ms until then, at least gap_ms after the one
 * before. Blocks for milliseconds. Without such a file nobody waits: 0. */
int64_t turnstile_pass(const char *name, int64_t gap_ms);

#endif
