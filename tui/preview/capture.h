/* capture.h - a picture of a session's screen, as the supervisor sends it. */
#ifndef AFW_TUI_PREVIEW_CAPTURE_H
#define AFW_TUI_PREVIEW_CAPTURE_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "screen/screen.h"
#include "tui/term/paint.h"

/* Zeroed: empty. */
struct capture {
	struct screen *screen;
	int cursor_col, cursor_row; /* -1: none */
	char *title;
};

void capture_finish(struct capture *c);

/* Reads a screen event, a reply to capture, or screen.json. -1 if o is not one
 * of these; c is then unchanged. */
int capture_from_json(struct capture *c, const cJSON *o);

/* Paints the end of the picture, where agents ask, into r; of several blank
 * rows in a row only one, unless all have room. dim: for a session that is not
 * running. wrap: wider rows continue on the next line. */
void capture_draw(const struct capture *c, const struct rect *r, bool dim,
		  bool wrap);

#endif
