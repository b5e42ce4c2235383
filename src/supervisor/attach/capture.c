/* capture.c - the screen as JSON: on request, for subscribers, and at the
 * end. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "wire/protocol.h"

#define LINES_BYTES_MAX ((size_t)900 * 1024) /* fits a frame */

/* Returns how many bytes a line needs as a JSON string in a list. */
static size_t escaped_size(const struct buf *line)
{
	size_t n = 3;

	for (size_t i = 0; i < line->len; i++) {
		unsigned char c = (unsigned char)line->data[i];

		n += c < 0x20 ? 6 : c == '"' || c == '\\' ? 2 : 1;
	}
	return n;
}

/* Returns the screen, with as much history as fits in a frame: the oldest lines
 * are left out. */
static cJSON *make_screen(struct supervisor *sv, bool colours, int history)
{
	const struct screen *s = sv->observer.screen;
	cJSON *o = cJSON_CreateObject(), *lines = json_set_array(o, "lines");
	int first = screen_rows(s), cursor[2];
	struct buf line = {0};
	size_t total = 0;

	if (history > screen_history(s))
		history = screen_history(s);
	for (; first > (history > 0 ? -history : 0); first--) {
		buf_clear(&line);
		screen_row_text(s, first - 1, colours, &line);
		total += escaped_size(&line);
		if (total > LINES_BYTES_MAX)
			break;
		cJSON_InsertItemInArray(
		    lines, 0, cJSON_CreateString(line.data ? line.data : ""));
	}
	buf_finish(&line);
	screen_cursor(s, &cursor[0], &cursor[1]);
	json_set_int(o, "cols", screen_cols(s));
	json_set_int(o, "rows", screen_rows(s));
	json_set_int(o, "first", first);
	cJSON_AddItemToObject(o, "cursor", cJSON_CreateIntArray(cursor, 2));
	json_set_bool(o, "cursor_visible", screen_modes(s)->cursor_visible);
	json_set_str(o, "title", screen_title(s));
	return o;
}

static void on_screen_timer(void *ctx)
{
	struct peer *p = ctx;
	struct supervisor *sv = p->sv;
	cJSON *o;

	if (p->dead || !sv->observer.screen)
		return;
	/* A client that is still reading the last one gets the newest
	 * afterwards. */
	if (peer_pending(p)) {
		loop_timer_set(p->screen_timer, PROTOCOL_SCREEN_INTERVAL_MS);
		return;
	}
	if (p->screen_revision == screen_revision(sv->observer.screen) + 1)
		return;
	p->screen_revision = screen_revision(sv->observer.screen) + 1;
	o = make_screen(sv, true, 0);
	json_set_str(o, "ev", "screen");
	peer_send(p, o);
	if (!p->dead)
		loop_timer_set(p->screen_timer, PROTOCOL_SCREEN_INTERVAL_MS);
}

void capture_changed(struct supervisor *sv)
{
	for (struct peer *p = sv->peers; p; p = p->next) {
		if (p->dead || !peer_wants(p, "screen"))
			continue;
		if (!p->screen_timer)
			p->screen_timer =
			    loop_timer_add(sv->loop, on_screen_timer, p);
		if (!loop_timer_active(p->screen_timer))
			loop_timer_set(p->screen_timer, 0);
		observer_read_soon(&sv->observer); /* a client is watching */
	}
}

/* Deletes the screen of the previous run: if this supervisor is killed, it must
 * not be mistaken for this run's. */
static void delete_saved(struct supervisor *sv)
{
	char *path = file_join(sv->dir, "screen.json");

	unlink(path);
	free(path);
}

static void save_screen(struct supervisor *sv, const char *reason)
{
	char *path = file_join(sv->dir, "screen.json");
	cJSON *o = make_screen(sv, true, 1000);
	struct err err = {0};

	if (json_save(AT_FDCWD, path, o, false, &err) < 0)
		publish_log("save the last screen: %s", err.what);
	cJSON_Delete(o);
	free(path);
}

static int request(struct peer *p, struct request *rq, struct err *err)
{
	if (!p->sv->observer.screen)
		return harness_check_running(p->sv, err);
	harness_read(p->sv, 256 * 1024);
	peer_reply(
	    p, rq->seq,
	    make_screen(p->sv, rq->capture.colours, (int)rq->capture.history));
	return 0;
}

static void capture_closed(struct supervisor *sv, struct peer *p)
{
	loop_timer_remove(p->screen_timer);
}

static const struct request_handler requests[] = {{REQUEST_CAPTURE, request},
						  {0}};

const struct part capture_part = {
    .start = delete_saved,
    .screen_read = capture_changed,
    .end = save_screen,
    .closed = capture_closed,
    .requests = requests,
};
