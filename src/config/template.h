/*
 * template.h - a role's blueprint: a directory with
 *
 *	template.ini	what afw.ini may have, laid over it
 *	prompt.md	text for the agent's system prompt
 *
 * either of which may be missing. It is the user's own, in templates/ of the
 * data directory, or else one of afw's, in templates/ of share/.
 */
#ifndef AFW_CONFIG_TEMPLATE_H
#define AFW_CONFIG_TEMPLATE_H

#include "config/configuration.h"

/* Lays its template.ini over c. ERR_USAGE, with the nearest, where there is no
 * such template; ERR_FAILED with FILE:LINE where it has a mistake. */
int template_lay(struct config *c, const char *name, struct err *err);

/* Its directory, or a file of it; to be freed. NULL: there is none. */
char *template_dir(const struct config *c, const char *name);
char *template_file(const struct config *c, const char *name,
		    const char *file);

/* All names, sorted, appended. */
void template_names(const struct config *c, struct strv *out);

#endif
