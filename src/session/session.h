/*
 * session.h - sessions as a reader sees them: spec, state and lock together.
 * Reading needs no process and no lock.
 */
#ifndef AFW_SESSION_SESSION_H
#define AFW_SESSION_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "base/err.h"
#include "session/spec.h"
#include "session/state.h"

struct session {
	char *dir; /* sessions/<id> */
	struct spec spec;
	struct state state;
	bool alive; /* the lock is held */
	/*
	 * Its supervisor went without a word while it was to go on (not while
	 * it was stopping): what `afw resume --all` brings back.
	 */
	bool lost;
	/*
	 * Set where the files could not be read: what is wrong, for a person.
	 * spec.id (and name, where it could be read) are still good; state is
	 * phase error with this as its reason.
	 */
	bool broken;
	bool newer; /* broken, because a newer afw has written it */
};

struct session_list {
	struct session *v;
	size_t n;
};

/*
 * All sessions, oldest first. One broken session never hides the others. A
 * session whose phase is live but whose lock is free reads as phase error,
 * error_reason "lost: ...". No sessions, or no data directory yet: 0 and
 * an empty list.
 */
int session_list_load(struct session_list *l, struct err *err);

/*
 * The same, much faster (board.h), with only what lists show: of the spec
 * id, name, repository, repository_name, worktree, branch, base, harness
 * and created_at; of the state all but conversation and degraded.
 */
int session_list_glance(struct session_list *l, struct err *err);
void session_list_finish(struct session_list *l);

int session_load(struct session *s, const char *id, struct err *err);
void session_finish(struct session *s);

/*
 * Finds a session by what a user calls it: NAME (in the repository that the
 * current directory belongs to, else unique over all), repo/NAME, or an id
 * or its unique beginning of at least 6 digits. ERR_NO_SESSION with the
 * nearest names as hint; ERR_CONFLICT where it is ambiguous.
 */
int session_find(struct session *s, const char *what, struct err *err);

/*
 * The repository that path lies in, found without git: the directory with
 * .git (for a linked worktree the main one, by its commondir), or a bare
 * repository. NULL where there is none; to be freed.
 */
char *session_repository_of(const char *path);

/* The object that every --json prints (afw(1), "JSON"); to be deleted. */
cJSON *session_to_json(const struct session *s);

/* "repo/name" where more than one repository has sessions in l, else name. */
char *session_label(const struct session *s, const struct session_list *l);

/*
 * What the user should see in one word: the activity while running
 * ("waiting_for_input" as "waiting"), else the phase; never NULL.
 */
const char *session_word(const struct session *s);

/* Lower is more urgent: waiting, error, completed, idle, working, stopped. */
int session_urgency(const struct session *s);

#endif
