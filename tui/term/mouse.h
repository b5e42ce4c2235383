/* mouse.h - decodes reports of the mouse. */
#ifndef AFW_TUI_TERM_MOUSE_H
#define AFW_TUI_TERM_MOUSE_H

#include <stdbool.h>
#include <stdint.h>

/* Requests the left button and the wheel, movement while a button is held, and
 * positions in cells instead of pixels. */
#define MOUSE_ON  "\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l"

#define MOUSE_ROWS 3 /* lines of a text that the wheel scrolls */

enum mouse_what {
	MOUSE_PRESS,
	MOUSE_DRAG,
	MOUSE_RELEASE,
	MOUSE_DOUBLE, /* a release; no other event of that click follows */
	MOUSE_UP,     /* the wheel */
	MOUSE_DOWN,
};

struct mouse {
	enum mouse_what what;
	int row, col;
};

/* A report that is being read, after its "ESC [ <", or "ESC [ M" in the old
 * form. Zeroed: none. */
struct mouse_report {
	bool reads, old;
	int n, v[3];
	struct mouse press;
	bool clicked;
	int64_t click_ms;
};

void mouse_report_begin(struct mouse_report *r, bool old);
/* Adds its next character; returns true at the end of a valid report, which is
 * then in *out. */
bool mouse_report_add(struct mouse_report *r, uint32_t c, struct mouse *out);

/* For struct key. */
uint32_t mouse_pack(const struct mouse *m);
struct mouse mouse_unpack(uint32_t packed);

/* Returns 1 or -1 for the wheel, else 0. */
int mouse_wheel(const struct mouse *m);

#endif
