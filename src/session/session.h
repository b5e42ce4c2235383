/*
 * session.h - sessions as a reader sees them: spec, state and lock together.
 * Reading needs no process and no lock.
 */
#ifndef AFW_SESSION_SESSION_H
#define AFW_SESSION_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "session/spec.h"
#include "session/state.h"
#include "session/word.h"

struct session {
	char *dir; /* sessions/<id>; of another machine: NULL */
	/* Another machine's name in the configuration; NULL: this machine. Such
	 * a session has only what `afw ls --json` prints there. */
	char *host;
	cJSON *json; /* of another machine: what it prints; else NULL */
	struct spec spec;
	struct state state;
	struct strv groups; /* groups.h; by name */
	bool alive;	    /* the lock is held */
	/*
	 * Its supervisor ended without storing a final state (but not while it
	 * was stopping): `afw resume --all` restores it.
	 */
	bool lost;
	/*
	 * Set if the files could not be read; the text for the user is in
	 * state.error_reason, with phase error. spec.id is valid, and so is the
	 * name if it could be read.
	 */
	bool broken;
	bool newer;   /* broken, because a newer afw has written it */
	bool damaged; /* broken, and not only for a moment, as EIO may be */
};

#define _session_ CLEANUP(session_finish)

struct session_list {
	struct session *v;
	size_t n;
};

/*
 * Loads all sessions, oldest first. One broken session never hides the others.
 * If a session's phase is live but its lock is free, it is loaded as phase
 * error with error_reason "lost: ...", which also says whether the machine was
 * restarted since. Without any session or data directory, returns 0 and an
 * empty list. On -1, l has the sessions that could be read.
 */
int session_list_load(struct session_list *l, struct err *err);

/*
 * Does the same much faster, but loads only what lists show: the id, and the
 * fields of FIELD_BOARD (spec.c, state.c); not whether a session is lost, and
 * no groups.
 */
int session_list_load_board(struct session_list *l, struct err *err);
void session_list_finish(struct session_list *l);
#define _session_list_ CLEANUP(session_list_finish)

/* Removes the sessions for which meant() returns false; keeps the order. */
void session_list_filter(struct session_list *l,
			 bool (*meant)(const struct session *s,
				       const void *ctx),
			 const void *ctx);

int session_load(struct session *s, const char *id, struct err *err);
/* The same from dir, which it takes over: never fails, a broken session is
 * marked. */
void session_read(struct session *s, const char *id, char *dir);

/* Reads it again; -1: s stays as it was. */
int session_reload(struct session *s, struct err *err);

/* Whether another afw removed its directory while it was being read. */
bool session_was_removed(const struct session *s);

void session_finish(struct session *s);

/*
 * A supervisor ends directly after it has written its session's last phase.
 * Waits for that end, at most 5 s, and reads s again; for a command that uses
 * the session next. If an afw holds the lock and no supervisor was seen, waits
 * for LOCK_SOON_MS: the afw may only be storing a message. If the session is
 * removed meanwhile, s stays unchanged.
 */
void session_wait_settled(struct session *s);

/*
 * Finds a session by the name that a user gives: NAME (in the repository of the
 * current directory, else unique over all), repo/NAME, or an id or the unique
 * start of one, at least 6 digits. NULL: the only session of this repository,
 * or if it has none, the only one of all. Fails with ERR_NO_SESSION, and the
 * nearest name or all names as the hint; with ERR_CONFLICT if several
 * sessions match; with ERR_USAGE if several match NULL.
 */
int session_find(struct session *s, const char *what, struct err *err);

/* The same for many names: all sessions are read once, and each that is found
 * again when it is found. */
struct session_names {
	struct session_list list;
	char *here; /* session_repository_here() */
};

/* session_names_finish() in every case. */
int session_names_load(struct session_names *n, struct err *err);
int session_names_find(const struct session_names *n, struct session *s,
		       const char *what, struct err *err);
void session_names_finish(struct session_names *n);
#define _session_names_ CLEANUP(session_names_finish)

/*
 * How well what matches a session. Only the best matches are used, and there
 * must be exactly one. here: session_repository_here(), or NULL.
 */
enum session_fit {
	FIT_NONE,
	FIT_ID,
	FIT_ELSEWHERE,
	FIT_HERE, /* by its name, in this repository or with its repository's
		     name */
	FIT_WHOLE_ID, /* unique, whatever other sessions are called */
};

enum session_fit session_match(const struct spec *spec, const char *what,
			       const char *here);

/*
 * Returns the repository of path, named as in afw-worktree(8): the main
 * worktree (for a linked worktree by its commondir, for a submodule by
 * core.worktree), or a bare repository. Reads git's files; asks afw-worktree (a
 * few ms, at most 10 s) if git's configuration has a form that git itself does
 * not write. Returns NULL if there is none; to be freed.
 */
char *session_repository_of(const char *path);

/* Returns this process's repository: that of GIT_DIR, or of the current
 * directory. */
char *session_repository_here(void);

/*
 * Returns the directory whose .af/ and untracked files are used: the
 * repository, or if that is bare, the linked worktree of path, unless afw made
 * it. Returns NULL if there is no repository; to be freed.
 */
char *session_checkout_of(const char *path);
char *session_checkout_here(void);

/* Returns an array of the ports of its container that this machine can reach,
 * as podman_ports.h chose them; NULL: none. Borrowed. */
const cJSON *session_ports(const struct session *s);

/* Returns the object that every --json prints (afw(1), "JSON"); to be
 * deleted. */
cJSON *session_to_json(const struct session *s);

/*
 * Reads such an object of another machine, whose strings become printable
 * lines; takes it over. shift_ms is added to the times of s. s has what
 * FIELD_JSON has, except process ids, and what set_made_members() adds. -1 with
 * err if it is not a session; o is deleted then. The caller sets s->host.
 */
int session_from_json(struct session *s, cJSON *o, int64_t shift_ms,
		      struct err *err);

/* A repository may have another path on each machine: makes it that of here, or
 * of this machine's sessions, for all repositories of that name. s->json keeps
 * its own. */
void session_list_join(struct session_list *l, const char *here);

/* Returns whether more than one repository has sessions in l. */
bool session_list_is_mixed(const struct session_list *l);

/* Returns how much of s->host names it: of a place that was made for the
 * session, HOST.NAME, only HOST. */
size_t session_host_len(const struct session *s);

/* Returns "repo/name" if more than one repository has sessions in l, else the
 * name, after "HOST:" for another machine's session; to be freed. */
char *session_label(const struct session *s, const struct session_list *l);

/* Returns the session's state as one word (word.h), and the name of that
 * word. */
enum word session_urgency(const struct session *s);
const char *session_status_word(const struct session *s);

/* Returns since when (wall ms) it has that word. */
int64_t session_since(const struct session *s);

/* Returns whether it is running under a supervisor of another version of afw.
 */
bool session_is_outdated(const struct session *s);

/* Returns whether it is idle because its last turn was interrupted. */
bool session_is_interrupted(const struct session *s);

/*
 * Returns the error's reason for a short line: without the path of the
 * session's directory. "" if there is none; to be freed.
 */
char *session_reason(const struct session *s);

/* Returns "stopped" or "suspended" if it was asked to end, "(killed)" if it had
 * to be killed; NULL if it ended by itself: then use the signal and exit
 * code. */
const char *session_end(const struct state *st);

/* Appends "usage limit until 16:17, then it continues"; nothing if it is at no
 * limit. */
void session_limit(const struct session *s, struct buf *out);

/*
 * Appends one line: what it asks or does, its last message, or why it failed
 * (session_text.c). An agent may have written the text: not safe to print
 * unchanged.
 */
void session_message(const struct session *s, struct buf *out);

/* Appends the same after the number of queued messages, the result of its
 * check and, once it is idle or stopped, the number of uncommitted files:
 * everything that a list shows besides session_status_word(). */
void session_summary(const struct session *s, struct buf *out);

/*
 * The result of the check of its last turn (check in afw.ini(5)): returns a
 * mark of one column for lists, "" if it is unknown; session_check() appends it
 * in words, as session_summary() does: "failed in round 3 of 10: 2 tests
 * failed".
 */
const char *session_check_mark(const struct session *s, bool utf8);
void session_check(const struct session *s, struct buf *out);

/* Sets the commands that answer the agent's question as the hint. Returns -1.
 */
int session_hint_answer(const struct spec *s, struct err *err);

/* Returns whether it belongs to that repository. here may be NULL: no
 * repository. */
bool session_is_here(const struct session *s, const char *here);

/* Fails with ERR_CONFLICT if a session of that repository has the name, except
 * the session with that id ("": none). The caller holds limit_lock(). */
int session_name_free(const char *repository, const char *name, const char *id,
		      struct err *err);

/* Returns a session that works in that directory, except the one with that id
 * ("": none); a running one first; or NULL. */
const struct session *session_list_at(const struct session_list *l,
				      const char *worktree, const char *id);

/* Returns the session with that repository and name, or NULL. A session that
 * cannot be read has no name. */
const struct session *session_list_named(const struct session_list *l,
					 const char *repository,
					 const char *name);

/*
 * Stores in the state of s, whose supervisor has ended, that it is in phase
 * error and why; resumable: `afw resume --all` shall restore it. The caller
 * holds the session's lock. Returns 1 if the state was changed, 0 if it was
 * stored already or s is not in error; -1 with err.
 */
int session_record_lost(const struct session *s, bool resumable,
			struct err *err);

#endif
