/*
 * straw_man.c - reads recordings as simple tools do, to compare with `afw
 * adapters test`: it reads the screen as text every 500 ms. A few well-known
 * strings mean that the agent asks or works; otherwise it works if the text has
 * changed since the last time, and is idle if it has not. This is done as well
 * as possible: it knows the strings of all four agents, a question overrides
 * work, it searches only the lower part of the screen, and it reads the screen
 * at the start.
 */
#include <stdio.h>
#include <string.h>

#include "adapters/adapter.h"
#include "base/buf.h"
#include "screen/screen.h"
#include "supervisor/monitor/recording.h"

#define READ_EVERY_MS 500
#define READ_ROWS     25

static const char *const asks[] = {
    "Do you want to",
    "Would you like to",
    "Do you trust",
    "Trust this folder",
    "Allow execution",
    "Permission required",
    "Press enter to conf",
    "Enter to confirm",
    "(y/n)",
    "[y/N]",
    "Yes, allow once",
    NULL,
};

static const char *const works[] = {
    "esc to interrupt",
    "esc interrupt",
    "esc to cancel",
    "ctrl+c to interrupt",
    NULL,
};

static bool has_one(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strstr(text, *words))
			return true;
	return false;
}

static enum activity read_screen(const struct screen *s, struct buf *last)
{
	int rows = screen_rows(s),
	    from = rows > READ_ROWS ? rows - READ_ROWS : 0;
	struct buf all = {0};
	enum activity a = ACTIVITY_IDLE;
	size_t lower = 0;

	for (int row = 0; row < rows; row++) {
		if (row == from)
			lower = all.len;
		screen_row_text(s, row, false, &all);
		buf_addc(&all, '\n');
	}
	if (has_one(all.data + lower, asks))
		a = ACTIVITY_WAITING_FOR_INPUT;
	else if (has_one(all.data + lower, works) || all.len != last->len ||
		 memcmp(all.data, last->data, all.len) != 0)
		a = ACTIVITY_WORKING;
	buf_finish(last);
	*last = all;
	return a;
}

static void play(const struct recording *r)
{
	struct screen_events none = {0};
	struct screen *s = screen_create(r->cols, r->rows, 0, &none);
	struct buf last = {0};
	int64_t next = 0;
	int cols, rows;

	for (size_t i = 0; i < r->n; i++) {
		const struct recording_event *e = &r->v[i];

		for (; next <= e->t_ms; next += READ_EVERY_MS)
			printf("%9.3f  %s\n", (double)next / 1000,
			       activity_name(read_screen(s, &last)));
		if (e->kind == 'o')
			screen_feed(s, e->data, e->len);
		else if (e->kind == 'r' &&
			 sscanf(e->data, "%4dx%4d", &cols, &rows) == 2)
			screen_resize(s, cols, rows);
	}
	buf_finish(&last);
	screen_destroy(s);
}

int main(int argc, char **argv)
{
	struct err err = {0};
	struct recording r;

	for (int i = 1; i < argc; i++) {
		if (recording_load(&r, argv[i], &err) < 0) {
			fprintf(stderr, "straw_man: %s\n", err.what);
			return 1;
		}
		printf("%s (%s)\n", argv[i], r.harness);
		play(&r);
		recording_finish(&r);
	}
	return 0;
}
