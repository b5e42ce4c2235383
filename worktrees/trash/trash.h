/*
 * trash.h - moves one worktree to the trash, or out of it; shared by remove.c,
 * trash.c, trash_entry.c (git's entry) and trash_check.c.
 *
 * In the trash the directory is .af_worktrees/.trash/<id>, and git's entry for
 * it .git/worktrees/afw-trash-<id>: it points there and is locked with a
 * reason, so that git keeps every object that its HEAD, its index and its
 * reflog reach; its HEAD is detached, so that no branch is checked out there.
 */
#ifndef AFW_WORKTREES_TRASH_TRASH_H
#define AFW_WORKTREES_TRASH_TRASH_H

#include <git2.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/json.h"
#include "worktrees/git/repo.h"

#define TRASH_DIR "/.trash"

struct trash {
	struct repo repo;
	struct repo_worktree w;
	const char *id;		 /* of the session; borrowed from the request */
	const char *private_git; /* the same; NULL: it has none */
	char *path;		 /* parent_path/.trash/<id> */
	char *entry_name;	 /* afw-trash-<id> */
	const char *name;	 /* of the directory in trash_fd; borrowed */
	int trash_fd;		 /* parent_path/.trash, open; or -1 */
	bool has_tree, has_entry; /* they are in the trash */
};

/* id: of the session. t is TRASH_NONE. trash_finish() in every case. */
int trash_open(struct trash *t, const struct repo_place *place, const char *id,
	       struct err *err);
void trash_finish(struct trash *t);
#define _trash_ CLEANUP(trash_finish)
#define TRASH_NONE                                                             \
	{                                                                      \
		.trash_fd = -1, .w = REPO_WORKTREE_NONE                        \
	}

/* Moves the worktree there; makes the directory if there is none. -1 with errno
 * if the rename failed. */
int trash_put(struct trash *t, struct err *err);

/* Removes the directories that are empty now. */
void trash_drop_empty(const struct trash *t);

/* -- git's entry: trash_entry.c -------------------------------------------- */

/* Opens git's entry, in the trash or not; -1 with errno. */
int trash_entry_open(const struct trash *t);

/* Refuses if the user has locked it; otherwise locks it for the trash. */
int trash_entry_lock(const struct trash *t, struct err *err);
int trash_entry_unlock(const struct trash *t, struct err *err);

/* Moves it to the trash, pointing there if the tree is there. */
int trash_entry_create(struct trash *t, struct err *err);

/*
 * Restores it, and HEAD to its branch, which is made again if it is gone. If
 * the branch has moved, or is checked out, HEAD stays detached: *why (to be
 * freed) is the reason, otherwise NULL.
 */
int trash_entry_restore(struct trash *t, char **why, struct err *err);

/* Stores the commit of its HEAD; false if there is none. */
bool trash_entry_head(const struct trash *t, git_oid *oid);

/* Returns which work its files carry beside what an idle worktree has, as a
 * reason to keep it; NULL: none. */
const char *trash_entry_work(int entry);

/* -- the check: trash_check.c --------------------------------------------- */

/*
 * Checks for unsaved work: files that are changed, staged, untracked or ignored
 * (unless ignored is true), except those that create copied or linked; and
 * commits of git's entry, or of its private git directory, that are in no
 * branch, remote branch or tag. Returns NULL if there is none, else a
 * description. Follows no link there and never waits. With apply each file is
 * deleted right after its check; after the first that is not clean, the rest is
 * still there. Not with ignored: once .gitignore is deleted, git ignores
 * nothing.
 */
char *trash_check(struct trash *t, bool ignored, bool apply);

/* The same of what a request names, without deleting: *why, to be freed, is the
 * description, or NULL. */
int trash_look(const struct sweep_request *req, char **why, struct err *err);

#endif
