/*
 * support_view.h - recorded screens, for tests of adapters.
 *
 * A file in tests/unit/data/adapters: "cols rows cursor_col cursor_row
 * cursor_visible altscreen", the title, then the rows, dim text between
 * SGR 2 and SGR 22.
 */
#ifndef AFW_TESTS_SUPPORT_VIEW_H
#define AFW_TESTS_SUPPORT_VIEW_H

#include "adapters/adapter.h"
#include "adapters/screen/rules.h"

#define RECORDED_ROWS 200

struct recorded {
	char *rows[RECORDED_ROWS], *solid[RECORDED_ROWS];
	char title[256];
	struct screen_view view; /* points into the above */
};

/* Loads data/adapters/NAME.txt; ends the program if it cannot. */
void recorded_load(struct recorded *r, const char *name);
/* Makes a screen from text, "\n" between rows, the cursor after the last
 * character. */
void recorded_text(struct recorded *r, const char *text, int cols);
void recorded_finish(struct recorded *r);

/* What an adapter should read from a recorded screen. */
struct screen_case {
	const char *name;
	enum composer composer;
	enum activity activity;
	bool question;
	const char *detail; /* part of it, or NULL */
};
/* Checks all; prints what is wrong and returns how many are. */
int screens_check(const struct adapter *a, const struct rules *rules,
		  const struct screen_case *cases, size_t n);

/* The rules of share/adapters/NAME.ini, read by a plain reader of our own:
 * config is tested elsewhere. Ends the program where they are wrong. */
struct rules *rules_of(const char *harness);

#endif
