/* input.h - text that the user gives: on the command line, or in a file. */
#ifndef AFW_COMMANDS_CLI_INPUT_H
#define AFW_COMMANDS_CLI_INPUT_H

#include "base/buf.h"
#include "base/err.h"

/*
 * Appends the text of -m TEXT, or of -F FILE ("-": standard input). Both
 * NULL: nothing. At most PROTOCOL_TEXT_MAX bytes; ERR_USAGE beyond, or with
 * a NUL inside.
 */
int input_message(const char *text, const char *file, struct buf *out,
		  struct err *err);

/* Opens the file of an option ("-": standard input), to be closed; ERR_USAGE if
 * it cannot be read. what: for the error, "the message". */
int input_open(const char *what, const char *file, struct err *err);

/* Appends a regular file, which a link may lead to; ERR_USAGE if it cannot be
 * read, or has more than max bytes. what: for the error. */
int input_file(const char *what, const char *path, size_t max, struct buf *out,
	       struct err *err);

#endif
