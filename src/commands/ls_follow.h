/* ls_follow.h - the sessions of this machine and of the hosts, kept current,
 * for ls --watch. */
#ifndef AFW_COMMANDS_LS_FOLLOW_H
#define AFW_COMMANDS_LS_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "hosts/host_feed.h"

/* Called from the loop, and by ls_follow_open() for what there is. */
struct ls_follow_events {
	/* A session is new or has changed; s NULL: it was removed. */
	void (*changed)(void *ctx, const char *id, const struct session *s);
	void (*host)(void *ctx, const struct host_state *state);
	/* Everything was reported that has changed up to now. */
	void (*settled)(void *ctx);
};

struct ls_follow {
	struct session_list list; /* in no order */
	struct loop *loop;
	struct host_feeds *feeds;
	const struct host_list *hosts;
	/* the rest is its own */
	const struct ls_follow_events *events; /* NULL: none */
	void *ctx;
	char *root;
	struct changes *changes;
	struct loop_timer *reload;
	int64_t reloaded_at, all_at; /* monotonic ms */
	struct strv changed;	     /* ids */
	bool all, board;	     /* what else has changed */
};

/* signals: those for on_signal besides SIGCHLD, 0 ends; their arrival ends
 * loop_run(). hosts: false leaves the hosts out. -1 with err. The caller calls
 * ls_follow_close() in every case. */
int ls_follow_open(struct ls_follow *f, bool hosts, const int *signals,
		   const struct ls_follow_events *events, void *ctx,
		   struct err *err);
void ls_follow_close(struct ls_follow *f);

/* Has settled() called after ms at the latest. */
void ls_follow_soon(struct ls_follow *f, int64_t ms);

#endif
