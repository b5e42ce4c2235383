/*
 * logs_lines.h - a terminal's output as lines of text, for `afw logs`.
 *
 * Bytes and times in, lines out; a screen (screen.h) is in between, so what is
 * overwritten before it could be read (spinners, progress bars) never becomes
 * a line. On the main screen a line is told when it leaves at the top, and at
 * the end what is left; on the alternate screen, which nothing leaves, when it
 * has stood for LINES_STAND_MS, and the same text not again within a few
 * screens. With follow, what is whole is told at once; a program that changes
 * what was told is taken as one on the alternate screen.
 */
#ifndef AFW_COMMANDS_LOGS_LINES_H
#define AFW_COMMANDS_LOGS_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINES_STAND_MS 700

/* One line without its end: UTF-8, nothing in it that a terminal obeys. */
typedef void (*lines_fn)(void *ctx, const char *text, size_t len);

struct lines;

struct lines *lines_create(bool follow, lines_fn fn, void *ctx);
void lines_destroy(struct lines *l); /* tells nothing; NULL is fine */

void lines_resize(struct lines *l, int cols, int rows);
void lines_feed(struct lines *l, int64_t t_ms, const char *data, size_t len);

/* Time has passed without output. Returns the ms after which it should be
 * called again, -1: no need. */
int64_t lines_tick(struct lines *l, int64_t t_ms);

/* Tells what is still on the screen. */
void lines_finish(struct lines *l);

/* The last N of the lines that come, for standard output. */
struct last_lines {
	size_t keep; /* 0: all, at once */
	char **ring; /* while they are kept back */
	size_t kept, at;
};

void last_lines_begin(struct last_lines *l);
void last_lines_add(struct last_lines *l, const char *text, size_t len);

/* Prints what was kept back, and from now on all at once. */
void last_lines_print(struct last_lines *l);

#endif
