/*
 * venv.h - the virtual environment of Python that is active where afw runs.
 *
 * One of the main worktree has that worktree's packages: a session would test
 * and change what is there, not its own.
 */
#ifndef AFW_BASE_VENV_H
#define AFW_BASE_VENV_H

#include <stdbool.h>

#include "base/mem.h"

/*
 * If VIRTUAL_ENV of our environment is in the worktree main, sets it in env,
 * and its bin in PATH, to the same directory in tree; without one there,
 * removes both and returns false. One that is in tree already stays. main and
 * tree are absolute; either may be NULL: then nothing changes.
 */
bool venv_move(struct strv *env, const char *main, const char *tree);

#endif
