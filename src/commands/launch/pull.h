/* pull.h - the image that a session's container is made of, and podman on this
 * terminal. */
#ifndef AFW_COMMANDS_LAUNCH_PULL_H
#define AFW_COMMANDS_LAUNCH_PULL_H

#include "base/mem.h"
#include "config/config.h"
#include "session/spec.h"

/* Refuses an image that allow_images does not name. */
int pull_allowed(const struct config *c, const struct spec *s, struct err *err);

/* Whether the session's image would be pulled now. */
bool pull_is_due(const struct config *c, const struct spec *s);

/* Before sandbox_check(), if there is a container: refuses an image that
 * allow_images does not name, and pulls as the option pull says, with the
 * terminal, for minutes. */
int pull_prepare(const struct config *c, const struct spec *s, struct err *err);

/* Pulls the image if it is not here, or always. */
int pull_image(const char *image, bool always, struct err *err);

/* Runs podman and takes argv over; its output goes to standard error. Returns
 * its exit code, or -1 with err; *signo is a signal that came, and that has
 * ended it. */
int pull_run_podman(struct strv *argv, int *signo, struct err *err);

/* Ends this process by the signal that pull_run_podman() has reported, if there
 * was one, after what else there was to do. */
void pull_die_of(int signo);

#endif
