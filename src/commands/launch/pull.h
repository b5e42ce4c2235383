/* pull.h - checks the image of a session's container, and runs podman on this
 * terminal: for one that is built. */
#ifndef AFW_COMMANDS_LAUNCH_PULL_H
#define AFW_COMMANDS_LAUNCH_PULL_H

#include "base/mem.h"
#include "config/config.h"
#include "session/spec.h"

/* Refuses the image of a session's container if it is not in allow_images. */
int pull_allowed(const struct config *c, const struct spec *s, struct err *err);

/* Pulls the image if it is not here, which can take minutes. */
int pull_image(const char *image, struct err *err);

/* Runs podman and frees argv; podman's output goes to standard error. Returns
 * its exit code, or -1 with err; *signo is set to a signal that arrived and
 * ended it. Blocks. */
int pull_run_podman(struct strv *argv, int *signo, struct err *err);

/* If pull_run_podman() reported a signal, ends this process by it. Call it
 * after all cleanup. */
void pull_die_of(int signo);

#endif
