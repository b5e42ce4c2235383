/*
 * config_edit.h - changes a file of the configuration: the user's afw.ini or a
 * repository's .af/afw.ini.
 *
 * The file is read, then replaced in one step, if no other process has changed
 * it in between. The user's file may be a symbolic link: it stays one, and its
 * target is changed. A file's mode is kept; a new file is readable for all and
 * writable for its owner only.
 */
#ifndef AFW_CONFIG_CONFIG_EDIT_H
#define AFW_CONFIG_CONFIG_EDIT_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "config/config.h"

struct config_edit {
	char *path;	 /* for messages */
	char *real;	 /* the target's path, if path is a link */
	bool repository; /* it is in a repository's .af/ */
	bool found;
	struct buf text; /* its content; empty if it does not exist */
	mode_t mode;
};

/* Reads the file (repository NULL: the user's). ERR_FAILED if it cannot be
 * read, or could not be written. */
int config_edit_begin(struct config_edit *e, const char *repository,
		      struct err *err);

/*
 * Checks text as if it were loaded, and replaces the file with it; durable. A
 * mistake is reported with its line in called (a path; NULL: the file itself).
 * ERR_CONFLICT if the file was changed since config_edit_begin(). With any
 * error the file is unchanged.
 */
int config_edit_commit(const struct config_edit *e,
		       const struct config_where *where, const char *called,
		       const struct buf *text, struct err *err);
void config_edit_finish(struct config_edit *e);

#endif
