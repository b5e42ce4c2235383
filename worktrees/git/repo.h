/*
 * repo.h - finds and opens repositories, and explains why one cannot be opened.
 *
 * Opening runs no hook, filter or fsmonitor of the repository.
 */
#ifndef AFW_WORKTREES_GIT_REPO_H
#define AFW_WORKTREES_GIT_REPO_H

#include <git2.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/json.h"
#include "wire/worktree_request.h"

/* Sets up libgit2, once per process; -1 with err if it cannot. */
int repo_init(struct err *err);

struct repo {
	git_repository *here; /* the repository of the given path */
	git_repository *main; /* its main worktree's; may be the same handle */
	char *path;	      /* main worktree, or the bare repository */
	char *git_dir;	      /* the common git directory */
	char *parent;	      /* the parent directory of path */
	char *name;	      /* gitfile_repository_name(path) */
	bool bare;	      /* or its main worktree is not known */
	char *checkout; /* the worktree whose .af/ and untracked files apply:
			   path, or if bare the worktree of the given path,
			   unless afw made that; or NULL */
};

/* Opens the git directory path, with the configuration of that worktree alone
 * (config.worktree). As git_repository_open(). */
int repo_open_git(git_repository **git, const char *path);

/* Returns a key of the configuration, or other if it is not set. */
bool repo_config_bool(git_repository *git, const char *key, bool other);

/* True if git fetches missing objects when it needs them. */
bool repo_is_partial(git_repository *git);

/* True if err says that an object is missing which git would fetch. */
bool repo_lacks_object(git_repository *git, const struct err *err);

/* Finds the repository of path. repo_finish() after success. */
int repo_open(struct repo *r, const char *path, struct err *err);
void repo_finish(struct repo *r); /* may be zeroed */
#define _repo_ CLEANUP(repo_finish)

/* Adds the hint about a directory of another user. Returns -1. */
int repo_hint_owner(struct err *err);

/*
 * As err_set, followed by ": " and libgit2's last error, in plainer words if
 * afw has some.
 */
int repo_err(struct err *err, enum err_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* A worktree that afw made or adopted, and git's directory for it. */
struct repo_worktree {
	git_repository *git; /* NULL: not opened */
	char *git_dir;	     /* common git directory */
	char *admin;	 /* git_dir/worktrees/<id>; of the main one git_dir */
	char *private;	 /* the git directory of a session in a sandbox; NULL */
	char *elsewhere; /* what admin points to, if not to path; or NULL */
	char *path;
	char *parent_path;
	const char *base; /* last part of path */
	int parent;   /* the parent directory of path, open, or -1 (adopted) */
	int admins;   /* git_dir/worktrees, open, or -1 */
	bool missing; /* the directory is not there */
	bool admin_missing;
	dev_t dev;
	ino_t ino;
};

/*
 * Finds the worktree of place; opens only the directories around it. A missing
 * worktree or entry of git, or an entry that points elsewhere, is not an error.
 * Refuses if the directory is a link or another than recorded, something is
 * mounted there, or it is not where afw puts worktrees. repo_worktree_finish()
 * in every case.
 */
int repo_worktree_find(struct repo_worktree *w, const struct repo *r,
		       const struct repo_place *place, struct err *err);

/* The same, and opens it in git: everything must exist.
 * repo_worktree_finish() in every case. */
int repo_worktree_open(struct repo_worktree *w, const struct repo_place *place,
		       struct err *err);
void repo_worktree_finish(struct repo_worktree *w);
#define _repo_worktree_ CLEANUP(repo_worktree_finish)
#define REPO_WORKTREE_NONE                                                     \
	{                                                                      \
		.parent = -1, .admins = -1                                     \
	}

/* Reports where git's entry points. Returns -1. */
int repo_worktree_elsewhere(const struct repo_worktree *w, struct err *err);

/* The hint if the directory is gone. */
#define REPO_WORKTREE_GONE                                                     \
	"put it back there, or mount its disk (git worktree repair PATH "      \
	"repairs git's side of one that was moved)"

/* As git_repository_set_workdir, which in libgit2 1.5 leaks if it changes. */
int repo_set_workdir(git_repository *git, const char *path);

/* The text before the last slash, to be freed, and the text after it, borrowed;
 * path is absolute. */
char *repo_dirname(const char *path);
const char *repo_basename(const char *path);

/* True if id can be the name of a directory under git_dir/worktrees. */
bool repo_id_valid(const char *id);

/* Sets the umask so that git's own files are shared as core.sharedRepository
 * says. Returns the user's, which is for the files of a worktree. */
mode_t repo_share(git_repository *git);

/* Returns the name of the reference that ref is, or resolves to if it is
 * symbolic, to be freed, and sets its oid; NULL if there is none. */
char *repo_resolve(git_repository *git, const char *ref, git_oid *oid);

/* Returns the tree of a commit, to be freed; NULL with err. */
git_tree *repo_tree(git_repository *git, const git_oid *commit,
		    struct err *err);

/* As git_index_write_tree_to(), without a look at the object of each file: all
 * are in trees that are there, or have just been stored. */
int repo_write_tree(git_oid *tree, git_index *index, git_repository *git);

/* Returns the text of a small file of git without its last line ends, to be
 * freed; NULL with errno. */
char *repo_line(int dir, const char *name);

/* Returns HEAD's branch, short ("main"), to be freed; NULL if detached. */
char *repo_branch(git_repository *git);

/* Returns "libgit2 1.5.1", as it was loaded. */
const char *repo_library(void);

#endif
