/*
 * record.h - reads the conversations that a harness stores. Its files are not
 * trusted: only files below the harness's own directory are opened, no link is
 * followed there (in a private home the agent could replace that directory by
 * one, too), and only the last bytes of a file are read.
 */
#ifndef AFW_ADAPTERS_RECORD_H
#define AFW_ADAPTERS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cjson/cJSON.h>

#include "base/buf.h"

/* All borrowed. */
struct record {
	const char *dir;	  /* launch.record_dir; NULL: unknown */
	const char *conversation; /* its id; NULL: unknown */
	int64_t asked_at;	  /* wall ms: only a newer answer; 0: any */
};

/* The state of a search in a file. */
struct record_search {
	int64_t asked_at; /* as in struct record */
	bool kept;
	struct buf answer;
	char *message; /* the id of the answer's message */
};

/*
 * Called with the last lines of a file, the newest first, until it returns
 * false. Lines that are not an object (one that is being written, one cut at
 * the front) are left out.
 */
typedef bool record_line(struct record_search *s, const cJSON *line);

/* How a harness stores its conversations, one file each. */
struct record_kind {
	/* Below record.dir: a star is any part of one name, a percent sign the
	 * id, or its first id_len characters. */
	const char *pattern;
	size_t id_len; /* 0: all */
	/* If the name does not show it: true if the file has that id. */
	bool (*fits)(const char *id, int fd);
	/* Where the file says in which directory its conversation ran, and
	 * which id it has: members of its object, or of that in its first line,
	 * with dots between their names ("payload.cwd"). cwd NULL: unknown; id
	 * NULL: it is the file's name, without its suffix. */
	const char *cwd, *id;
	/* True if it is a conversation of the user; NULL: each is. */
	bool (*is_users)(const cJSON *o);
	/* Sets kept if a line shows that it can be resumed; NULL: any file
	 * can. */
	record_line *on_kept;
	/* Adds the harness's last message of the last turn to answer; NULL:
	 * the file has nothing else in it. */
	record_line *on_answer;
};

/*
 * True if id may be a conversation's: 1 to 128 of [A-Za-z0-9._:-], not
 * beginning with '-'. Ids come through the door, which the harness can write,
 * and become arguments: none may look like an option or a path.
 */
bool record_id_ok(const char *id);

/* True if the harness can resume the conversation. */
bool record_is_kept(const struct record_kind *k, const char *dir,
		    const char *id);

/* Returns the id of the newest conversation that ran in cwd since then (wall
 * ms), to be freed, or NULL. Of each file only the start is read, and only of
 * those that were written since. *fd (may be NULL): its file, or -1. */
char *record_newest(const struct record_kind *k, const char *dir,
		    const char *cwd, int64_t since, int *fd);

/* Calls each with all files that match pattern (struct record_kind) for that
 * id; each does not close fd. */
typedef void record_file(void *ctx, int fd, const struct stat *st);
void record_each(const char *pattern, const char *dir, const char *id,
		 record_file *each, void *ctx);

/* Appends the last message, if it begins with told, the hook's text ("": any):
 * files may lag the hook. False: unknown, or not yet known. */
bool record_answer(const struct record_kind *k, const struct record *record,
		   const char *told, struct buf *out);

/*
 * Opens the conversation's file; the largest, if several in one directory
 * match. -1: there is none, or there were too many entries.
 */
int record_open(const struct record_kind *k, const char *dir, const char *id);

/* Returns the member that path names ("payload.cwd"), borrowed; NULL if there
 * is none, or path is NULL. */
const cJSON *record_member(const cJSON *o, const char *path);

/* True if a line or message is from before at: files may lag by a whole turn,
 * with its prompt. False without a "timestamp". */
bool record_is_before(const cJSON *o, int64_t at);

#endif
