/*
 * session_limits.h - describes all sessions that the same limit stops in one
 * line: the sessions of one agent with the same reason and end, which share an
 * account.
 */
#ifndef AFW_SESSION_SESSION_LIMITS_H
#define AFW_SESSION_SESSION_LIMITS_H

#include "session/session.h"

/* Returns whether the session is at a limit after which only the user can
 * continue it. */
bool session_limit_needs_help(const struct session *s);

/* Returns < 0, 0 or > 0, as strcmp(3): 0 if both are at the same limit, and
 * that is not a limit of one conversation. */
int session_limit_compare(const struct session *a, const struct session *b);

/* Appends "3 claude sessions are limited until 15:00 (usage limit)" for n
 * sessions like s; if they need a login, says so, and what to do. */
void session_limit_line(const struct session *s, size_t n, struct buf *out);

#endif
