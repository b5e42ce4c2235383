/*
 * typist.c - gives out the turns to press keys, and presses them.
 *
 * Messages and answers press their keys in the hook type(), which asks for what
 * the harness has printed until now by returning: it is read here, between two
 * calls, and never within one.
 *
 * If the backend reports whether the terminal took the keys that a client asked
 * for (tmux), the reply waits for that: ERR_FAILED means that nothing was
 * pressed, ERR_UNCONFIRMED that it is unknown.
 */
#include "supervisor/sender/typist.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/keyname.h"
#include "supervisor/harness/harness.h"
#include "supervisor/monitor/monitor.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/typed_keys.h"
#include "wire/frame.h"

#define HELD_MAX   ((size_t)64 * 1024) /* beyond this, no keys are read */
#define UNREAD_MAX ((size_t)64 * 1024) /* by the harness; likewise */

/* A request whose bytes have not all been taken. */
struct pressed {
	struct pressed *next;
	struct peer *peer;
	int64_t seq;
	uint64_t upto; /* of harness_taken() */
	bool interrupt;
};

struct typist {
	struct loop_timer *timer;
	struct buf held; /* a person's keys, during a paste */
	struct pressed *first;
	bool answering, interrupting;
};

/* -- turns --------------------------------------------------------------- */

int typist_check_turn(const struct supervisor *sv, enum hand hand,
		      struct err *err)
{
	bool paste = sender_holds_keys(sv->sender);
	bool message = sender_is_typing(sv->sender);
	const char *other = NULL;

	if (hand == HAND_PERSON ? paste : message && hand != HAND_MESSAGE)
		other = "a message";
	else if (hand != HAND_PERSON && hand != HAND_ANSWER &&
		 sv->typist->answering)
		other = "an answer";
	else if (hand != HAND_PERSON && sv->typist->interrupting)
		other = "an interrupt";
	return other ? err_set(err, ERR_REFUSED, "%s is being typed right now",
			       other)
		     : 0;
}

void typist_set_answering(struct supervisor *sv, bool answering)
{
	sv->typist->answering = answering;
}

void typist_set_interrupting(struct supervisor *sv, bool interrupting)
{
	sv->typist->interrupting = interrupting;
}

int typist_press(struct supervisor *sv, enum hand hand, const struct buf *keys,
		 struct err *err)
{
	unsigned typed =
	    typed_keys_find(keys->data ? keys->data : "", keys->len);

	if (typist_check_turn(sv, hand, err) < 0 ||
	    harness_type(sv, keys, err) < 0)
		return -1;
	monitor_acted(sv, ACT_TYPED, typed);
	return 0;
}

void typist_pass(struct supervisor *sv, const char *data, size_t len)
{
	struct buf *held = &sv->typist->held;
	unsigned typed = typed_keys_find(data, len);

	if (typed)
		monitor_acted(sv, ACT_TYPED, typed);
	if (held->len == 0 &&
	    typist_check_turn(sv, HAND_PERSON, &(struct err){0}) == 0)
		harness_write(sv, data, len);
	else if (held->len + len <= 2 * HELD_MAX)
		buf_add(held, data, len);
}

bool typist_has_room(const struct supervisor *sv)
{
	return sv->typist->held.len < HELD_MAX &&
	       harness_unread(sv) < UNREAD_MAX;
}

static void release_held(struct supervisor *sv)
{
	struct buf *held = &sv->typist->held;

	if (held->len == 0 ||
	    typist_check_turn(sv, HAND_PERSON, &(struct err){0}) < 0)
		return;
	harness_write(sv, held->data, held->len);
	buf_clear(held);
	PARTS(taken, sv);
}

static void give_turns(void *ctx)
{
	struct supervisor *sv = ctx;

	EACH_PART (p, sv) {
		bool fresh = false;

		/* Stored messages wait for the start. */
		while ((*p)->type && sv->terminal && (*p)->type(sv, fresh)) {
			monitor_refresh(sv);
			fresh = true;
		}
	}
	release_held(sv);
	monitor_update(sv); /* a message may need a person now */
}

void typist_later(struct supervisor *sv, int64_t delay_ms)
{
	struct typist *t = sv->typist;

	if (!t->timer)
		t->timer = loop_timer_add(sv->loop, give_turns, sv);
	loop_timer_set_earlier(t->timer, delay_ms > 0 ? delay_ms : 0);
}

/* -- what the sender types with ------------------------------------------ */

static size_t op_write(void *ctx, const char *data, size_t len)
{
	return harness_write(ctx, data, len);
}

static size_t op_backlog(void *ctx)
{
	struct supervisor *sv = ctx;

	return harness_unread(sv);
}

static bool op_may_type(void *ctx)
{
	return typist_check_turn(ctx, HAND_MESSAGE, &(struct err){0}) == 0;
}

static void op_view(void *ctx, struct screen_view *out)
{
	struct supervisor *sv = ctx;

	observer_view(&sv->observer, out);
}

static void op_verdict(void *ctx, struct verdict *out)
{
	struct supervisor *sv = ctx;

	activity_verdict(sv->observer.activity, clock_mono_ms(), out);
}

static bool op_tty(void *ctx, bool *canonical, bool *echo)
{
	struct supervisor *sv = ctx;
	struct terminal_tty tty;

	if (!sv->terminal || sv->backend->tty(sv->terminal, &tty) < 0)
		return false;
	*canonical = tty.canonical;
	*echo = tty.echo;
	return true;
}

static int op_query_typed(void *ctx)
{
	struct supervisor *sv = ctx;

	if (!sv->terminal || !sv->backend->query_typed)
		return 0;
	if (sv->backend->query_typed(sv->terminal) == 0)
		return 1;
	return -1;
}

static bool op_hold_enter(void *ctx, bool first)
{
	struct supervisor *sv = ctx;
	bool held = false;

	EACH_PART (p, sv)
		if ((*p)->hold_enter)
			held |= (*p)->hold_enter(sv, first);
	return held;
}

static enum withheld op_withhold(void *ctx, const char **why)
{
	struct supervisor *sv = ctx;
	enum withheld w = WITHHELD_NOT;

	EACH_PART (p, sv)
		if (!w && (*p)->withhold)
			w = (*p)->withhold(sv, why);
	return w;
}

static int64_t op_now(void *ctx)
{
	return clock_mono_ms();
}

static void op_later(void *ctx, int64_t delay_ms)
{
	typist_later(ctx, delay_ms);
}

const struct sender_ops typist_ops = {
    .write = op_write,
    .backlog = op_backlog,
    .may_type = op_may_type,
    .view = op_view,
    .verdict = op_verdict,
    .tty = op_tty,
    .query_typed = op_query_typed,
    .hold_enter = op_hold_enter,
    .withhold = op_withhold,
    .now = op_now,
    .later = op_later,
};

/* -- keys for clients ---------------------------------------------------- */

void typist_reply_when_taken(struct peer *p, int64_t seq, bool interrupt)
{
	struct supervisor *sv = p->sv;
	struct pressed *w, **at = &sv->typist->first;

	if (!harness_write_is_open(sv)) {
		peer_reply(p, seq, NULL);
		return;
	}
	while (*at)
		at = &(*at)->next;
	*at = w = mem_alloc(sizeof *w);
	*w = (struct pressed){.peer = p,
			      .seq = seq,
			      .upto = harness_taken(sv) + harness_unread(sv),
			      .interrupt = interrupt};
}

static struct pressed *pop_first(struct supervisor *sv)
{
	struct pressed *w = sv->typist->first;

	if (w)
		sv->typist->first = w->next;
	return w;
}

/* Replies to the requests whose bytes the terminal has. */
static void reply_taken(struct supervisor *sv)
{
	while (sv->typist->first &&
	       sv->typist->first->upto <= harness_taken(sv)) {
		struct pressed *w = pop_first(sv);

		if (!w->peer->dead)
			peer_reply(w->peer, w->seq, NULL);
		free(w);
	}
}

static void refuse_all(struct supervisor *sv, const struct err *err)
{
	struct pressed *w;

	while ((w = pop_first(sv))) {
		if (w->interrupt && err->kind == ERR_FAILED)
			monitor_not_interrupted(sv);
		if (!w->peer->dead)
			peer_reply_error(w->peer, w->seq, err);
		free(w);
	}
}

/* Appends keys, by name or text, in the form that the terminal's modes ask
 * for. */
static int encode_keys(struct supervisor *sv, const struct strv *names,
		       struct buf *out, struct err *err)
{
	const struct screen_modes *m = screen_modes(sv->observer.screen);

	for (size_t i = 0; i < names->n; i++)
		if (keyname_type(names->v[i], m->app_cursor,
				 m->kitty_flags != 0, out, err) < 0)
			return -1;
	return 0;
}

static int on_keys(struct peer *p, struct request *rq, struct err *err)
{
	const struct strv *names = &rq->keys.names;
	const char *data = rq->keys.data;
	_buf_ struct buf keys = {0};

	if (encode_keys(p->sv, names, &keys, err) < 0)
		return -1;
	if (!names->n && data && frame_decode_bytes(data, &keys) < 0)
		return err_set(err, ERR_USAGE,
			       "keys: data is not encoded bytes");
	if (typist_press(p->sv, names->n ? HAND_KEYS : HAND_PERSON, &keys,
			 err) < 0)
		return -1;
	typist_reply_when_taken(p, rq->seq, false);
	return 0;
}

static const struct request_handler requests[] = {
    {REQUEST_KEYS, on_keys},
    {0},
};

/* -- the part ------------------------------------------------------------ */

static void typist_reading(struct supervisor *sv, const struct reading *r)
{
	sender_reading(sv->sender, r);
}

static void typist_screen_read(struct supervisor *sv)
{
	sender_screen_changed(sv->sender);
}

static void typist_acted(struct supervisor *sv, enum act what, unsigned keys)
{
	/* After an interrupt, a message's Enter may submit the text that the
	 * interrupt has restored. */
	if (what == ACT_TYPED ||
	    (what == ACT_INTERRUPT && sender_is_typing(sv->sender)))
		sender_user_typed(sv->sender);
}

static void typist_typed_ago(struct supervisor *sv, int64_t ms_ago)
{
	sender_typed_ago(sv->sender, ms_ago);
	give_turns(sv); /* at once: it is true of this moment */
}

static void typist_taken(struct supervisor *sv)
{
	reply_taken(sv);
	if (harness_unread(sv) == 0)
		sender_wake(sv->sender);
}

static void typist_untaken(struct supervisor *sv, size_t len, const char *why,
			   bool maybe)
{
	struct err err = {0};

	if (maybe)
		err_set(&err, ERR_UNCONFIRMED,
			"%s: it is unknown whether it was pressed", why);
	else
		err_set(&err, ERR_FAILED, "%s: nothing was pressed", why);
	refuse_all(sv, &err);
	sender_write_failed(sv->sender, len, why, maybe);
	release_held(sv);
}

static void typist_end(struct supervisor *sv, const char *reason)
{
	struct err err = {0};

	err_set(&err, ERR_NOT_RUNNING, "%s", reason);
	refuse_all(sv, &err);
}

static void typist_closed(struct supervisor *sv, struct peer *p)
{
	struct pressed **at = &sv->typist->first;

	while (*at) {
		struct pressed *w = *at;

		if (w->peer != p) {
			at = &w->next;
			continue;
		}
		*at = w->next;
		free(w);
	}
}

static void typist_finish(struct supervisor *sv)
{
	buf_finish(&sv->typist->held);
}

const struct part typist_part = {
    .own = PART_OWN(typist),
    .reading = typist_reading,
    .screen_read = typist_screen_read,
    .acted = typist_acted,
    .typed_ago = typist_typed_ago,
    .taken = typist_taken,
    .untaken = typist_untaken,
    .end = typist_end,
    .closed = typist_closed,
    .finish = typist_finish,
    .requests = requests,
};
