/* support_session.h - sessions that are only files, for tests: no process runs.
 * Everything is in scratch, which is also the working directory. */
#ifndef AFW_TESTS_SUPPORT_SESSION_H
#define AFW_TESTS_SUPPORT_SESSION_H

#include <stdint.h>

#include "session/phase.h"
#include "support_scratch.h"

/* The creation time of the next session: 1 ms after the last. */
extern int64_t sessions_made_at;

int sessions_setup(void **state);
int sessions_teardown(void **state);

/* Makes a session; id (or NULL) has room for its id. Returns its directory. */
char *sessions_make(const char *repository, const char *name, enum phase phase,
		    char *id);

/* Writes the file name of a directory, replacing an old one. */
void sessions_put(const char *dir, const char *name, const char *text);

#endif
