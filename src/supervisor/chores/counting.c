/*
 * counting.c - keeps the number of changes in the worktree up to date.
 *
 * touched.c reports that something was touched. If nothing was counted for
 * LONG_MS, afw-worktree counts the changes at once; else after QUIET_MS without
 * a change, but at most every INTERVAL_MS. One count runs at a time.
 *
 * A count looks at the paths that were touched and those that the last count
 * found changed; all others are as the base has them. The whole worktree is
 * counted at first, when a turn ends, because inotify does not report
 * everything, and if too many paths were touched or are changed.
 *
 * A user has 128 inotify instances, for all programs. If only a few are left, a
 * session that has been idle for REST_MS closes its own, and opens one when the
 * next turn begins; until then its counts may be old (state.unwatched). If it
 * gets none, the changes are counted when a turn ends, and every UNWATCHED_MS,
 * until a later turn gets one. If only some directories are not watched, the
 * whole worktree is counted every UNWATCHED_MS while there is output.
 */
#include "supervisor/chores/counting.h"

#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "session/disk/board.h"
#include "supervisor/monitor/monitor.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/worktree_child.h"

#define AT_ONCE_MS   5 /* an editor's files come together */
#define LONG_MS	     1000
#define QUIET_MS     100
#define INTERVAL_MS  2000
#define UNWATCHED_MS 30000
#define DEADLINE_MS  60000
#define REST_MS	     60000
#define SPARE	     32	  /* inotify instances that idle sessions leave free */
#define LAST_MS	     3000 /* the session's end waits this long for a count */

struct counting {
	struct supervisor *sv;
	struct touched *touched; /* NULL: not watched */
	char *refused;		 /* the reason why inotify was refused */
	bool rests;		 /* the timer is for the end of REST_MS */
	struct loop_timer *timer;
	struct child *child;	    /* the running count, or NULL */
	int64_t last_ms, before_ms; /* the last count, and the one before it */
	int64_t took_ms[2];	    /* of the last count; [1]: of everything */
	struct strv changed;	    /* all paths that are counted */
	bool listed;		    /* changed is complete */
	bool whole;		    /* the next count is of everything */
	bool counts_whole;	    /* the running one is */
	bool again, last;
};

static bool is_whole(const struct counting *c)
{
	return c->whole || !c->listed ||
	       !touched_is_known(c->touched, TOUCHED_COUNT);
}

/* Counts soon, but at most once in interval, and for at most a tenth of the
 * time. */
static void schedule(struct counting *c, int64_t interval)
{
	int64_t took = c->took_ms[is_whole(c)], now = clock_mono_ms();
	/* After a count at once, the rest of a burst waits for less. */
	int64_t pace = c->last_ms - c->before_ms > INTERVAL_MS + LONG_MS
			   ? QUIET_MS
			   : interval;
	int64_t least = took * 10 > pace ? took * 10 : pace;
	int64_t due = c->last_ms ? c->last_ms + least - now : 0;
	int64_t soon =
	    c->last_ms && now - c->last_ms > LONG_MS ? AT_ONCE_MS : QUIET_MS;

	c->rests = false;
	if (c->child)
		c->again = true;
	else if (c->timer)
		loop_timer_set(c->timer, due > soon ? due : soon);
}

static void on_changed(void *ctx)
{
	schedule(ctx, INTERVAL_MS);
}

static void open_watch(struct counting *c)
{
	c->touched = touched_create(c->sv, on_changed, c);
	if (c->touched && c->refused) {
		strv_drop(&c->sv->state.degraded, c->refused);
		publish_lasting(c->sv);
	} else if (!c->touched && !c->refused) {
		c->refused = mem_printf(
		    "its changes are counted every %d s only: inotify: %s",
		    UNWATCHED_MS / 1000, strerror(errno));
		publish_degraded(c->sv, "%s", c->refused);
	}
	if (c->touched)
		mem_set(&c->refused, NULL);
}

/* A turn has ended: starts a count, whatever inotify has reported. The same if
 * one begins, and nothing was watched. */
static void counting_verdict(struct supervisor *sv, const struct verdict *was)
{
	struct counting *c = sv->counting;

	if (sv->verdict.activity == was->activity ||
	    (!monitor_is_idle(sv) && (c->touched || !c->timer)))
		return;
	if (!monitor_is_idle(sv))
		open_watch(c);
	c->whole = true;
	schedule(c, INTERVAL_MS);
}

/* If inotify was refused, counts now and then. */
static void counting_output(struct supervisor *sv, const char *data, size_t len)
{
	struct counting *c = sv->counting;

	if (c->timer && touched_is_partial(c->touched) && !c->child &&
	    (!loop_timer_active(c->timer) || c->rests)) {
		c->whole = true;
		schedule(c, UNWATCHED_MS);
	}
}

/* -- the count ----------------------------------------------------------- */

/* The worktree was deleted under the running harness: reported once. */
static void report_worktree_gone(struct supervisor *sv)
{
	if (access(sv->spec.worktree, F_OK) < 0)
		publish_degraded(sv, "its worktree directory is gone");
}

static void read_counts(struct counting *c, const struct child_end *end)
{
	struct counts *n = &c->sv->state.counts, old = *n;
	struct err err = {0};
	_json_ cJSON *o = worktree_answer(end, &err);

	strv_finish(&c->changed);
	c->listed = !err.kind && cJSON_HasObjectItem(o, "changed");
	json_strv(o, "changed", &c->changed);
	if (err.kind) {
		publish_log("count changes: %s", err.what);
		if (o && c->sv->spec.private_git)
			publish_degraded(c->sv, "%s", err.what);
		report_worktree_gone(c->sv);
		return;
	}
	if (json_str(o, "harvest"))
		publish_degraded(c->sv, "%s", json_str(o, "harvest"));
	counts_read(n, o);
	if (spec_read_head(&c->sv->spec)) {
		board_set_spec(&c->sv->spec);
		publish_state(c->sv, false);
	}
	if (memcmp(n, &old, sizeof old) != 0)
		publish_soon(c->sv);
}

static void on_ended(void *ctx, const struct child_end *end)
{
	struct counting *c = ctx;

	c->child = NULL;
	c->took_ms[c->counts_whole] = clock_mono_ms() - c->last_ms;
	c->last_ms = clock_mono_ms();
	read_counts(c, end);
	if (c->again)
		schedule(c, INTERVAL_MS);
	else if (c->refused)
		schedule(c, UNWATCHED_MS);
	else if (c->touched && monitor_is_idle(c->sv)) {
		c->rests = true;
		loop_timer_set(c->timer, REST_MS);
	}
	c->again = false;
}

/* Returns whether the user may need this session's inotify instance. */
static bool is_scarce(void)
{
	int fds[SPARE], n = 0;
	bool scarce;

	while (n < SPARE && (fds[n] = inotify_init1(IN_CLOEXEC)) >= 0)
		n++;
	scarce = n < SPARE;
	while (n > 0)
		close(fds[--n]);
	return scarce;
}

static void rest(struct counting *c)
{
	c->rests = false;
	loop_timer_stop(c->timer);
	if (!is_scarce())
		return;
	touched_destroy(TAKE_PTR(c->touched));
	publish_soon(c->sv);
}

/* Adds what to count, if not all: what was touched, and what was counted
 * before. */
static void choose_paths(struct counting *c, struct strv *paths)
{
	c->counts_whole = is_whole(c);
	c->whole = false;
	/* Later changes belong to the next count. */
	c->counts_whole |= !touched_take(c->touched, TOUCHED_COUNT, paths);
	strv_copy(paths, &c->changed);
}

static void on_timer(void *ctx)
{
	struct counting *c = ctx;
	struct supervisor *sv = c->sv;
	struct repo_place others[SPEC_WITH_MAX];
	struct status_request rq = {.place = spec_place(&sv->spec),
				    .others = spec_others(&sv->spec, others),
				    .list = true};
	_strv_ struct strv paths = {0};
	struct err err = {0};

	if (c->child || !sv->terminal)
		return;
	if (c->rests) {
		rest(c);
		return;
	}
	choose_paths(c, &paths);
	rq.only = c->counts_whole ? NULL : &paths;
	loop_timer_stop(c->timer);
	c->before_ms = c->last_ms;
	c->last_ms = clock_mono_ms();
	c->child = worktree_child_start(sv, status_request(&rq), DEADLINE_MS,
					on_ended, c, &err);
	c->listed &= c->child != NULL;
	if (!c->child)
		publish_log("count changes: %s", err.what);
}

/* Counts the harness's last changes before its end is reported. */
static bool counting_ending(struct supervisor *sv, int64_t kill_at)
{
	struct counting *c = sv->counting;

	if (!c->timer || sv->starting || c->took_ms[is_whole(c)] > LAST_MS)
		return false;
	touched_read(c->touched);
	if (!c->child && !c->last &&
	    (touched_is_partial(c->touched) ||
	     (loop_timer_active(c->timer) && !c->rests))) {
		c->rests = false;
		c->last = true;
		loop_timer_stop(c->timer);
		on_timer(c);
	}
	if (c->child)
		child_hurry(c->child, LAST_MS);
	return c->child != NULL;
}

static void start_watching(struct supervisor *sv)
{
	struct counting *c = sv->counting;

	if (!sv->dir || !sv->spec.worktree_id)
		return; /* without a worktree of afw */
	c->sv = sv;
	c->timer = loop_timer_add(sv->loop, on_timer, c);
	open_watch(c);
	schedule(c, INTERVAL_MS);
}

struct touched *counting_touched(const struct supervisor *sv)
{
	return sv->counting->touched;
}

static void set_state(struct supervisor *sv)
{
	const struct counting *c = sv->counting;

	sv->state.unwatched =
	    c->timer && !c->touched && sv->state.phase == PHASE_RUNNING;
}

static void counting_finish(struct supervisor *sv)
{
	struct counting *c = sv->counting;

	if (!c->timer)
		return;
	free(c->refused);
	child_drop(c->child);
	touched_destroy(c->touched);
	strv_finish(&c->changed);
	loop_timer_remove(c->timer);
}

/* Lists show it at once; the count that follows says the same. */
static int on_landed(struct peer *p, struct request *rq, struct err *err)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "into", rq->landed.into);
	json_set_str(o, "commit", rq->landed.commit);
	json_set_bool(o, "checked", rq->landed.checked);
	publish_event(p->sv, "landed", o);
	p->sv->state.counts.merged = 1;
	publish_now(p->sv);
	peer_reply(p, rq->seq, NULL);
	return 0;
}

static const struct request_handler requests[] = {
    {REQUEST_LANDED, on_landed},
    {0},
};

const struct part counting_part = {
    .own = PART_OWN(counting),
    .start = start_watching,
    .output = counting_output,
    .verdict = counting_verdict,
    .ending = counting_ending,
    .state = set_state,
    .finish = counting_finish,
    .requests = requests,
};
