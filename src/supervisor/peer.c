/* peer.c - connections of the control socket. */
#include "base/version.h"
#include "supervisor/peer.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "session/disk/board.h"
#include "session/disk/dirs.h"
#include "session/live/processes.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"
#include "wire/sock.h"
#include "wire/frame.h"
#include "wire/protocol.h"

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77 /* not defined in older C libraries */
#endif

struct listener {
	int fd;
	struct loop_io *io;
};

static void on_peer(void *ctx, int fd, short revents);

static void update_events(struct peer *p)
{
	loop_io_events(p->io, p->out.len ? POLLIN | POLLOUT : POLLIN);
}

bool peer_pending(const struct peer *p)
{
	return !p->dead && !p->broken && p->out.len > 0;
}

/* Other functions may hold this peer or its terminal while bytes are sent: so
 * it is only marked, and closed at the end of the round. */
static void mark_broken(struct peer *p)
{
	p->broken = true;
	buf_clear(&p->out);
	update_events(p);
}

/* Marks it as closed; peer_sweep() frees it. */
static void close_peer(struct peer *p)
{
	if (p->dead)
		return;
	p->dead = true;
	PARTS(closed, p->sv, p);
	loop_io_remove(p->io);
	close(p->fd);
	file_close(p->passed_fd);
	p->fd = p->passed_fd = -1;
}

void peer_sweep(struct supervisor *sv)
{
	for (struct peer **at = &sv->peers; *at;) {
		struct peer *p = *at;

		if (p->broken)
			close_peer(p);
		if (!p->dead) {
			at = &p->next;
			continue;
		}
		*at = p->next;
		buf_finish(&p->in);
		buf_finish(&p->out);
		strv_finish(&p->subscribed);
		free(p);
	}
}

static void write_some(struct peer *p)
{
	while (p->out.len) {
		ssize_t n = send(p->fd, p->out.data, p->out.len,
				 MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN) {
			mark_broken(p);
			return;
		}
		if (n <= 0)
			break;
		buf_drop(&p->out, (size_t)n);
	}
	update_events(p);
}

/* Sends what was put into out, unless it is too much. */
static void send_queued(struct peer *p)
{
	if (p->out.len > PEER_BACKLOG_MAX) {
		publish_log("a client does not read: dropped");
		mark_broken(p);
	} else {
		write_some(p);
	}
}

static int queue_frame(struct peer *p, const cJSON *o, struct err *err)
{
	if (p->dead || p->broken)
		return 0;
	if (frame_append(&p->out, o, err) < 0)
		return -1;
	send_queued(p);
	return 0;
}

void peer_send(struct peer *p, cJSON *o)
{
	struct err err = {0};

	if (queue_frame(p, o, &err) < 0)
		publish_log("%s", err.what);
	cJSON_Delete(o);
}

void peer_reply(struct peer *p, int64_t seq, cJSON *more)
{
	struct err err = {0};

	if (!more)
		more = cJSON_CreateObject();
	json_set_int(more, "seq", seq);
	json_set_bool(more, "ok", true);
	/* A client must not wait for a reply that is too large. */
	if (queue_frame(p, more, &err) < 0)
		peer_reply_error(p, seq, &err);
	else
		p->open--;
	cJSON_Delete(more);
}

void peer_reply_error(struct peer *p, int64_t seq, const struct err *err)
{
	cJSON *o = cJSON_CreateObject();

	p->open--;
	json_set_int(o, "seq", seq);
	json_set_bool(o, "ok", false);
	json_set_int(o, "code", err->kind);
	json_set_str(o, "error", err->what);
	if (err->hint[0])
		json_set_str(o, "hint", err->hint);
	peer_send(p, o);
}

bool peer_wants(const struct peer *p, const char *event)
{
	return strv_has(&p->subscribed, event);
}

/* The harness has ended: answers clients that wait for that. */
static void reply_stopped(struct peer *p)
{
	const struct harness_end *end = p->sv->end;
	const struct state *s = &p->sv->state;
	struct err err = {0};
	cJSON *o;

	if (!p->stop_seq)
		return;
	if (end->left_behind > 0)
		err_set(&err, ERR_TIMEOUT,
			"%d of its processes could not be killed",
			end->left_behind);
	else if (publish_check_saved(p->sv, &err) < 0)
		err_prefix(&err,
			   "it has ended, but that could not be written down");
	if (err.kind) {
		peer_reply_error(p, p->stop_seq, &err);
		return;
	}
	o = cJSON_CreateObject();
	json_set_str(o, "phase", phase_name(s->phase));
	protocol_set_end(o, end->wait_status);
	json_set_str(o, "conversation", s->conversation);
	peer_reply(p, p->stop_seq, o);
}

/* Returns false when the connection is of no more use. */
static bool read_some(struct peer *p)
{
	ssize_t n = sock_receive_fd(p->fd, buf_room(&p->in, 65536), 65536,
				    &p->passed_fd);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n <= 0)
		return false;
	p->in.len += (size_t)n;
	p->in.data[p->in.len] = '\0';
	return true;
}

static void on_peer(void *ctx, int fd, short revents)
{
	struct peer *p = ctx;
	struct err err = {0};
	cJSON *o = NULL;
	int r;

	if (revents & POLLOUT)
		write_some(p);
	if (p->dead || p->broken || !(revents & (POLLIN | POLLHUP | POLLERR)))
		return;
	if (!read_some(p)) {
		close_peer(p);
		return;
	}
	while (!p->dead && !p->broken &&
	       (r = frame_extract(&p->in, &o, &err)) != 0) {
		if (r < 0) {
			publish_log("a client sent nonsense: %s", err.what);
			close_peer(p);
			return;
		}
		p->last_request_at = clock_mono_ms();
		p->sv->request(p, o);
		cJSON_Delete(o);
		o = NULL;
	}
	/* A descriptor that came with the last frame and was not used. */
	if (!p->dead && p->passed_fd >= 0 && p->in.len == 0)
		file_reset(&p->passed_fd);
}

/* -- who connects, and whether there is room ----------------------------- */

/*
 * Finds the process that connected, and the supervisor above it. Done once,
 * because the process may be gone later. If the kernel can (6.5), it gives a
 * pidfd, because a number may belong to another process by now.
 */
static void find_process(struct peer *p)
{
	int pidfd = -1;
	socklen_t len = sizeof pidfd;
	struct ucred who;
	struct pollfd gone;

	if (!sock_peer_is_same_user(p->fd, &who)) {
		p->within = -1;
		return;
	}
	p->process = who.pid;
	if (getsockopt(p->fd, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &len) < 0)
		pidfd = -1;
	p->within = process_supervisor(who.pid);
	gone = (struct pollfd){.fd = pidfd, .events = POLLIN};
	if (poll(&gone, 1, 0) > 0)
		p->within = -1;
	if (pidfd >= 0)
		close(pidfd);
}

int peer_check_user(const struct peer *p, struct err *err)
{
	return process_check_user(p->within, err);
}

/* Returns the peer that has been idle longest: it has sent no request, or has
 * all its answers. NULL if there is none. */
static struct peer *find_idlest(struct supervisor *sv)
{
	struct peer *found = NULL;

	for (struct peer *p = sv->peers; p; p = p->next)
		if (!p->dead && !p->starter && !p->holds && !p->subscribed.n &&
		    !p->attached && !p->attached_outside && !p->open &&
		    (!found || p->last_request_at < found->last_request_at))
			found = p;
	return found;
}

/* Limits how many connections one process, and all processes in sessions, may
 * have. If there is no room otherwise, drops the peer that has been idle
 * longest. */
static int make_room(const struct peer *from, struct err *err)
{
	struct supervisor *sv = from->sv;
	size_t n = 0, same = 0, within = 0;

	for (struct peer *p = sv->peers; p; p = p->next) {
		n += !p->dead;
		same += !p->dead && p->process == from->process;
		within += !p->dead && p->within;
	}
	if (same >= PEER_OF_PROCESS)
		return err_set(err, ERR_LIMIT,
			       "process %d is connected %d times already",
			       (int)from->process, PEER_OF_PROCESS);
	if (from->within && within >= PEER_OF_SESSIONS)
		return err_set(err, ERR_LIMIT,
			       "it has %d clients in sessions already",
			       PEER_OF_SESSIONS);
	if (n < PEER_MAX)
		return 0;
	if (!find_idlest(sv))
		return err_set(err, ERR_LIMIT, "it has %d clients already",
			       PEER_MAX);
	close_peer(find_idlest(sv));
	return 0;
}

static void send_greeting(struct peer *p)
{
	const struct supervisor *sv = p->sv;
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "ev", "system:ready");
	json_set_int(o, "v", WIRE_VERSION);
	json_set_str(o, "id", sv->spec.id);
	json_set_str(o, "name", sv->spec.name);
	json_set_int(o, "pid", getpid());
	json_set_str(o, "version", AFW_VERSION);
	peer_send(p, o);
}

void peer_greet_error(int fd, const struct err *err)
{
	cJSON *o = cJSON_CreateObject();
	struct buf out = {0};

	json_set_str(o, "ev", "system:error");
	json_set_int(o, "v", WIRE_VERSION + 1);
	json_set_str(o, "error", err->what);
	if (frame_append(&out, o, NULL) == 0)
		file_write_all(fd, out.data, out.len);
	cJSON_Delete(o);
	buf_finish(&out);
}

struct peer *peer_add(struct supervisor *sv, int fd)
{
	struct peer *p = mem_alloc(sizeof *p);
	struct err err = {0};

	*p = (struct peer){.sv = sv,
			   .next = sv->peers,
			   .fd = fd,
			   .passed_fd = -1,
			   .last_request_at = clock_mono_ms()};
	find_process(p);
	if (make_room(p, &err) < 0) {
		publish_log("a client was turned away: %s", err.what);
		peer_greet_error(fd, &err);
		close(fd);
		free(p);
		return NULL;
	}
	sv->peers = p;
	file_set_nonblock(fd);
	p->io = loop_io_add(sv->loop, fd, POLLIN, on_peer, p);
	send_greeting(p);
	return p;
}

static void on_listen(void *ctx, int fd, short revents)
{
	struct ucred peer;
	int c = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (c < 0)
		return;
	/* The client connects perhaps because it did not find this session on
	 * the board. */
	board_rewrite();
	if (!sock_peer_is_same_user(c, &peer)) {
		publish_log("a connection by uid %u was refused", peer.uid);
		close(c);
		return;
	}
	peer_add(ctx, c);
}

int peer_listen(struct supervisor *sv, struct err *err)
{
	int fd = dirs_listen(sv->dir, err);

	if (fd < 0)
		return -1;
	sv->listener->fd = fd;
	sv->listener->io = loop_io_add(sv->loop, fd, POLLIN, on_listen, sv);
	return 0;
}

static void peer_ended(struct supervisor *sv, const char *reason)
{
	for (struct peer *p = sv->peers; p; p = p->next)
		reply_stopped(p);
}

static void peer_event(struct supervisor *sv, const char *name, const cJSON *o)
{
	for (struct peer *p = sv->peers; p; p = p->next)
		if (peer_wants(p, name))
			peer_send(p, cJSON_Duplicate(o, 1));
}

void peer_stop_listening(struct supervisor *sv)
{
	while (sv->peers) {
		close_peer(sv->peers);
		peer_sweep(sv);
	}
	if (sv->listener->io) {
		_free_ char *path = file_join(sv->dir, "control");

		loop_io_remove(sv->listener->io);
		sv->listener->io = NULL;
		close(sv->listener->fd);
		unlink(path);
	}
}

/* A headless supervisor gets its session later. */
static int peer_init(struct supervisor *sv, struct err *err)
{
	return sv->dir ? peer_listen(sv, err) : 0;
}

const struct part peer_part = {
    .own = PART_OWN(listener),
    .init = peer_init,
    .event = peer_event,
    .ended = peer_ended,
    .finish = peer_stop_listening,
};
