/* sender_step.c - helpers of all steps: the clock, the timer, the view of the
 * screen. */
#include "supervisor/sender/sender_internal.h"

int64_t sender_now(const struct sender *s)
{
	return s->ops->now(s->ctx);
}

bool sender_is_busy(enum activity a)
{
	return a == ACTIVITY_WORKING || a == ACTIVITY_THINKING;
}

void sender_set_timer(struct sender *s)
{
	s->due = s->delay_ms < 0 ? 0 : sender_now(s) + s->delay_ms;
	s->ops->timer(s->ctx, s->delay_ms);
}

void sender_later(struct sender *s, int64_t delay_ms)
{
	if (delay_ms < 0)
		delay_ms = 0;
	if (s->delay_ms < 0 || delay_ms < s->delay_ms)
		s->delay_ms = delay_ms;
	if (!s->running)
		sender_set_timer(s);
}

void sender_read_screen(struct sender *s, struct screen_view *v,
			struct screen_state *shown)
{
	s->ops->view(s->ctx, v);
	adapter_read_screen(s->adapter, s->rules, v, shown);
}

void sender_enter_step(struct sender *s, enum step step, int64_t limit_ms)
{
	s->step = step;
	s->step_at = sender_now(s);
	s->updating_at = 0;
	s->deadline = s->step_at + limit_ms;
}
