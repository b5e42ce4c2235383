/*
 * turnstile.h - lets the sessions of one agent do something one after the
 * other. Processes that watch its file notice each turn.
 */
#ifndef AFW_SESSION_LIVE_TURNSTILE_H
#define AFW_SESSION_LIVE_TURNSTILE_H

#include <stdint.h>

/* Returns the path of the file that every pass writes, to be watched and freed;
 * NULL if there is no such place. name: "codex.login". */
char *turnstile_path(const char *name);

/* Takes the next turn, at least gap_ms after the previous one, and returns the
 * ms until then; 0 if there is no such file. Blocks for milliseconds. */
int64_t turnstile_pass(const char *name, int64_t gap_ms);

#endif
