/*
 * idle.c - ends a session that was idle and unattended for idle_timeout.
 * Suspends it if its harness can be resumed, because nothing is lost then;
 * otherwise stops it.
 *
 * The conditions can change without a new verdict (a client attaches), so the
 * timer checks them again.
 */
#include <stdio.h>

#include "adapters/adapter.h"
#include "base/clock.h"
#include "base/json.h"
#include "supervisor/attach/attach.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/services/services.h"
#include "supervisor/typed_keys.h"

struct idle {
	struct loop_timer *timer;
	int64_t since; /* monotonic ms: idle and unattended; 0: not */
};

/* Only idle that a better signal than the process reports: a quiet process may
 * be waiting for the network. */
static bool is_idle(const struct supervisor *sv)
{
	const struct verdict *v = &sv->verdict;
	const struct screen_state *shown = &sv->observer.shown;

	return sv->state.phase == PHASE_RUNNING &&
	       sv->end->why == ENDING_NONE && !sv->end->exited &&
	       activity_is_idle(v->activity) && v->source != SOURCE_PROCESS &&
	       !v->starting_up && !v->hooks_running && !v->question &&
	       !sender_queued(sv->sender) && !shown->queued &&
	       shown->composer != COMPOSER_DRAFT && !attach_is_on(sv);
}

static void end_session(struct supervisor *sv)
{
	bool resumes = adapter_can_resume(sv->adapter, sv->rules);
	char after[24], detail[80];
	cJSON *o = cJSON_CreateObject();

	clock_age(sv->spec.idle_timeout_ms, after, sizeof after);
	snprintf(detail, sizeof detail, "nothing to do for %s: it is %s", after,
		 resumes ? "suspended" : "stopped");
	json_set_int(o, "idle_timeout_ms", sv->spec.idle_timeout_ms);
	json_set_str(o, "detail", detail);
	publish_event(sv, "idle_timeout", o);
	harness_stop(sv, resumes ? ENDING_SUSPEND : ENDING_STOP,
		     sv->spec.stop_timeout_ms);
}

static void check_idle(struct supervisor *sv)
{
	struct idle *i = sv->idle;
	int64_t now = clock_mono_ms(), left;

	if (sv->spec.idle_timeout_ms <= 0)
		return;
	if (!is_idle(sv)) {
		i->since = 0;
		loop_timer_stop(i->timer);
		return;
	}
	if (!i->since || services_have_shell(sv))
		i->since = now;
	left = i->since + sv->spec.idle_timeout_ms - now;
	if (left > 0)
		loop_timer_set(i->timer, left);
	else
		end_session(sv);
}

static void on_timer(void *ctx)
{
	check_idle(ctx);
}

static int idle_init(struct supervisor *sv, struct err *err)
{
	sv->idle->timer = loop_timer_add(sv->loop, on_timer, sv);
	return 0;
}

static void idle_verdict(struct supervisor *sv, const struct verdict *was)
{
	check_idle(sv);
}

static void idle_acted(struct supervisor *sv, enum act what, unsigned keys)
{
	sv->idle->since = 0;
	check_idle(sv);
}

static void idle_closed(struct supervisor *sv, struct peer *p)
{
	if (p->was_attached)
		idle_acted(sv, ACT_TYPED, TYPED_KEY);
}

static void idle_finish(struct supervisor *sv)
{
	loop_timer_remove(sv->idle->timer);
}

const struct part idle_part = {
    .own = PART_OWN(idle),
    .init = idle_init,
    .verdict = idle_verdict,
    .acted = idle_acted,
    .closed = idle_closed,
    .finish = idle_finish,
};
