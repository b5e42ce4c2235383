/*
 * state.h - the current state of a session: sessions/<id>/state.json, written
 * only by the process that holds the session's lock (afw while it provisions,
 * then the supervisor). While the session is running, the board (board.h) has
 * newer values.
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
#include "session/tokens.h"

#define STATE_VERSION  1
#define STATE_FILE_MAX (64 * 1024)

/* Counts of the worktree against the base; -1: not known yet. */
struct counts {
	int64_t files_changed, untracked, ahead, lines_added, lines_removed;
	int64_t uncommitted; /* files with changes that are in no commit,
				untracked files included */
	int64_t merged; /* 1: it has commits, nothing is uncommitted, and the
			   branch that it was made from has all of them */
};

struct state {
	int64_t rev; /* increases with each write */
	enum phase phase;
	enum activity activity;
	int64_t activity_since; /* wall ms */
	bool unsure; /* the activity may still change: other hooks are running
			or may answer, or the harness is setting itself up */
	char *activity_source; /* "osc7501", "hook", "title", "screen", … */
	char *detail; /* what the harness waits for or does; one line */
	char *question, *question_id; /* of the approval on its screen */
	bool question_whole; /* question is complete (approve_rule.h) */
	char *check; /* of its last turn: "running", "passed", "failed"; NULL:
			not checked */
	char *check_line;     /* the last line of the check's output */
	char *subtask;	      /* reported by the agent with af_subtask_state:
				 "working", "blocked", "completed", "failed"; NULL */
	char *subtask_detail; /* the agent's own text for it */
	char *error_reason;   /* for the user; only in phase error */
	bool waits; /* only in phase created: an afw holds its lock until it may
		       start (--after) */
	bool lost;  /* it is lost (session.h), and no start has succeeded since;
		       only in phases provisioning, starting and error */
	struct strv degraded;
	cJSON *sandbox;	 /* the handle of the sandbox that was last opened
			    (sandbox/sandbox.h); NULL: never */
	cJSON *services; /* services: name, state, pid, restarts, since, why;
			    NULL: none */
	int64_t check_round; /* how many failed checks in a row were sent to the
				agent, */
	int64_t check_rounds; /* and the maximum; 0: none is sent */
	char *run;	      /* of its last start: 16 hex digits */
	char *conversation;   /* the harness's own id */
	char *boot_id;	      /* of the kernel that it was last running on */
	char *supervisor_version; /* AFW_VERSION of its supervisor */
	char *title;
	char *last_line; /* last line of the screen */
	char *said; /* the first line of the agent's message at the end of its
		       last turn, until the next begins; of a command the last
		       line of output */
	struct counts counts;
	bool unwatched;	    /* they may be old: nothing watches the worktree */
	enum notice notice; /* the last notice to the user */
	int64_t notices;    /* number of notices */
	int64_t queued;	    /* queued messages */
	int64_t messages;   /* the last message's number */
	pid_t pid;	    /* the harness, 0: none */
	pid_t supervisor_pid;
	int cols, rows; /* the terminal's last size, 0: none yet */
	int exit_code;	/* -1: none */
	int signal;	/* 0: none */
	char *limited; /* by the agent's own words: "usage limit", … (adapters/
			  usage_limit.h); NULL: it is at no limit */
	int64_t limited_since; /* wall ms */
	int64_t limited_until; /* wall ms; 0: unknown */
	char *limited_words;   /* the agent's */
	char *limited_by;      /* who continues then: "itself", "afw", "you" */
	int64_t limited_sent;  /* the limited_until that it was sent on for */
	/* While the agent needs a login: the last message that is held until
	 * then, and the time of the login file (wall ms; 0: none). */
	int64_t login_held, login_stamp;
	char *stuck; /* why the agent is stuck: "stalled: …", "loops: …"; NULL:
			it is not known to be stuck */
	char *handed_to;	  /* the session that continues its work */
	int64_t handed_until;	  /* wall ms: no other one is started earlier */
	struct tokens tokens;	  /* that all turns have used, and their cost */
	char *model;		  /* the last one; NULL: unknown */
	int64_t turns;		  /* that have ended; */
	int64_t worked_ms;	  /* how long the agent has worked in them */
	cJSON *usage;		  /* what was read of it: chores/spending.c */
	int64_t budget_grants;	  /* how often the user has allowed more */
	int64_t budget_day_until; /* wall ms: no budget of a day until then */
	int64_t turn_at; /* wall ms: start of the last turn, if the worktree at
			    that time was kept (afw diff --turn); else 0 */
	/* number of the last one that a turn or an undo stored; 0: none */
	int64_t checkpoint;
	int64_t started_at, ended_at, updated_at; /* wall ms; 0 */
	int slot; /* place of a running session on the board (board.h); -1 */
};

/* The members, and where they are written. The board also has rev and
 * updated_at. */
extern const struct field state_fields[];

/* Reads the answer to "status" (wire/worktree_client.h). */
void counts_read(struct counts *n, const cJSON *answer);

#define STATE_BUDGET "budget" /* limited, if it is afw's own limit */

/* Returns whether a budget of the session, or of the day, is used up. */
bool state_over_budget(const struct state *s);

void state_init(struct state *s); /* all zero, except -1 for unknown */
void state_finish(struct state *s);
#define _state_ CLEANUP(state_finish)

/*
 * Adds 1 to rev and writes the state; a live phase together with the boot id of
 * this kernel. durable: returns only when it is on disk.
 */
int state_save(struct state *s, const char *session_dir, bool durable,
	       struct err *err);

/*
 * Reserves space on the disk (or releases it) for the last state of a session:
 * if the disk is full, state_save() uses the reserved space. Without a last
 * state the session would be read as lost.
 */
int state_reserve(const char *session_dir, bool keep, struct err *err);

/*
 * Reads a state; of a running session, with the values on the board. Fails with
 * ERR_FAILED if it is broken, truncated or newer; errno is ENOENT if there is
 * none, EPROTONOSUPPORT if it is newer. After a restart of the machine, pid and
 * supervisor_pid are 0, because other processes may have these numbers.
 */
int state_load(struct state *s, const char *session_dir, struct err *err);

/* Returns whether the machine was restarted since s was live; false if that is
 * unknown. */
bool state_is_of_earlier_boot(const struct state *s);

/* Renames a broken state file (.corrupt-<time>), and sets *path to its new
 * path, to be freed. Only the lock's holder may call this. */
int state_quarantine(const char *session_dir, char **path, struct err *err);

#endif
