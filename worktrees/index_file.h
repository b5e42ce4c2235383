/*
 * index_file.h - git's index file: read what is on disk, write a new one.
 *
 * Not through libgit2: reading there hashes the file once more with the slow
 * collision-detecting SHA-1, and writing leaves out the tree extension,
 * without which the first `git status` reads every tree.
 */
#ifndef AFW_WORKTREES_INDEX_FILE_H
#define AFW_WORKTREES_INDEX_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"

#define INDEX_OID_SIZE 20

/* One file of the index, in the host's byte order. */
struct index_entry {
	uint32_t ctime_s, ctime_ns, mtime_s, mtime_ns;
	uint32_t dev, ino, mode, uid, gid, size;
	unsigned char oid[INDEX_OID_SIZE];
	bool plain;	  /* stage 0, no flag that weakens the stat data */
	const char *path; /* borrowed from the index_file or the tree_list */
};

struct index_file {
	struct index_entry *entries; /* in the order of their paths */
	size_t n;
	struct timespec mtime; /* of the file itself */
	char *paths;	       /* the arena that the paths lie in */
	bool has_root;	       /* the tree extension is valid as a whole: */
	unsigned char root[INDEX_OID_SIZE]; /* the tree of these entries */
	struct buf tree;		    /* and the extension's bytes */
};

/*
 * Reads an index of version 2, 3 or 4. Fails on any other, on split and
 * sparse ones, and on anything that does not add up; nothing is printed, a
 * caller can do without. The checksum is not verified.
 */
int index_file_read(const char *path, struct index_file *ix, struct err *err);
void index_file_finish(struct index_file *ix);

/* Copies what git records of a file's stat. */
void index_entry_stat(struct index_entry *e, const struct stat *st);

/* Whether st is to the nanosecond what the entry recorded. */
bool index_entry_same(const struct index_entry *e, const struct stat *st);

/*
 * Appends a version 2 index of the n entries, which must be in order, with
 * the bytes of the tree extension (tree_len 0: without it).
 */
void index_file_format(const struct index_entry *entries, size_t n,
		       const void *tree, size_t tree_len, struct buf *out);

#endif
