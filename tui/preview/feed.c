/*
 * feed.c - a subscription to one session's screen.
 *
 * No call of the client waits: each has a deadline of 0 ms. If the greeting is
 * late, the preview says so, and the connection is kept, as a stopped
 * supervisor may continue. A connection that ended or failed is tried again
 * after a pause, as long as the session counts as running. If several pictures
 * arrive at once, the last one is used.
 */
#include "tui/preview/feed.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "session/disk/dirs.h"
#include "wire/client.h"

#define SETTLE_MS     40
#define GREETING_MS   1500
#define RETRY_MS      1000
#define SEQ_SUBSCRIBE 1 /* the request that a reply belongs to */
#define SEQ_KEY	      2
#define SCREEN_MAX    (2 * 1024 * 1024) /* bytes of screen.json */

struct feed {
	struct loop *loop;
	loop_fn changed;
	void *ctx;
	char id[SPEC_ID_LEN + 1]; /* "": none */
	/* whether the session was running when last checked */
	bool alive;
	char *dir;
	struct client *client; /* or NULL */
	struct loop_io *io;
	struct loop_timer *connect, *late;
	bool greeted;
	bool refused; /* retrying cannot help */
	struct capture picture;
	bool has_picture, live;
	const char *says;
	char *refusal; /* the reason why the last key was refused, or NULL */
};

static void hang_up(struct feed *f)
{
	loop_io_remove(f->io);
	f->io = NULL;
	client_destroy(f->client);
	f->client = NULL;
	f->greeted = false;
	f->live = false;
	loop_timer_stop(f->late);
	loop_timer_stop(f->connect);
}

static void set_status(struct feed *f, const char *says)
{
	f->says = says;
	f->changed(f->ctx);
}

static void close_connection(struct feed *f, const char *says)
{
	hang_up(f);
	if (f->alive && !f->refused)
		loop_timer_set(f->connect, RETRY_MS);
	set_status(f, says);
}

/* Sends a few bytes. If there is no room for them the connection is not
 * usable. */
static bool send_request(struct feed *f, const struct request *rq)
{
	return client_send(f->client, rq, -1, 0, NULL) == 0;
}

/* Handles the reply to a key. */
static void handle_reply(struct feed *f, const cJSON *o)
{
	free(f->refusal);
	f->refusal = json_bool(o, "ok", false)
			 ? NULL
			 : mem_printf("not typed: %s",
				      json_str_or(o, "error", "refused"));
	f->says = f->refusal ? f->refusal : "";
}

/* Handles one message from the supervisor; returns false to end the
 * connection. */
static bool handle_message(struct feed *f, const cJSON *o)
{
	if (strcmp(json_str_or(o, "ev", ""), "screen") == 0) {
		if (capture_from_json(&f->picture, o) < 0)
			return true;
		f->has_picture = f->live = true;
	} else if (json_int(o, "seq", 0) == SEQ_KEY) {
		handle_reply(f, o);
	} else if (json_int(o, "seq", 0) == SEQ_SUBSCRIBE &&
		   !json_bool(o, "ok", false)) {
		f->refused = true;
		f->says = "its supervisor refuses to show the screen";
		return false;
	}
	return true;
}

static int read_greeting(struct feed *f, struct err *err)
{
	char *screen[] = {(char[]){"screen"}};

	if (client_greeting(f->client, 0, err) < 0) {
		f->refused = err->kind == ERR_FAILED;
		return -1;
	}
	f->greeted = true;
	loop_timer_stop(f->late);
	f->says = "";
	if (!send_request(
		f, REQUEST_OF(SUBSCRIBE, .seq = SEQ_SUBSCRIBE,
			      .subscribe.events = {.v = screen, .n = 1})))
		return err_set(err, ERR_NOT_RUNNING, "it disconnected");
	return 0;
}

static void on_io(void *ctx, int fd, short revents)
{
	struct feed *f = ctx;
	struct err err = {0};
	bool goes_on = true;

	if (f->greeted || read_greeting(f, &err) == 0)
		while (goes_on) {
			_json_ cJSON *o = client_next(f->client, 0, &err);

			if (!o)
				break;
			goes_on = handle_message(f, o);
		}
	if (!goes_on)
		close_connection(f, f->says);
	else if (err.kind == ERR_TIMEOUT)
		f->changed(f->ctx);
	else if (err.kind == ERR_NOT_RUNNING)
		close_connection(f, "");
	else if (f->refused)
		close_connection(
		    f, "its supervisor is of another version of afw: no live "
		       "screen");
	else
		close_connection(f, "its supervisor sent something unreadable");
}

static void on_connect(void *ctx)
{
	struct feed *f = ctx;
	_free_ char *path = f->id[0] ? dirs_socket(f->id, NULL) : NULL;

	if (path)
		f->client = client_open(path, 0, NULL);
	if (!f->client) {
		close_connection(f, "its supervisor does not answer");
		return;
	}
	f->io = loop_io_add(f->loop, client_fd(f->client), POLLIN, on_io, f);
	loop_timer_set(f->late, GREETING_MS);
}

static void on_late(void *ctx)
{
	set_status(ctx, "its supervisor does not answer (is it stopped?)");
}

static void read_last_screen(struct feed *f)
{
	_free_ char *path = file_join(f->dir, "screen.json");
	_json_ cJSON *o = json_load(AT_FDCWD, path, SCREEN_MAX, NULL);

	if (o && capture_from_json(&f->picture, o) == 0)
		f->has_picture = true;
}

struct feed *feed_create(struct loop *loop, loop_fn changed, void *ctx)
{
	struct feed *f = mem_alloc(sizeof *f);

	f->loop = loop;
	f->changed = changed;
	f->ctx = ctx;
	f->says = "";
	f->connect = loop_timer_add(loop, on_connect, f);
	f->late = loop_timer_add(loop, on_late, f);
	return f;
}

void feed_destroy(struct feed *f)
{
	if (!f)
		return;
	hang_up(f);
	loop_timer_remove(f->connect);
	loop_timer_remove(f->late);
	capture_finish(&f->picture);
	free(f->dir);
	free(f->refusal);
	free(f);
}

void feed_select(struct feed *f, const struct session *s)
{
	const char *id = s ? s->spec.id : "";
	bool alive = s && s->alive, same = strcmp(f->id, id) == 0;

	if (same && alive == f->alive)
		return;
	hang_up(f);
	f->refused = false;
	if (!same) {
		capture_finish(&f->picture);
		f->has_picture = false;
		memcpy(f->id, id, strlen(id) + 1);
		free(f->dir);
		f->dir = s ? mem_strdup(s->dir) : NULL;
	}
	f->alive = alive;
	f->says = "";
	if (alive)
		loop_timer_set(f->connect, SETTLE_MS);
	else if (s)
		read_last_screen(f);
}

bool feed_press(struct feed *f, const char *key)
{
	char *names[] = {(char *)(size_t)key};

	return f->live &&
	       send_request(f, REQUEST_OF(KEYS, .seq = SEQ_KEY,
					  .keys.names = {.v = names, .n = 1}));
}

const struct capture *feed_capture(const struct feed *f)
{
	return f->has_picture ? &f->picture : NULL;
}

bool feed_is_live(const struct feed *f)
{
	return f->live;
}

const char *feed_message(const struct feed *f)
{
	return f->says;
}
