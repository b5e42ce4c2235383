/*
 * plain.h - a terminal's output as lines of text, for `afw logs`.
 *
 * Pure: bytes and times in, lines out. What is not text is obeyed on a small
 * screen of its own instead of printed: what is overwritten before it could
 * be read (spinners, progress bars) never becomes a line.
 *
 * A program that only prints lines has each as soon as it is whole. One that
 * moves the cursor about (a full-screen program) has a line when it has stood
 * for PLAIN_STABLE_MS or leaves the screen, and the same text not again
 * within a few screens.
 */
#ifndef AFW_COMMANDS_PLAIN_H
#define AFW_COMMANDS_PLAIN_H

#include <stddef.h>
#include <stdint.h>

#define PLAIN_STABLE_MS 700

/* One line without its end: UTF-8, nothing in it that a terminal obeys. */
typedef void (*plain_line_fn)(void *ctx, int64_t t_ms, const char *text,
			      size_t len);

struct plain;

struct plain *plain_create(int cols, int rows, plain_line_fn fn, void *ctx);
void plain_destroy(struct plain *p); /* tells nothing; NULL is fine */

void plain_resize(struct plain *p, int cols, int rows);
void plain_feed(struct plain *p, int64_t t_ms, const char *data, size_t len);

/* Time has passed without output. Returns the ms after which it should be
 * called again, -1: no need. */
int64_t plain_tick(struct plain *p, int64_t t_ms);

/* Tells what is still on the screen. */
void plain_finish(struct plain *p, int64_t t_ms);

#endif
