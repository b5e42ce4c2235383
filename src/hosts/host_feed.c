/*
 * host_feed.c - the sessions of other machines, as they change.
 *
 * A host is not trusted: what it sends is read at a bounded rate, and a line,
 * or all sessions together, that are too long end the connection.
 */
#include "hosts/host_feed.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "hosts/host_child.h"

#define RETRY_MS     1000 /* doubled after each failure, */
#define RETRY_MAX_MS 30000
#define STEADY_MS    10000 /* and reset after a connection of this length */
#define CONNECT_MS   25000 /* ssh has 20 s for the handshake */
#define SILENT_MS    11000 /* the host sends a line every 5 s */
#define CHUNK	     ((size_t)64 * 1024)
#define CHUNK_MS     40 /* between two of them */
#define LINE_MAX_LEN ((size_t)64 * 1024)
#define ALL_MAX	     ((size_t)4 * 1024 * 1024) /* all lines of its sessions */
#define SESSIONS_MAX 2000		       /* of one host */
#define ERRORS_MAX   4096
#define REASON_SIZE  256
#define CHILDREN_MAX                                                           \
	1000 /* a host has one; those that were killed end later               \
	      */

struct known {
	char id[SPEC_ID_LEN + 1];
	size_t len;  /* of its last line */
	bool listed; /* since the connection was made */
};

struct feed {
	struct host_feeds *all;
	char *name;
	struct child *child; /* NULL: waits for the next try */
	int fd;		     /* its output, or -1 */
	struct loop_io *io;
	struct buf in;
	struct loop_timer *retry, *silence, *pause;
	int64_t delay_ms;     /* before the next try */
	int64_t connected_at; /* monotonic ms; 0: its list is not complete */
	int64_t shift_ms;     /* our clock minus its clock */
	bool clock_known;
	struct known *known;
	size_t n, bytes;
	struct host_state state;
	char reason[REASON_SIZE];
};

struct host_feeds {
	struct loop *loop;
	struct children *children;
	struct host_feed_events events;
	void *ctx;
	struct feed **v; /* of which the loop has pointers */
	size_t n;
};

static void start(void *ctx);

static void set_state(struct feed *f, enum host_reach reach, const char *reason)
{
	bool other = reach != f->state.reach;

	if (!other && strcmp(reason, f->reason) == 0)
		return;
	if (other)
		f->state.since = clock_wall_ms();
	f->state.reach = reach;
	utf8_printable(f->reason, sizeof f->reason, reason, strlen(reason));
	f->all->events.state(f->all->ctx, &f->state);
}

/* The connection has ended; its sessions stay. */
static void disconnect(struct feed *f, const char *reason)
{
	bool steady =
	    f->connected_at && clock_mono_ms() - f->connected_at >= STEADY_MS;

	child_drop(f->child);
	f->child = NULL;
	loop_io_remove(f->io);
	f->io = NULL;
	file_reset(&f->fd);
	buf_clear(&f->in);
	loop_timer_stop(f->silence);
	loop_timer_stop(f->pause);
	if (steady)
		f->delay_ms = RETRY_MS;
	loop_timer_set(f->retry, f->delay_ms);
	f->delay_ms *= 2;
	if (f->delay_ms > RETRY_MAX_MS)
		f->delay_ms = RETRY_MAX_MS;
	set_state(f, HOST_UNREACHABLE, reason);
}

/* -- the sessions ---------------------------------------------------------- */

static struct known *find_known(struct feed *f, const char *id)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->known[i].id, id) == 0)
			return &f->known[i];
	return NULL;
}

static void report_removed(struct feed *f, struct known *k)
{
	char id[SPEC_ID_LEN + 1];

	memcpy(id, k->id, sizeof id);
	f->bytes -= k->len;
	*k = f->known[--f->n];
	f->all->events.removed(f->all->ctx, f->name, id);
}

/* Two names may be of one machine: its sessions are those of the first. */
static bool is_of_other(const struct feed *f, const char *id)
{
	struct host_feeds *all = f->all;

	for (size_t i = 0; i < all->n; i++)
		if (all->v[i] != f && find_known(all->v[i], id))
			return true;
	return false;
}

/* Returns what is wrong with the line, or NULL. */
static const char *take_session(struct feed *f, cJSON *o, size_t len)
{
	struct session s;
	struct known *k;

	if (session_from_json(&s, o, f->shift_ms, NULL) < 0)
		return "it sent something that is not a session";
	if (is_of_other(f, s.spec.id)) {
		session_finish(&s);
		return NULL;
	}
	k = find_known(f, s.spec.id);
	if (!k) {
		f->known = mem_grow(f->known, f->n, sizeof *f->known);
		k = &f->known[f->n++];
		*k = (struct known){0};
		memcpy(k->id, s.spec.id, sizeof k->id);
	}
	f->bytes += len - k->len;
	k->len = len;
	k->listed = true;
	s.host = mem_strdup(f->name);
	f->all->events.session(f->all->ctx, &s);
	return f->bytes > ALL_MAX || f->n > SESSIONS_MAX
		   ? "it has too many sessions"
		   : NULL;
}

/* The host's clock: the first line, and the first after all its sessions. */
static void take_time(struct feed *f, int64_t now)
{
	f->shift_ms = clock_wall_ms() - now;
	if (f->clock_known && !f->connected_at) {
		f->connected_at = clock_mono_ms();
		for (size_t i = f->n; i-- > 0;)
			if (!f->known[i].listed)
				report_removed(f, &f->known[i]);
		set_state(f, HOST_REACHABLE, "");
	}
	f->clock_known = true;
}

static const char *take_line(struct feed *f, const char *line, size_t len)
{
	cJSON *o = json_parse_object(line, len, NULL);
	int64_t now = clock_parse(json_str_or(o, "now", ""));
	const char *wrong = NULL;

	if (!o)
		return "it sent something that is not a list of sessions";
	if (json_bool(o, "removed", false)) {
		struct known *k = find_known(f, json_str_or(o, "id", ""));

		if (k)
			report_removed(f, k);
	} else if (now < 0) {
		wrong = take_session(f, o, len);
		o = NULL; /* the session has it */
	} else {
		take_time(f, now);
	}
	cJSON_Delete(o);
	return wrong;
}

static const char *take_lines(struct feed *f)
{
	const char *end, *wrong = NULL;
	size_t used = 0;

	while (!wrong && f->in.len > used &&
	       (end = memchr(f->in.data + used, '\n', f->in.len - used))) {
		size_t len = (size_t)(end - f->in.data) - used;

		if (len > LINE_MAX_LEN)
			break;
		wrong = take_line(f, f->in.data + used, len);
		used += len + 1;
	}
	buf_drop(&f->in, used);
	return wrong			  ? wrong
	       : f->in.len > LINE_MAX_LEN ? "it sent a line that is too long"
					  : NULL;
}

/* -- the child ------------------------------------------------------------- */

static void on_pause_end(void *ctx)
{
	struct feed *f = ctx;

	if (f->io)
		loop_io_events(f->io, POLLIN);
}

static void on_output(void *ctx, int fd, short revents)
{
	struct feed *f = ctx;
	ssize_t n = read(fd, buf_room(&f->in, CHUNK), CHUNK);
	const char *wrong;

	(void)revents;
	if (n == 0) { /* it ends: on_ended() knows why */
		loop_io_remove(f->io);
		f->io = NULL;
		child_hurry(f->child, RETRY_MS);
	}
	if (n <= 0)
		return;
	f->in.len += (size_t)n;
	f->in.data[f->in.len] = '\0';
	loop_timer_set(f->silence, SILENT_MS);
	loop_io_events(f->io, 0);
	loop_timer_set(f->pause, CHUNK_MS);
	wrong = take_lines(f);
	if (wrong)
		disconnect(f, wrong);
}

static void on_silence(void *ctx)
{
	disconnect(ctx, "no answer");
}

static void on_ended(void *ctx, const struct child_end *end)
{
	struct feed *f = ctx;
	_free_ char *reason = host_child_reason(end);

	f->child = NULL;
	disconnect(f, reason);
}

static int launch(struct feed *f, int out, struct err *err)
{
	static const char *const words[] = {"ls", "--watch", "--json", NULL};
	struct child_start st = {.spawn.fd = {-1, out, -1},
				 .keep_errors = ERRORS_MAX,
				 .ended = on_ended,
				 .ctx = f};

	f->child = host_child_start(f->all->children, f->name, words, &st, err);
	return f->child ? 0 : -1;
}

static void start(void *ctx)
{
	struct feed *f = ctx;
	struct err err = {0};
	int ends[2];

	f->connected_at = 0;
	f->clock_known = false;
	for (size_t i = 0; i < f->n; i++)
		f->known[i].listed = false;
	if (pipe2(ends, O_CLOEXEC) < 0) {
		disconnect(f, "no pipe is left");
		return;
	}
	f->fd = ends[0];
	file_set_nonblock(f->fd);
	if (launch(f, ends[1], &err) == 0) {
		f->io = loop_io_add(f->all->loop, f->fd, POLLIN, on_output, f);
		loop_timer_set(f->silence, CONNECT_MS);
	} else {
		disconnect(f, err.what);
	}
	file_close(ends[1]);
}

/* -- all hosts ------------------------------------------------------------- */

static void open_feed(struct host_feeds *all, const char *name)
{
	struct feed *f = mem_alloc(sizeof *f);

	all->v = mem_grow(all->v, all->n, sizeof *all->v);
	all->v[all->n++] = f;
	*f = (struct feed){.all = all,
			   .name = mem_strdup(name),
			   .fd = -1,
			   .delay_ms = RETRY_MS};
	f->state = (struct host_state){
	    .host = f->name, .since = clock_wall_ms(), .reason = f->reason};
	f->retry = loop_timer_add(all->loop, start, f);
	f->silence = loop_timer_add(all->loop, on_silence, f);
	f->pause = loop_timer_add(all->loop, on_pause_end, f);
	loop_timer_set(f->retry, 0);
}

struct host_feeds *host_feeds_open(struct loop *loop,
				   const struct host_list *hosts,
				   const struct host_feed_events *events,
				   void *ctx)
{
	struct host_feeds *all = mem_alloc(sizeof *all);

	*all =
	    (struct host_feeds){.loop = loop,
				.children = children_create(loop, CHILDREN_MAX),
				.events = *events,
				.ctx = ctx};
	host_feeds_update(all, hosts);
	return all;
}

static void close_feed(struct feed *f)
{
	child_drop(f->child);
	loop_timer_remove(f->retry);
	loop_timer_remove(f->silence);
	loop_timer_remove(f->pause);
	loop_io_remove(f->io);
	file_close(f->fd);
	buf_finish(&f->in);
	free(f->known);
	free(f->name);
	free(f);
}

static bool is_in(const struct host_list *hosts, const char *name)
{
	for (size_t i = 0; i < hosts->n; i++)
		if (strcmp(hosts->v[i].name, name) == 0)
			return true;
	return false;
}

void host_feeds_update(struct host_feeds *all, const struct host_list *hosts)
{
	for (size_t i = all->n; i-- > 0;) {
		struct feed *f = all->v[i];

		if (is_in(hosts, f->name))
			continue;
		while (f->n)
			report_removed(f, f->known);
		close_feed(f);
		all->v[i] = all->v[--all->n];
	}
	for (size_t i = 0; i < hosts->n; i++)
		if (!host_feeds_state(all, hosts->v[i].name))
			open_feed(all, hosts->v[i].name);
}

void host_feeds_close(struct host_feeds *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n; i++)
		close_feed(f->v[i]);
	children_destroy(f->children);
	free(f->v);
	free(f);
}

void host_feeds_reap(struct host_feeds *f)
{
	children_reap(f->children);
}

const struct host_state *host_feeds_state(const struct host_feeds *f,
					  const char *host)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->v[i]->name, host) == 0)
			return &f->v[i]->state;
	return NULL;
}
