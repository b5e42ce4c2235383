/*
 * send_step.c - one message on its way into the composer.
 *
 * A small machine: each step function looks at the world as it is now and
 * either moves the message on (true), ends it (true), or says when to look
 * again (false). What the steps do stands in send_paste.c, send_enter.c and
 * send_confirm.c.
 */
#include "supervisor/send_internal.h"

#include <stdio.h>

int64_t send_now(const struct sender *s)
{
	return s->ops->now(s->ctx);
}

void send_enter_step(struct sender *s, enum step step, int64_t limit_ms)
{
	s->step = step;
	s->step_at = send_now(s);
	s->updating_at = 0;
	s->deadline = s->step_at + limit_ms;
}

/* Ends the message as neither known to have arrived nor not. */
bool send_give_up(struct sender *s, const char *why)
{
	char detail[SEND_DETAIL + 64];
	const char *rest = "; Enter was not pressed, and what was typed is "
			   "left there";

	if (s->step >= STEP_CONFIRM)
		rest = "";
	else if (send_stray_keep(s))
		rest = "; Enter was not pressed, but it may still come up "
		       "there";
	snprintf(detail, sizeof detail, "%s%s", why, rest);
	send_finish(s, RECEIPT_UNCONFIRMED, detail);
	return true;
}

static void enter_failed(struct sender *s, const char *why, bool maybe)
{
	char detail[SEND_DETAIL];

	snprintf(detail, sizeof detail, "%.160s: %s", why,
		 maybe ? "whether Enter was pressed nobody knows"
		       : "Enter was not pressed, and what was typed is left "
			 "there");
	send_finish(s, RECEIPT_UNCONFIRMED, detail);
}

/* What the backend has lost does not come up later; what it has not, the
 * harness, which may well read, shows as a draft. */
static void give_up_lost(struct sender *s, const char *why)
{
	send_give_up(s, why);
	send_stray_drop(s);
}

/* While its echo is awaited nothing of ours is on its way. */
void sender_write_failed(struct sender *s, size_t lost, const char *why,
			 bool maybe)
{
	bool none = !maybe && s->line_at == 0 && s->out_at <= lost;
	char detail[SEND_DETAIL];

	if (s->head == NULL || s->stopped)
		return;
	snprintf(detail, sizeof detail, "%.160s: %s", why,
		 s->step == STEP_CLEAR || none
		     ? "nothing was typed"
		     : "not all of it was typed, or perhaps nothing");
	if (s->step == STEP_CLEAR || (s->step == STEP_PASTE && none))
		send_fail(s, detail);
	else if (s->step == STEP_PASTE)
		give_up_lost(s, detail);
	else if (s->step > STEP_LOOK && s->step <= STEP_CONFIRM &&
		 s->enter_open)
		enter_failed(s, why, maybe);
	send_later(s, 0);
}

static bool step_once(struct sender *s)
{
	switch (s->step) {
	case STEP_WAIT:
		return send_step_wait(s);
	case STEP_CLEAR:
		return send_step_clear(s);
	case STEP_PASTE:
		return send_step_paste(s);
	case STEP_ECHO:
		return send_step_echo(s);
	case STEP_LOOK:
		return send_step_look(s);
	case STEP_LINE:
		return send_step_line(s);
	case STEP_CONFIRM:
		return send_step_confirm(s);
	}
	return false;
}

static void end_broken_paste(struct sender *s)
{
	static const char end[] = "\033[201~";

	if (!s->owes_end)
		return;
	if (s->ops->backlog(s->ctx) == 0 &&
	    s->ops->write(s->ctx, end, sizeof end - 1) == sizeof end - 1)
		s->owes_end = false;
}

static void tell_others(struct sender *s)
{
	char why[SEND_DETAIL];
	int before = 0;

	for (struct message *m = s->head; m != NULL; m = m->next, before++) {
		if (before == 0 || m->told)
			continue;
		snprintf(why, sizeof why, "behind %d other%s", before,
			 before == 1 ? "" : "s");
		send_tell_queued(s, m, why);
	}
}

void send_run(struct sender *s)
{
	if (s->running || s->stopped)
		return; /* what has changed is looked at where it matters */
	s->running = true;
	s->delay_ms = -1;
	end_broken_paste(s);
	while (s->head != NULL && step_once(s))
		continue;
	tell_others(s);
	if (s->owes_end)
		send_later(s, SEND_STUCK_MS);
	s->running = false;
	s->ops->timer(s->ctx, s->delay_ms);
}
