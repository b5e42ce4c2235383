/*
 * spare.h - complete worktrees that are made ahead, for `new` to take.
 *
 * A spare is the directory .af_worktrees/.spare-<hex> with git's entry
 * -spare-<hex>, HEAD detached, made as any other worktree. Two files in the
 * entry describe it: SPARE_FILE, what it was made from and with, and
 * SPARE_LIST, the stat data of all of its files, of the files that were copied
 * into it, and of git's entry.
 *
 * A run that takes it holds a flock(2) on SPARE_FILE. It compares both with
 * what a new worktree would get now, renames the directory to its own, takes
 * the files of the entry over into its own entry, makes the files that differ
 * in its base, and removes the spare's entry. Its own mark names the directory
 * before it has it, so a killed run leaves the spare as it was, or the next run
 * removes what it became; the entry of a spare without a directory is removed
 * by each run.
 */
#ifndef AFW_WORKTREES_CREATE_SPARE_H
#define AFW_WORKTREES_CREATE_SPARE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "worktrees/create/stat_list.h"
#include "worktrees/git/tree_diff.h"

#define SPARE_FILE "afw-spare"
#define SPARE_LIST "afw-spare.list"

struct create;

/* One that is being made. */
struct spare_made {
	char *as; /* what it is made with */
	struct stat_list list;
	int64_t free_percent; /* of the disk, that stay free */
};

/* One that a worktree is made from. */
struct spare {
	char *id;		     /* of its entry; NULL: there is none */
	int entry;		     /* open */
	int lock;		     /* SPARE_FILE */
	cJSON *info;		     /* the same */
	struct tree_changes changes; /* what its files lack */
};
#define SPARE_NONE                                                             \
	{                                                                      \
		.entry = -1, .lock = -1                                        \
	}
void spare_finish(struct spare *s);

/* Sets the names of c->place for a new one. */
void spare_set_place(struct create *c, const char *location);

/* First step: records what it is made with, and the files that are copied. */
int spare_begin(struct create *c, struct err *err);
/* Last step: records what it is. */
int spare_record(struct create *c, struct err *err);

/* Refuses if less of the disk is free than c->made says. */
int spare_check_free(const struct create *c, struct err *err);

/*
 * Takes a spare that is what c would make: its directory becomes c's. c->dir
 * and c->admins are open. Returns 1, or 0: there is none; -1 with err.
 */
int spare_claim(struct create *c, struct err *err);

/* Then: takes over its files of git, and makes the files that differ. */
int spare_fill(struct create *c, struct err *err);

/* -- for spare*.c and reconcile.c ------------------------------------------ */

#define SPARE_ENTRY "-spare-" /* of git's entry, before the hex digits */
#define SPARE_HEX   16

/* Opens a complete spare, and locks it or only looks; false if it is none, or
 * locked. s is SPARE_NONE; spare_finish() in every case. */
bool spare_open(struct spare *s, int admins, const char *id, bool lock);

/* Returns the path of its directory, as git's entry names it, to be freed;
 * NULL: it names no such one. */
char *spare_directory(const struct spare *s);

/* True if nothing has changed. tree: its directory, open; checkout: where files
 * were copied from, open, or -1: they may have changed. *why: as in
 * stat_list_same(). */
bool spare_is_as_made(const struct spare *s, int tree, int checkout,
		      char **why);

/* True if c can be made from it: as it was made, with the same (as:
 * spare_made_with()), and the files that its commit lacks can be added. Sets
 * s->changes to them. */
bool spare_fits(const struct create *c, struct spare *s, const char *as,
		int tree);

/* Returns as a text all that decides, beside the commit, what a worktree has,
 * to be freed; NULL with err. Adds the files to copy to found. */
char *spare_made_with(struct create *c, struct strv *found, struct err *err);

/* Opens the worktree that files are copied from; -1: there is none. */
int spare_open_checkout(const struct create *c);

/* Adds to left (may be NULL) git's entries of spares that a killed run has
 * taken or removed; with apply removes them. */
void spare_sweep(int admins, bool apply, struct strv *left);

#endif
