/*
 * comments.h - the user's comments on a session's changes:
 * sessions/<id>/review.json. A comment is about lines of a diff, a file, or all
 * changes; it is written, sent, answered by a turn, and resolved.
 *
 * comments_load() reads without a lock. Only the process that has called
 * comments_edit() may save: it holds the lock on review.lock until
 * comments_finish(). A file that is broken, or from a newer afw, is an error;
 * it is never replaced.
 */
#ifndef AFW_SESSION_REVIEW_COMMENTS_H
#define AFW_SESSION_REVIEW_COMMENTS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/mem.h"

#define COMMENTS_MAX	   200
#define COMMENT_TEXT_MAX   (8 * 1024) /* bytes */
#define COMMENT_LINES_MAX  20	      /* that a comment quotes, */
#define COMMENT_LINE_BYTES 400	      /* the start of each */
#define COMMENT_FILE_BYTES 1024	      /* of a file's name */

/* The message of a comment that may have been sent: the supervisor did not
 * answer, or afw was killed. */
#define COMMENT_UNSURE (-1)

struct comment {
	int64_t id;  /* from 1; 0: not stored yet */
	char *file;  /* safe to print: comment_file(); "": about all changes */
	size_t line; /* the number of the first of lines; of a removed line, in
			the file before the change; 0: about the whole file */
	struct strv lines; /* as in the diff: "+text" */
	char *text;	   /* filtered as a message is */
	int64_t at;	   /* wall ms */
	int64_t message;   /* the message that it is in; 0: not sent; or
			      COMMENT_UNSURE */
	int64_t sent_at;   /* wall ms; or 0 */
	int64_t turn;	   /* the checkpoint before the turn that answered it;
			      0: unknown */
	bool answered, resolved;
};

struct comments {
	struct comment *v; /* by id */
	size_t n;
	int64_t last; /* the highest id that was used */
	int lock;     /* internal; 0: not locked */
};

int comments_load(struct comments *c, const char *session_dir, struct err *err);
/* ERR_NO_SESSION if the session was removed, ERR_CONFLICT if another process
 * holds the lock for seconds. */
int comments_edit(struct comments *c, const char *session_dir, struct err *err);
int comments_save(const struct comments *c, const char *session_dir,
		  struct err *err);
void comments_finish(struct comments *c);
#define _comments_ CLEANUP(comments_finish)

/* Adds an unsent copy of the comment with a new id; deletes the oldest resolved
 * comment if there are COMMENTS_MAX. ERR_LIMIT if none is resolved, ERR_USAGE
 * as comment_set_text(). */
int comments_add(struct comments *c, const struct comment *comment,
		 struct err *err);
/* ERR_USAGE if there is no such comment. */
struct comment *comments_find(const struct comments *c, int64_t id,
			      struct err *err);
void comments_delete(struct comments *c, int64_t id);
/* Returns the number of unsent comments. */
size_t comments_unsent(const struct comments *c);

/* Returns whether it is neither sent nor resolved. */
bool comment_is_unsent(const struct comment *c);
/* Sets another text, filtered; the comment is unsent then. ERR_USAGE if the
 * filtered text is empty or too long. */
int comment_set_text(struct comment *c, const char *text, struct err *err);
/* Returns a file's name in the form that is stored and shown, to be freed. */
char *comment_file(const char *name);
void comment_finish(struct comment *c);
#define _comment_ CLEANUP(comment_finish)

/* Returns "unsent", "unsure", "sent", "answered" or "resolved". */
const char *comment_state(const struct comment *c);
/* Appends the state in words: "answered in turn 7". */
void comment_describe(const struct comment *c, struct buf *out);

/* Convert a comment to an object as in the file, and back. comment_from_json()
 * reads only id, file, line, lines and text; ERR_USAGE if one is invalid. */
cJSON *comment_to_json(const struct comment *c);
int comment_from_json(struct comment *c, const cJSON *o, struct err *err);

#endif
