/* pull.h - checks and pulls the image of a session's container, and runs podman
 * on this terminal. */
#ifndef AFW_COMMANDS_LAUNCH_PULL_H
#define AFW_COMMANDS_LAUNCH_PULL_H

#include "base/mem.h"
#include "config/config.h"
#include "session/spec.h"

/* Refuses an image that is not in allow_images. */
int pull_allowed(const struct config *c, const struct spec *s, struct err *err);

/* Returns whether the session's image would be pulled now. */
bool pull_is_due(const struct config *c, const struct spec *s);

/* Call it before sandbox_check(), if there is a container. Refuses an image
 * that is not in allow_images, and pulls it as the option pull says, on the
 * terminal, which can take minutes. */
int pull_prepare(const struct config *c, const struct spec *s, struct err *err);

/* Pulls the image if it is not here, or with always in any case. */
int pull_image(const char *engine, const char *image, bool always,
	       struct err *err);

/* Runs podman and frees argv; podman's output goes to standard error. Returns
 * its exit code, or -1 with err; *signo is set to a signal that arrived and
 * ended it. Blocks. */
int pull_run_podman(struct strv *argv, int *signo, struct err *err);

/* If pull_run_podman() reported a signal, ends this process by it. Call it
 * after all cleanup. */
void pull_die_of(int signo);

#endif
