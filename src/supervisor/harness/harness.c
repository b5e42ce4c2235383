/*
 * harness.c - starts the harness's process: its environment, its command line
 * as the adapter and the sandbox need it, and its terminal.
 */
#include "supervisor/harness/harness.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/env_list.h"
#include "base/file.h"
#include "base/json.h"
#include "sandbox/sandbox.h"
#include "session/disk/dirs.h"
#include "session/spec.h"
#include "supervisor/harness/harness_internal.h"
#include "supervisor/part.h"
#include "wire/program.h"

/* variables of the user's terminal, or of an agent in which afw itself runs */
static const char *const not_inherited[] = {
    "TMUX",
    "TMUX_PANE",
    "STY",
    "WINDOW",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "KITTY_WINDOW_ID",
    "WEZTERM_PANE",
    "VTE_VERSION",
    "LINES",
    "COLUMNS",
    NULL,
};

void harness_env(const struct supervisor *sv, struct strv *env)
{
	_free_ char *dir = spec_directory(&sv->spec);

	for (size_t i = 0; not_inherited[i]; i++)
		env_apply(env, not_inherited[i]);
	env_set(env, "COLORTERM", "truecolor");
	if (sv->backend->term)
		env_set(env, "TERM", sv->backend->term());
	env_set(env, "PWD", dir);
	spec_set_env(&sv->spec, sv->state.run, env);
	env_set(env, "AF_SESSION_ID", sv->spec.id);
	env_set(env, "AF_SESSION", sv->spec.name);
	env_set(env, "AF_DOOR", sv->door_path);
}

/* Sets the command that its hooks run, as seen from where the harness runs. */
static void set_hook_command(const struct spec *spec, struct strv *hook)
{
	const struct sandbox *tier = sandbox_find(spec->sandbox);

	if (tier && tier->own_program)
		tier->own_program(hook);
	else
		strv_take(hook, program_find("afw-supervisor"));
	strv_add(hook, "hook");
}

/* Reads the login from the user's own files; a private home has copies of them.
 */
static void read_auth(struct supervisor *sv, const struct strv *env)
{
	struct auth auth = {0};

	adapter_auth(sv->adapter, (const char *const *)env->v, &auth);
	sv->harness->by_token = auth.by_token;
	auth_finish(&auth);
}

/* Returns its sandbox's handle, to be deleted; NULL with err. *fd: descriptor 3
 * for the harness, or -1. */
static cJSON *prepare_sandbox(struct supervisor *sv, struct harness_start *hs,
			      struct strv *env, struct launch *launch, int *fd,
			      struct err *err)
{
	_strv_ struct strv hook = {0}, places = {0};
	struct launch_request rq = {
	    .spec = &sv->spec,
	    .rules = sv->rules,
	    .home = sv->home,
	    .places = &places,
	    .door = sv->door_path,
	    .resume = hs->resume,
	    .conversation = sv->state.conversation ? sv->state.conversation
						   : sv->spec.conversation,
	    .fork = hs->fork,
	    .trusted = hs->trusted,
	};
	struct sandbox_start st = {.spec = &sv->spec,
				   .dir = sv->dir,
				   .home = sv->home,
				   .argv = &launch->argv,
				   .env = env,
				   .degraded = &launch->degraded,
				   .fd = fd,
				   .piped = sv->backend->errors};
	const struct sandbox *tier = sandbox_find(sv->spec.sandbox);
	_strv_ struct strv files = {0};
	cJSON *handle = NULL;
	int entered;

	if (tier && tier->holds)
		st.hold = &sv->harness->release_fd;
	sandbox_places(&sv->spec, sv->home, &places);
	set_hook_command(&sv->spec, &hook);
	rq.hook = (const char *const *)hook.v;
	*env = hs->env;
	hs->env = (struct strv){0};
	harness_env(sv, env);
	read_auth(sv, env);
	adapter_needs(sv->spec.harness_config, "needs_files", &files);
	entered = sandbox_enter_home(&sv->spec, sv->home,
				     (const char *const *)files.v, env, err);
	rq.environ_now = (const char *const *)env->v;
	if (entered == 0 &&
	    adapter_prepare(sv->adapter, &rq, launch, err) == 0) {
		/* "K=V" sets a variable, "K" removes it. */
		for (size_t i = 0; i < launch->env.n; i++)
			env_apply(env, launch->env.v[i]);
		handle = sandbox_open(&st, err);
	}
	return handle;
}

static struct terminal *start_terminal(struct supervisor *sv,
				       struct terminal_start *st,
				       struct err *err)
{
	st->loop = sv->loop;
	st->events = (struct terminal_events){.ctx = sv,
					      .exited = harness_on_exited,
					      .alone = harness_on_alone,
					      .lost = harness_on_lost,
					      .room = harness_on_room,
					      .failed = harness_on_failed,
					      .typed = harness_on_typed};
	return sv->backend->start(st, &sv->pid, err);
}

static struct terminal *open_terminal(struct supervisor *sv,
				      const struct launch *launch,
				      const struct strv *env, int fd,
				      struct err *err)
{
	int fds[] = {fd, 0};
	_free_ char *run = dirs_runtime_of(sv->spec.id, err),
		    *dir_path = spec_directory(&sv->spec);
	_close_ int dir_fd = run ? spec_open_directory(&sv->spec, err) : -1;
	struct terminal_start st = {
	    .argv = launch->argv.v,
	    .envp = env->v,
	    .dir = dir_path,
	    .dir_fd = dir_fd,
	    .fds = fd >= 0 ? fds : NULL,
	    .cols = sv->spec.cols,
	    .rows = sv->spec.rows,
	    .scrollback = SCROLLBACK_LINES,
	    .id = sv->spec.id,
	    .run = run,
	    .state = sv->dir,
	};

	return dir_fd < 0 ? NULL : start_terminal(sv, &st, err);
}

/* Without a private home, the template's home would be the user's own, which is
 * not written to. */
static void report_home(const struct spec *s, struct launch *launch)
{
	if (s->template_read_home && !sandbox_find(s->sandbox)->private_home)
		strv_addf(&launch->degraded,
			  "sandbox %s has no home of its own: the home/ of "
			  "template %s is not used",
			  s->sandbox, s->template_name);
}

/* Refuses to replace a conversation that has messages by a new one, unless a
 * new one was asked for. */
static int check_fresh(const struct supervisor *sv,
		       const struct harness_start *hs, struct launch *launch,
		       struct err *err)
{
	const struct state *s = &sv->state;
	bool said = s->messages > s->queued &&
		    adapter_can_resume(sv->adapter, sv->rules);
	bool known = s->conversation || sv->spec.conversation;

	if (!launch->why_fresh)
		return 0;
	if (hs->fork)
		return err_set(err, ERR_FAILED, "fork: %s", launch->why_fresh);
	if (said && !hs->fresh && (known || !hs->if_any)) {
		err_set(err, ERR_CONFLICT, "resume '%s': %s", sv->spec.name,
			launch->why_fresh);
		return err_hint(err, "`afw start --fresh %s` begins a new one",
				sv->spec.name);
	}
	if (said || !hs->if_any)
		strv_addf(&launch->degraded,
			  "%s: started with a new conversation",
			  launch->why_fresh);
	return 0;
}

int harness_launch(struct supervisor *sv, struct harness_start *hs,
		   struct err *err)
{
	struct launch *launch = &hs->launch;
	_strv_ struct strv env = {0};
	_close_ int fd = -1;
	_json_ cJSON *handle = prepare_sandbox(sv, hs, &env, launch, &fd, err);

	if (handle)
		report_home(&sv->spec, launch);
	if (handle && check_fresh(sv, hs, launch, err) == 0)
		sv->harness->pending = open_terminal(sv, launch, &env, fd, err);
	if (!sv->harness->pending) {
		sv->pid = 0;
		file_reset(&sv->harness->release_fd);
		return -1;
	}
	cJSON_Delete(sv->state.sandbox);
	sv->state.sandbox = TAKE_PTR(handle);
	return 0;
}

int harness_launch_command(struct supervisor *sv, const struct strv *argv,
			   const struct strv *env, const char *dir,
			   struct err *err)
{
	_close_ int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct terminal_start st = {
	    .argv = argv->v, .envp = env->v, .dir = dir, .dir_fd = dir_fd};

	if (dir_fd < 0)
		return err_errno(err, "open %s", dir);
	sv->harness->pending = start_terminal(sv, &st, err);
	if (sv->harness->pending)
		return 0;
	sv->pid = 0;
	return -1;
}

void harness_release(struct supervisor *sv, struct harness_start *hs,
		     bool *resumed)
{
	struct launch *launch = &hs->launch;
	struct state *state = &sv->state;
	cJSON *o;

	sv->terminal = sv->harness->pending;
	sv->harness->pending = NULL;
	*resumed = launch->resumed;
	strv_copy(&state->degraded, &launch->degraded);
	/* A start from scratch begins another conversation. */
	if (launch->conversation || !launch->resumed)
		mem_set(&state->conversation, launch->conversation);
	mem_set(&sv->harness->record_dir, launch->record_dir);
	state->pid = sv->pid;
	state->lost = false;
	state->exit_code = -1;
	state->signal = 0;
	state->started_at = clock_wall_ms();
	state->ended_at = 0;
	state->activity_since = 0;
	mem_set(&state->title, NULL); /* the predecessor's title */
	PARTS(start, sv);
	harness_watch_terminal(sv);
	publish_phase(sv, PHASE_RUNNING, NULL);
	PARTS(running, sv);
	o = cJSON_CreateObject();
	json_set_int(o, "pid", sv->pid);
	json_set_str(o, "run", state->run);
	if (sv->dir)
		json_set_bool(o, "resumed", launch->resumed);
	publish_event(sv, "agent:started", o);
	file_reset(&sv->harness->release_fd);
	launch_finish(launch);
}

int harness_hold_fd(const struct supervisor *sv)
{
	return sv->harness->release_fd;
}

const char *harness_record_dir(const struct supervisor *sv)
{
	return sv->harness->record_dir;
}

bool harness_pays_by_token(const struct supervisor *sv)
{
	return sv->harness->by_token;
}

static int init(struct supervisor *sv, struct err *err)
{
	sv->harness->release_fd = -1;
	return 0;
}

static void finish(struct supervisor *sv)
{
	free(sv->harness->record_dir);
}

const struct part harness_part = {
    .own = PART_OWN(harness),
    .init = init,
    .finish = finish,
};
