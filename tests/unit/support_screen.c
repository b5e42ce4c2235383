/*
 * support_screen.c - a screen, and a tape of what it says: however a stream is
 * cut, the picture and the tape may not differ.
 */
#include "support_screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void on_reply(void *ctx, const char *data, size_t len)
{
	buf_add(&((struct tape *)ctx)->reply, data, len);
}

static void on_pass(void *ctx, const char *data, size_t len)
{
	buf_add(&((struct tape *)ctx)->pass, data, len);
}

static void on_title(void *ctx, const char *title)
{
	buf_addf(&((struct tape *)ctx)->notes, "title=%s;", title);
}

static void on_status(void *ctx, const char *payload)
{
	buf_addf(&((struct tape *)ctx)->notes, "status=%s;", payload);
}

static void on_bell(void *ctx)
{
	buf_adds(&((struct tape *)ctx)->notes, "bell;");
}

static void on_notify(void *ctx, const char *text)
{
	buf_addf(&((struct tape *)ctx)->notes, "notify=%s;", text);
}

static void on_clipboard(void *ctx, const char *text, size_t len)
{
	buf_addf(&((struct tape *)ctx)->notes, "clipboard=%.*s;", (int)len,
		 text);
}

void tape_init(struct tape *t)
{
	struct screen_events ev = {
	    .ctx = t,
	    .reply = on_reply,
	    .pass = on_pass,
	    .title = on_title,
	    .program_status = on_status,
	    .bell = on_bell,
	    .notify = on_notify,
	    .clipboard = on_clipboard,
	};

	*t = (struct tape){0};
	buf_adds(&t->reply, "");
	buf_adds(&t->pass, "");
	buf_adds(&t->notes, "");
	t->s = screen_create(TAPE_COLS, TAPE_ROWS, 50, &ev);
}

void tape_finish(struct tape *t)
{
	screen_destroy(t->s);
	buf_finish(&t->reply);
	buf_finish(&t->pass);
	buf_finish(&t->notes);
}

const struct screen_modes *tape_feed(struct tape *t, const char *in)
{
	screen_feed(t->s, in, strlen(in));
	return screen_modes(t->s);
}

void screen_modes_text(const struct screen *s, struct buf *out)
{
	const struct screen_modes *m = screen_modes(s);

	buf_addf(out, "%d%d%d%d%d%d%d%d%d mouse %d shape %d kitty %d %d\n",
		 m->altscreen, m->bracketed_paste, m->sync, m->color_scheme,
		 m->app_cursor, m->app_keypad, m->cursor_visible, m->autowrap,
		 m->mouse_sgr, (int)m->mouse, m->cursor_shape, m->kitty_flags,
		 m->modify_other_keys);
}

void screen_picture(const struct screen *s, int history, struct buf *out)
{
	int col, row;

	for (int y = -history; y < screen_rows(s); y++) {
		screen_row_text(s, y, true, out);
		buf_addc(out, '\n');
	}
	screen_cursor(s, &col, &row);
	buf_addf(out, "cursor %d,%d title %s\n", col, row, screen_title(s));
	screen_modes_text(s, out);
}

static void all(const struct tape *t, struct buf *out)
{
	screen_picture(t->s, screen_history(t->s), out);
	buf_addf(out, "focus %d\n", screen_modes(t->s)->focus);
	buf_addf(out, "reply %s\npass %s\nnotes %s\n", t->reply.data,
		 t->pass.data, t->notes.data);
}

static void feed_parts(const char *in, size_t len, size_t first, size_t each,
		       struct buf *out)
{
	struct tape t;

	tape_init(&t);
	for (size_t i = 0; i < len;) {
		size_t n = i == 0 ? first : each;

		n = n > len - i ? len - i : n;
		/* A copy, so that a sanitizer sees a read past the part. */
		char *part = malloc(n ? n : 1);

		memcpy(part, in + i, n);
		screen_feed(t.s, part, n);
		free(part);
		i += n;
		first = first ? first : 1;
	}
	all(&t, out);
	tape_finish(&t);
}

void tape_splits_alike(const char *in, size_t len)
{
	struct buf whole = {0}, parts = {0};

	feed_parts(in, len, len, len, &whole);
	for (size_t cut = 1; cut <= len; cut++) {
		buf_clear(&parts);
		if (cut == len)
			feed_parts(in, len, 1, 1, &parts);
		else
			feed_parts(in, len, cut, len, &parts);
		assert_string_equal(whole.data, parts.data);
	}
	buf_finish(&whole);
	buf_finish(&parts);
}

void screen_expect_row(const struct screen *s, int row, const char *text)
{
	struct buf b = {0};

	buf_adds(&b, "");
	screen_row_text(s, row, false, &b);
	assert_string_equal(b.data, text);
	buf_finish(&b);
}
