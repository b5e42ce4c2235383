/*
 * state.h - what is: sessions/<id>/state.json, written only by the holder of
 * the session's lock (afw while it provisions, then the supervisor). While the
 * session lives, what describes the moment is newer on the board (board.h).
 */
#ifndef AFW_SESSION_STATE_H
#define AFW_SESSION_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <cjson/cJSON.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/mem.h"
#include "session/field.h"
#include "session/phase.h"

#define STATE_VERSION  1
#define STATE_FILE_MAX (64 * 1024)
#define STATE_LINE_MAX 256 /* bytes of one shown line */

/* Counts of the worktree against the base; -1: not known yet. */
struct counts {
	int64_t files_changed, untracked, ahead, lines_added, lines_removed;
	int64_t uncommitted; /* files that no commit has as they are; untracked
				ones included */
	int64_t merged;	     /* 1: it has commits, nothing is uncommitted, and
				all of it is in the branch it was made from */
};

struct state {
	int64_t rev; /* counts up with each write */
	enum phase phase;
	enum activity activity;
	int64_t activity_since;	  /* wall ms */
	bool unsure;		  /* that activity is a hook's word, and others
				     of the user's may change it, or it still
				     sets itself up: soon it is sure, or
				     another */
	char *activity_source;	  /* "osc7501", "hook", "title", "screen", … */
	char *detail;		  /* what it waits for, or does; one line */
	char *question, *question_id; /* of the approval on its screen */
	char *check;		  /* of its last turn's work: "running",
				     "passed", "failed"; NULL: not checked */
	char *check_line;	  /* the last that it printed */
	char *subtask;		  /* by its own word, af_subtask_state: "working",
				     "blocked", "completed", "failed"; NULL */
	char *subtask_detail;	  /* in its own words */
	char *error_reason;	  /* for a person; only in phase error */
	bool waits;		  /* in phase created alone: somebody holds its
				     lock until it may start (--after) */
	bool lost;		  /* it was to go on (session.h), and no start
				     has succeeded since; phases provisioning,
				     starting and error alone */
	struct strv degraded;
	cJSON *sandbox;		  /* what it was last opened as: the handle of
				     sandbox/sandbox.h; NULL: never */
	cJSON *services;	  /* what runs beside it: name, state, pid,
				     restarts, since, why; NULL: nothing */
	int64_t check_round;	  /* how often in a row a failed one was sent to
				     the agent; of at most */
	int64_t check_rounds;	  /* so many; 0: is not sent */
	char *run;		  /* of its last start: 16 hex digits */
	char *conversation;	  /* the harness's own id */
	char *boot_id;		  /* of the kernel that it last lived under */
	char *title;
	char *last_line;	  /* last line of the screen */
	char *said;		  /* what the agent said at its last turn's end,
				     until the next begins: the first line; of
				     a command the last that it printed */
	struct counts counts;
	enum notice notice;	  /* what the user was last to be told */
	int64_t notices;	  /* counts up with each */
	int64_t queued;		  /* messages that wait in afw's queue */
	int64_t messages;	  /* the last message's number */
	pid_t pid;		  /* the harness, 0: none */
	pid_t supervisor_pid;
	int cols, rows;		  /* the terminal's last size, 0: none yet */
	int exit_code;		  /* -1: none */
	int signal;		  /* 0: none */
	int64_t cost_micro; /* by the harness's word, in 1e-6 US dollars */
	int64_t turn_at; /* wall ms: its last turn began, and how the worktree
			    was then is known (afw diff --turn); 0 */
	int64_t created_at, started_at, ended_at, updated_at; /* wall ms; 0 */
	int slot; /* where the living are on the board (board.h); -1 */
};

/* What is written of it. The board has rev and updated_at besides. */
extern const struct field state_fields[];

/* From the answer to "status" (wire/worktree_client.h). */
void counts_read(struct counts *n, const cJSON *answer);

void state_init(struct state *s); /* zero, with -1 where it means unknown */
void state_finish(struct state *s);
#define _state_ CLEANUP(state_finish)

/*
 * Adds 1 to rev and writes; a live phase with the boot id of this kernel, as
 * its writer lives under it. durable: acknowledged only when on disk.
 */
int state_save(struct state *s, const char *session_dir, bool durable,
	       struct err *err);

/*
 * Keeps room on the disk, or no longer, for the state of a session at rest: one
 * that cannot be written otherwise goes there. One that nobody wrote reads as
 * lost.
 */
int state_keep_room(const char *session_dir, bool keep, struct err *err);

/*
 * Reads, the moment from the board. -1 with ERR_FAILED where it is broken, truncated or newer; errno is
 * ENOENT where there is none, EPROTONOSUPPORT where it is newer. After a
 * restart of the machine pid and supervisor_pid read as 0: those numbers may
 * be other processes' now.
 */
int state_load(struct state *s, const char *session_dir, struct err *err);

/* Whether the machine was restarted since s was live; false where unknown. */
bool state_is_of_earlier_boot(const struct state *s);

/* Moves a broken state file aside (.corrupt-<time>); says where in path,
 * to be freed. Only the lock's holder calls this. */
int state_quarantine(const char *session_dir, char **path, struct err *err);

#endif
