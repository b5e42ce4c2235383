/* refresh.h - reads the output of one of afw's commands, again when it may have
 * changed. There is one child at a time; it changes nothing and may be
 * killed. */
#ifndef AFW_TUI_CHILD_REFRESH_H
#define AFW_TUI_CHILD_REFRESH_H

#include "base/mem.h"
#include "tui/child/job.h"

struct tui;
struct loop_timer;

struct refresh {
	/* passed to both functions */
	void *owner;
	/* Adds the arguments of afw; adds none if there is nothing to read. */
	void (*words)(void *owner, struct strv *words);
	/* Stores the output; exit_code -1: it could not be started, and err
	 * says why. A picture is drawn afterwards. */
	void (*store)(void *owner, const struct job_result *r);
	const char *dir; /* the working directory; NULL: ours */
	int settle_ms;	 /* delay before something else is read; 0: at once */
	int pause_ms;	 /* delay before the same is read again; 0: at once */
	int share;	 /* and this many times as long as the last run took */
	int timeout_ms;

	/* set by refresh.c */
	struct tui *t;
	struct loop_timer *timer;
	int64_t begun_ms, not_before_ms;
	bool runs, again;
};

/* Prepares r, whose members above the owner has set. Reads nothing yet. */
void refresh_create(struct refresh *r, struct tui *t);
void refresh_finish(struct refresh *r);

/* Call it when the words have changed: kills the child and starts another. */
void refresh_now(struct refresh *r);
/* Call it when the output may have changed: reads it again, after the running
 * child. */
void refresh_soon(struct refresh *r);
/* Kills the child, and reads nothing until the next call. */
void refresh_stop(struct refresh *r);

#endif
