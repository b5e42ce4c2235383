/*
 * lfs.h - files of git LFS, without git-lfs: git has a pointer, which is three
 * lines, and .git/lfs/objects the file's contents.
 * https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
 */
#ifndef AFW_WORKTREES_GIT_LFS_H
#define AFW_WORKTREES_GIT_LFS_H

#include <git2.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"

#define LFS_POINTER_MAX 1024 /* a longer file is no pointer */
#define LFS_TEXT	192

struct lfs_pointer {
	char id[SHA256_HEX_SIZE];
	int64_t size;
};

/* Reads a pointer. False if it is none, or has extensions. */
bool lfs_parse(struct lfs_pointer *p, const char *text, size_t len);

/* Writes it as text. */
void lfs_text(const struct lfs_pointer *p, char text[LFS_TEXT]);

/* Opens its object, after checking its size and hash; -1 if it is not there, or
 * is another. */
int lfs_open(git_repository *git, const struct lfs_pointer *p);

/* Stores the file's contents as the object of the pointer that lfs_point() has
 * made of them. */
int lfs_store(git_repository *git, const struct lfs_pointer *p, int fd,
	      struct err *err);

/* If the text is a pointer, stores the object that another git directory has of
 * it. -1 if it cannot be written. */
int lfs_import(git_repository *git, const char *dir, const char *text,
	       size_t len, struct err *err);

/* Makes the pointer to an open file's contents, from its position. If they are
 * a pointer or empty, false: they are stored as they are. -1 with errno. */
int lfs_point(struct lfs_pointer *p, int fd);

/* True if the file is a pointer, also one that lfs_parse() cannot read. */
bool lfs_is_pointer(int dir, const char *path);

#endif
