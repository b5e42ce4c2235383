/*
 * http.h - requests to one HTTP server on 127.0.0.1, in a loop; the only
 * place that knows libcurl.
 *
 * What is never done: a proxy (whatever the environment says), a redirect,
 * another protocol or host, a request without a deadline, an answer above
 * its bound. Before the first byte goes out on a connection the owner is
 * asked whether who took it is who was meant: the password is in it.
 */
#ifndef AFW_OPENCODE_HTTP_H
#define AFW_OPENCODE_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/loop.h"

struct http;

struct http_owner {
	void *ctx;
	/* Asked before a connection is made, after it was made, and before
	 * each request: false, and nothing is sent. */
	bool (*trusted)(void *ctx);
};

/* user and password are copied. NULL with err where libcurl is broken. */
struct http *http_create(struct loop *loop, const struct http_owner *owner,
			 const char *user, const char *password,
			 struct err *err);
void http_destroy(struct http *h); /* what is under way is silent; NULL */

/* Requests go to this port from now on; those under way are ended. */
void http_port(struct http *h, uint16_t port);

struct http_answer {
	int status;	  /* 0: there was none */
	bool sent;	  /* something of the request went out */
	const char *body; /* NUL-terminated; not a stream's; borrowed */
	size_t len;
	const char *error; /* status 0, or cut short: why; else NULL */
};

struct http_ask {
	const char *path; /* "/session", of characters that need no escape */
	const char *body; /* JSON: a POST; NULL: a GET */
	size_t max;	  /* bytes of the answer; more is an error */
	int64_t timeout_ms; /* of all; a stream's: of silence */
	void *ctx;
	/* Once, unless http_cancel(), http_port() or http_destroy() came
	 * before. May call all of these but http_destroy(). */
	void (*done)(void *ctx, const struct http_answer *a);
	/* An event stream: 200 and text/event-stream or done() at once. Called
	 * first with len 0 when the stream has begun. max does not count. May
	 * call nothing of this file. */
	void (*data)(void *ctx, const char *data, size_t len);
};

struct http_request; /* valid until done() or http_cancel() */

/* Starts it (all of ask is copied); done() never comes from within. */
struct http_request *http_start(struct http *h, const struct http_ask *ask);
void http_cancel(struct http_request *r); /* silent; NULL does nothing */

#endif
