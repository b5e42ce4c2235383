/*
 * interrupt.c - ends the agent's turn for a client (afw interrupt).
 *
 * As a person's wish, it does not wait for anything. But a section may have a
 * pause between its keys ("Escape 400 Escape"), in which the turn can end, a
 * dialog can open, or a person can type: then the other keys would mean
 * something else, and are not pressed.
 */
#include "supervisor/sender/interrupt.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "supervisor/harness/harness.h"
#include "supervisor/monitor/monitor.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/sender/typist.h"

#define POLL_MS	 20  /* for the rest of a screen that is being drawn */
#define WHOLE_MS 500 /* a screen that is drawn for longer is complete */

static void end(struct supervisor *sv)
{
	*sv->interrupt = (struct interrupt){0};
	typist_set_interrupting(sv, false);
}

/* Presses the keys up to the next pause; without one, the interrupt ends with
 * this. */
static int press(struct supervisor *sv, struct err *err)
{
	struct interrupt *i = sv->interrupt;
	_buf_ struct buf keys = {0};
	int64_t pause = adapter_interrupt(sv->adapter, sv->rules,
					  &sv->observer.shown, &i->at, &keys);

	if (harness_type(sv, &keys, err) < 0)
		return -1;
	monitor_acted(sv, ACT_INTERRUPT, 0);
	i->due = pause > 0 ? clock_mono_ms() + pause : 0;
	return 0;
}

static bool is_busy(enum activity a)
{
	return a == ACTIVITY_WORKING || a == ACTIVITY_THINKING;
}

/* Returns whether the screen, read just now, is still that of the first key. */
static bool is_same(const struct supervisor *sv)
{
	const struct interrupt *i = sv->interrupt;
	const struct reading *now = &sv->observer.shown.reading;

	return !i->typed && now->question == i->question &&
	       !(is_busy(i->activity) && !is_busy(now->activity) &&
		 now->activity != ACTIVITY_NONE);
}

static void reply(struct supervisor *sv)
{
	struct interrupt i = *sv->interrupt;

	end(sv);
	if (i.peer)
		typist_reply_when_taken(i.peer, i.seq, true);
}

static bool interrupt_type(struct supervisor *sv, bool fresh)
{
	struct interrupt *i = sv->interrupt;
	int64_t now = clock_mono_ms();

	if (i->due == 0)
		return false;
	if (now < i->due) {
		typist_later(sv, i->due - now);
		return false;
	}
	if (!fresh)
		return true;
	if (!observer_is_whole(&sv->observer, now) && now < i->due + WHOLE_MS) {
		typist_later(sv, POLL_MS);
		return false;
	}
	if (!is_same(sv) || press(sv, &(struct err){0}) < 0)
		i->due = 0;
	if (i->due == 0)
		reply(sv);
	else
		typist_later(sv, i->due - now);
	return false;
}

static int on_interrupt(struct peer *p, struct request *rq, struct err *err)
{
	struct supervisor *sv = p->sv;
	struct interrupt *i = sv->interrupt;

	if (i->due != 0)
		return err_set(err, ERR_REFUSED,
			       "an interrupt is being typed right now");
	monitor_refresh(sv);
	*i = (struct interrupt){
	    .peer = p,
	    .seq = rq->seq,
	    .question = sv->observer.shown.reading.question,
	    .activity = sv->observer.shown.reading.activity,
	};
	if (press(sv, err) < 0) {
		end(sv);
		return -1;
	}
	if (i->due == 0) {
		reply(sv);
		return 0;
	}
	typist_set_interrupting(sv, true);
	typist_later(sv, i->due - clock_mono_ms());
	return 0;
}

static void interrupt_acted(struct supervisor *sv, enum act what, unsigned keys)
{
	sv->interrupt->typed |= what == ACT_TYPED;
}

static void interrupt_end(struct supervisor *sv, const char *reason)
{
	if (sv->interrupt->due != 0)
		reply(sv); /* it had keys, and has ended */
}

static void interrupt_closed(struct supervisor *sv, struct peer *p)
{
	if (sv->interrupt->peer == p)
		sv->interrupt->peer = NULL;
}

static const struct request_handler requests[] = {
    {REQUEST_INTERRUPT, on_interrupt},
    {0},
};

const struct part interrupt_part = {
    .own = PART_OWN(interrupt),
    .requests = requests,
    .type = interrupt_type,
    .acted = interrupt_acted,
    .end = interrupt_end,
    .closed = interrupt_closed,
};
