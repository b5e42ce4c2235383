/*
 * peer.h - one connection of the control socket: frames in, replies and
 * events out, bounded; who does not read is dropped, never waited for.
 */
#ifndef AFW_SUPERVISOR_PEER_H
#define AFW_SUPERVISOR_PEER_H

#include "supervisor/sender/receipts.h"
#include "supervisor/supervisor.h"

#define PEER_MAX	 64		   /* connections at once */
#define PEER_OF_PROCESS	 16		   /* of one process */
#define PEER_OF_SESSIONS 32		   /* of what runs in sessions */
#define PEER_BACKLOG_MAX (4 * 1024 * 1024) /* bytes a peer may be behind */

struct peer {
	struct supervisor *sv;
	struct peer *next;
	int fd;
	struct loop_io *io;
	struct buf in, out;
	int64_t last_request_at; /* monotonic ms: its last request */
	int passed_fd;		 /* came with the frame under way, or -1 */
	pid_t process;		 /* who connected */
	pid_t within; /* the supervisor above that: of ours, or another's, or
			 unknown (-1); 0: a user's own process */
	int open;     /* requests that are not answered yet */
	bool lines;   /* of headless/: it has no socket */
	bool starter; /* the afw that started us: may say "start" */
	bool dead;
	bool broken;	   /* cannot be written to: closed by peer_sweep() */
	cJSON *subscribed; /* array of event names, or NULL */
	int64_t stop_seq;  /* waits for the end; 0: does not */
	struct receipt_wait receipt; /* the message that it waits for */
	uint64_t screen_revision;    /* last one sent by a screen event */
	struct loop_timer *screen_timer;
	struct attached *attached; /* or NULL */
	bool attached_outside;	   /* the backend shows it: attach:end, too */
	bool was_attached;	   /* one of both, once */
};

/* 0, or -1 with err: it is what runs in a session, not a user's own. */
int peer_check_user(const struct peer *p, struct err *err);

/* Takes fd; greets. Where there are too many the idlest goes; NULL where there
 * is none, or it has too many itself (it is told, and closed). */
struct peer *peer_add(struct supervisor *sv, int fd);

/* Listens on the session's control socket; -1 with err. Until then, and after
 * peer_stop_listening(), which drops all peers, there is none. */
int peer_listen(struct supervisor *sv, struct err *err);
void peer_stop_listening(struct supervisor *sv);

/* Who waits for a greeting gets this error. The descriptor is new: what a
 * socket holds is room enough. */
void peer_greet_error(int fd, const struct err *err);

/* o (taken) is sent as a frame. The peer stays valid until peer_sweep(). */
void peer_send(struct peer *p, cJSON *o);
/* It has subscribed to that event. */
bool peer_wants(const struct peer *p, const char *event);
/* The reply to request seq: more (taken, may be NULL) with "ok":true. */
void peer_reply(struct peer *p, int64_t seq, cJSON *more);
void peer_refuse(struct peer *p, int64_t seq, const struct err *err);

/* Marks it; it is freed by peer_sweep() at the end of a round. */
void peer_close(struct peer *p);
void peer_sweep(struct supervisor *sv);

/* Writes what it can of what is pending; false when all is out or dead. */
bool peer_pending(const struct peer *p);

/* capture.c */
void capture_changed(struct supervisor *sv);

#endif
