/* git_dir.h - the git directory that a session in a sandbox commits in. */
#ifndef AFW_COMMANDS_GIT_DIR_H
#define AFW_COMMANDS_GIT_DIR_H

#include "base/err.h"
#include "session/spec.h"

/* Made where the session is to have one and it is not there. Blocks until
 * afw-worktree is done. */
int git_dir_make(const struct spec *spec, struct err *err);

#endif
