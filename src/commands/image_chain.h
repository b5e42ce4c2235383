/* image_chain.h - all that can choose the image of a session's container. */
#ifndef AFW_COMMANDS_IMAGE_CHAIN_H
#define AFW_COMMANDS_IMAGE_CHAIN_H

#include <cjson/cJSON.h>

#include "commands/command.h"
#include "config/config.h"

/*
 * Returns an array of objects in the order in which they apply: the command
 * line, each template, each profile, the repository's afw.ini, the user's,
 * each harness, the default. Only what sets an image is there. "applies" marks
 * the one for a session without a template or a profile. c is as loaded here.
 * To be deleted; NULL with err.
 */
cJSON *image_chain(const struct config *c, struct err *err);

/* Prints it as a table. */
int image_chain_print(const struct config *c, const struct args *args,
		      struct err *err);

#endif
