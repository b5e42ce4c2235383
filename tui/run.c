/* run.c - starts, runs and ends the dashboard. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/keyname.h"
#include "config/config.h"
#include "session/disk/dirs.h"
#include "session/disk/last_visit.h"
#include "session/live/changes.h"
#include "session/repair/survey.h"
#include "tui/hosts.h"
#include "tui/list/columns.h"
#include "tui/model/bell.h"
#include "tui/term/keys.h"
#include "tui/child/job.h"
#include "tui/child/memory.h"
#include "tui/child/conflicts.h"
#include "tui/preview/feed.h"
#include "tui/preview/remote.h"
#include "tui/preview/tabs.h"
#include "tui/tui.h"
#include "wire/program.h"

#define SINCE_MS 20000

/* Does what can fail before the terminal is touched. Returns the sessions'
 * directory, or NULL with err. */
static char *open_data(struct tui *t, struct err *err)
{
	if (dirs_prepare(err) < 0 || roster_load(&t->roster, true, err) < 0)
		return NULL;
	return dirs_sessions(err);
}

/* Watches the sessions, and then loads all of them: nothing is missed. */
static void follow_sessions(struct tui *t, const char *sessions)
{
	t->watch = changes_create();
	changes_add_all(t->watch, sessions, CHANGES_SHOWN);
	changes_listen(t->watch, t->loop, events_on_change, t);
	tui_reload_all(t);
}

/* The key that detaches from an agent's screen also leaves typing into it
 * beside the list, unless curses reports it as several keys. */
static void set_back_key(struct tui *t, const char *detach_key)
{
	struct keyname key;
	struct err err;

	t->back_key = "Ctrl-\\";
	t->back_char = '\\' - '@';
	if (!t->detach_key || keyname_parse(detach_key, &key, &err) < 0 ||
	    key.forms[0].len != 1)
		return;
	t->back_key = t->detach_key;
	t->back_char = (unsigned char)key.forms[0].bytes[0];
}

/* Shows a mistake in a file, and uses its other lines. */
static void read_config(struct tui *t)
{
	_free_ char *data = dirs_data(NULL);
	struct err err, mistake = {0};
	struct config_where where = {
	    .data_dir = data, .repository = t->checkout, .mistake = &mistake};
	struct config *c = NULL;

	if (config_load(&c, &where, &err) == 0) {
		t->preview = config_bool(c, OPTION_DASHBOARD_PREVIEW);
		t->mouse = config_bool(c, OPTION_DASHBOARD_MOUSE);
		t->roster.order =
		    order_of(config_str(c, OPTION_DASHBOARD_SORT));
		t->roster.by =
		    order_by_of(config_str(c, OPTION_DASHBOARD_GROUP));
		if (strcmp(config_str(c, OPTION_DETACH_KEY), "none") != 0)
			t->detach_key =
			    keyname_spoken(config_str(c, OPTION_DETACH_KEY));
		strv_copy(&t->editor, config_list(c, OPTION_EDITOR));
		bell_configure(t->bell, c);
		if (hosts_create(t, c, &err) < 0)
			tui_set_message(t, LOOK_ERROR, "%s", err.what);
	}
	if (mistake.kind)
		tui_set_message(t, LOOK_ERROR, "%s", mistake.what);
	columns_choose(&t->columns,
		       c ? config_list(c, OPTION_DASHBOARD_COLUMNS) : NULL);
	if (keys_set(c, &err) < 0)
		tui_set_message(t, LOOK_ERROR, "%s (%s)", err.what, err.hint);
	else if (c)
		t->commands = config_sections(c, "command", NULL);
	set_back_key(t, c ? config_str(c, OPTION_DETACH_KEY) : "none");
	config_destroy(c);
}

/* Reports findings of a quick survey, except lost sessions, which are in the
 * list. */
static void report_findings(struct tui *t)
{
	struct survey s = {0};
	size_t n = 0;

	survey_run(&s, CHEAP, NULL);
	for (size_t i = 0; i < s.found.n; i++)
		n += strcmp(s.found.v[i].kind, "lost_session") != 0;
	if (n && !t->message)
		tui_set_message(t, LOOK_PLAIN,
				"%zu thing%s left over: afw reconcile", n,
				n == 1 ? " is" : "s are");
	survey_finish(&s);
}

/* Shows the line of `afw since`, if there is one, until the next key. */
static void show_since(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;

	(void)arg;
	if (r->exit_code != 0 || !r->out[0])
		return;
	t->since = mem_strndup(r->out, strcspn(r->out, "\n"));
	tui_redraw(t);
}

/* At the first time there is nothing that the user has missed. */
static void start_since(struct tui *t)
{
	char *argv[] = {t->afw, (char[]){"since"}, (char[]){"--line"}, NULL};
	struct job_request rq = {.argv = argv,
				 .reads = true,
				 .timeout_ms = SINCE_MS,
				 .done = show_since};

	if (last_visit_get() >= 0)
		jobs_start(t->jobs, &rq, NULL);
}

static void finish(struct tui *t)
{
	while (t->view) {
		struct view *v = t->view;

		t->view = v->below;
		v->ops->destroy(v);
	}
	hosts_destroy(t);
	remote_destroy(t->remote);
	tabs_destroy(t->tabs);
	conflicts_destroy(t->conflicts);
	memory_destroy(t->memory);
	jobs_destroy(t->jobs);
	feed_destroy(t->feed);
	bell_destroy(t->bell);
	changes_destroy(t->watch);
	roster_finish(&t->roster);
	loop_destroy(t->loop);
	strv_finish(&t->changed);
	drafts_finish(&t->drafts);
	free(t->new_harness);
	free(t->new_command);
	free(t->repository);
	free(t->checkout);
	free(t->afw);
	strv_finish(&t->sent);
	strv_finish(&t->landing);
	free(t->detach_key);
	strv_finish(&t->editor);
	cJSON_Delete(t->commands);
	free(t->message);
	free(t->since);
	keys_finish();
}

int tui_run(struct err *err)
{
	static const int signals[] = {SIGWINCH, SIGCHLD, SIGINT,
				      SIGTERM,	SIGHUP,	 0};
	struct tui t = {.preview = true, .mouse = true, .exit_code = -1};
	_free_ char *sessions = NULL;

	signal(SIGPIPE, SIG_IGN);
	t.loop = loop_create();
	t.jobs = jobs_create(t.loop, &t);
	t.afw = program_afw();
	t.repository = session_repository_here();
	t.checkout = session_checkout_here();
	t.view = list_view();
	events_start(&t);
	t.bell = bell_create(t.loop);
	t.tabs = tabs_create(&t);
	t.conflicts = conflicts_create(&t);
	t.remote = remote_create(&t);
	t.feed = feed_create(t.loop, events_on_feed, &t);
	read_config(&t);
	t.memory = memory_create(&t);
	sessions = open_data(&t, err);
	if (sessions && term_start(t.mouse, err) == 0) {
		mem_on_abort(term_restore_now);
		loop_signals(t.loop, signals, events_on_signal, &t);
		t.exit_code = 0;
		events_listen(&t);
		/* After the first picture. */
		follow_sessions(&t, sessions);
		hosts_open(&t);
		report_findings(&t);
		start_since(&t);
		loop_run(t.loop);
		last_visit_set();
		term_stop();
		mem_on_abort(NULL);
	}
	finish(&t);
	return t.exit_code;
}
