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
	char *dir; /* sessions/<id> */
	struct spec spec;
	struct state state;
	struct strv groups; /* groups.h; by name */
	bool alive;	    /* the lock is held */
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
	bool newer;   /* broken, because a newer afw has written it */
	bool damaged; /* broken, and that will not pass as EIO may */
};

#define _session_ CLEANUP(session_finish)

struct session_list {
	struct session *v;
	size_t n;
};

/*
 * All sessions, oldest first. One broken session never hides the others. A
 * session whose phase is live but whose lock is free reads as phase error,
 * error_reason "lost: ...", with whether the machine was restarted since. No
 * sessions, or no data directory yet: 0 and an empty list. With -1, l has
 * those that could be read.
 */
int session_list_load(struct session_list *l, struct err *err);

/*
 * The same, much faster, with only what lists show: the id, and the fields of
 * FIELD_BOARD (spec.c, state.c); not whether it is lost; no groups.
 */
int session_list_load_board(struct session_list *l, struct err *err);
void session_list_finish(struct session_list *l);
#define _session_list_ CLEANUP(session_list_finish)

/* Only those that are meant stay, in their order. */
void session_list_keep(struct session_list *l,
		       bool (*meant)(const struct session *s, const void *ctx),
		       const void *ctx);

int session_load(struct session *s, const char *id, struct err *err);
void session_finish(struct session *s);

/*
 * A supervisor ends right after it has written its session's last phase. For
 * whoever is to have the session next: waits for that end, 5 s at most, and
 * reads s again. An afw that holds the lock, and no supervisor before it, is
 * waited for LOCK_SOON_MS: it may be one that keeps a message. One that is
 * removed meanwhile stays as it was.
 */
void session_wait_settled(struct session *s);

/*
 * Finds a session by what a user calls it: NAME (in the repository that the
 * current directory belongs to, else unique over all), repo/NAME, or an id
 * or its unique beginning of at least 6 digits; NULL is the only session of
 * this repository, or where it has none, the only one that there is.
 * ERR_NO_SESSION with the nearest name or all as hint;
 * ERR_CONFLICT where it is ambiguous, ERR_USAGE where NULL is.
 */
int session_find(struct session *s, const char *what, struct err *err);

/*
 * How well a session is meant by what: of those that fit, the best ones
 * count, and one must be alone. here: session_repository_here(), or NULL.
 */
enum session_fit {
	FIT_NONE,
	FIT_ID,
	FIT_ELSEWHERE,
	FIT_HERE, /* by its name, in this repository or with its repository's */
	FIT_WHOLE_ID, /* nobody else's, whatever they are called */
};

enum session_fit session_match(const struct spec *spec, const char *what,
			       const char *here);

/*
 * The repository that path lies in, as afw-worktree(8) names it: the main
 * worktree (for a linked one by its commondir, for a submodule by
 * core.worktree), or a bare repository. Read from git's files; afw-worktree
 * is asked (a few ms, 10 s at most) where its configuration is none that git
 * itself writes. NULL where there is none; to be freed.
 */
char *session_repository_of(const char *path);

/* The one that this process is about: of GIT_DIR, or of its directory. */
char *session_repository_here(void);

/*
 * The directory whose .af/ and untracked files count: the repository, or if
 * that is bare the linked worktree that path lies in, unless afw made it. NULL
 * if there is no repository; to be freed.
 */
char *session_checkout_of(const char *path);
char *session_checkout_here(void);

/* The object that every --json prints (afw(1), "JSON"); to be deleted. */
cJSON *session_to_json(const struct session *s);

/* Whether more than one repository has sessions in l. */
bool session_list_is_mixed(const struct session_list *l);

/* "repo/name" where more than one repository has sessions in l, else name. */
char *session_label(const struct session *s, const struct session_list *l);

/* What the user should see in one word (word.h), and its name. */
enum word session_urgency(const struct session *s);
const char *session_status_word(const struct session *s);

/* Wall ms since which that is its word. */
int64_t session_since(const struct session *s);

/* It rests, and because its last turn was interrupted. */
bool session_is_interrupted(const struct session *s);

/*
 * The error's reason for a line that is short: without the path of the
 * session's directory. "" where there is none; to be freed.
 */
char *session_reason(const struct session *s);

/* "stopped" or "suspended" where it was asked to end, "(killed)" where it
 * would not; NULL where it ended by itself: then signal and exit code tell. */
const char *session_end(const struct state *st);

/*
 * Appends, on one line, what it asks or does, what it said last, or why it
 * failed (session_text.c). An agent may have written it: not safe to print as
 * it is.
 */
void session_message(const struct session *s, struct buf *out);

/* The same, after what its check came to and, once it is idle or stopped, what
 * is not committed: all that a list has to say beyond session_status_word(). */
void session_summary(const struct session *s, struct buf *out);

/*
 * Whether its last turn's work is good (check in afw.ini(5)): a mark of one
 * column for lists, "" where that is not known; and in words, appended as
 * session_summary() does: "failed in round 3 of 10: 2 tests failed".
 */
const char *session_check_mark(const struct session *s, bool utf8);
void session_check(const struct session *s, struct buf *out);

/* Whether it is of that repository; here may be NULL: it is of none. */
bool session_is_here(const struct session *s, const char *here);

/* ERR_CONFLICT where another than the session with that id ("": any) of that
 * repository has the name. For who holds limit_lock(). */
int session_name_free(const char *repository, const char *name, const char *id,
		      struct err *err);

/* The one of that repository and name, or NULL; one that cannot be read has
 * none. */
const struct session *session_list_named(const struct session_list *l,
					 const char *repository,
					 const char *name);

/*
 * Writes into the state of s, whose supervisor is gone, what s says of it:
 * phase error and why; resumable: `afw resume --all` is to bring it back. The
 * caller holds the session's lock. 1 where that was news, 0 where it stands
 * there already or it is not in error; -1 with err.
 */
int session_record_lost(const struct session *s, bool resumable,
			struct err *err);

#endif
