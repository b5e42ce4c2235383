/*
 * filetree.h - reads a directory's files whole into memory, so that the bytes
 * that are checked, hashed and used are the same, even if the directory changes
 * meanwhile.
 *
 * Only regular files and directories are allowed: a symbolic link would lead
 * elsewhere, a FIFO or a device would block. Empty directories are left out.
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
	char *name; /* relative to the directory: "home/.config/x" */
	struct buf text;
	bool program; /* its owner may execute it */
};

/* May start zeroed, which is empty. */
struct filetree {
	struct filetree_file *v; /* sorted by name (strcmp) */
	size_t n;
};
void filetree_finish(struct filetree *t);

/*
 * Reads all files below dir, without the name except in it (may be NULL). If
 * dir does not exist, or is not a directory, there are no files. ERR_FAILED,
 * with the path that is not allowed or the limit, and *out empty.
 */
int filetree_read(const char *dir, const char *except, struct filetree *out,
		  struct err *err);

/* Adds a file, whose name sorts after the existing ones. */
void filetree_add(struct filetree *t, const char *name, const char *text);

/* Returns the file of that name, borrowed, or NULL. */
const struct filetree_file *filetree_find(const struct filetree *t,
					  const char *name);

/* Appends copies of the files below the directory name, with names relative to
 * it. */
void filetree_below(const struct filetree *t, const char *name,
		    struct filetree *out);

/*
 * Writes all files below dir (made, 0700, as are directories in it), with mode
 * 0600, programs 0700. Existing files are kept. Not durable.
 */
int filetree_write(const struct filetree *t, const char *dir, struct err *err);

#endif
