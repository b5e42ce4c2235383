/*
 * service_check.c - finds out when a service is ready. A separate process tries
 * a port (probe.h), because it may have to run in the service's sandbox; the
 * other checks are made here.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "sandbox/sandbox.h"
#include "supervisor/services/probe.h"
#include "supervisor/services/service.h"

#define AFTER_MS 2000 /* the process may need this beyond its limit */

/* Returns the sandbox if it has ports of its own, else NULL. */
static const struct sandbox *sandbox_apart(const struct service *s)
{
	const struct spec *spec = &s->sv->spec;
	const struct sandbox *tier = sandbox_find(spec->sandbox);

	return tier && tier->probe && strcmp(spec->network, "host") != 0 ? tier
									 : NULL;
}

int service_check_ready(const struct service *s, struct err *err)
{
	int port = s->check.how.port;

	if (s->check.wrong) {
		err_set(err, ERR_FAILED, "ready = %s: %s", s->ready,
			s->check.wrong);
		return err_hint(err, "a session has AFW_PORT if port_range in "
				     "afw.ini is not empty when it starts");
	}
	if (!port || sandbox_apart(s) || !probe_port_in_use(port))
		return 0;
	err_set(err, ERR_FAILED, "port %d is already taken", port);
	return err_hint(err, "sessions that run at once cannot share one: "
			     "${AFW_PORT} is the session's own; afw.ini(5), "
			     "[service.NAME]");
}

static void end_ready(struct service *s)
{
	service_check_end(s);
	s->events->ready(s);
}

static void end_late(struct service *s)
{
	service_check_end(s);
	s->events->late(s);
}

static void on_probed(void *ctx, const struct child_end *end)
{
	struct service *s = ctx;

	s->check.probe = NULL;
	if (end->failed)
		end_late(s);
	else
		end_ready(s);
}

static void start_probe(struct service *s, int64_t ms)
{
	const struct sandbox *tier = sandbox_apart(s);
	_strv_ struct strv argv = {0};
	struct child_start st = {
	    .spawn = {.dir = "/", .fd = {-1, -1, -1}, .new_session = true},
	    .deadline_ms = ms + AFTER_MS,
	    .ended = on_probed,
	    .ctx = s,
	};
	_free_ char *self = file_program_dir();
	struct err err;

	if (tier)
		tier->probe(s->sv->state.sandbox, &argv);
	else
		strv_take(&argv, file_join(self, "afw-supervisor"));
	strv_add(&argv, "ready");
	strv_add(&argv, s->ready);
	strv_addf(&argv, "%lld", (long long)ms);
	st.spawn.argv = argv.v;
	s->check.probe = child_start(s->sv->children, &st, &err);
	/* The deadline reports it. */
	if (!s->check.probe)
		publish_log("service '%s': %s", s->name, err.what);
}

static void on_timer(void *ctx)
{
	struct service *s = ctx;

	if (s->check.how.how == READY_DELAY)
		end_ready(s);
	else
		end_late(s);
}

void service_check_begin(struct service *s)
{
	struct service_check *c = &s->check;
	int64_t ms = json_int(s->spec, "ready_timeout_ms", 30000);

	if (!c->timer)
		c->timer = loop_timer_add(s->sv->loop, on_timer, s);
	if (c->how.port)
		start_probe(s, ms);
	loop_timer_set(c->timer,
		       c->how.how == READY_DELAY ? c->how.delay_ms : ms);
}

void service_check_end(struct service *s)
{
	loop_timer_stop(s->check.timer);
	child_drop(s->check.probe);
	s->check.probe = NULL;
}

/* The text that is awaited may have come in two pieces. */
void service_check_printed(struct service *s, size_t len)
{
	const struct buf *tail = &s->log.tail;
	size_t want, all;

	if (s->check.how.how != READY_LOG || s->state != SERVICE_STARTING)
		return;
	want = strlen(s->check.how.what);
	all = len + want < tail->len ? len + want : tail->len;
	if (memmem(tail->data + tail->len - all, all, s->check.how.what, want))
		end_ready(s);
}
