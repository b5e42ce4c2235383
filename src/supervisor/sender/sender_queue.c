/*
 * sender_queue.c - the queue: in, out, and what a message does that has to
 * wait.
 *
 * A submit only checks and queues. A busy harness is waited for; where a
 * person has to act, a message that has just come is refused, and one that was
 * told "queued" goes on waiting. Every wait ends some time.
 */
#include "supervisor/sender/sender_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "session/typable.h"

/* -- in ------------------------------------------------------------------ */

static int check_text(const struct sender *s, size_t len, unsigned flags,
		      struct err *err)
{
	if (s->stopped && !(flags & SENDER_WHEN_IDLE))
		return err_set(err, ERR_NOT_RUNNING,
			       "the harness is not running");
	if (len > PROTOCOL_TEXT_MAX)
		return err_set(err, ERR_LIMIT,
			       "the message has %zu bytes; at most %d can be "
			       "sent at once",
			       len, PROTOCOL_TEXT_MAX);
	if ((flags & SENDER_NOW) &&
	    !adapter_may_send_busy(s->adapter, s->rules))
		return err_set(err, ERR_USAGE,
			       "%s takes no messages while it works (--now)",
			       s->adapter->title);
	return 0;
}

static int check_filtered(const struct sender *s, const struct buf *text,
			  size_t dropped, struct err *err)
{
	if (!typable_blank(text->data, text->len))
		return queue_room(s->count, s->bytes, text->len, err);
	if (dropped > 0)
		return err_set(err, ERR_USAGE,
			       "nothing to send: the message has only control "
			       "or invalid bytes (%zu)",
			       dropped);
	return err_set(err, ERR_USAGE, "nothing to send: the message is empty");
}

static int refuse(struct err *err, enum obstacle o, const char *why)
{
	err_set(err, ERR_REFUSED, "%s", why);
	if (o == OBSTACLE_DRAFT)
		return err_hint(err, "send or clear the draft");
	if (o == OBSTACLE_OPEN)
		return err_hint(err, "close what is open there");
	if (o == OBSTACLE_PASSWORD)
		return err_hint(err, "type it there");
	if (strstr(why, READING_TRUST))
		return err_hint(err, "answer it there; `afw trust` answers it "
				     "at every later start");
	return err_hint(err, "answer it first");
}

/* What stands in the way of a message that has just come? */
static int check_now(struct sender *s, const struct buf *text, unsigned flags,
		     struct err *err)
{
	char why[SENDER_DETAIL];
	struct screen_view v;
	enum obstacle o;

	if (flags & SENDER_WHEN_IDLE)
		return 0;
	o = sender_obstacle(s, flags, true, why);
	/* Between paste and confirmation the draft is our own. */
	if (o == OBSTACLE_DRAFT && s->step > STEP_WAIT)
		return 0;
	if (o >= OBSTACLE_DRAFT)
		return refuse(err, o, why);
	if (s->head != NULL ||
	    (o != OBSTACLE_NONE &&
	     (o != OBSTACLE_SEEMS_BUSY || s->pasted_at == 0)))
		return 0; /* its terminal may yet change */
	s->ops->view(s->ctx, &v);
	if (sender_fits(&v, text->data, text->len, flags, why))
		return 0;
	err_set(err, ERR_USAGE, "%s", why);
	return flags & SENDER_RAW
		   ? -1
		   : err_hint(err, "--raw types each line with an Enter of its "
				   "own");
}

static struct message *enqueue(struct sender *s, struct buf *text,
			       unsigned flags)
{
	struct message *m = mem_alloc(sizeof *m);

	m->id = ++s->last_id;
	m->taken_at = sender_now(s);
	m->flags = flags;
	m->len = text->len;
	m->text = buf_steal(text);
	*s->tail = m;
	s->tail = &m->next;
	s->count++;
	s->bytes += m->len;
	return m;
}

/* Returns the bytes that are left out. */
static size_t filter(const struct sender *s, const char *text, size_t len,
		     unsigned flags, struct buf *out)
{
	size_t dropped = typable_filter(text, len, out);

	return flags & SENDER_RAW ? dropped
				  : dropped + adapter_drop(s->adapter, out);
}

int sender_submit(struct sender *s, const char *text, size_t len,
		  unsigned flags, struct sender_taken *out, struct err *err)
{
	struct buf filtered = {0};
	struct err unkept = {0};
	struct message *m;
	int rc;

	*out = (struct sender_taken){0};
	if (check_text(s, len, flags, err) < 0)
		return -1;
	out->dropped = filter(s, text, len, flags, &filtered);
	rc = check_filtered(s, &filtered, out->dropped, err);
	if (rc == 0)
		rc = check_now(s, &filtered, flags, err);
	if (rc == 0) {
		m = enqueue(s, &filtered, flags);
		out->id = m->id;
		out->waits = m->told = s->stopped;
		/* On disk before anybody hears that it was taken. */
		if ((flags & SENDER_WHEN_IDLE) &&
		    sender_keep(s, m, &unkept) < 0 && s->stopped) {
			*err = unkept;
			sender_dequeue(s, m);
			rc = -1;
		} else if (!s->stopped) {
			sender_later(s, 0);
		}
	}
	buf_finish(&filtered);
	return rc;
}

static void end_kept(struct sender *s, int64_t id, enum receipt r,
		     const char *detail)
{
	s->ops->receipt(s->ctx, id, r, true, detail);
	queue_remove(s->dir, id);
}

static void on_kept(void *ctx, const struct queued *q)
{
	int64_t now = clock_wall_ms();
	struct buf copy = {0};
	struct sender *s = ctx;
	struct message *m;

	if (q->typing) {
		end_kept(s, q->id, RECEIPT_UNCONFIRMED,
			 "its supervisor ended while it was typed");
		return;
	}
	if (!q->text) {
		queue_quarantine(s->dir, q->id);
		end_kept(s, q->id, RECEIPT_FAILED,
			 "what was kept of it cannot be read");
		return;
	}
	filter(s, q->text, q->len, q->flags, &copy);
	s->last_id = q->id - 1;
	/* --now was meant for the harness of then. */
	m = enqueue(s, &copy,
		    (q->flags & ~(unsigned)SENDER_NOW) | SENDER_WHEN_IDLE);
	m->told = m->kept = true;
	m->waited_ms = q->at > 0 && q->at < now ? now - q->at : 0;
	sender_later(s, 0);
}

void sender_restore(struct sender *s, const char *session_dir, int64_t last,
		    struct err *unread)
{
	int64_t kept;

	s->dir = session_dir;
	kept = queue_load(session_dir, true, on_kept, s, unread);
	s->last_id = kept > last ? kept : last;
}

int64_t sender_last(const struct sender *s)
{
	return s->last_id;
}

/* -- the wait ------------------------------------------------------------ */

static void tell_queued(struct sender *s, struct message *m, const char *why)
{
	char text[SENDER_DETAIL] = "";
	struct err err = {0};

	if (m->told)
		return;
	m->told = true;
	if (s->dir != NULL && sender_keep(s, m, &err) < 0)
		snprintf(text, sizeof text, "%.60s; not kept on disk: %.150s",
			 why, err.what);
	s->ops->receipt(s->ctx, m->id, RECEIPT_QUEUED, false,
			text[0] ? text : why);
}

void sender_tell_others(struct sender *s)
{
	char why[SENDER_DETAIL];
	int before = 1;

	if (s->head == NULL)
		return;
	for (struct message *m = s->head->next; m != NULL; m = m->next) {
		snprintf(why, sizeof why, "behind %d other%s", before,
			 before == 1 ? "" : "s");
		tell_queued(s, m, why);
		before++;
	}
}

/* After so long who sent it is told: that it is queued, or how it ended. */
static const struct {
	int64_t after_ms;
	enum receipt r;
} obstacle_receipts[] = {
    [OBSTACLE_MOMENT] = {STUCK_MS, RECEIPT_QUEUED},
    [OBSTACLE_SEEMS_BUSY] = {STUCK_MS, RECEIPT_QUEUED},
    [OBSTACLE_BUSY] = {0, RECEIPT_QUEUED},
    [OBSTACLE_STARTING] = {0, RECEIPT_QUEUED},
    [OBSTACLE_KEYS] = {STUCK_MS, RECEIPT_FAILED},
    [OBSTACLE_STRAY] = {STUCK_MS, RECEIPT_QUEUED},
    [OBSTACLE_ABSENT] = {FLICKER_MS, RECEIPT_REFUSED},
    [OBSTACLE_OWN_DRAFT] = {ACT_MS, RECEIPT_REFUSED}, /* clearing did nothing */
    [OBSTACLE_DRAFT] = {0, RECEIPT_REFUSED},
    [OBSTACLE_OPEN] = {0, RECEIPT_REFUSED},
    [OBSTACLE_QUESTION] = {0, RECEIPT_REFUSED},
    [OBSTACLE_PASSWORD] = {0, RECEIPT_REFUSED},
};

bool sender_wait_for(struct sender *s, enum obstacle o, const char *why)
{
	int ready_ms = adapter_ready_timeout_ms(s->adapter, s->rules);
	struct message *m = s->head;
	int64_t now = sender_now(s), waited = now - m->taken_at, left;
	bool patient = m->flags & SENDER_WHEN_IDLE;
	char detail[SENDER_DETAIL];

	if (o != s->blocked_by || s->blocked_since == 0)
		s->blocked_since = now;
	s->blocked_by = o;
	snprintf(s->waits_for, sizeof s->waits_for, "%s", why);
	if (waited >= QUEUE_MS)
		return sender_end(s, RECEIPT_FAILED, "it waited too long");
	/* Who gave a first task does not wait for its receipt: it is no loss
	 * that it waits, and one that it is gone. */
	if ((o == OBSTACLE_STARTING || (o == OBSTACLE_OPEN && !s->ready)) &&
	    waited >= ready_ms && !patient) {
		snprintf(detail, sizeof detail,
			 "%s was not ready for a message after %d s",
			 s->adapter->title, ready_ms / 1000);
		return sender_end(s, RECEIPT_FAILED, detail);
	}
	sender_later(s, LOOK_MS);
	left = s->blocked_since + obstacle_receipts[o].after_ms - now;
	if (left > 0) {
		sender_later(s, left);
		return false;
	}
	if (obstacle_receipts[o].r != RECEIPT_QUEUED && !m->told && !patient)
		return sender_end(s, obstacle_receipts[o].r, why);
	tell_queued(s, m, why);
	return false;
}

bool sender_needs_person(const struct sender *s)
{
	return s->head != NULL && s->step == STEP_WAIT &&
	       s->blocked_since != 0 && s->blocked_by >= OBSTACLE_STRAY &&
	       sender_now(s) - s->blocked_since >= FLICKER_MS;
}

/* -- out ----------------------------------------------------------------- */

struct message *sender_waiting(struct sender *s, int64_t id, struct err *err)
{
	struct message *m = s->head;

	while (m != NULL && m->id != id)
		m = m->next;
	if (m == NULL) {
		err_set(err, ERR_CONFLICT, "message %lld is none that waits",
			(long long)id);
		err_hint(err, "`afw send --list` shows what waits");
	} else if (sender_is_typed(s, m)) {
		err_set(err, ERR_CONFLICT, "message %lld is being typed",
			(long long)id);
		m = NULL;
	}
	return m;
}

int sender_cancel(struct sender *s, int64_t id, struct err *err)
{
	struct message *m = sender_waiting(s, id, err);

	if (m == NULL)
		return -1;
	sender_finish(s, m, RECEIPT_FAILED, SENDER_CANCELLED);
	if (!s->stopped)
		sender_later(s, 0);
	return 0;
}

void sender_stop(struct sender *s, const char *reason)
{
	char detail[SENDER_DETAIL];
	struct message *next;

	if (s->stopped)
		return;
	s->stopped = true;
	for (struct message *m = s->head; m != NULL; m = next) {
		bool typed = sender_is_typed(s, m);

		next = m->next;
		if (m->kept && !typed) {
			m->told = true;
			s->ops->receipt(s->ctx, m->id, RECEIPT_QUEUED, false,
					SENDER_NEXT_START);
			continue;
		}
		snprintf(detail, sizeof detail, "%s: %s",
			 typed ? "typed, but then" : "never typed", reason);
		sender_finish(
		    s, m, typed ? RECEIPT_UNCONFIRMED : RECEIPT_FAILED, detail);
	}
	s->ops->timer(s->ctx, -1);
}
