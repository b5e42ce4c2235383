/*
 * send_files.h - attaches files to a message (afw send --attach): copies them
 * below the session's home, which its agent can read in any sandbox, and names
 * them in the text.
 *
 * Each is one of the user's regular files, a link to one, or "clipboard:", an
 * image. Unsafe characters in names are replaced; an existing file is never
 * replaced.
 */
#ifndef AFW_COMMANDS_SEND_FILES_H
#define AFW_COMMANDS_SEND_FILES_H

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "session/session.h"

struct args;

#define SEND_FILES_MAX	     16			   /* of a message */
#define SEND_FILE_BYTES	     (32 * 1024 * 1024)	   /* of one */
#define SEND_FILES_ALL	     200		   /* of a session */
#define SEND_FILES_ALL_BYTES (256LL * 1024 * 1024) /* likewise */

/* Copies the files of --attach and appends their paths to the message. "-":
 * those of send_files_pack(), on standard input. copied: their names, for
 * send_files_drop(). On failure none is left. */
int send_files_add(const struct args *args, const struct session *s,
		   struct buf *text, struct strv *copied, struct err *err);
/* Deletes them: the message was not sent. */
void send_files_drop(const struct session *s, const struct strv *copied);

/* Returns an open file with all of them, for the standard input of a command on
 * another machine; -1 with err. */
int send_files_pack(const struct args *args, struct err *err);

#endif
