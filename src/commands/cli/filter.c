/* filter.c - passes a program's output through a screen model. */
#include "commands/cli/filter.h"

#include <string.h>

#include "screen/redraw.h"

#define REPLIES_MAX ((size_t)64 * 1024)

static void on_reply(void *ctx, const char *data, size_t len)
{
	struct filter *f = ctx;

	if (f->replies.len < REPLIES_MAX)
		buf_add(&f->replies, data, len);
}

static void on_pass(void *ctx, const char *data, size_t len)
{
	struct filter *f = ctx;

	if (!f->styled && memchr(data, '\033', len)) {
		f->styled = true;
		screen_enter(&f->out);
	}
	buf_add(&f->out, data, len);
}

static void on_clipboard(void *ctx, const char *text, size_t len)
{
	struct filter *f = ctx;

	if (strcmp(f->clipboard, "always") == 0 ||
	    (strcmp(f->clipboard, "focused") == 0 && f->focused))
		buf_addf(&f->out, "\033]52;%.*s\033\\", (int)len, text);
}

void filter_open(struct filter *f, int cols, int rows, const char *clipboard)
{
	struct screen_events events = {.ctx = f,
				       .reply = on_reply,
				       .pass = on_pass,
				       .clipboard = on_clipboard};

	*f = (struct filter){.clipboard = clipboard};
	f->screen = screen_create(cols, rows, 0, &events);
}

void filter_finish(struct filter *f)
{
	screen_destroy(f->screen);
	buf_finish(&f->out);
	buf_finish(&f->replies);
}

void filter_feed(struct filter *f, const char *data, size_t len)
{
	bool focus;

	screen_feed(f->screen, data, len);
	focus = screen_modes(f->screen)->focus;
	if (focus != f->focus)
		on_pass(f, focus ? "\033[?1004h" : "\033[?1004l", 8);
	f->focus = focus;
}

void filter_end(struct filter *f)
{
	if (!f->styled)
		return;
	screen_end(f->screen, &f->out);
	buf_adds(&f->out, "\033[23;0t\033[?1007r");
}
