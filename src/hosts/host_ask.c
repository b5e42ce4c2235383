/* host_ask.c - the sessions of other machines, once: a feed (host_feed.h) up to
 * its first complete list. */
#include "hosts/host_ask.h"

#include <signal.h>
#include <string.h>

#include "base/clock.h"

struct ask {
	struct session_list *l;
	struct host_feeds *feeds;
};

static void on_session(void *ctx, struct session *s)
{
	struct session_list *l = ((struct ask *)ctx)->l;

	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->v[i].spec.id, s->spec.id) == 0) {
			if (l->v[i].host) { /* it has changed meanwhile */
				session_finish(&l->v[i]);
				l->v[i] = *s;
			} else {
				session_finish(s);
			}
			return;
		}
	l->v = mem_realloc(l->v, (l->n + 1) * sizeof *l->v);
	l->v[l->n++] = *s;
}

static void on_removed(void *ctx, const char *host, const char *id)
{
	(void)ctx, (void)host, (void)id; /* its first list is not complete */
}

static void on_state(void *ctx, const struct host_state *state)
{
	(void)ctx, (void)state; /* is_waiting() looks */
}

/* Returns whether a host has neither answered nor failed. */
static bool is_waiting(const struct ask *a, const struct host_list *hosts)
{
	for (size_t i = 0; i < hosts->n; i++)
		if (host_feeds_state(a->feeds, hosts->v[i].name)->reach ==
		    HOST_CONNECTING)
			return true;
	return false;
}

static void on_signal(void *ctx, int signo)
{
	struct ask *a = ctx;

	(void)signo;
	host_feeds_reap(a->feeds);
}

static void report_silent(const struct ask *a, const struct host_list *hosts,
			  void (*silent)(const struct host_state *state))
{
	for (size_t i = 0; silent && i < hosts->n; i++) {
		struct host_state s =
		    *host_feeds_state(a->feeds, hosts->v[i].name);

		if (s.reach == HOST_CONNECTING)
			s.reason = "no answer";
		if (s.reach != HOST_REACHABLE)
			silent(&s);
	}
}

void host_ask(const struct host_list *hosts, struct session_list *l,
	      void (*silent)(const struct host_state *state))
{
	static const struct host_feed_events events = {on_session, on_removed,
						       on_state};
	static const int signals[] = {SIGCHLD, 0};
	struct ask a = {.l = l};
	int64_t end = clock_mono_ms() + HOST_ASK_MS, left;
	struct loop *loop;
	sigset_t before;

	if (!hosts->n)
		return;
	sigprocmask(SIG_BLOCK, NULL, &before);
	loop = loop_create();
	loop_signals(loop, signals, on_signal, &a);
	a.feeds = host_feeds_open(loop, hosts, &events, &a);
	while (is_waiting(&a, hosts) && (left = end - clock_mono_ms()) > 0)
		loop_once(loop, left);
	report_silent(&a, hosts, silent);
	host_feeds_close(a.feeds);
	loop_destroy(loop);
	sigprocmask(SIG_SETMASK, &before, NULL);
}
