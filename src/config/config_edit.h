/*
 * config_edit.h - a file of the configuration, changed: the user's
 * afw.ini or a repository's .af/afw.ini.
 *
 * Read, then written in one step, if nobody else has changed it in between.
 * The user's file may be a symbolic link: it stays one, and the file that it
 * leads to is changed. A file's mode is kept; a new one can be read by all and
 * written by its owner alone.
 */
#ifndef AFW_CONFIG_CONFIG_EDIT_H
#define AFW_CONFIG_CONFIG_EDIT_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "config/config.h"

struct config_edit {
	char *path;	 /* as it is called */
	char *real;	 /* where it is */
	bool repository; /* whose it is */
	bool found;
	struct buf text; /* as it is now; empty where it is not there */
	mode_t mode;
};

/* repository NULL: the user's. ERR_FAILED where it cannot be read, or could
 * not be written. */
int config_edit_begin(struct config_edit *e, const char *repository,
		      struct err *err);

/*
 * Checks text as if it were loaded, and puts it in the file's place; durable.
 * A mistake is told with the place in what called says the text is (NULL: the
 * file). ERR_CONFLICT where the file was changed since the begin; then, and
 * with any error, it is as it was.
 */
int config_edit_commit(const struct config_edit *e,
		       const struct config_where *where, const char *called,
		       const struct buf *text, struct err *err);
void config_edit_finish(struct config_edit *e);

#endif
