/*
 * refresh.h - what one of afw's commands prints, read again when it may print
 * something else. One child at a time; it changes nothing and may be ended.
 */
#ifndef AFW_TUI_CHILD_REFRESH_H
#define AFW_TUI_CHILD_REFRESH_H

#include "base/mem.h"
#include "tui/child/job.h"

struct tui;
struct loop_timer;

struct refresh {
	/* The owner's, who is handed to both. */
	void *owner;
	/* Adds what is behind afw on the command line; nothing: there is
	 * nothing to read. */
	void (*words)(void *owner, struct strv *words);
	/* What it printed; exit_code -1: it could not be started, err says why.
	 * A picture is drawn afterwards. */
	void (*take)(void *owner, const struct job_result *r);
	int settle_ms; /* before another thing is read; 0: at once */
	int pause_ms;  /* before the same is read again; 0: at once */
	int share;     /* and so many times as long as the last one took */
	int timeout_ms;

	/* refresh.c's own */
	struct tui *t;
	struct loop_timer *timer;
	int64_t begun_ms, not_before_ms;
	bool runs, again;
};

/* Reads nothing yet. The owner's members have been set. */
void refresh_create(struct refresh *r, struct tui *t);
void refresh_finish(struct refresh *r);

/* It is another thing: ends the child and reads that. */
void refresh_now(struct refresh *r);
/* The same may be another by now: reads it again, after the child that runs. */
void refresh_soon(struct refresh *r);
/* Ends the child, and reads nothing until it is asked for again. */
void refresh_stop(struct refresh *r);

#endif
