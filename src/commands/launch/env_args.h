/* env_args.h - the agent's variables from -e and --env-file, the options "env"
 * and "env-file" (OPTION_ROWS_TASK), and from the options env and env_file. */
#ifndef AFW_COMMANDS_LAUNCH_ENV_ARGS_H
#define AFW_COMMANDS_LAUNCH_ENV_ARGS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"
#include "config/config.h"

struct args;

/* Sets them ("K=V"). Without the option "all", the values are overwritten in
 * our argument vector. Errors report the place of a variable, never its
 * text. */
int env_args_read(const struct args *args, struct strv *env, struct err *err);

/*
 * Adds the variables of the configuration, env and over it env_file, that are
 * not in env. The file must be the user's own, below repository, and not
 * reached by a symbolic link. Warns if it does not exist. If the repository is
 * not trusted the file is ignored with a warning if go_on is set; otherwise
 * ERR_REFUSED.
 */
int env_args_configured(const struct config *c, const char *repository,
			bool go_on, struct strv *env, struct err *err);

/* Adds the names of env that names lacks; returns true if it added one. */
bool env_args_names(const struct strv *env, struct strv *names);

#endif
