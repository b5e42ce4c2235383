/* message.h - a message's text from the command line or a file. */
#ifndef AFW_COMMANDS_CLI_MESSAGE_H
#define AFW_COMMANDS_CLI_MESSAGE_H

#include "base/buf.h"
#include "base/err.h"

/*
 * Appends the text of -m TEXT, or of -F FILE ("-": standard input). Both
 * NULL: nothing. At most PROTOCOL_TEXT_MAX bytes; ERR_USAGE beyond, or with
 * a NUL inside.
 */
int message_read(const char *text, const char *file, struct buf *out,
		 struct err *err);

/* The file of -F, to be closed; ERR_USAGE where there is none. */
int message_open(const char *file, struct err *err);

#endif
