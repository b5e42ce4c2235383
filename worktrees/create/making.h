/*
 * making.h - git's entry of a worktree that is not finished, and of one that
 * goes.
 *
 * The mark is the file `locked` in the entry, held with flock(2) by the run
 * that makes the worktree. git leaves an entry with that file alone. The
 * kernel frees the flock in every kind of death, so that a mark which nobody
 * holds is what a crash left behind; the next run takes that back.
 *
 * An entry appears whole, with its mark, and goes whole: it is made under
 * another name and renamed, and renamed before it is deleted. A directory
 * with such a name (.afw-<hex>) that nobody holds is nobody's.
 */
#ifndef AFW_WORKTREES_CREATE_MAKING_H
#define AFW_WORKTREES_CREATE_MAKING_H

#include <git2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/err.h"

struct making {
	int fd; /* -1: none */
	char *ref;
	git_oid commit;
	/* Made so far; the branch is noted before it is made, when it was
	 * seen not to be there. */
	bool has_tree, has_ref;
	ino_t ino;
};

enum making_result {
	MAKING_FAILED = -1,
	MAKING_DONE,
	MAKING_TAKEN, /* there is an entry id */
	MAKING_AGAIN, /* the directory admins was removed meanwhile */
};

/* Makes the entry id in admins, with its mark. */
enum making_result making_begin(struct making *m, int admins, const char *id,
				const char *ref, const git_oid *commit,
				struct err *err);

/* Writes what has_tree, ino and has_ref say now. */
int making_note(struct making *m, struct err *err);

/* Takes the mark away: it is a worktree. */
int making_end(struct making *m, int entry, struct err *err);
void making_finish(struct making *m);

/* Whether a dead run has left the entry id unfinished. */
bool making_is_stale(int admins, const char *id);

/* Whether the text of a file `locked` is such a mark. */
bool making_is_mark(const char *text);

/*
 * Takes back what a dead run left of the entry id, of the directory base in
 * dir (-1: there is none), and of its branch, where another has its commits.
 * Where a run is at it right now, waits for its end for up to wait_ms. True
 * where there was such a thing and it is gone. Only for an entry that no
 * session has recorded.
 */
bool making_undo_stale(git_repository *git, int admins, const char *id, int dir,
		       const char *base, int64_t wait_ms);

/* Removes the entry id in one step, as git and everybody else sees it. */
int making_remove_entry(int admins, const char *id, struct err *err);

/* Deletes the directories .afw-<hex> that nobody holds; returns how many
 * there are, with apply false without deleting any. */
size_t making_sweep(int admins, bool apply);

#endif
