/*
 * logs_lines.h - converts terminal output to lines of text, for `afw logs` and
 * `afw grep`.
 *
 * The input is bytes with times. They go through a screen (screen.h), so that
 * text which is overwritten before it could be read (spinners, progress bars)
 * never becomes a line. A line of the main screen is printed when it leaves at
 * the top, and the rest at the end. Lines never leave the alternate screen:
 * there a line is printed when it has not changed for LINES_STAND_MS, and the
 * same text is not repeated within a few screens. With follow, complete lines
 * are printed at once; a program that changes printed lines is then treated as
 * if it used the alternate screen.
 */
#ifndef AFW_COMMANDS_LOGS_LINES_H
#define AFW_COMMANDS_LOGS_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINES_STAND_MS 700

/* Gets one line without its end: UTF-8, without control characters. */
typedef void (*lines_fn)(void *ctx, const char *text, size_t len);

struct lines;

struct lines *lines_create(bool follow, lines_fn fn, void *ctx);
void lines_destroy(struct lines *l); /* prints nothing; NULL is fine */

void lines_resize(struct lines *l, int cols, int rows);
void lines_feed(struct lines *l, int64_t t_ms, const char *data, size_t len);

/* Feeds or resizes by a record of a transcript, as its tail's transcript_fn
 * gets it; other kinds change nothing. */
void lines_record(struct lines *l, int64_t t_ms, char kind, const char *data,
		  size_t len);

/* Call it when time has passed without output. Returns the ms after which it
 * must be called again, -1: not needed. */
int64_t lines_tick(struct lines *l, int64_t t_ms);

/* Prints the text that is still on the screen. */
void lines_finish(struct lines *l);

/* Keeps the last N lines, for standard output. */
struct last_lines {
	size_t keep; /* 0: prints all at once */
	char **ring; /* the kept lines */
	size_t kept, at;
};

void last_lines_begin(struct last_lines *l);
void last_lines_add(struct last_lines *l, const char *text, size_t len);

/* Prints the kept lines, and every later line at once. */
void last_lines_print(struct last_lines *l);

#endif
