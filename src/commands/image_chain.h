/* image_chain.h - lists everything that can choose the image of a container. */
#ifndef AFW_COMMANDS_IMAGE_CHAIN_H
#define AFW_COMMANDS_IMAGE_CHAIN_H

#include <cjson/cJSON.h>

#include "commands/command.h"
#include "config/config.h"

/*
 * Returns an array of objects in order of precedence: the command line, each
 * template, each profile, the repository's afw.ini, the user's, each harness,
 * the default; only those that set an image. "applies" marks the one for a
 * session without a template or a profile. c is the configuration of the
 * current directory. The caller deletes the array; NULL with err.
 */
cJSON *image_chain(const struct config *c, struct err *err);

/* Prints the array as a table. */
int image_chain_print(const struct config *c, const struct args *args,
		      struct err *err);

#endif
