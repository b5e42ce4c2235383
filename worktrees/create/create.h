/*
 * create.h - shared by create.c and its steps: claim.c, start_commit.c,
 * patterns.c, populate.c, restore.c, uncommitted.c, submodules.c, render.c,
 * missing.c and spare*.c.
 */
#ifndef AFW_WORKTREES_CREATE_CREATE_H
#define AFW_WORKTREES_CREATE_CREATE_H

#include "worktrees/checkpoint/checkpoint.h"
#include "worktrees/create/mark.h"
#include "worktrees/create/spare.h"
#include "worktrees/git/base_commit.h"
#include "worktrees/git/checkout.h"
#include "worktrees/git/place.h"
#include "worktrees/output.h"

struct create {
	struct output *out;
	const struct create_request *req;
	cJSON *answer;
	struct repo repo;
	struct place place;
	struct base_commit base;
	git_repository *like; /* whose sparse patterns and configuration it
				 gets; borrowed */
	/* if it begins as another worktree: that, and its checkpoint */
	const struct create_from *from; /* NULL: it does not */
	struct repo_worktree model;
	struct checkpoint to; /* with changes: their files alone */
	char *ref;	      /* refs/heads/<branch> */
	char *upstream; /* the remote branch that --branch means; or NULL */
	bool given;	/* the branch exists already, and stays */
	char *admin;	/* git's entry */
	int dir;	/* place.dir, open */
	bool made_dir;	/* this run made it */
	int tree;	/* place.path, open */
	int admins;	/* <git_dir>/worktrees, open */
	int entry;	/* admin, open */
	struct stat st;
	size_t files;
	size_t lfs;		 /* pointers */
	bool no_modules;	 /* the base has no submodules */
	struct strv empty;	 /* submodules without files */
	bool setup_left;	 /* setup is left to the caller */
	struct spare_made *made; /* a spare is being made; or NULL */
	struct spare spare;	 /* one that it is made from */
	struct strv copied, linked, warnings;
	int64_t since;	  /* clock_mono_ms() when the current step began */
	cJSON *took;	  /* ms of each step that has ended; in the answer */
	struct mark mark; /* marks it as unfinished */
};

/* Writes a new small file in dirfd. */
int create_write_file(int dirfd, const char *name, struct err *err,
		      const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Records how long the step took that ends now, by its name for people. */
void create_took(struct create *c, const char *what);
/* Makes a worktree; made: a spare, which has no name and no branch. */
int create_run(struct output *out, const struct create_request *req,
	       struct spare_made *made, cJSON *answer, struct err *err);

/* Before them: sets base, ref and given by the request: the new branch's base,
 * or the commit of the branch that is checked out. */
int create_find_commit(struct create *c, struct err *err);

/* Whether the base has the directories of --sparse. */
int create_check_sparse(const struct create *c, struct err *err);

/* After create_take_over(): makes the patterns those of --sparse, or of
 * --no-sparse. */
int create_set_sparse(const struct create *c, struct err *err);

/* Then: whether the worktree begins with what an agent wrote: none of the
 * user's branches and tags has the commit, or a session is copied. */
bool create_is_foreign(const struct create *c);

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

/* Its first part: the sparse patterns and the configuration of like. */
int create_take_over(struct create *c, struct err *err);

/* Then: the files of submodules, from the main worktree's own; what it does not
 * have is left empty. */
int create_submodules(struct create *c, struct err *err);

/* Sets what the configuration says about attributes, line ends and links. */
void create_set_conversion(struct checkout *co, git_repository *git);

/* After step 5: warns of submodules and files of git LFS that are not there. */
void create_warn_missing(struct create *c, bool was_set_up);

/* In step 5: makes the files of render, of those in the worktree or in the main
 * one, and overwrites none. */
int create_render(struct create *c, struct err *err);

/* Step 4 as in a checkpoint of another worktree, which
 * create_find_checkpoint() finds: sets base, like, model and to. */
int create_find_checkpoint(struct create *c, struct err *err);
int create_restore(struct create *c, struct err *err);

/* Adds the first checkpoint of the new worktree: `new` can roll back what is as
 * that. */
int create_add_checkpoint(struct create *c, const char *text, struct err *err);

/* uncommitted.c: before step 1, finds the commit with the changes, if there are
 * any; after step 4, makes them. */
int create_find_changes(struct create *c, struct err *err);
int create_add_changes(struct create *c, struct err *err);

#endif
