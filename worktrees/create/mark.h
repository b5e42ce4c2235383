/*
 * mark.h - git's entry of a worktree that is being made, or removed.
 *
 * The mark is the file `locked` in the entry. It names all that the run makes,
 * is held with flock(2) by that run, and goes when the worktree is recorded.
 * git leaves an entry with that file alone. The kernel frees the flock in
 * every kind of death: a mark that nobody holds is what a killed run left, and
 * the next run undoes that as the run itself would have.
 *
 * An entry appears whole, with its mark, and goes whole: it is made under
 * another name and renamed, and renamed before it is deleted. A directory
 * with such a name (.afw-<hex>) that nobody holds is nobody's.
 */
#ifndef AFW_WORKTREES_CREATE_MARK_H
#define AFW_WORKTREES_CREATE_MARK_H

#include <git2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/err.h"

struct mark {
	int fd;			/* -1: none */
	const char *ref, *path; /* borrowed; path NULL: another's directory */
	const char *session;	/* directory of the session's files, or NULL */
	git_oid commit;
	/* Made so far; the branch is noted before it is made, when it was
	 * seen not to be there. */
	bool has_tree, has_ref;
	ino_t ino;
	bool stale; /* it was left by a killed run */
};

enum mark_result {
	MARK_FAILED = -1,
	MARK_DONE,
	MARK_TAKEN, /* there is an entry id */
	MARK_AGAIN, /* the directory admins was removed meanwhile */
};

/* Makes the entry id in admins, with its mark: ref, path, session and commit
 * are set, fd is -1. */
enum mark_result mark_begin(struct mark *m, int admins, const char *id,
			    struct err *err);

/* Writes what has_tree, ino and has_ref say now. */
int mark_note(struct mark *m, struct err *err);

/* Takes the mark away: it is a worktree. If that fails, the next run does it.
 */
void mark_end(struct mark *m, int entry);

/*
 * Removes what m says was made: the directory, then the branch, if it has not
 * moved, then the entry with the mark. If one cannot be removed, the mark
 * stays for the next run.
 */
int mark_undo(const struct mark *m, git_repository *git, int admins,
	      const char *id, struct err *err);

/* Whether a killed run has left the entry id unfinished. */
bool mark_is_stale(int admins, const char *id);

/* Whether the text of a file `locked` is such a mark. */
bool mark_is_text(const char *text);

/*
 * Undoes what a killed run left of the entry id, unless a session has recorded
 * it or commits were added since. Waits up to wait_ms for a run that is at it.
 * 1: there was such a thing and it is gone; 0: there is none; -1: it could not
 * be removed.
 */
int mark_undo_stale(git_repository *git, int admins, const char *id,
		    int64_t wait_ms, struct err *err);

/* The same for all entries; what cannot be removed stays. Sweeps, too. */
void mark_undo_all(git_repository *git, int admins);

/* Removes the entry id in one step, as git and everybody else sees it. */
int mark_remove_entry(int admins, const char *id, struct err *err);

/* Deletes the directories .afw-<hex> that nobody holds; returns how many
 * there are, with apply false without deleting any. */
size_t mark_sweep(int admins, bool apply);

#endif
