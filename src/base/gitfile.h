/*
 * gitfile.h - git's small files that name a directory: ".git" of a worktree,
 * "commondir" of git's entry for it.
 */
#ifndef AFW_BASE_GITFILE_H
#define AFW_BASE_GITFILE_H

#include <stdbool.h>

/* The directory that dir/name names behind prefix ("gitdir: " or ""), without
 * symlinks; NULL where it names none that is there; to be freed. */
char *gitfile_read(const char *dir, const char *name, const char *prefix);

/* The git directory of a main worktree, or a bare repository itself; NULL, or
 * to be freed. */
char *gitfile_dir(const char *repository);

/*
 * Whether git, asked in dir, would find git_dir: dir/.git is that, or names
 * it. What git_dir says of dir is not enough: anybody may name a directory of
 * somebody else's.
 */
bool gitfile_leads_to(const char *dir, const char *git_dir);

/*
 * What people call the repository of this absolute path: "app" of /src/app, of
 * /src/app.git, and of the bare /src/app/.git and /src/app/.bare; "root" of /.
 * To be freed.
 */
char *gitfile_repository_name(const char *path);

#endif
