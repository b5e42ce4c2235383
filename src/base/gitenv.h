/*
 * gitenv.h - git's variables in the environment, and who must not get them.
 *
 * A process that git starts (a hook, an alias with "!", rebase --exec), and a
 * person with GIT_DIR, has variables that name one repository and its parts.
 * afw itself uses them, as git does: GIT_DIR names the repository. A process
 * with its own worktree must not get them: git there would change the caller's
 * worktree, index and branch.
 */
#ifndef AFW_BASE_GITENV_H
#define AFW_BASE_GITENV_H

#include <stdbool.h>

#include "base/mem.h"

/*
 * True if entry ("K=V", of our own environment) belongs to the caller's
 * repository or to the git command that runs us, and must not reach another
 * worktree:
 *   - what `git rev-parse --local-env-vars` lists (git 2.39), GIT_NAMESPACE,
 *     GIT_ATTR_SOURCE and GIT_QUARANTINE_PATH (githooks(5): with it, no ref
 *     can be changed);
 *   - GIT_REFLOG_ACTION, GIT_CHERRY_PICK_HELP: of one rebase or merge;
 *   - GIT_AUTHOR_* where GIT_INDEX_FILE is set: git commit exports both to its
 *     hooks; otherwise a person set them;
 *   - GIT_EDITOR and GIT_SEQUENCE_EDITOR that are ":" where GIT_EXEC_PATH is
 *     set: set by git, for a command that must not open an editor. Not for
 *     GIT_CONFIG_COUNT with its keys and values: people set them, git does not,
 *     and git passes them on to submodules too.
 */
bool gitenv_is_local(const char *entry);

/* Appends our environment without these entries. */
void gitenv_copy(struct strv *env);

/* Returns the place where the search for a repository starts: GIT_DIR, or
 * ".". */
const char *gitenv_here(void);

#endif
