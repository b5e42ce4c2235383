/* attributes.h - whether files can have attributes (gitattributes(5)) at all,
 * so that those of a repository without any are not looked up for each file. */
#ifndef AFW_WORKTREES_GIT_ATTRIBUTES_H
#define AFW_WORKTREES_GIT_ATTRIBUTES_H

#include <git2.h>
#include <stdbool.h>

#include "base/mem.h"

/* Adds the paths of the files, besides those of the tree and one that the
 * configuration names, that can set them. */
void attributes_files(git_repository *git, struct strv *paths);

/* True if another file than a .gitattributes of the tree can set them. */
bool attributes_elsewhere(git_repository *git);

/* True if the index has a .gitattributes. */
bool attributes_in(git_index *index);

/* True if the configuration alone has git convert files. */
bool attributes_configured(git_repository *git);

/* True if a file of that directory of the worktree, "" or with a '/' at the
 * end, can have some. */
bool attributes_apply(git_repository *git, const char *dir);

#endif
