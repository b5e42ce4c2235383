/*
 * send_paste.c - from a free composer to a paste that is handed over.
 *
 * Nothing here presses Enter. What was handed over is never handed over
 * again: a paste that is broken off only has its end still to come, so that
 * nothing that follows becomes part of it.
 */
#include "supervisor/send_internal.h"

#include <stdio.h>
#include <string.h>

/* Prepares the bytes of the line (or of the whole paste) that is next. */
void send_load_line(struct sender *s)
{
	const char *from = s->payload.data + s->line_at;
	size_t left = s->payload.len - s->line_at;
	const char *end = s->bracketed ? NULL : memchr(from, '\n', left);

	s->line_len = end != NULL ? (size_t)(end - from) : left;
	s->more = end != NULL;
	buf_clear(&s->out);
	s->out_at = 0;
	if (s->bracketed)
		buf_adds(&s->out, "\033[200~");
	buf_add(&s->out, from, s->line_len);
	if (s->bracketed)
		buf_adds(&s->out, "\033[201~");
	s->backlog = 0;
	s->echo_before = s->line_len > 0 &&
			 adapter_echoed(s->adapter, s->rules, &s->before.view,
					&s->before.view, from, s->line_len);
	send_enter_step(s, STEP_PASTE, SEND_STUCK_MS);
}

/* In a program's own line editor a typed TAB completes; a paste's does not,
 * nor does one in a canonical terminal. */
static void tame_tabs(struct sender *s, unsigned flags)
{
	bool canonical = false, echo = false;

	if (s->bracketed || (flags & SENDER_RAW) ||
	    (s->ops->tty(s->ctx, &canonical, &echo) && canonical))
		return;
	for (size_t i = 0; i < s->payload.len; i++)
		if (s->payload.data[i] == '\t')
			s->payload.data[i] = ' ';
}

bool send_mark(struct sender *s, struct message *m)
{
	struct err err = {0};

	if (!m->kept || m->marked || s->ops->typing == NULL)
		return true;
	m->marked = s->ops->typing(s->ctx, m->id, &err) == 0;
	if (m->marked)
		return true;
	/* It must not be typed twice, so it is not typed now. */
	snprintf(s->waits_for, sizeof s->waits_for, "%.200s", err.what);
	send_later(s, SEND_WAIT_POLL_MS);
	return false;
}

static bool start_paste(struct sender *s, struct message *m)
{
	char why[SEND_DETAIL];
	struct view v;

	s->ops->view(s->ctx, &v);
	buf_clear(&s->payload);
	if (m->flags & SENDER_RAW)
		buf_add(&s->payload, m->text, m->len);
	else
		adapter_guard(s->adapter, m->text, m->len, &s->payload);
	if (!send_fits(s, &v, s->payload.data, s->payload.len, m->flags, why))
		return send_fail(s, why);
	if (!send_mark(s, m))
		return false;
	s->bracketed = v.bracketed_paste;
	tame_tabs(s, m->flags);
	view_copy_set(&s->before, &v);
	s->typed = false;
	s->pasted_at = send_now(s);
	s->mismatch = false;
	s->output_after = s->entered_again = false;
	s->line_since = 0;
	s->queued = false;
	s->queued_at = 0;
	s->accepted_by = s->sign = NULL;
	s->waits_for[0] = '\0';
	s->line_at = 0;
	s->pasted_once = true;
	send_load_line(s);
	return true;
}

/* Takes our own old draft away: once, and only while it is seen there. */
static bool clear_draft(struct sender *s, struct message *m)
{
	const char *key = s->adapter->clear_draft;
	char why[SEND_DETAIL];

	if (s->ops->refresh != NULL)
		s->ops->refresh(s->ctx);
	if (send_obstacle(s, m->flags, true, why) != OBSTACLE_OWN_DRAFT) {
		send_later(s, SEND_POLL_MS);
		return false;
	}
	m->cleared = true;
	s->ops->write(s->ctx, key, strlen(key));
	send_enter_step(s, STEP_CLEAR, SEND_CLEAR_MS);
	return true;
}

bool send_step_clear(struct sender *s)
{
	char why[SEND_DETAIL];
	int64_t left = s->deadline - send_now(s);
	enum obstacle o = send_obstacle(s, s->head->flags, true, why);

	/* A backlog is the key itself, on its way (backend tmux). */
	if ((o != OBSTACLE_OWN_DRAFT && o != OBSTACLE_BACKLOG) || left <= 0) {
		send_enter_step(s, STEP_WAIT, 0);
		s->free_since = 0;
		return true;
	}
	send_later(s, left);
	return false;
}

bool send_step_wait(struct sender *s)
{
	struct message *m = s->head;
	char why[SEND_DETAIL] = "";
	int64_t now = send_now(s), settle;
	enum obstacle o = send_obstacle(s, m->flags, false, why);
	struct view v;

	if (o == OBSTACLE_OWN_DRAFT && !m->cleared)
		return send_keys_known(s) ? clear_draft(s, m)
					  : send_wait_for_keys(s, m);
	if (o != OBSTACLE_NONE) {
		s->updating_at = 0;
		return send_wait_for(s, m, o, now, why);
	}
	s->blocked_since = 0;
	if (s->free_since == 0)
		s->free_since = now;
	settle = s->pasted_once ? SEND_SETTLE_MS : SEND_FIRST_SETTLE_MS;
	if (now - s->free_since < settle) {
		send_later(s, s->free_since + settle - now);
		return false;
	}
	if (!send_keys_known(s))
		return send_wait_for_keys(s, m);
	if (s->ops->refresh != NULL) {
		s->ops->refresh(s->ctx);
		s->ops->view(s->ctx, &v);
		if (!send_is_whole(s, &v))
			return false;
		o = send_obstacle(s, m->flags, false, why);
		if (o != OBSTACLE_NONE)
			return send_wait_for(s, m, o, now, why);
	}
	return start_paste(s, m);
}

/* Broken off in the middle: what follows must not be part of the paste. */
static bool give_up_paste(struct sender *s, size_t backlog)
{
	char why[SEND_DETAIL];

	snprintf(why, sizeof why,
		 "the harness does not read its terminal: %zu of %zu bytes "
		 "were taken",
		 s->out_at - (backlog < s->out_at ? backlog : s->out_at),
		 s->out.len);
	s->owes_end = s->bracketed && s->out_at > 0 && s->out_at < s->out.len;
	return send_give_up(s, why);
}

bool send_step_paste(struct sender *s)
{
	int64_t now = send_now(s);
	size_t left = s->out.len - s->out_at, took = 0, backlog;

	if (left > 0)
		took = s->ops->write(s->ctx, s->out.data + s->out_at, left);
	s->out_at += took;
	backlog = s->ops->backlog(s->ctx);
	if (s->out_at == s->out.len && backlog == 0) {
		s->printed_at = 0;
		send_enter_step(s, STEP_ECHO, SEND_SILENT_MS);
		return true;
	}
	if (took > 0 || backlog != s->backlog)
		s->deadline = now + SEND_STUCK_MS;
	s->backlog = backlog;
	/* Some progress now and then is not enough: keys are held back. */
	if (now >= s->deadline ||
	    now - s->step_at >= 2 * SEND_STUCK_MS + (int64_t)s->out.len / 16)
		return give_up_paste(s, backlog);
	send_later(s, SEND_POLL_MS);
	return false;
}
