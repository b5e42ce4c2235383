/*
 * support_opencode.h - a world for OpenCode's bridge: the bridge in a child,
 * and a server of this process's that it follows. What goes wrong fails the
 * test.
 */
#ifndef AFW_TESTS_SUPPORT_OPENCODE_H
#define AFW_TESTS_SUPPORT_OPENCODE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

#define WORLD_CONNECTIONS 16

struct world_connection {
	int fd; /* -1: free */
	struct buf in;
};

/* A server, and the other end of a bridge's socket. */
struct world {
	int listen_fd, bridge_fd, stream_fd;
	uint16_t port;
	pid_t bridge;
	struct world_connection c[WORLD_CONNECTIONS];
	struct buf in;	 /* from the bridge */
	struct buf log;	 /* "GET /x;" … */
	struct buf told; /* "state up;" … */
	char body[4096]; /* of the last prompt_async */
	char head[2048]; /* of the last request */
	int connected;

	struct world_connection *held;

	/* Habits. */
	int silent;	     /* so many requests are never answered */
	const char *hold;    /* the next "GET /x" waits for world_release() */
	const char *prompt;  /* the answer to prompt_async; "": hang up */
	const char *message; /* the answer to GET …/message/… */
	const char *probe;   /* the answer to /session/status */
	const char *select;  /* the next answer to select-session; "": hang up */
	const char *asked;   /* the next answer to /permission */
};

void world_init(struct world *w);   /* starts the bridge */
void world_finish(struct world *w); /* ends it; it must end well */

/* Frames to the bridge: any, "begin" (more: further options, with a comma
 * before them). up: as it is begun for this process, until it is up. */
void world_say(struct world *w, const char *json);
void world_begin(struct world *w, pid_t harness, const char *more);
void world_up(struct world *w);

/* Serves what comes within wait_ms. */
void world_turn(struct world *w, int64_t wait_ms);
/* Until b has word; then all up to there is dropped. */
void world_await(struct world *w, struct buf *b, const char *word);

/* An event of the server's; one that a user's message was taken. */
void world_event(struct world *w, const char *type, const char *properties);
void world_took(struct world *w, const char *id);
/* The name that the last message was posted under. */
void world_posted(struct world *w, char id[64]);

/* The request that was held is answered. */
void world_release(struct world *w, const char *json);

/* A socket that listens on a port of 127.0.0.1. */
int world_listen(uint16_t *port);
/* A child that has open what is open here, until it is ended. */
pid_t world_someone(void);
void world_end_someone(pid_t pid);

#endif
