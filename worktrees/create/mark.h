/*
 * mark.h - marks git's entry of a worktree that is being made, or removed.
 *
 * The mark is the file `locked` in the entry. It lists everything that the run
 * makes, is locked with flock(2) by that run, and is removed when the worktree
 * is recorded. git leaves an entry with that file alone. The kernel frees the
 * flock however the run ends: an unlocked mark was left by a killed run, and
 * the next run removes its work as the run itself would have.
 *
 * An entry appears and disappears as a whole, with its mark: it is made under
 * another name and renamed, and renamed before it is deleted. A directory with
 * such a name (.afw-<hex>) that is not locked is abandoned.
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
	const char *ref, *path; /* borrowed; path NULL: not our directory */
	const char *session;	/* directory of the session's files, or NULL */
	git_oid commit;
	/* Made so far; the branch is noted before it is made, after a check
	 * that it does not exist. */
	bool has_tree, has_ref;
	ino_t ino;
	bool stale; /* a killed run left it */
};

enum mark_result {
	MARK_FAILED = -1,
	MARK_DONE,
	MARK_TAKEN, /* the entry id exists */
	MARK_AGAIN, /* the directory admins was removed meanwhile */
};

/* Makes the entry id in admins, with its mark: ref, path, session and commit
 * are set, fd is -1. */
enum mark_result mark_begin(struct mark *m, int admins, const char *id,
			    struct err *err);

/* Writes the present has_tree, ino and has_ref to the mark. */
int mark_write(struct mark *m, struct err *err);

/* Removes the mark: the worktree is complete. If that fails, the next run does
 * it. */
void mark_end(struct mark *m, int entry);

/*
 * Removes what m lists: the directory, then the branch, if it has not moved,
 * then the entry with the mark. If one cannot be removed, the mark stays for
 * the next run.
 */
int mark_undo(const struct mark *m, git_repository *git, int admins,
	      const char *id, struct err *err);

/* True if a killed run has left the entry id unfinished. */
bool mark_is_stale(int admins, const char *id);

/* Returns the branch that the mark of the entry id lists, also of a run that is
 * still making it; to be freed. NULL: it has no mark. */
char *mark_ref(int admins, const char *id);

/* True if the text of a file `locked` is such a mark. */
bool mark_is_text(const char *text);

/*
 * Removes what a killed run left of the entry id, unless a session has recorded
 * it or commits were added since. Waits up to wait_ms for a run that is still
 * making it. Returns 1: removed; 0: there was nothing to remove; -1: it could
 * not be removed.
 */
int mark_undo_stale(git_repository *git, int admins, const char *id,
		    int64_t wait_ms, struct err *err);

/* The same for all entries; what cannot be removed stays. Deletes abandoned
 * directories, too. */
void mark_undo_all(git_repository *git, int admins);

/* Removes the entry id in one step, as git and everybody else sees it. */
int mark_remove_entry(int admins, const char *id, struct err *err);

/* Deletes the directories .afw-<hex> that no run has locked; returns how many
 * there are. With apply false only counts them. */
size_t mark_sweep(int admins, bool apply);

#endif
