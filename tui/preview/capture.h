/* capture.h - a picture of a session's screen, as the supervisor sends it. */
#ifndef AFW_TUI_PREVIEW_CAPTURE_H
#define AFW_TUI_PREVIEW_CAPTURE_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "screen/screen.h"
#include "tui/term/paint.h"

/* A zeroed one is empty. */
struct capture {
	struct screen *screen;
	int cursor_col, cursor_row; /* -1: none */
	char *title;
};

void capture_finish(struct capture *c);

/* From a screen event, a reply to capture, or screen.json; -1 where o is
 * none of them, c is then as it was. */
int capture_from_json(struct capture *c, const cJSON *o);

/* Paints its end into r: that is where agents ask. dim: of a session that does
 * not run. wrap: rows that are wider go on in the next line. */
void capture_draw(const struct capture *c, const struct rect *r, bool dim,
		  bool wrap);

#endif
