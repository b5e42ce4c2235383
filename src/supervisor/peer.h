/*
 * peer.h - one connection of the control socket: receives frames, sends replies
 * and events, within limits. A client that does not read is dropped, never
 * waited for.
 */
#ifndef AFW_SUPERVISOR_PEER_H
#define AFW_SUPERVISOR_PEER_H

#include "supervisor/supervisor.h"

#define PEER_MAX	 64		   /* connections at once */
#define PEER_OF_PROCESS	 16		   /* by one process */
#define PEER_OF_SESSIONS 32		   /* by processes in sessions */
#define PEER_BACKLOG_MAX (4 * 1024 * 1024) /* bytes not read yet */

struct peer {
	struct supervisor *sv;
	struct peer *next;
	int fd;
	struct loop_io *io;
	struct buf in, out;
	int64_t last_request_at; /* monotonic ms: its last request */
	int passed_fd;		 /* descriptor of the current frame, or -1 */
	pid_t process;		 /* the process that connected */
	pid_t within; /* the supervisor above it, this one or another; unknown:
			 -1; 0: a user's own process */
	int open;     /* requests that are not answered yet */
	bool lines;   /* a client of headless/, without a socket */
	bool starter; /* the afw that started this process: may "start" */
	bool dead;
	bool holds;		/* messages, until it disconnects: undo.c */
	bool broken;		/* writing failed: peer_sweep() closes it */
	struct strv subscribed; /* to events of these names */
	int64_t stop_seq;	/* waits for the end; 0: does not wait */
	struct receipt_wait
	    *receipt;		  /* the message that it waits for; or NULL */
	uint64_t screen_revision; /* of the last screen event */
	struct loop_timer *screen_timer;
	struct attached *attached; /* or NULL */
	bool attached_outside;	   /* the backend shows the session to it */
	bool was_attached;	   /* it was attached in one of these ways */
};

/* Returns -1 with err if the peer is a process in a session. */
int peer_check_user(const struct peer *p, struct err *err);

/* Takes fd over and sends the greeting. If there are too many peers, drops the
 * peer that has been idle longest. If none is idle, or the process has too many
 * itself, sends an error, closes fd and returns NULL. */
struct peer *peer_add(struct supervisor *sv, int fd);

/* peer_listen() listens on the session's control socket; -1 with err.
 * peer_stop_listening() removes the socket and drops all peers. */
int peer_listen(struct supervisor *sv, struct err *err);
void peer_stop_listening(struct supervisor *sv);

/* Sends this error to a client that waits for a greeting. Does not block: a new
 * socket has room for it. */
void peer_greet_error(int fd, const struct err *err);

/* Sends o (taken over) as a frame. The peer stays valid until peer_sweep(). */
void peer_send(struct peer *p, cJSON *o);
/* Returns whether it has subscribed to that event. */
bool peer_wants(const struct peer *p, const char *event);
/* Replies to request seq: more (taken over, may be NULL) with "ok":true. */
void peer_reply(struct peer *p, int64_t seq, cJSON *more);
void peer_reply_error(struct peer *p, int64_t seq, const struct err *err);

/* Frees those that were closed; called at the end of a round. */
void peer_sweep(struct supervisor *sv);

/* Writes pending bytes without blocking. Returns false when none are left, or
 * the peer is dead. */
bool peer_pending(const struct peer *p);

/* capture.c */
void capture_changed(struct supervisor *sv);

#endif
