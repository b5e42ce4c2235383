/* attach.c - the size, input and lifetime of the terminals that show the
 * session. */
#include "supervisor/attach/attach_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "screen/redraw.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/sender/typist.h"
#include "supervisor/timeslice.h"
#include "supervisor/typed_keys.h"

#define SPLIT_WAIT_MS 30
#define FIRST_LINE_MS 4000

/* -- size ------------------------------------------------------------------ */

/* Gives the harness this terminal's size; the other terminals are clipped to
 * it. Returns false if the harness has that size already, or must not get
 * it. */
static bool set_harness_size(struct attached *a)
{
	struct supervisor *sv = a->sv;

	if (a->read_only || (a->cols == screen_cols(sv->observer.screen) &&
			     a->rows == screen_rows(sv->observer.screen)))
		return false;
	harness_resize(sv, a->cols, a->rows);
	for (struct attached *b = sv->attached; b; b = b->next)
		attach_redraw(b, true);
	return true;
}

void attach_resize(struct attached *a, int cols, int rows)
{
	if (cols == a->cols && rows == a->rows)
		return;
	a->cols = cols;
	a->rows = rows;
	if (!set_harness_size(a))
		attach_redraw(a, true);
}

/* -- input ----------------------------------------------------------------- */

static void send_to_harness(struct attached *a, const char *data, size_t len)
{
	unsigned typed = typed_keys_find(data, len);

	if (typed)
		attach_uncover(a);
	if (a->read_only || len == 0)
		return;
	if (typed)
		set_harness_size(a);
	typist_pass(a->sv, data, len);
	attach_update_events(a);
}

/* Handles keys from the terminal; those before the detach key go to the
 * harness. The attached may be freed after this. */
static void handle_keys(struct attached *a, const char *data, size_t len)
{
	for (;;) {
		size_t at;
		enum detach_found found =
		    detach_key_find(&a->detach, data, len, &at);

		send_to_harness(a, data, at);
		data += at;
		len -= at;
		if (found == DETACH_KEY) {
			attach_end(a, "detached", NULL);
			return;
		}
		if (found == DETACH_BEGINNING) {
			buf_add(&a->split, data, len);
			loop_timer_set(a->split_timer, SPLIT_WAIT_MS);
		}
		if (found != DETACH_FOCUS_IN && found != DETACH_FOCUS_OUT)
			return;
		a->focused = found == DETACH_FOCUS_IN;
		if (screen_modes(a->sv->observer.screen)->focus)
			send_to_harness(a, data, DETACH_FOCUS_BYTES);
		data += DETACH_FOCUS_BYTES;
		len -= DETACH_FOCUS_BYTES;
	}
}

static void on_split(void *ctx)
{
	struct attached *a = ctx;

	detach_key_skip(&a->detach, a->split.data, a->split.len);
	send_to_harness(a, a->split.data, a->split.len);
	buf_clear(&a->split);
}

void attach_input(struct attached *a, const char *data, size_t len)
{
	struct buf whole = {0};

	if (a->split.len == 0) {
		handle_keys(a, data, len);
		return;
	}
	buf_add(&whole, a->split.data, a->split.len);
	buf_add(&whole, data, len);
	buf_clear(&a->split);
	loop_timer_stop(a->split_timer);
	handle_keys(a, whole.data, whole.len);
	buf_finish(&whole);
}

static void on_tty(void *ctx, int fd, short revents)
{
	struct attached *a = ctx;
	char chunk[16384];

	if ((revents & POLLOUT) && !attach_flush(a)) {
		attach_end(a, "lost", "the terminal is gone");
		return;
	}
	if (revents & POLLOUT && a->stale && a->out.len == 0)
		attach_redraw(a, true);
	if (revents & POLLIN) {
		ssize_t n = read(fd, chunk, sizeof chunk);

		if (n > 0)
			attach_input(a, chunk, (size_t)n);
		else if (n == 0 || (errno != EAGAIN && errno != EINTR))
			attach_end(a, "lost", "the terminal is gone");
		return;
	}
	if (revents & (POLLHUP | POLLERR | POLLNVAL))
		attach_end(a, "lost", "the terminal is gone");
}

/* -- begin and end --------------------------------------------------------- */

static int set_up_terminal(struct attached *a, int fd, struct err *err)
{
	struct termios raw;

	if (!isatty(fd))
		return err_set(err, ERR_USAGE,
			       "attach: the descriptor is not a terminal");
	if (tcgetattr(fd, &a->saved) < 0)
		return err_errno(err, "attach: ask the terminal");
	a->have_saved = true;
	raw = a->saved;
	cfmakeraw(&raw);
	/* Not TCSADRAIN: it would block if the terminal is not being read. */
	if (tcsetattr(fd, TCSANOW, &raw) < 0)
		return err_errno(err, "attach: set the terminal");
	/* The client has opened the terminal again, so that non-blocking mode
	 * does not affect the user's shell. */
	file_set_nonblock(fd);
	return 0;
}

/* Moves what was on the screen into the terminal's scrollback. */
static void scroll_screen_off(struct attached *a)
{
	struct buf out = {0};

	screen_enter(&out);
	buf_addf(&out, "\033[%d;1H", a->rows);
	for (int i = 0; i < a->rows; i++)
		buf_addc(&out, '\n');
	attach_emit(a, out.data, out.len);
	buf_finish(&out);
}

static void read_options(struct attached *a, const struct attach_request *rq)
{
	const char *clipboard = rq->clipboard ? rq->clipboard : "never";
	const char *first_line = rq->first_line ? rq->first_line : "";

	a->read_only = rq->read_only;
	a->focused = true; /* until the terminal reports otherwise */
	a->clipboard = strcmp(clipboard, "always") == 0	   ? CLIPBOARD_ALWAYS
		       : strcmp(clipboard, "focused") == 0 ? CLIPBOARD_FOCUSED
							   : CLIPBOARD_NEVER;

	utf8_printable(a->first_line, sizeof a->first_line, first_line,
		       strlen(first_line));
	for (size_t i = 0; i < rq->detach.n; i++)
		detach_key_add(&a->detach, rq->detach.v[i]);
}

int attach_add(struct peer *p, const struct attach_request *rq, int fd,
	       struct err *err)
{
	struct supervisor *sv = p->sv;
	struct attached *a;

	if (p->attached) {
		file_close(fd);
		return err_set(err, ERR_CONFLICT, "attached already");
	}
	a = mem_alloc(sizeof *a);
	a->sv = sv;
	a->peer = p;
	a->fd = fd;
	a->cols = (int)rq->cols;
	a->rows = (int)rq->rows;
	read_options(a, rq);
	if (a->cols < 1 || a->rows < 1 || a->cols > SCREEN_MAX_COLS ||
	    a->rows > SCREEN_MAX_ROWS) {
		a->cols = 80;
		a->rows = 24;
	}
	if (a->rows < 3)
		a->first_line[0] = '\0';
	if (fd >= 0 && set_up_terminal(a, fd, err) < 0) {
		close(fd);
		free(a);
		return -1;
	}
	a->repaint = loop_timer_add(sv->loop, attach_repaint, a);
	a->split_timer = loop_timer_add(sv->loop, on_split, a);
	a->first_line_timer = loop_timer_add(sv->loop, attach_uncover, a);
	loop_timer_set(a->first_line_timer, FIRST_LINE_MS);
	if (fd >= 0)
		a->io = loop_io_add(sv->loop, fd, POLLIN, on_tty, a);
	a->next = sv->attached;
	sv->attached = a;
	p->attached = a;
	timeslice_short(true);
	scroll_screen_off(a);
	if (!set_harness_size(a))
		attach_redraw(a, true);
	return 0;
}

/* Restores the terminal, as far as it still takes bytes. */
static void restore_terminal(struct attached *a)
{
	int64_t end = clock_mono_ms() + 200;
	struct buf leave = {0};

	buf_adds(&leave, "\030\033\\");
	screen_leave(&leave);
	buf_clear(&a->out);
	buf_add(&a->out, leave.data, leave.len);
	buf_finish(&leave);
	while (attach_flush(a) && a->out.len && clock_mono_ms() < end) {
		struct pollfd p = {.fd = a->fd, .events = POLLOUT};

		poll(&p, 1, 20);
	}
	if (a->have_saved)
		tcsetattr(a->fd, TCSANOW, &a->saved);
	close(a->fd);
}

void attach_send_end(struct peer *p, const char *reason, const char *text)
{
	cJSON *o;

	if (p->dead)
		return;
	o = cJSON_CreateObject();
	json_set_str(o, "ev", "attach:end");
	json_set_str(o, "reason", reason);
	json_set_str(o, "text", text);
	peer_send(p, o);
}

void attach_end(struct attached *a, const char *reason, const char *text)
{
	struct attached **at;
	struct peer *p;

	if (!a)
		return;
	p = a->peer;
	for (at = &a->sv->attached; *at != a; at = &(*at)->next)
		;
	*at = a->next;
	timeslice_short(a->sv->attached != NULL);
	loop_io_remove(a->io);
	a->io = NULL;
	loop_timer_remove(a->repaint);
	loop_timer_remove(a->split_timer);
	loop_timer_remove(a->first_line_timer);
	if (a->fd >= 0)
		restore_terminal(a);
	p->attached = NULL;
	buf_finish(&a->out);
	buf_finish(&a->split);
	free(a);
	attach_send_end(p, reason, text);
}
