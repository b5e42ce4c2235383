/* hosts.c - follows the sessions of other machines. A change marks the picture
 * as outdated, as one of this machine does. */
#include "tui/hosts.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "hosts/host_feed.h"
#include "session/disk/dirs.h"
#include "tui/preview/remote.h"

#define MINUTE_MS 60000
#define TALK_MS	  200

struct hosts {
	struct host_list list;
	struct host_feeds *feeds; /* NULL: not connected yet */
};

/* What a working agent says changes all the time, on all machines. */
static void changed(struct tui *t, enum roster_change change)
{
	if (change > t->hosts_changed)
		t->hosts_changed = change;
	tui_reload_soon(t, change == ROSTER_SAME ? TALK_MS : TUI_REDRAW_MS);
}

static void on_session(void *ctx, struct session *s)
{
	struct tui *t = ctx;
	char id[SPEC_ID_LEN + 1];

	memcpy(id, s->spec.id, sizeof id);
	changed(t, roster_put(&t->roster, s));
	remote_changed(t->remote, id);
}

/* Its place in the list is used by the next one at once. */
static void on_removed(void *ctx, const char *host, const char *id)
{
	struct tui *t = ctx;

	(void)host;
	if (roster_remove(&t->roster, id, false) == ROSTER_SAME)
		return;
	roster_arrange(&t->roster);
	changed(t, ROSTER_SAME);
}

static void on_state(void *ctx, const struct host_state *state)
{
	(void)state;
	changed(ctx, ROSTER_SAME);
}

int hosts_create(struct tui *t, const struct config *c, struct err *err)
{
	t->hosts = mem_alloc(sizeof *t->hosts);
	return host_list_load(&t->hosts->list, c, err);
}

void hosts_open(struct tui *t)
{
	static const struct host_feed_events events = {on_session, on_removed,
						       on_state};

	if (t->hosts && t->hosts->list.all)
		t->hosts->feeds =
		    host_feeds_open(t->loop, &t->hosts->list, &events, t);
}

/* An engine's host, and that of a session with a place of its own, is there
 * once its place is made. */
void hosts_reload(struct tui *t)
{
	_free_ char *data = dirs_data(NULL);
	struct config_where where = {.data_dir = data,
				     .repository = t->checkout};
	_config_ struct config *c = NULL;
	struct host_list now = {0};
	bool engines = false;
	struct err err;

	for (size_t i = 0; t->hosts && i < t->hosts->list.all; i++)
		engines |= t->hosts->list.v[i].engine != NULL;
	if (!engines || !t->hosts->feeds || config_load(&c, &where, &err) < 0 ||
	    host_list_load(&now, c, &err) < 0)
		return;
	host_list_finish(&t->hosts->list);
	t->hosts->list = now;
	host_feeds_update(t->hosts->feeds, &now);
}

void hosts_reap(struct tui *t)
{
	if (t->hosts && t->hosts->feeds)
		host_feeds_reap(t->hosts->feeds);
}

void hosts_destroy(struct tui *t)
{
	if (!t->hosts)
		return;
	host_feeds_close(t->hosts->feeds);
	host_list_finish(&t->hosts->list);
	free(t->hosts);
	t->hosts = NULL;
}

/* Returns the state of a machine that is out of reach, or NULL. */
static const struct host_state *find_lost(const struct tui *t, const char *host)
{
	const struct host_state *state =
	    t->hosts && t->hosts->feeds && host
		? host_feeds_state(t->hosts->feeds, host)
		: NULL;

	return state && state->reach == HOST_UNREACHABLE ? state : NULL;
}

bool hosts_note(struct tui *t, const struct session *s, bool why,
		struct buf *out)
{
	const struct host_state *state = find_lost(t, s->host);
	int64_t age = state ? clock_wall_ms() - state->since : 0;

	if (!state || !out)
		return state != NULL;
	if (age < 0)
		age = 0;
	tui_lasts(t, MINUTE_MS - age % MINUTE_MS);
	buf_adds(out, "unreachable");
	if (age >= MINUTE_MS)
		buf_addf(out, " for %lld min", (long long)(age / MINUTE_MS));
	if (why && *state->reason)
		buf_addf(out, ": %s", state->reason);
	return true;
}

void hosts_print_lost(struct tui *t, struct buf *out)
{
	for (size_t i = 0; t->hosts && i < t->hosts->list.n; i++) {
		const char *name = t->hosts->list.v[i].name;

		if (find_lost(t, name))
			buf_addf(out, "%s%s: unreachable", out->len ? ", " : "",
				 name);
	}
}
