/*
 * record.h - what a harness itself keeps of its conversations, read with
 * care: it is written by what we do not trust. Nothing is opened but below
 * the harness's own directory, no link is followed there, and only the last
 * bytes of a file are read.
 */
#ifndef AFW_ADAPTERS_RECORD_H
#define AFW_ADAPTERS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/buf.h"

/* All borrowed. */
struct record {
	const char *dir;	  /* launch.record_dir; NULL: not known */
	const char *worktree;	  /* where the harness was started */
	const char *home;	  /* the session's own home */
	const char *conversation; /* its id; NULL: not known */
	int64_t started_at;	  /* wall ms: of this harness's process */
	int64_t asked_at; /* wall ms: the answer wanted is newer; 0: any */
};

#define RECORD_TAIL_MAX ((size_t)4 * 1024 * 1024)

/*
 * Opens dir/path for reading, path being relative, without "..": every part
 * of it is a directory and no link, the last a regular file that is ours. -1
 * where it is not so.
 */
int record_open(const char *dir, const char *path);

/*
 * The last lines of a file of one JSON object a line: calls on_line with
 * each object, the newest first, until it returns false. Lines that are no
 * object (one that is being written, what is cut at the front) are left out.
 */
void record_lines(int fd, size_t max,
		  bool (*on_line)(void *ctx, const cJSON *o), void *ctx);

/*
 * Opens, as record_open() does, the file that pattern names below dir: a star
 * is any part of one name. Where fits is not NULL it
 * has the last word on each; of several in one directory it is the largest.
 * -1: there is none, dir is NULL, or too much had to be looked at.
 */
int record_find(const char *dir, const char *pattern,
		bool (*fits)(const void *ctx, int fd), const void *ctx);

/* Whether what a line or message of theirs says was said before at: their
 * files may lag behind by a whole turn, prompt and all. Where it has no
 * "timestamp" nobody knows: false. */
bool record_is_before(const cJSON *o, int64_t at);

/* Whether text begins as told says: told may be cut, and anything begins
 * with "". Blanks in front of either do not count. */
bool record_begins(const char *text, const char *told);

#endif
