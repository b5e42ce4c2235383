/*
 * create.h - shared by the steps of create.c, claim.c and populate.c only.
 */
#ifndef AFW_WORKTREES_CREATE_CREATE_H
#define AFW_WORKTREES_CREATE_CREATE_H

#include "worktrees/create/mark.h"
#include "worktrees/git/base_commit.h"
#include "worktrees/git/place.h"
#include "worktrees/output.h"

struct create {
	struct output *out;
	const cJSON *req;
	cJSON *answer;
	struct repo repo;
	struct place place;
	struct base_commit base;
	char *ref;     /* refs/heads/<branch> */
	bool given;    /* the branch exists already, and stays */
	char *admin;   /* git's entry */
	int dir;       /* place.dir, open */
	bool made_dir; /* this run made it */
	int tree;      /* place.path, open */
	int admins;    /* <git_dir>/worktrees, open */
	int entry;     /* admin, open */
	struct stat st;
	size_t files;
	struct strv copied, linked, warnings;
	struct mark mark; /* marks it as unfinished */
};

/* Writes a new small file in dirfd. */
int create_write_file(int dirfd, const char *name, struct err *err,
		      const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Steps 1 and 2: make and open git's entry with its mark, and the directory.
 * ERR_CONFLICT if the name is taken. */
int create_claim_entry(struct create *c, struct err *err);
int create_claim_tree(struct create *c, struct err *err);
/* The same for a dry run: refuses what is there, and makes nothing. */
int create_check(const struct create *c, struct err *err);
/* Sets ERR_CONFLICT with what is in the way and a hint. Returns -1. */
int create_err_exists(struct err *err, const char *what, const char *hint);

/* Step 4: the files, the index, the .git file. */
int create_populate(struct create *c, struct err *err);

#endif
