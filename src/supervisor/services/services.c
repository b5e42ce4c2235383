/* services.c - starts, restarts and stops services. */
#include "supervisor/services/services.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/json.h"
#include "supervisor/part.h"
#include "wire/protocol.h"

#define BACKOFF_MIN_MS 1000
#define BACKOFF_MAX_MS 30000 /* after this run time it starts at MIN */
#define LINE_SHOWN     300

static const char *const state_names[] = {
    [SERVICE_WAITING] = "waiting",   [SERVICE_STARTING] = "starting",
    [SERVICE_READY] = "ready",	     [SERVICE_RESTARTING] = "restarting",
    [SERVICE_STOPPING] = "stopping", [SERVICE_EXITED] = "exited",
    [SERVICE_STOPPED] = "stopped",
};

/* -- what is shown -----------------------------------------------------------
 */

static void set_services(struct supervisor *sv)
{
	const struct services *a = sv->services;
	cJSON *list;

	if (a->n == 0)
		return;
	list = cJSON_CreateArray();
	for (size_t i = 0; i < a->n; i++) {
		const struct service *s = &a->v[i];
		cJSON *o = cJSON_CreateObject();
		char since[CLOCK_RFC3339_SIZE];

		clock_format(s->since, since);
		json_set_str(o, "name", s->name);
		json_set_str(o, "state", state_names[s->state]);
		if (json_bool(s->spec, "shell", false))
			json_set_bool(o, "shell", true);
		if (s->guarded.guard && s->pid)
			json_set_int(o, "pid", s->pid);
		json_set_int(o, "restarts", s->restarts);
		json_set_str(o, "since", since);
		if (s->why[0] && s->state != SERVICE_STOPPED)
			json_set_str(o, "why", s->why);
		cJSON_AddItemToArray(list, o);
	}
	cJSON_Delete(sv->state.services);
	sv->state.services = list;
	publish_lasting(sv);
}

/* Sets the state and publishes event (NULL: none) with more (taken over, may be
 * NULL). */
static void set_state(struct service *s, enum service_state state,
		      const char *event, cJSON *more)
{
	cJSON *o = more ? more : cJSON_CreateObject();

	s->state = state;
	s->since = clock_wall_ms();
	set_services(s->sv);
	json_set_str(o, "service", s->name);
	if (event)
		publish_event(s->sv, event, o);
	else
		cJSON_Delete(o);
}

/* -- the start ---------------------------------------------------------------
 */

static bool are_all_gone(const struct services *a)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->v[i].guarded.guard)
			return false;
	return true;
}

static void stop_all(struct supervisor *sv, int64_t grace_ms)
{
	struct services *a = sv->services;

	a->down = true;
	/* Later services may need earlier ones. */
	for (size_t i = a->n; i-- > 0;) {
		service_stop(&a->v[i], grace_ms);
		if (!a->v[i].guarded.guard && a->v[i].state != SERVICE_EXITED)
			a->v[i].state = SERVICE_STOPPED;
	}
	set_services(sv);
}

/* Reports a failed start when no process of any service is left. */
static void report_failed(struct supervisor *sv)
{
	struct services *a = sv->services;
	struct err failed = a->failed;

	if (!a->failed.kind || !are_all_gone(a))
		return;
	a->failed = (struct err){0};
	a->events->failed(sv, &failed);
}

static void cancel_start(struct supervisor *sv, int64_t grace_ms)
{
	sv->services->at = sv->services->n;
	stop_all(sv, grace_ms);
	report_failed(sv);
}

/* True for setup and before_start, which end before the next one starts. */
static bool is_once(const struct service *s)
{
	return json_bool(s->spec, "once", false);
}

/* Fails with "service 'db' WHAT: its last line of output". */
static void cancel_start_for(struct service *s, const char *what)
{
	struct services *a = s->sv->services;
	char line[LINE_SHOWN];

	service_log_last(s, line, sizeof line);
	err_set(&a->failed, ERR_FAILED, "service '%s' %s%s%s", s->name, what,
		line[0] ? ": " : "", line);
	service_log_hint(s, a->first, &a->failed);
	if (!a->failed.hint[0] && !is_once(s))
		err_hint(&a->failed,
			 "%s`afw config -v service.%s.%s` prints %s",
			 s->pid ? "it printed nothing; " : "", s->name,
			 s->pid ? "ready" : "command",
			 s->pid ? "when it is ready" : "what is run");
	cancel_start(s->sv, s->sv->spec.stop_timeout_ms);
}

static void set_ready(struct service *s)
{
	cJSON *o = cJSON_CreateObject();

	s->was_ready = true;
	json_set_int(o, "after_ms", clock_mono_ms() - s->started_at);
	set_state(s, SERVICE_READY, "service:ready", o);
}

/* It ended, or could not be started: restarts it later, or not. */
static void restart_or_exit(struct service *s)
{
	const char *policy = json_str_or(s->spec, "restart", "");
	bool again = strcmp(policy, "always") == 0 ||
		     (strcmp(policy, "on-failure") == 0 && s->failed);
	cJSON *o;

	if (!again) {
		set_state(s, SERVICE_EXITED, NULL, NULL);
		return;
	}
	if (!s->backoff_ms || clock_mono_ms() - s->started_at >= BACKOFF_MAX_MS)
		s->backoff_ms = BACKOFF_MIN_MS;
	else if (s->backoff_ms < BACKOFF_MAX_MS / 2)
		s->backoff_ms *= 2;
	else
		s->backoff_ms = BACKOFF_MAX_MS;
	s->restarts++;
	loop_timer_set(s->timer, s->backoff_ms);
	o = cJSON_CreateObject();
	json_set_int(o, "in_ms", s->backoff_ms);
	set_state(s, SERVICE_RESTARTING, "service:restart", o);
}

static bool is_awaited(const struct service *s)
{
	const struct services *a = s->sv->services;

	return a->at < a->n && s == &a->v[a->at];
}

void services_run(struct service *s)
{
	struct err err = {0};
	cJSON *o;

	if (service_run(s, &s->sv->services->env, &err) < 0) {
		if (is_awaited(s)) {
			err_prefix(&err, "service '%s'", s->name);
			services_cancel(s->sv, &err,
					s->sv->spec.stop_timeout_ms);
			return;
		}
		snprintf(s->why, sizeof s->why, "was not started: %.230s",
			 err.what);
		s->failed = true;
		restart_or_exit(s);
		return;
	}
	o = cJSON_CreateObject();
	json_set_int(o, "pid", s->pid);
	set_state(s, SERVICE_STARTING, "service:started", o);
	if (!s->pid)
		return; /* on_gone() follows */
	if (s->check.how.how == READY_AT_ONCE && !is_once(s))
		set_ready(s);
	else
		service_check_begin(s);
}

void services_start(struct supervisor *sv)
{
	struct services *a = sv->services;
	char *detail;

	while (a->at < a->n) {
		struct service *s = &a->v[a->at];

		if (s->state == SERVICE_WAITING) {
			detail = mem_printf("waiting for service %s", s->name);
			mem_set(&sv->state.detail, detail);
			free(detail);
			services_run(s);
		}
		if (a->down || !s->was_ready)
			return;
		a->at++;
	}
	a->events->ready(sv);
}

/* -- events of one service ------------------------------------------------- */

static void on_ready(struct service *s)
{
	bool awaited = is_awaited(s);

	set_ready(s);
	if (awaited)
		services_start(s->sv);
}

static void on_late(struct service *s)
{
	int64_t ms = json_int(s->spec, "ready_timeout_ms", 0);
	bool waits = s->ready && *s->ready;
	char what[160];

	snprintf(what, sizeof what, "was not ready within %lld %s%s%.100s%s",
		 (long long)(ms % 1000 ? ms : ms / 1000),
		 ms % 1000 ? "ms" : "s", waits ? " (" : "",
		 waits ? s->ready : "", waits ? ")" : "");
	if (is_awaited(s)) {
		cancel_start_for(s, what);
		return;
	}
	snprintf(s->why, sizeof s->why, "%s", what);
	s->failed = true;
	service_stop(s, s->sv->spec.stop_timeout_ms);
	set_services(s->sv);
}

static void on_gone(struct service *s)
{
	struct supervisor *sv = s->sv;
	bool down = sv->services->down;
	char *what;
	cJSON *o = cJSON_CreateObject();

	if (s->pid)
		protocol_set_end(o, s->wait_status);
	json_set_str(o, "reason", s->why);
	set_state(s, down ? SERVICE_STOPPED : SERVICE_EXITED, "service:exit",
		  o);
	if (down) {
		report_failed(sv);
	} else if (is_awaited(s) && is_once(s) && s->pid && !s->failed) {
		s->was_ready = true;
		services_start(sv);
	} else if (is_awaited(s)) {
		what = mem_printf("%s%s", s->why,
				  s->pid && !is_once(s) ? " before it was ready"
							: "");
		cancel_start_for(s, what);
		free(what);
	} else {
		restart_or_exit(s);
	}
	/* Last, because it may start another service in this place. */
	if (s->gone)
		s->gone(s);
}

/* Kills it, or starts it again. */
static void on_timer(void *ctx)
{
	struct service *s = ctx;

	if (s->state == SERVICE_STOPPING)
		service_stop(s, 0);
	else if (s->state == SERVICE_RESTARTING && !s->sv->services->down)
		services_run(s);
}

void services_set(struct supervisor *sv, struct service *s, const cJSON *spec)
{
	static const struct service_events events = {
	    .ready = on_ready, .late = on_late, .gone = on_gone};
	struct loop_timer *timer = s->timer;

	service_init(s, sv, spec, &events);
	s->timer = timer ? timer : loop_timer_add(sv->loop, on_timer, s);
}

void services_load(struct supervisor *sv, const cJSON *env,
		   const struct services_events *events)
{
	struct services *a = sv->services;
	const cJSON *spec;

	a->events = events;
	/* Room for shells; those of an earlier run are gone. */
	a->v = mem_alloc(SERVICES_MAX * sizeof *a->v);
	cJSON_Delete(sv->state.services);
	sv->state.services = NULL;
	json_strv(env, "", &a->env);
	cJSON_ArrayForEach (spec, sv->spec.services) {
		struct service *s = &a->v[a->n];

		if (a->n == SERVICES_MAX)
			break;
		if (json_bool(spec, "once", false) &&
		    !json_bool(spec, "each_start", false) &&
		    sv->state.started_at)
			continue;
		a->n++;
		services_set(sv, s, spec);
		s->since = clock_wall_ms();
		json_strv(env, s->name, &s->env);
	}
	set_services(sv);
}

void services_cancel(struct supervisor *sv, const struct err *why,
		     int64_t grace_ms)
{
	struct services *a = sv->services;

	if (a->down) /* already under way */
		return;
	a->failed = *why;
	cancel_start(sv, grace_ms);
}

/* -- the end ----------------------------------------------------------------
 */

static bool services_ending(struct supervisor *sv, int64_t kill_at)
{
	struct services *a = sv->services;

	if (!a->down)
		stop_all(sv, kill_at - clock_mono_ms());
	return !are_all_gone(a);
}

static bool services_reaped(struct supervisor *sv, pid_t pid, int wait_status)
{
	struct services *a = sv->services;

	for (size_t i = 0; i < a->n; i++)
		if (service_reaped(&a->v[i], pid, wait_status))
			return true;
	return false;
}

static void services_spare(const struct supervisor *sv, pid_t *list)
{
	const struct services *a = sv->services;

	while (*list)
		list++;
	for (size_t i = 0; i < a->n; i++)
		if (a->v[i].guarded.guard)
			*list++ = a->v[i].guarded.guard;
	*list = 0;
}

/* The machine shuts down, and their ends were not waited for. */
static void services_end(struct supervisor *sv, const char *reason)
{
	struct services *a = sv->services;

	if (!a->down)
		stop_all(sv, 0);
	for (size_t i = 0; i < a->n; i++)
		if (a->v[i].state == SERVICE_STOPPING)
			a->v[i].state = SERVICE_STOPPED;
	set_services(sv);
}

static void services_finish(struct supervisor *sv)
{
	struct services *a = sv->services;

	for (size_t i = 0; i < a->n; i++)
		service_finish(&a->v[i]);
	free(a->v);
	strv_finish(&a->env);
}

const struct part services_part = {
    .own = PART_OWN(services),
    .ending = services_ending,
    .reaped = services_reaped,
    .spare = services_spare,
    .end = services_end,
    .finish = services_finish,
};
