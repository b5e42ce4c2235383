/* scan.h - reads the files of a worktree, byte for byte, into a tree. */
#ifndef AFW_WORKTREES_CHECKPOINT_SCAN_H
#define AFW_WORKTREES_CHECKPOINT_SCAN_H

#include <sys/stat.h>

#include "worktrees/git/repo.h"
#include "worktrees/output.h"

struct scan {
	const struct repo_worktree *w;
	struct output *out; /* checked now and then; or NULL */
	git_odb *odb;	    /* files are written there */
	/* git's index; NULL: index_file is opened when it is needed. Both are
	 * freed by scan_finish(). */
	git_index *tracked;
	char *index_file;
	int64_t file_max; /* bytes; larger files are left out */
	mode_t umask; /* of modes: the user's; checkpoint_take() may set it */
	/* Paths and what is below them: all others are as in the checkpoint
	 * before. NULL: any may have changed; set if all was read. */
	const struct strv *touched;
	/* Its files are read even if they are ignored; NULL: none. */
	const git_tree *also;
	/* Results, in git's order of paths: */
	git_index *files;  /* with their stat data */
	struct strv empty; /* empty directories */
	/* Files that are too large or cannot be read; nested repositories, with
	 * a '/' at the end. */
	struct strv left_out;
	struct strv modes; /* modes.h */
	size_t n_read;	   /* how many files were read */
	struct timespec began;
};

/*
 * Reads all files that are not ignored, without filters: contents, links and
 * whether they are executable. No link is followed, and no nested repository
 * entered. scan_finish() in every case.
 */
int scan_run(struct scan *s, struct err *err);

/* The same for these paths and what is below them; none is below another. Also
 * adds to empty the directory of a path if that is empty now. */
int scan_paths(struct scan *s, const struct strv *paths, struct err *err);

void scan_finish(struct scan *s);
#define _scan_ CLEANUP(scan_finish)

/* Makes later scans read only what has changed since scan_run(). If that
 * fails, they read more. */
void scan_remember(const struct scan *s);

/* Makes the next scan read everything. */
void scan_forget(const struct scan *s);

/* The bytes of git's index. */
#define SCAN_INDEX_MAX ((size_t)1 << 30)

/* The file of scan_remember(), in git's entry. */
#define SCAN_FILE "afw-checkpoint.index"

/* Reads a file or a link, and its stat of before that. Returns 0, 1: it is
 * neither, or too large, or may not be read (errno); -1 with err. */
int scan_read(int dir, const char *name, int64_t max, struct buf *text,
	      struct stat *st, struct err *err);

/* True if errno says that this user may not read a file, or that it is gone. */
bool scan_may_not(void);

/* The mode of a file in git's trees. */
unsigned scan_mode(const struct stat *st);

#endif
