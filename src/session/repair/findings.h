/* findings.h - what a survey finds, and the data that its probes use. */
#ifndef AFW_SESSION_REPAIR_FINDINGS_H
#define AFW_SESSION_REPAIR_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/mem.h"
#include "session/disk/store.h"
#include "session/session.h"

struct survey;

struct finding {
	const char *kind; /* "lost_session", ...: afw-reconcile(1); static */
	enum { FINDING_FAIL, FINDING_WARN, FINDING_OK } level;
	char id[40];	    /* of a session, or "" */
	char *name;	    /* of a session, or of what was checked; or NULL */
	char *path;	    /* or NULL */
	pid_t pid;	    /* or 0 */
	const char *engine; /* of a container; static */
	char *text;	    /* for the user */
	char *hint;	    /* what the user can do, or NULL */
	bool safe;	    /* it may be repaired without loss */
	bool repaired;
};

struct findings {
	struct finding *v;
	size_t n;
	bool failed; /* a probe failed */
};

struct survey {
	bool apply;
	const char *branch_prefix; /* "af/" */
	const char *repository;	   /* checked as well; may be NULL */
	bool docker;		   /* its containers, too */

	struct findings found;
	/* All recorded sessions; empty for a check of the requirements only. */
	struct session_list sessions;
	struct trashed_list trash;
	struct strv repositories; /* of all sessions, each once */
};

/* Adds a finding, borrowed until the next one is added; of and path may be
 * NULL. */
struct finding *finding_add(struct survey *s, const char *kind,
			    const struct session *of, const char *path,
			    const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

void findings_finish(struct findings *f);

/* Returns the session with that id; NULL if there is none. */
const struct session *survey_session(const struct survey *s, const char *id);

/* Returns whether the trash or a session has the id. */
bool survey_is_recorded(const struct survey *s, const char *id);

#endif
