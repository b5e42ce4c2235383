/* capture.h - a picture of a session's screen, as the supervisor sends it. */
#ifndef AFW_TUI_CAPTURE_H
#define AFW_TUI_CAPTURE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "tui/paint.h"

#define CAPTURE_LINES_MAX 1000

/* A zeroed one is empty. The lines are untrusted text with SGR. */
struct capture {
	int cols, rows;
	struct strv lines;
	int cursor_col, cursor_row; /* -1: none */
	char *title;
};

void capture_finish(struct capture *c);

/* From a screen event, a reply to capture, or screen.json; -1 where o is
 * none of them, c is then as it was. */
int capture_from_json(struct capture *c, const cJSON *o);

/*
 * The row to begin with in a window of rows: the end of what is written (or
 * the cursor) must be seen, since that is where agents ask.
 */
int capture_top(const struct capture *c, int rows);

/* Paints it into r. dim: of a session that does not run. */
void capture_draw(const struct capture *c, const struct rect *r, bool dim);

#endif
