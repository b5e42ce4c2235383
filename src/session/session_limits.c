/* session_limits.c - which sessions share a limit, and a line about them. */
#include "session/session_limits.h"

#include <string.h>

#include "base/clock.h"

#define MINUTE_MS 60000

/* As in adapters/usage_limit.h. */
#define LOGIN	"login needed"
#define CONTEXT "context full"

bool session_limit_needs_help(const struct session *s)
{
	const struct state *st = &s->state;

	return st->phase == PHASE_RUNNING && st->limited && st->limited_by &&
	       strcmp(st->limited_by, "you") == 0 && !st->handed_to;
}

/* Agents name a minute, or a number of seconds from then on. */
static int64_t minute(const struct session *s)
{
	return (s->state.limited_until + MINUTE_MS / 2) / MINUTE_MS;
}

int session_limit_compare(const struct session *a, const struct session *b)
{
	int d = strcmp(a->spec.harness ? a->spec.harness : "",
		       b->spec.harness ? b->spec.harness : "");

	d = d ? d : strcmp(a->state.limited, b->state.limited);
	if (d || minute(a) != minute(b))
		return d ? d : minute(a) < minute(b) ? -1 : 1;
	if (strcmp(a->state.limited, LOGIN) == 0) /* each machine has its own */
		return strcmp(a->host ? a->host : "", b->host ? b->host : "");
	return strcmp(a->state.limited, CONTEXT) == 0
		   ? strcmp(a->spec.id, b->spec.id)
		   : 0;
}

void session_limit_line(const struct session *s, size_t n, struct buf *out)
{
	const struct state *st = &s->state;
	const char *agent = s->spec.harness ? s->spec.harness : "agent";
	char until[CLOCK_LOCAL_SIZE];

	buf_addf(out, "%zu %s session%s ", n, agent, n == 1 ? "" : "s");
	if (strcmp(st->limited, LOGIN) == 0) {
		buf_addf(out, "need%s a login%s%s: run %s%s", n == 1 ? "s" : "",
			 s->host ? " on " : "", s->host ? s->host : "", agent,
			 s->host ? " there" : "");
		return;
	}
	buf_adds(out, n == 1 ? "is limited" : "are limited");
	if (st->limited_until) {
		clock_format_local(st->limited_until, until);
		buf_addf(out, " until %s", until);
	}
	buf_addf(out, " (%s); %s can continue %s", st->limited,
		 state_over_budget(st) ? "afw start --over-budget"
				       : "on_limit in afw.ini",
		 n == 1 ? "it" : "them");
}
