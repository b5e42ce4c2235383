/* input.h - text from the command line or from a file. */
#ifndef AFW_COMMANDS_CLI_INPUT_H
#define AFW_COMMANDS_CLI_INPUT_H

#include "base/buf.h"
#include "base/err.h"

/*
 * Appends the text of -m TEXT, or of -F FILE ("-": standard input), at most
 * PROTOCOL_TEXT_MAX bytes; nothing if both are NULL. ERR_USAGE if the text is
 * longer or has a NUL byte.
 */
int input_message(const char *text, const char *file, struct buf *out,
		  struct err *err);

/* Opens the file of an option ("-": standard input); the caller closes it.
 * ERR_USAGE if it cannot be opened. what: for the error, "the message". */
int input_open(const char *what, const char *file, struct err *err);

/* Appends a regular file; path may be a symbolic link. ERR_USAGE if it cannot
 * be read or has more than max bytes. what: for the error. */
int input_file(const char *what, const char *path, size_t max, struct buf *out,
	       struct err *err);

#endif
