/* findings.h - what a survey finds, and what its probes are given. */
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
	char id[40]; /* of a session, or "" */
	char *name;  /* of a session, or of what was checked; or NULL */
	char *path;  /* or NULL */
	pid_t pid;   /* or 0 */
	char *text;  /* for a person */
	char *hint;  /* what would help, or NULL */
	bool safe;   /* the survey repairs it, if it is to */
	bool repaired;
	/* Repairs it: true if that was done. NULL: there is nothing to do, or
	 * the probe has done it. */
	bool (*mend)(const struct survey *s, const struct finding *f);
};

struct findings {
	struct finding *v;
	size_t n;
	bool failed; /* a probe did */
};

struct survey {
	bool apply;
	const char *branch_prefix; /* "af/" */
	const char *repository;	   /* looked at as well; may be NULL */

	struct findings found;
	/* All that is recorded; empty for a check of the requirements only. */
	struct session_list sessions;
	struct trashed_list trash;
	struct strv repositories; /* of all sessions, each once */
};

/* One more finding, borrowed until the next; of and path may be NULL. */
struct finding *finding_add(struct survey *s, const char *kind,
			    const struct session *of, const char *path,
			    const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* The same, for a finding that mend() repairs. */
struct finding *finding_set_mend(struct finding *f,
				 bool (*mend)(const struct survey *s,
					      const struct finding *f));
void findings_finish(struct findings *f);

/* NULL: there is none with that id. */
const struct session *survey_session(const struct survey *s, const char *id);

/* Whether the trash or a session has the id. */
bool survey_is_recorded(const struct survey *s, const char *id);

#endif
