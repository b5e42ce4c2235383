/*
 * checkpoint.h - the states of a worktree that can be shown and restored.
 *
 * A checkpoint is a commit in the repository's object store. Its parent is
 * HEAD's commit; its tree has "files" (the files as on disk, without filters),
 * "index" (git's index, byte for byte), "staged" (blobs that only the index
 * names), "rules" (what files outside the worktree ignore), and the lists
 * "empty" (directories), "left-out" and "modes" (modes.h). Its message is a
 * JSON object.
 *
 * The list is a reflog in git's entry for the worktree. git keeps what a reflog
 * names, and no branch, tag, push or fetch shows it. Its lines are dated in the
 * year 2100, so that git does not expire them. It is moved to the trash and
 * restored together with the entry.
 */
#ifndef AFW_WORKTREES_CHECKPOINT_CHECKPOINT_H
#define AFW_WORKTREES_CHECKPOINT_CHECKPOINT_H

#include <time.h>

#include "worktrees/checkpoint/scan.h"
#include "worktrees/output.h"

/* The reflog, below git's entry. */
#define CHECKPOINT_LOG_NAME "checkpoints"
#define CHECKPOINT_LOG_DIR  "logs/refs/worktree/afw"

/* The kind of a state from which another worktree was made, and there of the
 * first one. */
#define CHECKPOINT_NEW "new"

/* The bytes of one file, and how many are kept, if the request does not say. */
#define CHECKPOINT_KEEP	    50
#define CHECKPOINT_FILE_MAX (64 * 1024 * 1024)

struct checkpoint {
	int64_t number;
	int64_t at;	/* wall ms */
	char *kind;	/* "turn-begin", "turn-end", "undo", "merge", "stop",
			   "check", "new", "user" */
	char *text;	/* one line, or NULL */
	char *head;	/* "refs/heads/x"; NULL: no branch */
	git_oid commit; /* of HEAD; zero: none */
	git_oid files, index, staged;
	git_oid rules;	  /* zero: not known */
	char *index_is;	  /* the hash of what the index says */
	char *index_stat; /* of its file */
	struct timespec index_mtime;
	struct strv empty, left_out, modes; /* modes.h */
	mode_t umask;	   /* of modes: the user's at the first checkpoint */
	bool unfinished;   /* amid a merge or the like, which it lacks */
	bool after_gap;	   /* the turn before has no checkpoint of its start */
	int64_t undone_to; /* an undo's state before: its target; or 0 */
	int64_t redo_of;   /* the undo that it reversed; or 0 */
};

void checkpoint_finish(struct checkpoint *c);
#define _checkpoint_ CLEANUP(checkpoint_finish)

/* True if the state is the same: without permissions; with them. */
bool checkpoint_equal(const struct checkpoint *a, const struct checkpoint *b);
bool checkpoint_equal_modes(const struct checkpoint *a,
			    const struct checkpoint *b);

/* -- the list: checkpoint_log.c -------------------------------------------- */

struct checkpoint_entry {
	int64_t number;
	git_oid id;
};

/* Oldest first. */
struct checkpoint_log {
	struct checkpoint_entry *v;
	size_t n;
};

/* Locks the list against other runs, until the returned descriptor is closed.
 * Waits a minute for them. -1 with err. */
int checkpoint_lock(const struct repo_worktree *w, struct output *out,
		    struct err *err);

/* checkpoint_log_finish() in every case. */
int checkpoint_log_read(struct checkpoint_log *log,
			const struct repo_worktree *w, struct err *err);
void checkpoint_log_finish(struct checkpoint_log *log);
#define _checkpoint_log_ CLEANUP(checkpoint_log_finish)

/* Writes it, in one step. The list must be locked. */
int checkpoint_log_write(const struct checkpoint_log *log,
			 const struct repo_worktree *w, struct err *err);

/* Reads the entry's commit. checkpoint_finish() in every case. */
int checkpoint_load(struct checkpoint *c, git_repository *git,
		    const struct checkpoint_entry *e, struct err *err);

/* Loads that number; if there is none, err names the nearest. */
int checkpoint_find(struct checkpoint *c, const struct checkpoint_log *log,
		    git_repository *git, int64_t number, struct err *err);

/* Loads the newest with this kind before entry number end. Returns 1; 0: there
 * is none; -1. */
int checkpoint_find_kind(struct checkpoint *c, const struct checkpoint_log *log,
			 git_repository *git, const char *kind, size_t end,
			 struct err *err);

/* Writes the commit, with c's number, and sets the entry. */
int checkpoint_store(const struct checkpoint *c, git_repository *git,
		     struct checkpoint_entry *e, struct err *err);

/* -- taking one: take.c, take_touched.c ------------------------------------ */

/*
 * Fills c with the present state, and writes its objects to s->odb: HEAD and
 * the index in the private git directory, if there is one. s: w, out,
 * file_max, touched and also are set; the rest is filled. before, the newest
 * checkpoint, may be NULL: an index with the same stat data is not read again,
 * and s->touched is used.
 */
int checkpoint_take(struct checkpoint *c, struct scan *s, const char *private,
		    const struct checkpoint *before, struct err *err);

/* Sets staged and index_is from the entries of index; commit is set. -1 with
 * libgit2's error. */
int checkpoint_take_staged(struct checkpoint *c, git_repository *git,
			   git_odb *odb, git_index *index);

/* Fills out with the paths to read: also what was left out, as a limit may have
 * changed. Shorter paths stand for those below them. False: one of them may
 * change what others are, so all must be read. */
bool checkpoint_touched_paths(struct strv *out, const struct strv *touched,
			      const struct strv *left_out);

/* Fills c's files, empty and left_out by reading s->touched alone. -1: all must
 * be read. git's index must be as it was before. */
int checkpoint_take_touched(struct checkpoint *c, struct scan *s,
			    const struct checkpoint *before);

/* Adds c, sets its number, and drops the oldest ones over keep, but never the
 * one with the number kept, nor that of checkpoint_undone(). */
int checkpoint_add(struct checkpoint_log *log, struct checkpoint *c,
		   const struct repo_worktree *w, int64_t keep, int64_t kept,
		   struct err *err);

/* Returns the number of the state before the last undo that was not reversed;
 * 0: none. */
int64_t checkpoint_undone(const struct checkpoint_log *log,
			  git_repository *git);

/* Loads the newest one; number 0: there is none that can be read. */
void checkpoint_newest(struct checkpoint *c, const struct checkpoint_log *log,
		       git_repository *git);

#endif
