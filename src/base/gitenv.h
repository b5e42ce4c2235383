/*
 * gitenv.h - what git says in the environment, and to whom.
 *
 * A process that git starts (a hook, an alias with "!", rebase --exec), and
 * a person with GIT_DIR, has variables that name one repository and its
 * parts. They are meant for afw itself, as for git: GIT_DIR names the
 * repository. They are not meant for who gets a worktree of its own: git in
 * it would work on the caller's worktree, index and branch.
 */
#ifndef AFW_BASE_GITENV_H
#define AFW_BASE_GITENV_H

#include <stdbool.h>

#include "base/mem.h"

/*
 * Whether entry ("K=V", of our own environment) belongs to the caller's
 * repository or to the one git command that runs us, and must not reach
 * another worktree. True for
 *   - what `git rev-parse --local-env-vars` lists (git 2.39), GIT_NAMESPACE,
 *     GIT_ATTR_SOURCE and GIT_QUARANTINE_PATH (githooks(5): with it, no ref
 *     can be changed);
 *   - GIT_REFLOG_ACTION, GIT_CHERRY_PICK_HELP: of one rebase or merge;
 *   - GIT_AUTHOR_* where GIT_INDEX_FILE is set: git commit exports both to
 *     its hooks; else they are a person's own;
 *   - GIT_EDITOR and GIT_SEQUENCE_EDITOR that are ":" where GIT_EXEC_PATH is
 *     set: git's, for a command that shall open none.
 * Not for GIT_CONFIG_COUNT with its keys and values: git never sets them,
 * people do, and git hands them on to submodules too.
 */
bool gitenv_is_local(const char *entry);

/* Appends our environment without those. */
void gitenv_copy(struct strv *env);

/* The place that a repository is looked for from: GIT_DIR, or ".". */
const char *gitenv_here(void);

#endif
