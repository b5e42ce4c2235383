/*
 * session_limits.h - one line for all sessions that the same limit stops: those
 * of one agent with the same reason and end, since they share an account.
 */
#ifndef AFW_SESSION_SESSION_LIMITS_H
#define AFW_SESSION_SESSION_LIMITS_H

#include "session/session.h"

/* Returns whether it is at a limit after which only the user continues it. */
bool session_limit_needs_help(const struct session *s);

/* Returns < 0, 0 or > 0, as strcmp(3): 0 if both are at the same limit, which
 * is not one of a single conversation. */
int session_limit_compare(const struct session *a, const struct session *b);

/* Appends "3 claude sessions are limited until 15:00 (usage limit)" for n
 * sessions like s, or that they need a login, and what to do then. */
void session_limit_line(const struct session *s, size_t n, struct buf *out);

#endif
