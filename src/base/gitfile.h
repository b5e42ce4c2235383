/*
 * gitfile.h - reads git's small files that name a directory or a branch: ".git"
 * of a worktree, "commondir" and "HEAD" of git's entry for it.
 */
#ifndef AFW_BASE_GITFILE_H
#define AFW_BASE_GITFILE_H

#include <stdbool.h>

/* As which remote a repository stores the branches of a machine that starts
 * sessions there: refs/remotes/here/main. It is not configured as one. */
#define GITFILE_HERE "here"

/* Before the name of a session's branch: a commit of all its work, uncommitted
 * changes included, that `afw fetch --uncommitted` makes. */
#define GITFILE_WORK "refs/afw/work/"

/* Before a hash of the machine and the name of a branch that was fetched from
 * there. */
#define GITFILE_FETCHED "refs/afw/fetched/"

/* After the name of a session's private git directory: a file with the object
 * stores of submodules that it borrows, a line each. */
#define GITFILE_BORROWED ".borrowed"

/* Returns the directory that dir/name names after prefix ("gitdir: " or ""),
 * without symlinks, to be freed; NULL if it names no existing directory. */
char *gitfile_read(const char *dir, const char *name, const char *prefix);

/* Returns the branch that dir/HEAD names ("main"), "" if it names none, to be
 * freed; NULL if it cannot be read. */
char *gitfile_branch(const char *dir);

/* Returns the git directory of a main worktree, or a bare repository itself, to
 * be freed, or NULL. */
char *gitfile_dir(const char *repository);

/*
 * True if git in dir would find git_dir: dir/.git is git_dir, or names it. That
 * git_dir names dir is not enough: it may name a directory of another user.
 */
bool gitfile_leads_to(const char *dir, const char *git_dir);

/*
 * Returns a repository's name from its absolute path: "app" of /src/app, of
 * /src/app.git, and of the bare /src/app/.git and /src/app/.bare; "root" of /.
 * To be freed.
 */
char *gitfile_repository_name(const char *path);

#endif
