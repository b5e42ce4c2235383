/*
 * sender_queue.c - the queued messages: which is next, what holds back the
 * message under way, and how one ends, is cancelled, moved, or kept at the end.
 *
 * The sender holds one message. The other messages are files
 * (session/disk/queue.h), and so is that one after its client got the receipt
 * "queued"; a message that can be typed at once is never a file. The sender
 * waits for a busy harness. If a person has to act, a new message is refused;
 * one that was reported as queued stays queued. Every wait has a limit.
 */
#include "supervisor/sender/sender_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "session/typable.h"

/* -- the message under way ----------------------------------------------- */

bool sender_is_typed(const struct sender *s, const struct message *m)
{
	return m == s->message && s->step > STEP_WAIT;
}

static void dequeue(struct sender *s)
{
	message_free(s->message);
	s->message = NULL;
	s->step = STEP_WAIT;
	s->free_since = 0;
	s->blocked_since = 0;
	s->waits_for[0] = '\0';
}

int sender_store(struct sender *s, struct message *m, struct err *err)
{
	struct queued q = {.id = m->id,
			   .flags = m->flags,
			   .at =
			       clock_wall_ms() - (sender_now(s) - m->taken_at),
			   .text = m->text,
			   .len = m->len};

	if (m->stored)
		return 0;
	if (queue_add(s->dir, &q, err) < 0)
		return -1;
	m->stored = true;
	s->files++;
	return 0;
}

bool sender_end(struct sender *s, enum receipt r, const char *detail)
{
	bool typed = r != RECEIPT_FAILED && r != RECEIPT_REFUSED;
	bool kept = s->message->stored;
	int64_t id = s->message->id;

	if (sender_is_typed(s, s->message)) {
		s->own_draft = r == RECEIPT_ACCEPTED ? s->entered_draft : 0;
		s->entered_draft = 0;
		buf_finish(&s->payload);
		view_copy_finish(&s->before);
	}
	dequeue(s);
	s->files -= kept;
	/* If this supervisor is killed in between, the next one types the
	 * messages that are still stored. A message that is marked as typed is
	 * not typed again; its receipt is reported again. */
	if (kept && !typed)
		queue_remove(s->dir, id);
	s->ops->receipt(s->ctx, id, r, true, detail);
	if (kept && typed)
		queue_remove(s->dir, id);
	return true;
}

bool sender_give_up(struct sender *s, const char *why)
{
	char detail[SENDER_DETAIL + 64];
	const char *rest = "; Enter was not pressed, and what was typed is "
			   "left there";

	if (sender_record_leftover(s))
		rest = "; Enter was not pressed, but it may still appear there";
	else if (s->step == STEP_CONFIRM)
		rest = "";
	snprintf(detail, sizeof detail, "%s%s", why, rest);
	sender_end(s, RECEIPT_UNCONFIRMED, detail);
	/* The screen may not change any more. */
	sender_note_screen(s);
	return true;
}

size_t sender_queued(const struct sender *s)
{
	return s->files + (s->message != NULL && !s->message->stored);
}

/* -- reading the queue --------------------------------------------------- */

static void end_stored(struct sender *s, int64_t id, enum receipt r,
		       const char *detail)
{
	s->ops->receipt(s->ctx, id, r, true, detail);
	queue_remove(s->dir, id);
}

/* Makes a queued message the one under way. A message of an earlier supervisor
 * was reported as queued without a limit, and its --now was meant for the
 * harness of that time. */
static void load_message(struct sender *s, const struct queue_entry *e,
			 struct err *unread)
{
	int64_t mine = sender_now(s) - s->began_at, age;
	_queued_ struct queued q = {0};
	_buf_ struct buf copy = {0};
	struct err why = {0};
	unsigned flags;

	if (queue_read(s->dir, e, &q, &why) < 0) {
		if (why.kind != ERR_CONFLICT && unread)
			*unread = why;
		return;
	}
	flags = q.flags;
	if (q.id <= s->earlier)
		flags = (flags & ~(unsigned)SENDER_NOW) | SENDER_WHEN_IDLE;
	if (q.text)
		sender_filter(s, q.text, q.len, flags, &copy);
	else
		queue_quarantine(s->dir, q.id);
	if (typable_blank(copy.data, copy.len)) {
		s->files--;
		end_stored(s, q.id, RECEIPT_FAILED,
			   q.text ? "nothing of it can be typed there"
				  : "its stored text cannot be read");
		return;
	}
	s->message = message_create(s, q.id, flags, &copy);
	s->message->reported = s->message->stored = true;
	age = q.at > 0 ? clock_wall_ms() - q.at : 0;
	if (age > 0)
		s->message->taken_at -= age < mine ? age : mine;
	sender_later(s, 0);
}

/* Returns whether the message under way is the next file: it may have been
 * cancelled, or another message was moved ahead of it. */
static bool is_next(const struct sender *s, const struct queue_entry *v,
		    size_t n)
{
	const struct message *m = s->message;

	if (m == NULL || !m->stored || sender_is_typed(s, m))
		return true;
	for (size_t i = 0; i < n; i++)
		if (v[i].state == QUEUE_WAITS)
			return v[i].id == m->id;
	return false;
}

static void read_queue(struct sender *s, struct err *unread)
{
	struct queue_entry v[QUEUE_LIST_MAX];
	struct err why = {0};
	size_t n = queue_list(s->dir, v, &why);

	s->stale = false;
	s->files = 0;
	if (!why.kind && !is_next(s, v, n))
		dequeue(s);
	for (size_t i = 0; i < n; i++) {
		s->files += v[i].state != QUEUE_CANCELLED;
		if (v[i].id > s->last_id)
			s->last_id = v[i].id;
	}
	for (size_t i = 0; i < n; i++)
		if (v[i].state == QUEUE_CANCELLED)
			end_stored(s, v[i].id, RECEIPT_FAILED,
				   SENDER_CANCELLED);
	for (size_t i = 0; i < n && s->message == NULL && !s->stopped; i++)
		if (v[i].state == QUEUE_WAITS)
			load_message(s, &v[i], &why);
	if (why.kind && unread)
		*unread = why;
}

void sender_reread_queue(struct sender *s)
{
	read_queue(s, NULL);
}

void sender_queue_changed(struct sender *s)
{
	s->stale = true;
	sender_later(s, 0);
}

bool sender_fetch(struct sender *s)
{
	if (s->stale || (s->message == NULL && s->files > 0))
		read_queue(s, NULL);
	return s->message != NULL;
}

void sender_restore(struct sender *s, const char *session_dir,
		    struct err *unread)
{
	struct queue_entry v[QUEUE_LIST_MAX];
	size_t n;

	s->dir = session_dir;
	s->began_at = sender_now(s);
	queue_sweep(session_dir);
	s->last_id = queue_last(session_dir);
	n = queue_list(session_dir, v, NULL);
	for (size_t i = 0; i < n; i++) {
		if (v[i].id > s->last_id)
			s->last_id = v[i].id;
		if (v[i].state == QUEUE_TYPING)
			end_stored(s, v[i].id, RECEIPT_UNCONFIRMED,
				   "its supervisor ended while it was typed");
	}
	s->earlier = s->last_id;
	read_queue(s, unread);
}

int64_t sender_last(const struct sender *s)
{
	return s->last_id;
}

/* -- the wait ------------------------------------------------------------ */

static void report_queued(struct sender *s, struct message *m, const char *why)
{
	char text[SENDER_DETAIL] = "";
	struct err err = {0};

	if (m->reported)
		return;
	m->reported = true;
	if (sender_store(s, m, &err) < 0)
		snprintf(text, sizeof text, "%.60s; not stored on disk: %.150s",
			 why, err.what);
	s->ops->receipt(s->ctx, m->id, RECEIPT_QUEUED, false,
			text[0] ? text : why);
}

/* The receipt for each obstacle, and how long it lasts before its sender gets
 * that receipt. */
static const struct {
	int64_t after_ms;
	enum receipt r;
} obstacle_receipts[] = {
    [OBSTACLE_MOMENT] = {STUCK_MS, RECEIPT_QUEUED},
    [OBSTACLE_SEEMS_BUSY] = {STUCK_MS, RECEIPT_QUEUED},
    [OBSTACLE_BUSY] = {0, RECEIPT_QUEUED},
    [OBSTACLE_STARTING] = {0, RECEIPT_QUEUED},
    [OBSTACLE_KEYS] = {STUCK_MS, RECEIPT_FAILED},
    [OBSTACLE_LEFTOVER] = {STUCK_MS, RECEIPT_QUEUED},
    [OBSTACLE_BUDGET] = {0, RECEIPT_QUEUED},
    [OBSTACLE_ABSENT] = {FLICKER_MS, RECEIPT_REFUSED},
    [OBSTACLE_OWN_DRAFT] = {ACT_MS,
			    RECEIPT_REFUSED}, /* clearing had no effect */
    [OBSTACLE_DRAFT] = {0, RECEIPT_REFUSED},
    [OBSTACLE_OPEN] = {0, RECEIPT_REFUSED},
    [OBSTACLE_QUESTION] = {0, RECEIPT_REFUSED},
    [OBSTACLE_PASSWORD] = {0, RECEIPT_REFUSED},
};

bool sender_record_obstacle(struct sender *s, enum obstacle o, const char *why)
{
	int ready_ms = adapter_ready_timeout_ms(s->rules);
	struct message *m = s->message;
	int64_t now = sender_now(s), waited = now - m->taken_at, left;
	bool patient = m->flags & SENDER_WHEN_IDLE;
	char detail[SENDER_DETAIL];

	if (o != s->blocked_by || s->blocked_since == 0)
		s->blocked_since = now;
	s->blocked_by = o;
	snprintf(s->waits_for, sizeof s->waits_for, "%s%.240s",
		 sender_is_held(s) ? "held: " : "", why);
	if (waited >= QUEUE_MS && o != OBSTACLE_BUDGET)
		return sender_end(s, RECEIPT_FAILED, "it waited too long");
	/* A client that gave a first task does not wait for its receipt: that
	 * task may wait longer, and must not be dropped. */
	if ((o == OBSTACLE_STARTING || (o == OBSTACLE_OPEN && !s->ready)) &&
	    waited >= ready_ms && !patient) {
		snprintf(detail, sizeof detail,
			 "%s was not ready for a message after %d s",
			 s->adapter->title, ready_ms / 1000);
		return sender_end(s, RECEIPT_FAILED, detail);
	}
	sender_later(s, RECHECK_MS);
	left = s->blocked_since + obstacle_receipts[o].after_ms - now;
	if (left > 0) {
		sender_later(s, left);
		return false;
	}
	if (obstacle_receipts[o].r != RECEIPT_QUEUED && !m->reported &&
	    !patient)
		return sender_end(s, obstacle_receipts[o].r, why);
	report_queued(s, m, why);
	return false;
}

bool sender_needs_person(const struct sender *s)
{
	return s->message != NULL && s->step == STEP_WAIT &&
	       s->blocked_since != 0 && s->blocked_by >= OBSTACLE_LEFTOVER &&
	       sender_now(s) - s->blocked_since >= FLICKER_MS;
}

/* -- cancel, move, stop -------------------------------------------------- */

/* Fails with ERR_CONFLICT if message id is being typed. */
static int check_not_typed(const struct sender *s, int64_t id, struct err *err)
{
	if (s->message == NULL || s->message->id != id ||
	    !sender_is_typed(s, s->message))
		return 0;
	return err_set(err, ERR_CONFLICT, "message %lld is being typed",
		       (long long)id);
}

int sender_cancel(struct sender *s, int64_t id, struct err *err)
{
	struct message *m = s->message;

	if (check_not_typed(s, id, err) < 0)
		return -1;
	if (m != NULL && m->id == id && !m->stored)
		sender_end(s, RECEIPT_FAILED, SENDER_CANCELLED);
	else if (queue_cancel(s->dir, id, err) < 0)
		return -1;
	sender_reread_queue(s);
	return 0;
}

int sender_move(struct sender *s, int64_t id, int64_t before, struct err *err)
{
	struct message *m = s->message;

	if (check_not_typed(s, id, err) < 0 ||
	    check_not_typed(s, before, err) < 0)
		return -1;
	/* Both must be files, and their clients get a receipt. */
	if (m != NULL && (m->id == id || m->id == before)) {
		report_queued(s, m, s->waits_for);
		if (sender_store(s, m, err) < 0)
			return -1;
	}
	if (queue_move(s->dir, id, before, err) < 0)
		return -1;
	sender_reread_queue(s);
	return 0;
}

void sender_stop(struct sender *s, const char *reason)
{
	struct queue_entry v[QUEUE_LIST_MAX];
	struct message *m = s->message;
	char detail[SENDER_DETAIL];
	size_t n;

	if (s->stopped)
		return;
	s->stopped = true;
	if (m != NULL && (!m->stored || sender_is_typed(s, m))) {
		bool typed = sender_is_typed(s, m);

		snprintf(detail, sizeof detail, "%s: %s",
			 typed ? "typed, but then" : "never typed", reason);
		sender_end(s, typed ? RECEIPT_UNCONFIRMED : RECEIPT_FAILED,
			   detail);
	} else if (m != NULL) {
		dequeue(s);
	}
	n = queue_list(s->dir, v, NULL);
	for (size_t i = 0; i < n; i++)
		if (v[i].state == QUEUE_WAITS)
			s->ops->receipt(s->ctx, v[i].id, RECEIPT_QUEUED, false,
					SENDER_NEXT_START);
}

bool sender_has_leftover(const struct sender *s, char *why)
{
	if (s->leftover.left)
		sender_describe_leftover(s, why);
	else if (sender_is_held(s) && sender_needs_person(s))
		snprintf(why, SENDER_DETAIL, "message %lld is %.200s",
			 (long long)s->leftover.id, s->waits_for);
	else
		return false;
	return true;
}
