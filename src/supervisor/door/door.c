/*
 * door.c - hook events, one JSON object a line, at most PIPE_BUF bytes each: up
 * to that size a write to a FIFO is atomic (pipe(7)), so hooks that run at the
 * same time cannot mix.
 */
#include "supervisor/door/door.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/delete_tree.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "supervisor/door/bridge.h"
#include "supervisor/monitor/monitor.h"
#include "supervisor/part.h"

#define HOOK_INPUT_MAX	 ((size_t)1024 * 1024)
#define HOOK_DEADLINE_MS 2000
#define READS_A_ROUND	 16

struct door {
	struct supervisor *sv;
	int fd;
	struct loop_io *io;
	struct buf in;
	bool skipping; /* the rest of a line that was too long */
	struct pace pace;
	struct loop_timer *timer;
	bool held; /* too many have come: none is read until the timer fires */
};

/* Counts an event; if there are too many, the next ones wait. */
static void limit_rate(struct door *d)
{
	int64_t wait = pace_took(&d->pace, clock_mono_ms());

	d->held = wait > 0;
	if (!d->held)
		return;
	loop_io_events(d->io, 0);
	loop_timer_set(d->timer, wait);
}

static void handle_line(struct door *d, const char *line, size_t len)
{
	struct err err = {0};
	cJSON *o = json_parse_object(line, len, &err);
	const char *event = json_str(o, "hook");
	const char *bridge = json_str(o, "bridge");

	if (!o) {
		publish_log("door: %s", err.what);
	} else if (event) {
		monitor_event(d->sv, event, json_get(o, "payload"));
		limit_rate(d);
	} else if (bridge) {
		bridge_connect(d->sv, bridge);
		limit_rate(d);
	}
	cJSON_Delete(o);
}

static void handle_lines(struct door *d)
{
	char *end;

	while (!d->held && d->in.len > 0 &&
	       (end = memchr(d->in.data, '\n', d->in.len))) {
		size_t len = (size_t)(end - d->in.data);

		if (!d->skipping && d->sv->terminal)
			handle_line(d, d->in.data, len);
		d->skipping = false;
		buf_drop(&d->in, len + 1);
	}
	if (!d->held && d->in.len > PIPE_BUF) {
		d->skipping = true;
		buf_clear(&d->in);
	}
}

static void on_door(void *ctx, int fd, short revents)
{
	struct door *d = ctx;
	char chunk[PIPE_BUF];

	for (int i = 0; i < READS_A_ROUND && !d->held; i++) {
		ssize_t n = read(fd, chunk, sizeof chunk);

		if (n <= 0)
			break;
		buf_add(&d->in, chunk, (size_t)n);
		handle_lines(d);
	}
}

static void on_timer(void *ctx)
{
	struct door *d = ctx;

	d->held = false;
	handle_lines(d);
	if (!d->held)
		loop_io_events(d->io, POLLIN);
}

static int door_init(struct supervisor *sv, struct err *err)
{
	struct door *d = sv->door;

	d->sv = sv;
	sv->door_path = file_join(sv->home, "door");
	/* Deletes a FIFO of an earlier run, or whatever the harness has put in
	 * its place: that must not keep its session from starting. */
	if (unlink(sv->door_path) < 0 && errno == EISDIR &&
	    delete_tree(AT_FDCWD, sv->door_path, err) < 0)
		return -1;
	/* Opened for reading and writing: without a writer of our own, poll
	 * would report the end of file for ever after the first hook. */
	if (mkfifo(sv->door_path, 0600) < 0 ||
	    (d->fd = open(sv->door_path,
			  O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)) < 0)
		return err_errno(err, "make the agent door %s", sv->door_path);
	d->io = loop_io_add(sv->loop, d->fd, POLLIN, on_door, d);
	d->timer = loop_timer_add(sv->loop, on_timer, d);
	d->pace = MONITOR_PACE;
	return 0;
}

static void door_finish(struct supervisor *sv)
{
	struct door *d = sv->door;

	if (d->io) {
		close(d->fd);
		unlink(sv->door_path);
	}
	buf_finish(&d->in);
	free(sv->door_path);
}

const struct part door_part = {
    .own = PART_OWN(door),
    .init = door_init,
    .finish = door_finish,
};

/* -- afw-supervisor hook ------------------------------------------------ */

/* Cuts every string in o, at any depth, to max bytes, between characters. */
static void shorten_strings(cJSON *o, size_t max)
{
	for (cJSON *c = o->child; c; c = c->next) {
		size_t len, at = 0;

		shorten_strings(c, max);
		if (!cJSON_IsString(c))
			continue;
		len = strlen(c->valuestring);
		if (len <= max)
			continue;
		while (at < len) {
			uint32_t cp;
			size_t n =
			    utf8_decode(c->valuestring + at, len - at, &cp);

			if (at + (n ? n : 1) > max)
				break;
			at += n ? n : 1;
		}
		c->valuestring[at] = '\0';
	}
}

static void drop_largest(cJSON *payload)
{
	cJSON *largest = NULL;
	size_t most = 0;

	for (cJSON *c = payload->child; c; c = c->next) {
		struct buf text = {0};

		json_print(c, &text);
		if (text.len > most) {
			most = text.len;
			largest = c;
		}
		buf_finish(&text);
	}
	if (largest)
		cJSON_Delete(cJSON_DetachItemViaPointer(payload, largest));
}

static void read_input(struct buf *in)
{
	int64_t end = clock_mono_ms() + HOOK_DEADLINE_MS;
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};

	while (in->len < HOOK_INPUT_MAX) {
		int64_t left = end - clock_mono_ms();
		ssize_t n;

		if (left <= 0 || poll(&p, 1, (int)left) <= 0)
			break;
		n = read(STDIN_FILENO, buf_room(in, 65536), 65536);
		if (n <= 0)
			break;
		in->len += (size_t)n;
		in->data[in->len] = '\0';
	}
}

int door_hook(const char *event)
{
	static const size_t limits[] = {600, 300, 150, 60};
	const char *path = getenv("AF_DOOR");
	cJSON *o = cJSON_CreateObject(), *payload;
	struct buf in = {0}, line = {0};
	struct stat st;
	int fd;

	read_input(&in);
	payload = in.len ? json_parse_object(in.data, in.len, NULL) : NULL;
	json_set_str(o, "hook", event);
	if (!payload)
		payload = cJSON_CreateObject();
	cJSON_AddItemToObject(o, "payload", payload);
	json_print(o, &line);
	/* observer_event() reads this. */
	if (line.len >= PIPE_BUF)
		json_set_bool(payload, "afw_cut", true);
	for (size_t i = 0; line.len >= PIPE_BUF && i < 4; i++) {
		shorten_strings(payload, limits[i]);
		buf_clear(&line);
		json_print(o, &line);
	}
	while (line.len >= PIPE_BUF && payload->child) {
		drop_largest(payload);
		buf_clear(&line);
		json_print(o, &line);
	}
	buf_addc(&line, '\n');
	fd = path ? open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
		  : -1;
	/* No reader, or a full FIFO: the event is lost, and the harness is not
	 * delayed. Its other signals remain. */
	/* Writes only to a FIFO of the user, whatever AF_DOOR says. */
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) &&
	    st.st_uid == geteuid()) {
		ssize_t n = write(fd, line.data, line.len);

		(void)n;
	}
	file_close(fd);
	buf_finish(&in);
	buf_finish(&line);
	cJSON_Delete(o);
	return 0;
}
