/* support_opencode.c - requests answered by a few habits, events at will. */
#include "support_opencode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "opencode/client.h"
#include "wire/frame.h"

#define DEADLINE_MS 90000

static const char ok_object[] = "HTTP/1.1 200 OK\r\nContent-Type: "
				"application/json\r\nContent-Length: 2\r\n"
				"\r\n{}";

int world_listen(uint16_t *port)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
				.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
	assert_int_equal(listen(fd, 8), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &len), 0);
	*port = ntohs(a.sin_port);
	return fd;
}

static void write_to(int fd, const char *text)
{
	size_t n = strlen(text);

	assert_int_equal(send(fd, text, n, MSG_NOSIGNAL), n);
}

static void answer_json(int fd, const char *json)
{
	char *text = mem_printf("HTTP/1.1 200 OK\r\nContent-Type: "
				"application/json\r\nContent-Length: %zu\r\n"
				"\r\n%s",
				strlen(json), json);

	write_to(fd, text);
	free(text);
}

static void hang_up(struct world_connection *c)
{
	close(c->fd);
	c->fd = -1;
	buf_finish(&c->in);
}

static void answer(struct world *w, struct world_connection *c,
		   const char *what)
{
	if (w->silent > 0) {
		w->silent--;
	} else if (w->hold && strcmp(what, w->hold) == 0) {
		w->hold = NULL;
		w->held = c;
	} else if (strcmp(what, "GET /event") == 0) {
		write_to(c->fd, "HTTP/1.1 200 OK\r\nContent-Type: "
				"text/event-stream\r\n\r\n"
				"data: {\"type\":\"server.connected\"}\n\n");
		w->stream_fd = c->fd;
	} else if (strcmp(what, "GET /agent") == 0) {
		answer_json(c->fd, "[{\"name\":\"build\",\"mode\":\"primary\"},"
				   "{\"name\":\"plan\",\"mode\":\"primary\"}]");
	} else if (strcmp(what, "POST /session") == 0) {
		answer_json(c->fd, "{\"id\":\"ses_1\"}");
	} else if (strstr(what, "/prompt_async") && w->prompt) {
		if (*w->prompt)
			write_to(c->fd, w->prompt);
		else
			hang_up(c);
	} else if (strstr(what, "/message/") && w->message) {
		write_to(c->fd, w->message);
	} else if (strstr(what, "/select-session") && w->select) {
		if (*w->select)
			write_to(c->fd, w->select);
		else
			hang_up(c);
		w->select = NULL;
	} else if (strcmp(what, "GET /permission") == 0 && w->asked) {
		write_to(c->fd, w->asked);
		hang_up(c);
		w->asked = NULL;
	} else if (strcmp(what, "GET /permission") == 0 ||
		   strcmp(what, "GET /question") == 0) {
		answer_json(c->fd, "[]");
	} else if (strcmp(what, "GET /session/status") == 0 && w->probe) {
		write_to(c->fd, w->probe);
	} else {
		write_to(c->fd, ok_object);
	}
}

/* A whole request is there. */
static bool take_request(struct world *w, struct world_connection *c)
{
	char *end = c->in.data ? strstr(c->in.data, "\r\n\r\n") : NULL, *at;
	char method[8], path[200], what[220];
	size_t len = 0;

	if (!end)
		return false;
	at = strstr(c->in.data, "Content-Length: ");
	if (at && at < end)
		len = (size_t)atol(at + 16);
	if (c->in.len < (size_t)(end + 4 - c->in.data) + len)
		return false;
	*end = '\0';
	snprintf(w->head, sizeof w->head, "%s", c->in.data);
	assert_int_equal(sscanf(c->in.data, "%7s %199s", method, path), 2);
	snprintf(what, sizeof what, "%s %s", method, path);
	buf_addf(&w->log, "%s;", what);
	if (strstr(path, "/prompt_async"))
		snprintf(w->body, sizeof w->body, "%.*s", (int)len, end + 4);
	buf_drop(&c->in, (size_t)(end + 4 - c->in.data) + len);
	answer(w, c, what);
	return c->fd >= 0;
}

static void on_frame(struct world *w, const cJSON *o)
{
	const char *event = json_str_or(o, "event", "?");

	if (strcmp(event, "state") == 0)
		buf_addf(&w->told, "state %s %s;",
			 json_bool(o, "up", false) ? "up" : "down",
			 json_str(o, "why"));
	else if (strcmp(event, "sent") == 0)
		buf_addf(&w->told, "sent %d %s %s;", (int)json_int(o, "id", 0),
			 json_str(o, "receipt"), json_str(o, "detail"));
	else if (strcmp(event, "interrupted") == 0)
		buf_addf(&w->told, "interrupted %d;",
			 json_bool(o, "ok", false));
	else
		buf_addf(&w->told, "%s [%s];", event,
			 json_str_or(o, "activity", "?"));
}

static void read_bridge(struct world *w)
{
	ssize_t n = read(w->bridge_fd, buf_room(&w->in, 65536), 65536);
	struct err err;
	cJSON *o;

	assert_true(n > 0);
	w->in.len += (size_t)n;
	while (frame_take(&w->in, &o, &err) == 1) {
		on_frame(w, o);
		cJSON_Delete(o);
	}
}

static void read_connection(struct world *w, struct world_connection *c)
{
	ssize_t n = read(c->fd, buf_room(&c->in, 65536), 65536);

	if (n <= 0) {
		if (w->stream_fd == c->fd)
			w->stream_fd = -1;
		hang_up(c);
		return;
	}
	c->in.len += (size_t)n;
	c->in.data[c->in.len] = '\0';
	while (c->fd >= 0 && take_request(w, c))
		;
}

static void accept_one(struct world *w)
{
	int fd = accept4(w->listen_fd, NULL, NULL, SOCK_CLOEXEC);

	w->connected++;
	for (size_t i = 0; i < WORLD_CONNECTIONS; i++)
		if (w->c[i].fd < 0) {
			w->c[i].fd = fd;
			return;
		}
	fail_msg("too many connections");
}

void world_turn(struct world *w, int64_t wait_ms)
{
	struct pollfd p[WORLD_CONNECTIONS + 2];

	for (size_t i = 0; i < WORLD_CONNECTIONS; i++)
		p[i] = (struct pollfd){.fd = w->c[i].fd, .events = POLLIN};
	p[WORLD_CONNECTIONS] =
	    (struct pollfd){.fd = w->listen_fd, .events = POLLIN};
	p[WORLD_CONNECTIONS + 1] =
	    (struct pollfd){.fd = w->bridge_fd, .events = POLLIN};
	if (poll(p, WORLD_CONNECTIONS + 2, (int)wait_ms) <= 0)
		return;
	for (size_t i = 0; i < WORLD_CONNECTIONS; i++)
		if (w->c[i].fd >= 0 && p[i].revents)
			read_connection(w, &w->c[i]);
	if (p[WORLD_CONNECTIONS].revents)
		accept_one(w);
	if (p[WORLD_CONNECTIONS + 1].revents)
		read_bridge(w);
}

void world_await(struct world *w, struct buf *b, const char *word)
{
	int64_t end = clock_mono_ms() + DEADLINE_MS;
	char *at;

	while (!b->data || !(at = strstr(b->data, word))) {
		if (clock_mono_ms() > end)
			fail_msg("no \"%s\" in \"%s\" (\"%s\")", word,
				 b->data ? b->data : "",
				 w->log.data ? w->log.data : "");
		world_turn(w, 100);
	}
	buf_drop(b, (size_t)(at - b->data) + strlen(word));
	b->data[b->len] = '\0';
}

void world_say(struct world *w, const char *json)
{
	struct buf out = {0};
	struct err err;
	cJSON *o = cJSON_Parse(json);

	assert_non_null(o);
	assert_int_equal(frame_put(&out, o, &err), 0);
	assert_int_equal(write(w->bridge_fd, out.data, out.len), out.len);
	buf_finish(&out);
	cJSON_Delete(o);
}

void world_begin(struct world *w, pid_t harness, const char *more)
{
	char *text = mem_printf("{\"op\":\"begin\",\"pid\":%d,\"options\":{"
				"\"port\":%u,\"password\":\"secret\"%s}}",
				(int)harness, w->port, more);

	world_say(w, text);
	free(text);
}

void world_init(struct world *w)
{
	int pair[2];

	*w = (struct world){.stream_fd = -1};
	for (size_t i = 0; i < WORLD_CONNECTIONS; i++)
		w->c[i].fd = -1;
	w->listen_fd = world_listen(&w->port);
	assert_int_equal(
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	fflush(NULL);
	w->bridge = fork();
	if (w->bridge == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(w->listen_fd);
		close(pair[0]);
		signal(SIGPIPE, SIG_IGN);
		_exit(client_run(pair[1]));
	}
	close(pair[1]);
	w->bridge_fd = pair[0];
}

void world_finish(struct world *w)
{
	int status;

	close(w->bridge_fd); /* that ends it */
	assert_int_equal(waitpid(w->bridge, &status, 0), w->bridge);
	assert_int_equal(status, 0);
	for (size_t i = 0; i < WORLD_CONNECTIONS; i++)
		if (w->c[i].fd >= 0)
			hang_up(&w->c[i]);
	close(w->listen_fd);
	buf_finish(&w->in);
	buf_finish(&w->log);
	buf_finish(&w->told);
}

void world_event(struct world *w, const char *type, const char *properties)
{
	char *text = mem_printf("data: {\"type\":\"%s\",\"properties\":%s}\n\n",
				type, properties);

	assert_true(w->stream_fd >= 0);
	write_to(w->stream_fd, text);
	free(text);
}

void world_release(struct world *w, const char *json)
{
	assert_non_null(w->held);
	answer_json(w->held->fd, json);
	w->held = NULL;
}

void world_up(struct world *w)
{
	world_begin(w, getpid(), "");
	world_await(w, &w->told, "state up ;");
}

void world_posted(struct world *w, char id[64])
{
	cJSON *o = cJSON_Parse(w->body);

	assert_non_null(json_str(o, "messageID"));
	snprintf(id, 64, "%s", json_str(o, "messageID"));
	cJSON_Delete(o);
}

void world_took(struct world *w, const char *id)
{
	char *text = mem_printf("{\"info\":{\"id\":\"%s\",\"role\":\"user\","
				"\"sessionID\":\"ses_1\"}}",
				id);

	world_event(w, "message.updated", text);
	free(text);
	text = mem_printf("{\"part\":{\"id\":\"prt_%s\",\"type\":\"text\","
			  "\"sessionID\":\"ses_1\",\"messageID\":\"%s\","
			  "\"text\":\"x\"}}",
			  id, id);
	world_event(w, "message.part.updated", text);
	free(text);
}

pid_t world_someone(void)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	return pid;
}

void world_end_someone(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}
