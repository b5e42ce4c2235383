/*
 * trash.h - one worktree on its way to the trash, or out of it: what remove.c,
 * trash.c, trash_entry.c (git's side) and trash_check.c share.
 *
 * In the trash the directory is .af_worktrees/.trash/<id>, and git's entry
 * for it .git/worktrees/afw-trash-<id>: it points there and is locked with a
 * reason, so that git keeps all that its HEAD, its index and its reflog
 * reach; its HEAD is detached, so that nobody's branch is checked out there.
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
	bool has_tree, has_entry; /* whether they are in the trash */
};

/* "repository", "worktree", "worktree_id", "id" and "ino" of the request; t is
 * TRASH_NONE. trash_finish() in every case. */
int trash_open(struct trash *t, const cJSON *req, struct err *err);
void trash_finish(struct trash *t);
#define _trash_ CLEANUP(trash_finish)
#define TRASH_NONE                                                             \
	{                                                                      \
		.trash_fd = -1, .w = REPO_WORKTREE_NONE                        \
	}

/* Makes the directory if there is none. */
int trash_make_dir(struct trash *t, struct err *err);

/* Removes the directories that are empty now. */
void trash_drop_empty(const struct trash *t);

/* -- git's entry: trash_entry.c -------------------------------------------- */

/* Opens it, where it is now, in the trash or not; -1 with errno. */
int trash_entry_open(const struct trash *t);

/* Refuses where the user has locked it; else locks it for the trash. */
int trash_entry_lock(const struct trash *t, struct err *err);
int trash_entry_unlock(const struct trash *t, struct err *err);

/* Moves it to the trash, pointing there if the tree is there. */
int trash_entry_put(struct trash *t, struct err *err);

/*
 * Moves it back, and HEAD to the branch that it was on, which is made anew
 * where it is gone. Where that is elsewhere by now, or checked out, HEAD
 * stays detached: *why (to be freed) says so, else it is NULL.
 */
int trash_entry_take_back(struct trash *t, char **why, struct err *err);

/* The commit that its HEAD is on; false where there is none. */
bool trash_entry_head(const struct trash *t, git_oid *oid);

/* -- the check: trash_check.c --------------------------------------------- */

/*
 * Whether nothing is there that is nowhere else: nothing changed, staged,
 * untracked or ignored (with ignored true those do not count) but what create
 * copied or linked, and all commits that git's entry names in some branch,
 * remote branch or tag. NULL, or what there is, in words. Nothing that lies
 * there is followed or waited for. With apply each file is deleted right after
 * it was looked at; where one is not clean, the rest is still there.
 */
char *trash_check(struct trash *t, bool ignored, bool apply);

#endif
