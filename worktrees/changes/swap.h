/*
 * swap.h - replaces old files by new ones in a worktree: all of them, or none.
 */
#ifndef AFW_WORKTREES_CHANGES_SWAP_H
#define AFW_WORKTREES_CHANGES_SWAP_H

#include <git2.h>
#include <sys/stat.h>

#include "worktrees/output.h"

/* Below git's directory for the worktree. */
#define SWAP_DIR "afw-merge"

struct swap_file {
	char *path;
	unsigned mode; /* of the new one, as in a tree; 0: it is deleted */
	git_oid id;
	struct stat seen; /* the file that it replaces; st_ino 0: none */
	struct stat made; /* the new one, when in place; st_ino 0: it is not */
	size_t there;	  /* bytes of path: the directory that existed */
	bool skip;	  /* nothing to do */
	bool left_out;	  /* by the sparse patterns */
	/* What SWAP_DIR has of it. */
	enum { KEPT_NOT, KEPT_LINK, KEPT_MOVED } kept;
	bool moved_dir; /* a directory without files */
};

struct swap {
	int dir;      /* SWAP_DIR, or -1 */
	int worktree; /* or -1 */
	char *path;   /* of SWAP_DIR */
	struct swap_file *v;
	size_t n;
	size_t pointers; /* new files that git LFS has no contents for */
	char *kept;	 /* its new name, after an undo that failed; or NULL */
};

struct swap_file *swap_add(struct swap *s, const char *path, unsigned mode,
			   const git_oid *id);

/* Opens SWAP_DIR, and deletes the files that an earlier run left there.
 * Refuses if it is not on the disk of the worktree, which is open. */
int swap_open(struct swap *s, git_repository *git, const char *worktree,
	      struct err *err);

/* Makes the new files in SWAP_DIR, with the attributes of the index in file
 * index; NULL: there are none. Refuses if git would run a filter that afw does
 * not. raw: the files, also links, are made as they are stored. */
int swap_make(struct swap *s, git_repository *git, const char *index, bool raw,
	      struct output *out, struct err *err);

/* Puts them in place. On failure everything is as it was. */
int swap_run(struct swap *s, struct err *err);

/* Puts the old files back. Adds to err if one cannot be. */
void swap_undo(struct swap *s, struct err *err);

/* True if each file below the directory name (with this path) is known(); NULL:
 * no file is. */
bool swap_has_only(int at, const char *name, const char *path,
		   bool (*known)(const void *arg, const char *path),
		   const void *arg);

/*
 * Checks that the new file f has room: each path above it is absent, is a
 * directory, or is known() and so removed. A directory that is removed, which
 * may be in f's own place, has only known() files. Returns the path of what is
 * in the way, to be freed; else sets f->there.
 */
char *swap_find_obstacle(const struct swap *s, struct swap_file *f,
			 bool (*known)(const void *arg, const char *path),
			 const void *arg);

/* Removes path, if it is an empty directory or absent, and then those above it
 * whose paths are longer than there. */
void swap_remove_dirs(const struct swap *s, const char *path, size_t there);

/* Removes the directories that are empty now, and makes those of submodules. */
void swap_prune(const struct swap *s);

/* Deletes SWAP_DIR with its files, unless an undo left old files there. */
void swap_finish(struct swap *s);

#endif
