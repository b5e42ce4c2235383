/* image.h - the image that a session's container is made of. */
#ifndef AFW_COMMANDS_IMAGE_H
#define AFW_COMMANDS_IMAGE_H

#include "config/config.h"
#include "session/spec.h"

/* Before sandbox_check(), where there is a container: refuses what
 * allow_images does not name, and with pull = yes gets what is not here, with
 * the terminal, for minutes. */
int image_prepare(const struct config *c, const struct spec *s,
		  struct err *err);

#endif
