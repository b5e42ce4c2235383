/* activity_internal.h - the fuser's inside; for activity*.c only. */
#ifndef AFW_SUPERVISOR_ACTIVITY_INTERNAL_H
#define AFW_SUPERVISOR_ACTIVITY_INTERNAL_H

#include "supervisor/activity.h"

#define ACTIVITY_HOOK_DOUBT_MS	    1500 /* a contradicted hook */
#define ACTIVITY_WAITING_DOUBT_MS   700	 /* the same, where it says waiting */
#define ACTIVITY_STATUS_DOUBT_MS    4000 /* a contradicted OSC 7501 */
#define ACTIVITY_INTERRUPT_DOUBT_MS 3000 /* a hook from before an interrupt */
#define ACTIVITY_REST_MS	    300	 /* idle is reported so late */
#define ACTIVITY_QUIET_MS	    3000 /* the process's rest is idle */
#define ACTIVITY_SAMPLE_MS	    1000 /* looks at a busy process */
#define ACTIVITY_IDLE_SAMPLE_MS	    5000 /* looks at an idle one */
#define ACTIVITY_QUICK_TURN_MS	    2000 /* a turn without a sign of work */
#define ACTIVITY_STALL_MS	    60000
#define ACTIVITY_SLOTS		    SOURCE_PROCESS /* sources that speak */
#define ACTIVITY_WHY		    160

/* What matters when two signals are compared. */
enum mood { MOOD_NONE, MOOD_BUSY, MOOD_WAITING, MOOD_REST };
enum mood activity_mood(enum activity a);

struct slot {
	struct reading r;
	enum mood mood;
	int64_t since; /* it has this mood */
	int64_t seen;  /* it last said so */
};

struct activity_fuser {
	const struct adapter *adapter;
	int64_t stall_ms;
	struct slot slots[ACTIVITY_SLOTS];
	enum composer composer;

	/* The witness. Times are 0 where it was never so. */
	int64_t output_at, cpu_at, children_at;
	int64_t process_at, cpu_ms; /* the sample that rates count from */
	int children, samples;

	/* The turn. */
	bool worked;	  /* since the last message or interrupt */
	bool failed;	  /* its end was an error */
	bool interrupted; /* its end was an interrupt */
	bool typed; /* a person has, since the start */
	int64_t interrupted_at, sent_at;

	/* What was reported. */
	struct verdict last;
	bool resting;	       /* a rest is held back… */
	int64_t resting_since; /* …since then */
};

/* What the signals say together, before anything is held back. */
struct fused {
	enum mood mood;
	enum activity activity;
	enum source source;
	const struct reading *reading; /* NULL: the process's */
	bool question;
	bool stalled;
	int64_t next_ms; /* delay after which time alone changes it; -1 */
	char detail[READING_TEXT];
	char why[ACTIVITY_SLOTS + 1][ACTIVITY_WHY];
};

void activity_fuse(const struct activity_fuser *a, int64_t now,
		   struct fused *f);

/* The last time that output, processor or children moved; 0: never. */
int64_t activity_moved_at(const struct activity_fuser *a);

#endif
