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
	const char *conversation; /* its id; NULL: not known */
	int64_t asked_at; /* wall ms: the answer wanted is newer; 0: any */
};

/* What is looked for in a file. */
struct record_search {
	int64_t asked_at; /* as in struct record */
	bool kept;
	struct buf answer;
	char *message; /* the id of the message that the answer is of */
};

/*
 * Called with the last lines of a file, the newest first, until it returns
 * false. Lines that are no object (one that is being written, what is cut at
 * the front) are left out.
 */
typedef bool record_line(struct record_search *s, const cJSON *line);

/* How a harness keeps its conversations, a file each. */
struct record_kind {
	/* Below record.dir: a star is any part of one name, a percent sign the
	 * id, or so many of its first characters. */
	const char *pattern;
	size_t id_len; /* 0: all */
	/* Where the name does not say it: whether the file is that id's. */
	bool (*fits)(const char *id, int fd);
	/* The id of fd's conversation, to be freed, if it is a user's and ran
	 * in cwd, since that time (wall ms); else NULL. NULL: not known. */
	char *(*ran_in)(int fd, const char *cwd, int64_t since);
	/* Sets kept where a line shows that it can be gone on with; NULL: any
	 * file will do. */
	record_line *on_kept;
	/* Adds the harness's last message of the last turn to answer; NULL:
	 * the file has nothing else in it. */
	record_line *on_answer;
};

/* Whether the harness can go on with the conversation. */
bool record_is_kept(const struct record_kind *k, const char *dir,
		    const char *id);

/* The id of the newest one that ran in cwd since then, to be freed, or NULL. */
char *record_newest(const struct record_kind *k, const char *dir,
		    const char *cwd, int64_t since);

/* Appends the last message, where it begins as told says: files may lag
 * behind the hook that told it ("" where none did). False: not known (yet). */
bool record_answer(const struct record_kind *k, const struct record *record,
		   const char *told, struct buf *out);

/*
 * Opens the conversation's file; of several in one directory that fit it is
 * the largest. -1: there is none, or too much had to be looked at.
 */
int record_open(const struct record_kind *k, const char *dir, const char *id);

/* Whether what a line or message of theirs says was said before at: their
 * files may lag behind by a whole turn, prompt and all. Where it has no
 * "timestamp" nobody knows: false. */
bool record_is_before(const cJSON *o, int64_t at);

#endif
