/*
 * at_limit.c - knows when the agent is at a limit (adapters/usage_limit.h), and
 * with on_limit = wait sends it on when that is over.
 *
 * Only the words of the agent's program count: a hook's error, the error of a
 * turn that has failed, a row of share/adapters/NAME.ini. The limit ends when a
 * hook reports work, or a turn ends with an answer; so it is kept over a
 * restart of the session and of the machine.
 *
 * Claude Code continues by itself in some cases and says so in others, too
 * (measured in 2.1.332: not after a second message). So a session that should
 * continue by itself, and has not after GRACE_MS, is sent on as any other one.
 */
#include "supervisor/chores/at_limit.h"

#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "adapters/usage_limit.h"
#include "adapters/screen/rules.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "supervisor/attach/attach.h"
#include "supervisor/part.h"
#include "supervisor/sender/messages.h"
#include "supervisor/sender/typist.h"
#include "supervisor/typed_keys.h"

#define SHORT_MS 60000 /* an agent that tries again this soon just works */
#define SPREAD_MS                                                              \
	60000	     /* sessions continue one after the other in this time, */
#define SPREAD_BY 60 /* or in this part of the limit's, if that is less */
#define GRACE_MS  180000 /* for one that continues by itself */
#define MINUTE_MS 60000
#define LATER_MS  60000 /* while a person is attached */

struct at_limit {
	struct loop_io *io;
	int fd;		/* fires at the wall-clock time, also after a suspend */
	bool stale;	/* what is shown is of a limit that is over */
	bool promised;	/* the agent said that it continues by itself: it may be
			   about to when it says so no more */
	bool in_turn;	/* the agent waits in its turn, and tries again */
	bool entered;	/* a message went in since it was at the limit */
	bool sent;	/* it was sent on */
	bool pressed;	/* the key of its dialog, once while it is up */
	bool must_send; /* the time has come */
};

static bool is_waiting(const struct supervisor *sv)
{
	const char *on_limit = sv->spec.on_limit;

	return on_limit && strcmp(on_limit, "wait") == 0;
}

/* Returns who will continue: "itself", "afw" or "you". */
static const char *who_continues(const struct supervisor *sv)
{
	const struct state *st = &sv->state;

	if (sv->at_limit->in_turn || sv->observer.shown.continues)
		return "itself";
	return is_waiting(sv) && st->limited_until &&
		       st->limited_sent != st->limited_until
		   ? "afw"
		   : "you";
}

/* Returns when to send it on, perhaps in the past; 0: never, as also while it
 * tries again in its turn: a message would come after that. */
static int64_t due_at(const struct supervisor *sv)
{
	const struct state *st = &sv->state;
	int64_t at = st->limited_until;
	int64_t spread = SPREAD_MS;

	if (state_over_budget(&sv->state) || !is_waiting(sv) || !st->limited ||
	    !at || st->limited_sent == at || sv->at_limit->in_turn)
		return 0;
	/* A time of the clock is a minute: it may be over at its end only. */
	if (at % MINUTE_MS == 0)
		at += MINUTE_MS;
	if (sv->at_limit->promised)
		at += GRACE_MS;
	if ((at - st->limited_since) / SPREAD_BY < spread)
		spread = (at - st->limited_since) / SPREAD_BY;
	if (spread > 0)
		at += (int64_t)(hash_add(HASH_NONE, sv->spec.id,
					 strlen(sv->spec.id)) %
				(uint64_t)spread);
	return at;
}

/* A change of the clock also wakes it. ms: wall; 0: never. */
static void set_timer(struct supervisor *sv, int64_t ms)
{
	struct itimerspec t = {.it_value = {ms / 1000, ms % 1000 * 1000000}};

	if (sv->at_limit->fd >= 0)
		timerfd_settime(sv->at_limit->fd,
				TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &t,
				NULL);
}

void at_limit_publish(struct supervisor *sv, const char *event,
		      const char *words)
{
	const struct state *st = &sv->state;
	char until[CLOCK_RFC3339_SIZE];
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "limited", st->limited);
	if (st->limited_until)
		clock_format(st->limited_until, until);
	json_set_text(o, "limited_until", st->limited_until ? until : NULL);
	json_set_text(o, "limited_by", st->limited_by);
	json_set_str(o, "detail", words);
	publish_event(sv, event, o);
	publish_lasting(sv);
}

/* Returns whether the new words are of the limit that is known: the screen
 * words it shorter than the hook, without a day. */
static bool is_known(const struct state *st, const struct usage_limit *l)
{
	return st->limited &&
	       (strcmp(st->limited, usage_limit_name(l->reason)) == 0 ||
		l->reason == LIMIT_USAGE) &&
	       (!l->until || l->until - st->limited_until < SHORT_MS);
}

static void update_by(struct supervisor *sv)
{
	struct state *st = &sv->state;
	const char *by = who_continues(sv);

	sv->at_limit->promised |= sv->observer.shown.continues;
	if (!st->limited || state_over_budget(&sv->state) ||
	    (st->limited_by && strcmp(st->limited_by, by) == 0))
		return;
	mem_set(&st->limited_by, by);
	set_timer(sv, due_at(sv));
	publish_soon(sv);
}

/* in_turn: the agent tries again by itself, and its turn continues. */
static void note_limit(struct supervisor *sv, const char *words, bool in_turn)
{
	struct state *st = &sv->state;
	int64_t now = clock_wall_ms();
	struct usage_limit l;

	/* Their time is read once: "4:40 PM" would be tomorrow's after that. */
	if (state_over_budget(&sv->state))
		return; /* nothing is sent, whatever the agent's own limit is */
	if (st->limited_words && strcmp(words, st->limited_words) == 0) {
		sv->at_limit->in_turn = in_turn;
		return;
	}
	if (!usage_limit_read(words, now, &l) ||
	    (in_turn && l.until - now < SHORT_MS &&
	     (l.reason == LIMIT_RATE || l.reason == LIMIT_BUSY)))
		return;
	mem_set(&st->limited_words, words);
	sv->at_limit->in_turn = in_turn;
	if (is_known(st, &l)) {
		update_by(sv);
		return;
	}
	mem_set(&st->limited, usage_limit_name(l.reason));
	sv->at_limit->entered = sv->at_limit->pressed = false;
	sv->at_limit->promised = false;
	st->limited_since = now;
	st->limited_until = l.until;
	mem_set(&st->limited_by, NULL);
	update_by(sv);
	at_limit_publish(sv, "limited", words);
}

void at_limit_forget(struct supervisor *sv)
{
	struct state *st = &sv->state;

	mem_set(&st->limited, NULL);
	mem_set(&st->limited_by, NULL);
	mem_set(&st->limited_words, NULL);
	st->limited_since = st->limited_until = 0;
}

static void end_limit(struct supervisor *sv)
{
	struct state *st = &sv->state;

	sv->at_limit->in_turn = sv->at_limit->must_send = false;
	sv->at_limit->stale = sv->observer.shown.limit[0] || sv->verdict.failed;
	if (!st->limited || state_over_budget(&sv->state))
		return;
	set_timer(sv, 0);
	if (sv->at_limit->sent)
		mem_set(&st->limited_by, "afw");
	sv->at_limit->sent = false;
	at_limit_publish(sv, "limited:over", "");
	at_limit_forget(sv);
}

bool at_limit_needs_login(const struct supervisor *sv)
{
	const char *limited = sv->state.limited;

	return limited && strcmp(limited, usage_limit_name(LIMIT_LOGIN)) == 0;
}

void at_limit_end_now(struct supervisor *sv)
{
	end_limit(sv);
}

static void at_limit_reading(struct supervisor *sv, const struct reading *r)
{
	bool works =
	    r->activity == ACTIVITY_WORKING || r->activity == ACTIVITY_THINKING;

	if (r->source != SOURCE_HOOK)
		return;
	if (r->limited)
		note_limit(sv, r->detail, works);
	else if (r->turn_started || works ||
		 (r->turn_ended && !r->failed && !r->interrupted &&
		  !r->unanswered))
		end_limit(sv);
}

/* Near a limit, Codex offers another model after a good turn, and takes no
 * message before that is answered. Its option to change nothing is pressed,
 * unless a person is there to choose. */
static bool is_warned(const struct supervisor *sv)
{
	const struct screen_state *shown = &sv->observer.shown;

	return shown->reading.question && shown->limit_key &&
	       !shown->limit[0] && !sv->state.limited &&
	       !sv->observer.approval_up && !attach_is_on(sv);
}

static void refine_warned(struct supervisor *sv, struct verdict *v)
{
	if (!is_warned(sv) || v->activity != ACTIVITY_WAITING_FOR_INPUT)
		return;
	if (!sv->at_limit->pressed)
		typist_later(sv, 0);
	v->activity = ACTIVITY_COMPLETED;
	v->question = false;
	v->detail[0] = '\0';
}

/* The screen, and the error of a turn that only the screen shows. */
static void at_limit_refine(struct supervisor *sv, struct verdict *v)
{
	const struct screen_state *shown = &sv->observer.shown;
	bool works =
	    v->activity == ACTIVITY_WORKING || v->activity == ACTIVITY_THINKING;

	sv->at_limit->stale &= shown->limit[0] || v->failed;
	if (shown->limit[0] && !sv->at_limit->stale)
		note_limit(sv, shown->limit, false);
	else if (v->failed && v->activity == ACTIVITY_COMPLETED &&
		 !sv->at_limit->stale)
		note_limit(sv, v->detail, false);
	else if (works && !sv->adapter->hook && sv->at_limit->entered)
		end_limit(sv);
	update_by(sv);
	if (sv->at_limit->must_send)
		typist_later(sv, 0);
	sv->at_limit->pressed &= shown->limit_key != '\0';
	refine_warned(sv, v);
}

static void at_limit_acted(struct supervisor *sv, enum act what, unsigned keys)
{
	struct state *st = &sv->state;

	sv->at_limit->entered |= what == ACT_SENT || (keys & TYPED_ENTER);
	/* Who interrupts it does not want it to continue. */
	if (st->limited &&
	    (what == ACT_INTERRUPT || (keys & TYPED_INTERRUPT))) {
		st->limited_sent = st->limited_until;
		sv->at_limit->must_send = false;
		update_by(sv);
	}
}

/* -- sending it on -------------------------------------------------------- */

static void send_on(struct supervisor *sv)
{
	sv->at_limit->must_send = false;
	sv->at_limit->sent =
	    messages_send(sv, "Please go on where you stopped.") > 0;
	sv->state.limited_sent = sv->state.limited_until;
	update_by(sv);
	publish_lasting(sv);
}

/* Presses the key that closes the limit's own dialog or its warning (Codex:
 * "Keep current model"), never in an approval, or sends the message; the sender
 * waits for a composer that is free. fresh: the screen has just been read. */
static bool at_limit_type(struct supervisor *sv, bool fresh)
{
	const struct screen_state *shown = &sv->observer.shown;
	struct err err = {0};
	struct buf key = {0};

	if (!sv->at_limit->must_send && !is_warned(sv))
		return false;
	if (!shown->reading.question) {
		send_on(sv);
		return false;
	}
	if (!shown->limit_key || sv->observer.approval_up ||
	    sv->at_limit->pressed ||
	    typist_check_turn(sv, HAND_ANSWER, &err) < 0)
		return false;
	if (!fresh)
		return true;
	buf_addc(&key, shown->limit_key);
	sv->at_limit->pressed = true;
	if (typist_press(sv, HAND_ANSWER, &key, &err) < 0)
		publish_log("close the dialog of the limit: %s", err.what);
	buf_finish(&key);
	return false;
}

static void on_time(void *ctx, int fd, short revents)
{
	struct supervisor *sv = ctx;
	uint64_t n;
	bool fired = read(fd, &n, sizeof n) == (ssize_t)sizeof n;

	if (!sv->state.limited || sv->state.phase != PHASE_RUNNING)
		return;
	if (!fired) { /* ECANCELED: the clock was set */
		set_timer(sv, due_at(sv));
	} else if (attach_is_on(sv)) {
		set_timer(sv, clock_wall_ms() + LATER_MS);
	} else {
		sv->at_limit->must_send = true;
		typist_later(sv, 0);
	}
}

static int at_limit_init(struct supervisor *sv, struct err *err)
{
	struct at_limit *l = sv->at_limit;

	l->fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
	if (l->fd < 0)
		return err_errno(err, "create a timer");
	l->io = loop_io_add(sv->loop, l->fd, POLLIN, on_time, sv);
	return 0;
}

/* The limit may be of an earlier run. */
static void at_limit_running(struct supervisor *sv)
{
	if (sv->state.limited)
		set_timer(sv, due_at(sv));
}

static void at_limit_end(struct supervisor *sv, const char *reason)
{
	sv->at_limit->must_send = false;
	set_timer(sv, 0);
}

static void at_limit_finish(struct supervisor *sv)
{
	loop_io_remove(sv->at_limit->io);
	if (sv->at_limit->io)
		close(sv->at_limit->fd);
}

const struct part at_limit_part = {
    .own = PART_OWN(at_limit),
    .init = at_limit_init,
    .running = at_limit_running,
    .reading = at_limit_reading,
    .refine = at_limit_refine,
    .acted = at_limit_acted,
    .type = at_limit_type,
    .end = at_limit_end,
    .finish = at_limit_finish,
};
