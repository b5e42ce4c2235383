/*
 * http.c - libcurl's multi interface on our loop: it says which descriptors
 * and which time it waits for, we say what became of them.
 */
#include "opencode/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

#include "base/mem.h"

#define CONNECT_MS 3000

struct http_request {
	struct http_request *next;
	struct http *http;
	CURL *curl;
	struct http_ask ask;
	struct buf body; /* of the answer */
	bool streaming;	 /* the head of a stream was in order */
	char *text;	 /* of the request */
	char error[CURL_ERROR_SIZE];
	const char *refused; /* by us: why */
};

struct http {
	struct loop *loop;
	struct http_owner owner;
	char *user, *password;
	uint16_t port;
	CURLM *multi;
	struct curl_slist *headers;
	struct loop_timer *timer;
	struct http_request *requests;
};

/* A descriptor of libcurl's, in the loop. */
struct watched {
	struct http *http;
	struct loop_io *io;
};

static void unlink_request(struct http_request *r)
{
	struct http_request **p = &r->http->requests;

	while (*p && *p != r)
		p = &(*p)->next;
	if (*p)
		*p = r->next;
}

static void request_free(struct http_request *r)
{
	unlink_request(r);
	curl_multi_remove_handle(r->http->multi, r->curl);
	curl_easy_cleanup(r->curl);
	buf_finish(&r->body);
	free(r->text);
	free(r);
}

void http_cancel(struct http_request *r)
{
	if (r)
		request_free(r);
}

static void tell(struct http_request *r, CURLcode code)
{
	struct http_ask ask = r->ask;
	struct http_answer a = {.body = r->body.data ? r->body.data : "",
				.len = r->body.len};
	char error[CURL_ERROR_SIZE + 64];
	long status = 0, size = 0;

	curl_easy_getinfo(r->curl, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_getinfo(r->curl, CURLINFO_REQUEST_SIZE, &size);
	a.status = (int)status;
	a.sent = size > 0;
	if (r->refused || code != CURLE_OK) {
		snprintf(error, sizeof error, "%s",
			 r->refused    ? r->refused
			 : r->error[0] ? r->error
				       : curl_easy_strerror(code));
		a.error = error;
	}
	ask.done(ask.ctx, &a);
}

/* What has come to its end. done() may start and cancel others. */
static void sweep(struct http *h)
{
	struct http_request *r;
	CURLMsg *m;
	int left;

	while ((m = curl_multi_info_read(h->multi, &left))) {
		CURLcode code = m->data.result;

		if (m->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &r);
		curl_multi_remove_handle(h->multi, r->curl);
		unlink_request(r); /* http_port() spares it */
		tell(r, code);
		request_free(r);
	}
}

static void on_timer(void *ctx)
{
	struct http *h = ctx;
	int running;

	curl_multi_socket_action(h->multi, CURL_SOCKET_TIMEOUT, 0, &running);
	sweep(h);
}

static void on_socket(void *ctx, int fd, short revents)
{
	struct watched *w = ctx;
	struct http *h = w->http;
	int what = 0, running;

	if (revents & (POLLIN | POLLHUP))
		what |= CURL_CSELECT_IN;
	if (revents & POLLOUT)
		what |= CURL_CSELECT_OUT;
	if (revents & POLLERR)
		what |= CURL_CSELECT_ERR;
	curl_multi_socket_action(h->multi, fd, what, &running);
	sweep(h);
}

static int watch_socket(CURL *curl, curl_socket_t fd, int what, void *ctx,
			void *of_socket)
{
	struct http *h = ctx;
	struct watched *w = of_socket;
	short events = 0;

	(void)curl;
	if (what == CURL_POLL_REMOVE) {
		if (w) {
			loop_io_remove(w->io);
			free(w);
		}
		return 0;
	}
	if (what & CURL_POLL_IN)
		events |= POLLIN;
	if (what & CURL_POLL_OUT)
		events |= POLLOUT;
	if (!w) {
		w = mem_alloc(sizeof *w);
		w->http = h;
		w->io = loop_io_add(h->loop, fd, events, on_socket, w);
		curl_multi_assign(h->multi, fd, w);
	}
	loop_io_events(w->io, events);
	return 0;
}

static int watch_time(CURLM *multi, long delay_ms, void *ctx)
{
	struct http *h = ctx;

	(void)multi;
	if (delay_ms < 0)
		loop_timer_stop(h->timer);
	else
		loop_timer_set(h->timer, delay_ms);
	return 0;
}

/* -- one request --------------------------------------------------------- */

/* Only a stream with the right head is passed on. */
static bool is_stream(struct http_request *r)
{
	char *type = NULL;
	long status = 0;

	if (r->streaming)
		return true;
	curl_easy_getinfo(r->curl, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_getinfo(r->curl, CURLINFO_CONTENT_TYPE, &type);
	if (status != 200 || !type || strncmp(type, "text/event-stream", 17))
		return false;
	r->streaming = true;
	r->ask.data(r->ask.ctx, "", 0);
	return true;
}

static size_t on_data(char *data, size_t one, size_t len, void *ctx)
{
	struct http_request *r = ctx;

	(void)one; /* 1 */
	if (r->ask.data) {
		if (!is_stream(r)) {
			r->refused = "the answer is no event stream";
			return 0;
		}
		r->ask.data(r->ask.ctx, data, len);
		return len;
	}
	if (r->body.len + len > r->ask.max) {
		r->refused = "the answer is too long";
		return 0;
	}
	buf_add(&r->body, data, len);
	return len;
}

static int on_connected(void *ctx, char *peer, char *own, int peer_port,
			int own_port)
{
	struct http_request *r = ctx;

	(void)own;
	(void)own_port;
	if (strcmp(peer, "127.0.0.1") == 0 && peer_port == r->http->port &&
	    r->http->owner.trusted(r->http->owner.ctx))
		return CURL_PREREQFUNC_OK;
	r->refused = "the port is not the harness's";
	return CURL_PREREQFUNC_ABORT;
}

static curl_socket_t on_open(void *ctx, curlsocktype purpose,
			     struct curl_sockaddr *a)
{
	struct http_request *r = ctx;

	(void)purpose;
	if (!r->http->owner.trusted(r->http->owner.ctx)) {
		r->refused = "the port is not the harness's";
		return CURL_SOCKET_BAD;
	}
	return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

static void set_up(struct http_request *r, const char *url)
{
	CURL *c = r->curl;
	const struct http *h = r->http;

	curl_easy_setopt(c, CURLOPT_URL, url);
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http");
	curl_easy_setopt(c, CURLOPT_HTTP_VERSION,
			 (long)CURL_HTTP_VERSION_1_1);
	curl_easy_setopt(c, CURLOPT_PROXY, "");
	curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(c, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
	curl_easy_setopt(c, CURLOPT_USERNAME, h->user);
	curl_easy_setopt(c, CURLOPT_PASSWORD, h->password);
	curl_easy_setopt(c, CURLOPT_HTTPHEADER, h->headers);
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
	if (r->ask.data) {
		curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, 1L);
		curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME,
				 (long)(r->ask.timeout_ms / 1000));
	} else {
		curl_easy_setopt(c, CURLOPT_TIMEOUT_MS,
				 (long)r->ask.timeout_ms);
	}
	if (r->text) {
		/* What goes out on a connection that was used before is sent
		 * again by libcurl itself where it breaks off: never twice. */
		curl_easy_setopt(c, CURLOPT_FRESH_CONNECT, 1L);
		curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE,
				 (long)strlen(r->text));
		curl_easy_setopt(c, CURLOPT_POSTFIELDS, r->text);
	}
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_data);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, r);
	curl_easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, on_open);
	curl_easy_setopt(c, CURLOPT_OPENSOCKETDATA, r);
	curl_easy_setopt(c, CURLOPT_PREREQFUNCTION, on_connected);
	curl_easy_setopt(c, CURLOPT_PREREQDATA, r);
	curl_easy_setopt(c, CURLOPT_ERRORBUFFER, r->error);
	curl_easy_setopt(c, CURLOPT_PRIVATE, r);
}

struct http_request *http_start(struct http *h, const struct http_ask *ask)
{
	struct http_request *r = mem_alloc(sizeof *r);
	char *url = mem_printf("http://127.0.0.1:%u%s", h->port, ask->path);

	r->http = h;
	r->ask = *ask;
	r->text = mem_strdup(ask->body);
	r->ask.path = NULL;
	r->ask.body = NULL;
	r->curl = curl_easy_init();
	if (!r->curl)
		abort(); /* out of memory */
	set_up(r, url);
	r->next = h->requests;
	h->requests = r;
	curl_multi_add_handle(h->multi, r->curl);
	free(url);
	return r;
}

/* -- life ---------------------------------------------------------------- */

struct http *http_create(struct loop *loop, const struct http_owner *owner,
			 const char *user, const char *password,
			 struct err *err)
{
	struct http *h;

	/* No TLS here: none of its tables and random numbers. */
	if (curl_global_init(CURL_GLOBAL_NOTHING) != CURLE_OK) {
		err_set(err, ERR_FAILED, "libcurl cannot be used");
		return NULL;
	}
	h = mem_alloc(sizeof *h);
	h->loop = loop;
	h->owner = *owner;
	h->user = mem_strdup(user);
	h->password = mem_strdup(password);
	h->timer = loop_timer_add(loop, on_timer, h);
	h->headers =
	    curl_slist_append(NULL, "Content-Type: application/json");
	h->headers = curl_slist_append(h->headers, "Expect:");
	h->multi = curl_multi_init();
	if (!h->multi)
		abort(); /* out of memory */
	curl_multi_setopt(h->multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
	curl_multi_setopt(h->multi, CURLMOPT_SOCKETDATA, h);
	curl_multi_setopt(h->multi, CURLMOPT_TIMERFUNCTION, watch_time);
	curl_multi_setopt(h->multi, CURLMOPT_TIMERDATA, h);
	return h;
}

void http_port(struct http *h, uint16_t port)
{
	while (h->requests)
		request_free(h->requests);
	h->port = port;
}

void http_destroy(struct http *h)
{
	if (!h)
		return;
	while (h->requests)
		request_free(h->requests);
	curl_multi_cleanup(h->multi);
	curl_slist_free_all(h->headers);
	loop_timer_remove(h->timer);
	free(h->user);
	if (h->password)
		explicit_bzero(h->password, strlen(h->password));
	free(h->password);
	free(h);
	curl_global_cleanup();
}
