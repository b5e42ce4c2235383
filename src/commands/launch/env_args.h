/*
 * env_args.h - the variables that -e and --env-file give an agent: options
 * "env" and "env-file" (OPTION_ROWS_TASK); and those of env_file.
 */
#ifndef AFW_COMMANDS_LAUNCH_ENV_ARGS_H
#define AFW_COMMANDS_LAUNCH_ENV_ARGS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"
#include "config/config.h"

struct args;

/*
 * Appends them ("K=V"). Without option "all", values are taken out of our
 * arguments. No error tells what was given, only where.
 */
int env_args_read(const struct args *args, struct strv *env, struct err *err);

/*
 * Adds what env_file of the configuration has and env lacks: a file of ours
 * below repository, reached by no link. Warns where it is not there. That of a
 * repository which is not trusted is left out, with a warning where go_on is
 * set; else ERR_REFUSED.
 */
int env_args_configured(const struct config *c, const char *repository,
			bool go_on, struct strv *env, struct err *err);

/* Adds the names that are not there yet; true where there was one. */
bool env_args_names(const struct strv *env, struct strv *names);

bool env_args_has(const struct strv *env, const char *name);

#endif
