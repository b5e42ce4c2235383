/*
 * filetree.h - a directory's files, read whole into memory: what is looked
 * at, hashed and used afterwards are the same bytes, whatever happens to the
 * directory meanwhile.
 *
 * Only regular files and directories may be in it: a symbolic link would lead
 * elsewhere, a FIFO or a device would block. Empty directories are no part.
 */
#ifndef AFW_CONFIG_FILETREE_H
#define AFW_CONFIG_FILETREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define FILETREE_NAMES_MAX 1000 /* files and directories */
#define FILETREE_NAME_MAX  1024
#define FILETREE_BYTES_MAX ((size_t)16 * 1024 * 1024)

struct filetree_file {
	char *name; /* from the directory on: "home/.config/x" */
	struct buf text;
	bool program; /* its owner may execute it */
};

/* A zeroed one is empty. */
struct filetree {
	struct filetree_file *v; /* sorted by name (strcmp) */
	size_t n;
};
void filetree_finish(struct filetree *t);

/*
 * Reads dir, except the name in it that is except (or NULL), with all below. If
 * dir does not exist, or is not a directory, there are no files. ERR_FAILED,
 * with the path of what is not allowed or with the limit, and *out empty.
 */
int filetree_read(const char *dir, const char *except, struct filetree *out,
		  struct err *err);

/* Adds a file, whose name sorts after those that are there. */
void filetree_add(struct filetree *t, const char *name, const char *text);

/* NULL if there is no file of that name. */
const struct filetree_file *filetree_find(const struct filetree *t,
					  const char *name);

/* Appends copies of the files below the directory name, with their names from
 * there on. */
void filetree_below(const struct filetree *t, const char *name,
		    struct filetree *out);

/*
 * Writes all below dir (made, 0700, as are directories in it), with mode 0600,
 * programs 0700. Existing files are kept as they are. Not durable.
 */
int filetree_write(const struct filetree *t, const char *dir, struct err *err);

#endif
