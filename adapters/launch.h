/*
 * launch.h - what adapters share when they put a harness's command line
 * together. Only launch_write() touches the file system.
 */
#ifndef AFW_ADAPTERS_LAUNCH_H
#define AFW_ADAPTERS_LAUNCH_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "adapters/adapter.h"

/* The program and its first arguments: the rules' command, else program. */
int launch_command(const struct launch_request *rq, const char *program,
		   struct launch *out, struct err *err);

/* The harness's own extra arguments, as the user gave them. */
void launch_extra(const struct launch_request *rq, struct launch *out);

/* True where one of the user's own arguments is flag or flag=… */
bool launch_has_flag(const struct launch_request *rq, const char *flag);

/* The hook command for event, quoted for sh; to be freed. */
char *launch_hook(const struct launch_request *rq, const char *event);

/* The value of NAME in the environment that the harness will have. */
const char *launch_getenv(const struct launch_request *rq, const char *name);

/*
 * Replaces home/name by the object as JSON (0600); returns its path, to be
 * freed, or NULL. Blocks for the write; no fsync: it is made anew at each
 * start.
 */
char *launch_write(const struct launch_request *rq, const char *name,
		   const cJSON *object, struct err *err);

/* Appends template's words to argv, {name} in them replaced by value. */
int launch_template(const char *template, const char *name, const char *value,
		    struct launch *out, struct err *err);

#endif
