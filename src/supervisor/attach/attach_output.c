/*
 * attach_output.c - sends output to the terminals that show the session: the
 * harness's own bytes where a terminal can show them, otherwise a picture.
 */
#include "supervisor/attach/attach_internal.h"

#include <errno.h>
#include <unistd.h>

#include "base/json.h"
#include "screen/redraw.h"
#include "supervisor/peer.h"
#include "supervisor/sender/typist.h"
#include "wire/frame.h"

#define BACKLOG_MAX   ((size_t)256 * 1024) /* beyond this, frames are skipped */
#define RELAY_CHUNK   ((size_t)64 * 1024)
#define REPAINT_MS    33
#define HISTORY_LINES 1000

void attach_update_events(struct attached *a)
{
	bool in = typist_has_room(a->sv);

	if (a->io)
		loop_io_events(a->io, (short)((in ? POLLIN : 0) |
					      (a->out.len ? POLLOUT : 0)));
}

bool attach_flush(struct attached *a)
{
	while (a->out.len) {
		ssize_t n = write(a->fd, a->out.data, a->out.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return false;
		if (n <= 0)
			break;
		buf_drop(&a->out, (size_t)n);
	}
	attach_update_events(a);
	return true;
}

void attach_emit(struct attached *a, const char *data, size_t len)
{
	struct buf text = {0};

	if (a->fd >= 0) {
		buf_add(&a->out, data, len);
		attach_flush(a); /* an error is handled at its next event */
		return;
	}
	/* In parts: a redraw with its history could exceed the limit of a
	 * frame. */
	while (len > 0) {
		size_t n = len < RELAY_CHUNK ? len : RELAY_CHUNK;
		cJSON *o = cJSON_CreateObject();

		buf_clear(&text);
		frame_encode_bytes(data, n, &text);
		json_set_str(o, "ev", "agent:stdout");
		json_set_str(o, "data", text.data);
		peer_send(a->peer, o);
		data += n;
		len -= n;
	}
	buf_finish(&text);
}

void attach_redraw(struct attached *a, bool reset)
{
	struct screen *s = a->sv->observer.screen;
	struct buf out = {0};

	a->clipped = a->cols != screen_cols(s) || a->rows != screen_rows(s) ||
		     screen_modes(s)->own_tabs || a->first_line[0];
	a->stale = false;
	a->modes = *screen_modes(s);
	/* CAN and ST end any sequence that was interrupted. */
	if (reset)
		buf_adds(&out, "\030\033\\");
	if (a->clipped)
		screen_redraw_clipped(s, a->cols, a->rows, reset, a->first_line,
				      &out);
	else
		screen_redraw(s, reset ? HISTORY_LINES : 0, &out);
	attach_emit(a, out.data, out.len);
	buf_finish(&out);
}

void attach_uncover(void *ctx)
{
	struct attached *a = ctx;

	if (!a->first_line[0])
		return;
	a->first_line[0] = '\0';
	loop_timer_stop(a->first_line_timer);
	attach_redraw(a, true);
}

static bool is_same_modes(const struct screen_modes *a,
			  const struct screen_modes *b)
{
	return a->altscreen == b->altscreen &&
	       a->bracketed_paste == b->bracketed_paste &&
	       a->focus == b->focus && a->color_scheme == b->color_scheme &&
	       a->app_cursor == b->app_cursor &&
	       a->app_keypad == b->app_keypad && a->mouse_sgr == b->mouse_sgr &&
	       a->mouse == b->mouse && a->own_tabs == b->own_tabs &&
	       a->cursor_shape == b->cursor_shape &&
	       a->kitty_flags == b->kitty_flags &&
	       a->modify_other_keys == b->modify_other_keys;
}

void attach_repaint(void *ctx)
{
	struct attached *a = ctx;
	const struct screen_modes *m = screen_modes(a->sv->observer.screen);

	if (a->out.len == 0)
		attach_redraw(a, a->stale || !is_same_modes(m, &a->modes));
	else
		a->stale = true;
}

void attach_output(struct supervisor *sv, const char *data, size_t len)
{
	for (struct attached *a = sv->attached, *next; a; a = next) {
		next = a->next;
		if (a->clipped || screen_modes(sv->observer.screen)->own_tabs) {
			if (!loop_timer_active(a->repaint))
				loop_timer_set(a->repaint, REPAINT_MS);
		} else if (a->stale) {
			continue;
		} else if (a->out.len + len > BACKLOG_MAX) {
			buf_clear(&a->out);
			a->stale = true;
			attach_update_events(a);
			loop_timer_set(a->repaint, REPAINT_MS);
		} else {
			attach_emit(a, data, len);
		}
	}
}

void attach_clipboard(struct supervisor *sv, const char *text, size_t len)
{
	struct buf out = {0};

	buf_addf(&out, "\033]52;%.*s\033\\", (int)len, text);
	for (struct attached *a = sv->attached; a; a = a->next)
		if (!a->stale && (a->clipboard == CLIPBOARD_ALWAYS ||
				  (a->clipboard && a->focused)))
			attach_emit(a, out.data, out.len);
	buf_finish(&out);
}
