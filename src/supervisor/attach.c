/* attach.c - terminals that show the session. */
#include "supervisor/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "supervisor/detach_key.h"
#include "supervisor/harness.h"
#include "supervisor/peer.h"
#include "supervisor/typed_keys.h"
#include "wire/bytes.h"

#define BACKLOG_MAX    ((size_t)256 * 1024) /* then frames are skipped */
#define HELD_MAX       ((size_t)64 * 1024)
#define UNREAD_MAX     ((size_t)64 * 1024) /* by the harness: keys wait */
#define RELAY_CHUNK    ((size_t)64 * 1024)
#define REPAINT_MS     33
#define SPLIT_WAIT_MS  30
#define HISTORY_LINES  1000

struct attached {
	struct supervisor *sv;
	struct attached *next;
	struct peer *peer;
	int fd; /* the terminal; -1: relay */
	struct loop_io *io;
	struct termios saved;
	bool have_saved;
	int cols, rows;
	bool read_only;
	bool stale;   /* lost frames: a redraw comes when it can take one */
	bool clipped; /* of another size than the harness's terminal */
	struct screen_modes modes; /* clipped: what it was last brought into */
	struct detach_key detach;
	struct buf out;
	struct buf held;   /* keys that wait: a message is being pasted */
	struct buf split;  /* what may be the beginning of a detach key */
	struct loop_timer *repaint, *split_timer;
};

/* -- out ------------------------------------------------------------------ */

static void wanted(struct attached *a)
{
	bool in = a->held.len < HELD_MAX && a->sv->input.len < UNREAD_MAX;

	if (a->io)
		loop_io_events(a->io, (short)((in ? POLLIN : 0) |
					      (a->out.len ? POLLOUT : 0)));
}

void attach_room(struct supervisor *sv)
{
	for (struct attached *a = sv->attached; a; a = a->next)
		wanted(a);
}

/* False where the terminal is gone. */
static bool flush(struct attached *a)
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
	wanted(a);
	return true;
}

static void emit(struct attached *a, const char *data, size_t len)
{
	struct buf text = {0};

	if (a->fd >= 0) {
		buf_add(&a->out, data, len);
		flush(a); /* a terminal that is gone shows at its next event */
		return;
	}
	/* In parts: a redraw with its history could be over a frame's limit. */
	while (len > 0) {
		size_t n = len < RELAY_CHUNK ? len : RELAY_CHUNK;
		cJSON *o = cJSON_CreateObject();

		buf_clear(&text);
		bytes_to_text(data, n, &text);
		json_set_str(o, "event", "agent:stdout");
		json_set_str(o, "data", text.data);
		peer_send(a->peer, o);
		data += n;
		len -= n;
	}
	buf_finish(&text);
}

static void redraw(struct attached *a, bool reset)
{
	struct screen *s = a->sv->screen;
	struct buf out = {0};

	a->clipped = a->cols != screen_cols(s) || a->rows != screen_rows(s);
	a->stale = false;
	a->modes = *screen_modes(s);
	/* CAN and ST: whatever sequence was cut off ends here. */
	if (reset)
		buf_adds(&out, "\030\033\\");
	if (a->clipped)
		screen_redraw_clipped(s, a->cols, a->rows, reset, &out);
	else
		screen_redraw(s, reset ? HISTORY_LINES : 0, &out);
	emit(a, out.data, out.len);
	buf_finish(&out);
}

static bool same_modes(const struct screen_modes *a,
		       const struct screen_modes *b)
{
	return a->altscreen == b->altscreen &&
	       a->bracketed_paste == b->bracketed_paste &&
	       a->focus == b->focus && a->color_scheme == b->color_scheme &&
	       a->app_cursor == b->app_cursor &&
	       a->app_keypad == b->app_keypad &&
	       a->mouse_sgr == b->mouse_sgr && a->mouse == b->mouse &&
	       a->cursor_shape == b->cursor_shape &&
	       a->kitty_flags == b->kitty_flags &&
	       a->modify_other_keys == b->modify_other_keys;
}

static void on_repaint(void *ctx)
{
	struct attached *a = ctx;
	const struct screen_modes *m = screen_modes(a->sv->screen);

	if (a->out.len == 0)
		redraw(a, a->stale || !same_modes(m, &a->modes));
	else
		a->stale = true;
}

void attach_output(struct supervisor *sv, const char *data, size_t len)
{
	for (struct attached *a = sv->attached, *next; a; a = next) {
		next = a->next;
		if (a->clipped) {
			if (!loop_timer_active(a->repaint))
				loop_timer_set(a->repaint, REPAINT_MS);
		} else if (a->stale) {
			continue;
		} else if (a->out.len + len > BACKLOG_MAX) {
			buf_clear(&a->out);
			a->stale = true;
			wanted(a);
			loop_timer_set(a->repaint, REPAINT_MS);
		} else {
			emit(a, data, len);
		}
	}
}

/* -- size ------------------------------------------------------------------ */

/* The harness gets this terminal's size, the others are clipped to it. */
static void take_size(struct attached *a)
{
	struct supervisor *sv = a->sv;

	if (a->read_only || (a->cols == screen_cols(sv->screen) &&
			     a->rows == screen_rows(sv->screen)))
		return;
	harness_resize(sv, a->cols, a->rows);
	for (struct attached *b = sv->attached; b; b = b->next)
		redraw(b, true);
}

void attach_resize(struct attached *a, int cols, int rows)
{
	if (cols == a->cols && rows == a->rows)
		return;
	a->cols = cols;
	a->rows = rows;
	if (a->read_only)
		redraw(a, true);
	else
		take_size(a);
}

/* -- in -------------------------------------------------------------------- */

static void to_harness(struct attached *a, const char *data, size_t len)
{
	if (a->read_only || len == 0)
		return;
	if (typed_keys_any(data, len)) {
		take_size(a);
		activity_typed(a->sv->activity);
		sender_user_typed(a->sv->sender);
	}
	if (a->held.len || sender_holds_keys(a->sv->sender)) {
		if (a->held.len + len <= 2 * HELD_MAX)
			buf_add(&a->held, data, len);
		wanted(a);
		return;
	}
	harness_write(a->sv, data, len);
	wanted(a);
}

void attach_release(struct supervisor *sv)
{
	for (struct attached *a = sv->attached; a; a = a->next) {
		if (!a->held.len)
			continue;
		harness_write(sv, a->held.data, a->held.len);
		buf_clear(&a->held);
		wanted(a);
	}
}

/* Keys from the terminal: what came before the detach key still goes to the
 * harness. It may be gone after this. */
static void take_keys(struct attached *a, const char *data, size_t len)
{
	size_t at;
	enum detach_found found = detach_key_find(&a->detach, data, len, &at);

	to_harness(a, data, at);
	if (found == DETACH_KEY) {
		attach_end(a, "detached", NULL);
	} else if (found == DETACH_BEGINNING) {
		buf_add(&a->split, data + at, len - at);
		loop_timer_set(a->split_timer, SPLIT_WAIT_MS);
	}
}

static void on_split(void *ctx)
{
	struct attached *a = ctx;

	detach_key_skip(&a->detach, a->split.data, a->split.len);
	to_harness(a, a->split.data, a->split.len);
	buf_clear(&a->split);
}

void attach_input(struct attached *a, const char *data, size_t len)
{
	struct buf whole = {0};

	if (a->split.len == 0) {
		take_keys(a, data, len);
		return;
	}
	buf_add(&whole, a->split.data, a->split.len);
	buf_add(&whole, data, len);
	buf_clear(&a->split);
	loop_timer_stop(a->split_timer);
	take_keys(a, whole.data, whole.len);
	buf_finish(&whole);
}

static void on_tty(void *ctx, int fd, short revents)
{
	struct attached *a = ctx;
	char chunk[16384];

	if ((revents & POLLOUT) && !flush(a)) {
		attach_end(a, "lost", "the terminal is gone");
		return;
	}
	if (revents & POLLOUT && a->stale && a->out.len == 0)
		redraw(a, true);
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

/* -- life ------------------------------------------------------------------ */

static int take_tty(struct attached *a, int fd, struct err *err)
{
	struct termios raw;

	if (!isatty(fd))
		return err_set(err, ERR_USAGE,
			       "attach: the descriptor is no terminal");
	if (tcgetattr(fd, &a->saved) < 0)
		return err_errno(err, "attach: ask the terminal");
	a->have_saved = true;
	raw = a->saved;
	cfmakeraw(&raw);
	/* Not TCSADRAIN: a terminal that nobody reads would hold us up. */
	if (tcsetattr(fd, TCSANOW, &raw) < 0)
		return err_errno(err, "attach: set the terminal");
	/* Its own open file description (the client opened it anew), so that
	 * non-blocking is not what the user's shell gets. */
	file_set_nonblock(fd);
	return 0;
}

/* What the user had on the screen goes into the terminal's scrollback. */
static void scroll_away(struct attached *a)
{
	struct buf out = {0};

	buf_addf(&out, "\033[%d;1H", a->rows);
	for (int i = 0; i < a->rows; i++)
		buf_addc(&out, '\n');
	emit(a, out.data, out.len);
	buf_finish(&out);
}

static void take_detach_keys(struct attached *a, const cJSON *rq)
{
	struct strv hex = {0};

	json_strv(rq, "detach", &hex);
	for (size_t i = 0; i < hex.n; i++)
		detach_key_add(&a->detach, hex.v[i]);
	strv_finish(&hex);
}

int attach_add(struct peer *p, const cJSON *rq, int fd, struct err *err)
{
	struct supervisor *sv = p->sv;
	struct attached *a;

	if (p->attached) {
		if (fd >= 0)
			close(fd);
		return err_set(err, ERR_CONFLICT, "attached already");
	}
	a = mem_alloc(sizeof *a);
	a->sv = sv;
	a->peer = p;
	a->fd = fd;
	a->cols = (int)json_int(rq, "cols", 80);
	a->rows = (int)json_int(rq, "rows", 24);
	a->read_only = json_bool(rq, "read_only", false);
	take_detach_keys(a, rq);
	if (a->cols < 1 || a->rows < 1 || a->cols > SCREEN_MAX_COLS ||
	    a->rows > SCREEN_MAX_ROWS) {
		a->cols = 80;
		a->rows = 24;
	}
	if (fd >= 0 && take_tty(a, fd, err) < 0) {
		close(fd);
		free(a);
		return -1;
	}
	a->repaint = loop_timer_add(sv->loop, on_repaint, a);
	a->split_timer = loop_timer_add(sv->loop, on_split, a);
	if (fd >= 0)
		a->io = loop_io_add(sv->loop, fd, POLLIN, on_tty, a);
	a->next = sv->attached;
	sv->attached = a;
	p->attached = a;
	scroll_away(a);
	if (a->read_only || (a->cols == screen_cols(sv->screen) &&
			     a->rows == screen_rows(sv->screen)))
		redraw(a, true);
	else
		take_size(a);
	return 0;
}

/* The terminal as it was, as far as it still takes bytes. */
static void restore(struct attached *a)
{
	int64_t end = clock_mono_ms() + 200;
	struct buf leave = {0};

	buf_adds(&leave, "\030\033\\");
	screen_leave(&leave);
	buf_clear(&a->out);
	buf_add(&a->out, leave.data, leave.len);
	buf_finish(&leave);
	while (flush(a) && a->out.len && clock_mono_ms() < end) {
		struct pollfd p = {.fd = a->fd, .events = POLLOUT};

		poll(&p, 1, 20);
	}
	if (a->have_saved)
		tcsetattr(a->fd, TCSANOW, &a->saved);
	close(a->fd);
}

static void tell_end(struct peer *p, const char *reason, const char *text)
{
	cJSON *o;

	if (p->dead)
		return;
	o = cJSON_CreateObject();
	json_set_str(o, "event", "attach:end");
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
	loop_io_remove(a->io);
	a->io = NULL;
	loop_timer_remove(a->repaint);
	loop_timer_remove(a->split_timer);
	if (a->fd >= 0)
		restore(a);
	p->attached = NULL;
	buf_finish(&a->out);
	buf_finish(&a->held);
	buf_finish(&a->split);
	free(a);
	tell_end(p, reason, text);
}

void attach_end_all(struct supervisor *sv, const char *reason,
		    const char *text)
{
	while (sv->attached)
		attach_end(sv->attached, reason, text);
	for (struct peer *p = sv->peers; p; p = p->next) {
		if (p->attached_outside)
			tell_end(p, reason, text);
		p->attached_outside = false;
	}
}
