/* mouse.h - what the mouse reports. */
#ifndef AFW_TUI_TERM_MOUSE_H
#define AFW_TUI_TERM_MOUSE_H

#include <stdbool.h>
#include <stdint.h>

/* The left button and the wheel; buttons while they are held; cells instead
 * of pixels. */
#define MOUSE_ON  "\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l"

#define MOUSE_ROWS 3 /* of a text, that the wheel moves it by */

enum mouse_what {
	MOUSE_PRESS,
	MOUSE_DRAG,
	MOUSE_RELEASE,
	MOUSE_DOUBLE, /* a release: nothing of that click is still to come */
	MOUSE_UP,     /* the wheel */
	MOUSE_DOWN,
};

struct mouse {
	enum mouse_what what;
	int row, col;
};

/* A report that is being read, behind its "ESC [ <", or old: "ESC [ M".
 * A zeroed one reads none. */
struct mouse_report {
	bool reads, old;
	int n, v[3];
	struct mouse press;
	bool clicked;
	int64_t click_ms;
};

void mouse_report_begin(struct mouse_report *r, bool old);
/* Its next character; true where that ends it and says something. */
bool mouse_report_take(struct mouse_report *r, uint32_t c, struct mouse *out);

/* In struct key. */
uint32_t mouse_pack(const struct mouse *m);
struct mouse mouse_unpack(uint32_t packed);

/* 1 or -1 for the wheel, else 0. */
int mouse_wheel(const struct mouse *m);

#endif
