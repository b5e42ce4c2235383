/*
 * provision.c - makes the session's directory, then the worktree, then starts
 * the supervisor. A failure removes what was made in the opposite order;
 * afw-worktree removes the worktree, and refuses while there is work in it.
 * With --after the last two steps follow later (bring_up.c).
 */
#include "commands/launch/provision.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "commands/command.h"
#include "commands/launch/bring_up.h"
#include "commands/launch/new_worktree.h"
#include "sandbox/sandbox.h"
#include "session/disk/dirs.h"
#include "session/disk/event_log.h"
#include "session/disk/groups.h"
#include "session/disk/lock.h"
#include "session/disk/store.h"
#include "session/live/limit.h"
#include "session/repair/unmake.h"
#include "session/session.h"

#define SUPERVISOR_MS                                                          \
	5000 /* for the supervisor to end after a failed start                 \
	      */

static volatile sig_atomic_t interrupted;

static void on_signal(int signo)
{
	interrupted = signo;
}

static int save_phase(struct new_session *n, enum phase phase, bool durable,
		      struct err *err)
{
	struct state state;
	int rc;

	if (state_load(&state, n->dir, NULL) < 0)
		state_init(&state);
	state.phase = phase;
	rc = state_save(&state, n->dir, durable, err);
	state_finish(&state);
	return rc;
}

/* The session's directory is renamed into place, so that a reader always finds
 * its specification. */
static int join_groups(const struct new_session *n, struct err *err)
{
	const char *group;
	size_t i = 0;

	while ((group = args_next(n->plan.args, "group", &i)))
		if (groups_join(n->dir, group, err) < 0)
			return err_prefix(err, "new '%s'", n->spec.name);
	return 0;
}

/* Copies the files of its template. If the session has no home of its own, the
 * start prints their names. */
static int make_home(const struct new_session *n, struct err *err)
{
	char *home;
	int rc;

	if (!n->home.n || !sandbox_find(n->spec.sandbox)->private_home)
		return 0;
	home = file_join(n->dir, "home");
	rc = filetree_write(&n->home, home, err);
	free(home);
	return rc;
}

static int make_files(struct new_session *n, struct err *err)
{
	struct spec *s = &n->spec;
	char staged[SPEC_ID_LEN + 1];
	cJSON *o;

	s->created_at = clock_wall_ms();
	s->repository_name = gitfile_repository_name(n->repository);
	if (sandbox_find(s->sandbox)->private_git)
		s->private_git = mem_strdup(SPEC_GIT_DIR);
	n->lock_fd = staging_create(staged, err);
	if (n->lock_fd < 0)
		return -1;
	n->dir = staging_dir(staged, err);
	if (!n->dir || spec_save(s, n->dir, false, err) < 0 ||
	    make_home(n, err) < 0 || join_groups(n, err) < 0 ||
	    staging_publish(staged, s->id, err) < 0) {
		staging_drop(staged);
		return -1;
	}
	free(n->dir);
	n->dir = dirs_session(s->id, err);
	if (!n->dir)
		return -1;
	if (s->private_git)
		spec_set_private(s, n->dir);
	n->made_dir = true;
	/* The first event of the history. The files contain its content too, so
	 * a failure to write it is ignored. */
	o = cJSON_CreateObject();
	json_set_str(o, "harness", s->harness);
	json_set_str(o, "repository", s->repository);
	events_append(n->dir, "created", o, NULL);
	if (s->after)
		return 0;
	/* Not durable: until there is a worktree, nothing can be lost. */
	if (save_phase(n, PHASE_PROVISIONING, false, err) < 0)
		return -1;
	events_append(n->dir, "provisioning", NULL, NULL);
	return 0;
}

static int make_session(struct new_session *n, struct err *err)
{
	int rc;

	if (!args_has(n->plan.args, "no-start") &&
	    limit_check(config_int(n->plan.config, OPTION_MAX_SESSIONS), 1,
			err) < 0)
		return err_prefix(err, "new '%s'", n->spec.name);
	rc = make_files(n, err);
	file_reset(&n->names_fd);
	return rc;
}

/* Removes what was made; err keeps the first reason and gets a hint about what
 * could not be removed. */
static void roll_back(struct new_session *n, struct err *err)
{
	struct err why = {0};
	int64_t end = clock_mono_ms() + SUPERVISOR_MS;
	/* the supervisor has the lock */
	bool given = n->made_dir && n->lock_fd < 0;

	/* A supervisor whose start has failed ends by itself. If it continues,
	 * it has a harness in the worktree. */
	while (given && lock_is_held(n->dir) && clock_mono_ms() < end)
		poll(NULL, 0, 10);
	if (given && lock_is_held(n->dir)) {
		err_hint(err, "its supervisor still runs: `afw status %s`",
			 n->spec.name);
		return;
	}
	/* If it was killed, its harness may still be running. */
	if (given && sandbox_stop(&n->spec, NULL, 1000, &why) < 0) {
		err_hint(err, "%s", why.what);
		return;
	}
	if (n->made_dir &&
	    session_unmake(&n->spec, n->dir, n->made_worktree, &why) < 0) {
		err_hint(err, "%s", why.what);
		return;
	}
	if (why.hint[0])
		err_hint(err, "%s", why.hint);
	/* The supervisor's reasons name no session. */
	if (given && !*n->interrupted)
		err_prefix(err, "new '%s', rolled back", n->spec.name);
}

static int make_rest(struct new_session *n, struct err *err)
{
	if (!args_has(n->plan.args, "no-start"))
		return bring_up_new(n, err);
	if (new_worktree_make(n, err) < 0)
		return -1;
	return save_phase(n, PHASE_CREATED, true, err);
}

int provision_make(struct new_session *n, struct err *err)
{
	struct sigaction sa = {.sa_handler = on_signal}, old[4];
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	int rc;

	/* On a signal the current step fails and is rolled back; without
	 * SA_RESTART a wait ends too. */
	for (size_t i = 0; i < 4; i++)
		sigaction(signals[i], &sa, &old[i]);
	n->interrupted = &interrupted;
	n->made_ms = -clock_mono_ms();
	rc = make_session(n, err);
	if (rc == 0)
		rc = make_rest(n, err);
	n->made_ms += clock_mono_ms();
	if (rc < 0)
		roll_back(n, err);
	if (rc < 0 && interrupted == SIGINT)
		err->kind = ERR_INTERRUPTED;
	for (size_t i = 0; i < 4; i++)
		sigaction(signals[i], &old[i], NULL);
	return rc;
}
