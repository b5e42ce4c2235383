/*
 * err.h - an error, for people to read.
 *
 * A library function that can fail returns 0 or -1 and, with -1, has filled the
 * struct err of its caller. Only commands and main print it or exit. A struct
 * err is plain data: it owns nothing and is not freed.
 */
#ifndef AFW_BASE_ERR_H
#define AFW_BASE_ERR_H

#include <stdarg.h>

/* The kinds are the exit codes of afw(1). */
enum err_kind {
	ERR_NONE = 0,
	ERR_FAILED = 1,
	ERR_USAGE = 2,
	ERR_NO_SESSION = 3,
	ERR_CONFLICT = 4,
	ERR_LIMIT = 5,
	ERR_NOT_RUNNING = 6,
	ERR_TIMEOUT = 7,
	ERR_UNCONFIRMED = 8,
	ERR_REFUSED = 9,
	ERR_INTERRUPTED = 130, /* as a shell reports Ctrl-C */
};

struct err {
	enum err_kind kind;
	char what[768];	 /* "what was tried, on what: why"; no newline */
	char hint[1024]; /* what would help, or ""; may have several lines */
};

/*
 * Sets what happened and returns -1, so that a function can end with
 * `return err_set(err, ERR_FAILED, "read %s: %s", path, strerror(errno))`.
 * Control bytes in the result are replaced by '?'. Clears the hint.
 * err may be NULL.
 */
int err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* As err_set with ERR_FAILED, followed by ": " and errno in words. */
int err_errno(struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds the hint to an error that has been set. Returns -1. */
int err_hint(struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends a line to the hint, if there is room for it. */
void err_hint_line(struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts "fmt: " before the text of an error that has been set. Returns -1. */
int err_prefix(struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

void err_clear(struct err *err);

#endif
