/*
 * headless_start.c - the request to start: directly in a directory, or in a
 * workspace that is made first (workspace.c), as a session of afw.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/git_program.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "base/words.h"
#include "sandbox/sandbox.h"
#include "supervisor/harness/harness.h"
#include "supervisor/headless/credential.h"
#include "supervisor/headless/headless.h"
#include "supervisor/headless/workspace.h"
#include "supervisor/part.h"

#define TIMEOUT_MS 600000 /* for each of the clone and `afw new` */
#define HOLD_MS	   10000  /* for a container, which takes 0.2 s */

struct starting {
	cJSON *rq;		   /* without the values of env and secrets */
	struct strv given, hidden; /* these values: "K=V" */
	int64_t grace_ms;
	struct workspace *workspace; /* NULL: none has to be made */
};

/* Children that are forked later inherit the memory. */
static void delete_variables(struct starting *s)
{
	strv_finish(&s->given);
	strv_finish(&s->hidden);
}

static void starting_finish(struct starting *s)
{
	workspace_destroy(s->workspace);
	cJSON_Delete(s->rq);
	delete_variables(s);
	*s = (struct starting){0};
}
#define _starting_ CLEANUP(starting_finish)

/* -- what the request says ------------------------------------------------- */

static void add_variables(struct strv *env, const struct strv *list)
{
	for (size_t i = 0; i < list->n; i++)
		env_apply(env, list->v[i]);
}

/* Makes the supervisor's environment with the request's variables added. */
static void make_env(const struct starting *s, bool secrets, struct strv *env)
{
	for (char **e = environ; *e; e++)
		strv_add(env, *e);
	add_variables(env, &s->given);
	if (secrets)
		add_variables(env, &s->hidden);
}

static int check_texts(const struct stdio_start_request *r, struct err *err)
{
	const char *alone = r->workspace ? "workspace"
			    : r->branch	 ? "branch"
			    : r->base	 ? "base"
			    : r->harness ? "harness"
			    : r->sandbox ? "sandbox"
					 : NULL;

	if (!r->repo && alone)
		return err_set(err, ERR_USAGE, "start: %s needs repo", alone);
	if (r->repo && r->dir)
		return err_set(err, ERR_USAGE,
			       "start: dir and repo exclude each other");
	if (r->repo && !r->branch)
		return err_set(err, ERR_USAGE, "start: repo needs branch");
	return 0;
}

/* Finds the command in the request, else in AGENT_CMD and AGENT_ARGS. With repo
 * the command is optional: without one, afw's configuration chooses. */
static int find_argv(const struct starting *s, struct strv *argv,
		     struct err *err)
{
	_strv_ struct strv env = {0};
	const char *program, *args;

	json_strv(s->rq, "argv", argv);
	if (argv->n || json_str(s->rq, "harness"))
		return 0;
	make_env(s, false, &env);
	program = env_get(&env, "AGENT_CMD");
	args = env_get(&env, "AGENT_ARGS");
	if (program && *program) {
		strv_add(argv, program);
		if (args && words_split(args, argv, err) < 0)
			return err_prefix(err, "start: AGENT_ARGS");
		return 0;
	}
	if (json_str(s->rq, "repo"))
		return 0;
	err_set(err, ERR_USAGE, "start: argv is empty");
	return err_hint(err, "AGENT_CMD names no program either");
}

/* -- the agent runs -------------------------------------------------------- */

static void run_agent(struct headless *h, struct starting *s,
		      struct harness_start *hs, const struct strv *env,
		      const char *dir)
{
	bool resumed;

	h->started = true;
	h->sv->spec.stop_timeout_ms = s->grace_ms;
	strv_copy(&h->env, env);
	mem_set(&h->dir, dir);
	publish_phase(h->sv, PHASE_STARTING, NULL);
	harness_release(h->sv, hs, &resumed);
	/* Without a terminal nothing shows more about its activity. */
	h->sv->state.activity = ACTIVITY_WORKING;
	publish_now(h->sv);
	headless_flush_chat(h);
}

static int start_here(struct headless *h, struct starting *s,
		      const struct strv *argv, struct err *err)
{
	_free_ char *dir = realpath(json_str_or(s->rq, "dir", "."), NULL);
	_strv_ struct strv env = {0}, secret = {0};

	if (!dir)
		return err_errno(err, "start: dir");
	make_env(s, false, &env);
	env_set(&env, "PWD", dir);
	make_env(s, true, &secret);
	env_set(&secret, "PWD", dir);
	delete_variables(s);
	if (harness_launch_command(h->sv, argv, &secret, dir, err) < 0)
		return -1;
	run_agent(h, s, &(struct harness_start){0}, &env, dir);
	return 0;
}

/* -- in a workspace -------------------------------------------------------- */

static void set_default(struct strv *env, const char *name, const char *value)
{
	if (!env_get(env, name))
		env_set(env, name, value);
}

/* Commits need an author; the user's own identity is preferred. */
static void set_identity(struct strv *env, const char *repository)
{
	_free_ char *git_dir = gitfile_dir(repository);
	_free_ char *name =
	    git_program_config(git_dir, "--no-type", "user.name");
	_free_ char *email =
	    git_program_config(git_dir, "--no-type", "user.email");

	if (!name) {
		set_default(env, "GIT_AUTHOR_NAME", "tasks");
		set_default(env, "GIT_COMMITTER_NAME", "tasks");
	}
	if (!email && !env_get(env, "EMAIL")) {
		set_default(env, "GIT_AUTHOR_EMAIL", "tasks@localhost");
		set_default(env, "GIT_COMMITTER_EMAIL", "tasks@localhost");
	}
}

static int make_session_env(const struct supervisor *sv,
			    const struct starting *s, bool secrets,
			    struct strv *env, struct err *err)
{
	const struct sandbox *tier = sandbox_find(sv->spec.sandbox);
	_strv_ struct strv own = {0};

	sandbox_env(&sv->spec, NULL, secrets, env);
	add_variables(env, &s->given);
	if (secrets)
		add_variables(env, &s->hidden);
	set_identity(env, sv->spec.repository);
	if (tier->own_program)
		tier->own_program(&own);
	return credential_set_env(env, &own, err);
}

static void send_workspace(struct headless *h)
{
	const struct spec *spec = &h->sv->spec;
	_json_ cJSON *o = member_event("workspace:ready");

	json_set_str(o, "session", spec->id);
	json_set_str(o, "name", spec->name);
	json_set_str(o, "dir", spec->worktree);
	json_set_str(o, "branch", spec->branch);
	json_set_str(o, "base_commit", spec->base_commit);
	json_lines_write(&h->lines, o);
}

/* A session that was there before gets the command of this start. */
static int set_command(struct supervisor *sv, const struct starting *s,
		       struct err *err)
{
	struct spec *spec = &sv->spec;
	_strv_ struct strv argv = {0};
	const char *harness, *sandbox;

	if (find_argv(s, &argv, err) < 0)
		return -1;
	harness =
	    json_str_or(s->rq, "harness", argv.n ? "generic" : spec->harness);
	sandbox = json_str_or(s->rq, "sandbox", spec->sandbox);
	if (strcmp(harness, spec->harness) != 0 ||
	    strcmp(sandbox, spec->sandbox) != 0)
		return err_set(err, ERR_CONFLICT,
			       "start: session '%s' has harness %s, sandbox %s",
			       spec->name, spec->harness, spec->sandbox);
	if (!argv.n)
		return 0;
	strv_finish(&spec->command);
	strv_copy(&spec->command, &argv);
	return spec_save(spec, sv->dir, false, err);
}

/* Waits until a sandbox that holds the agent is ready, so that a command can
 * run beside it from agent:started on, or has failed. */
static void wait_for_sandbox(const struct supervisor *sv)
{
	struct pollfd hold = {.fd = harness_hold_fd(sv), .events = POLLIN};
	char ready;

	/* The byte is taken: to close a socket with unread data resets it. */
	if (sandbox_find(sv->spec.sandbox)->holds &&
	    poll(&hold, 1, HOLD_MS) == 1)
		(void)!read(hold.fd, &ready, 1);
}

static int start_session(struct headless *h, const char *id, bool reused,
			 struct err *err)
{
	struct supervisor *sv = h->sv;
	struct harness_start hs = {0};
	_strv_ struct strv env = {0};
	int rc;

	if (headless_open_session(sv, id, err) < 0)
		return -1;
	rc = reused ? set_command(sv, h->starting, err) : 0;
	if (rc == 0)
		rc = make_session_env(sv, h->starting, false, &env, err);
	if (rc == 0)
		rc = make_session_env(sv, h->starting, true, &hs.env, err);
	delete_variables(h->starting);
	if (rc < 0 || sandbox_make_git_dir(&sv->spec, err) < 0 ||
	    harness_launch(sv, &hs, err) < 0) {
		strv_finish(&hs.env);
		launch_finish(&hs.launch);
		publish_phase(sv, PHASE_ERROR, err->what);
		headless_reset(sv);
		return err_prefix(err, "start");
	}
	harness_env(sv, &env);
	send_workspace(h);
	wait_for_sandbox(sv);
	run_agent(h, h->starting, &hs, &env, sv->spec.worktree);
	return 0;
}

static void end_starting(struct headless *h)
{
	starting_finish(h->starting);
	free(h->starting);
	h->starting = NULL;
	h->settled(h);
}

static void on_failed(void *ctx, const struct err *err)
{
	struct headless *h = ctx;

	buf_clear(&h->early);
	h->input_ends = false;
	member_send_error(h, h->starting->rq, err);
	end_starting(h);
}

static void on_ready(void *ctx, const char *id, bool reused)
{
	struct headless *h = ctx;
	struct err err = {0};

	if (start_session(h, id, reused, &err) == 0) {
		end_starting(h);
		return;
	}
	workspace_remove(h->starting->workspace, id, &err);
	on_failed(h, &err);
}

static int start_workspace(struct headless *h, struct starting *s,
			   const struct strv *argv, struct err *err)
{
	_strv_ struct strv env = {0}, secret = {0};

	make_env(s, false, &env);
	make_env(s, true, &secret);
	s->workspace = workspace_create(
	    &(struct workspace_start){
		.children = h->sv->children,
		.rq = s->rq,
		.argv = argv,
		.env = &env,
		.secret = &secret,
		.timeout_ms = json_int(s->rq, "timeout_ms", TIMEOUT_MS),
		.ctx = h,
		.ready = on_ready,
		.failed = on_failed},
	    err);
	if (!s->workspace)
		return -1;
	h->starting = mem_alloc(sizeof *s);
	*h->starting = *s;
	*s = (struct starting){0};
	return 0;
}

/* -- the request ----------------------------------------------------------- */

static int check_once(const struct headless *h, struct err *err)
{
	if (h->ending || h->sv->end->state != END_NONE)
		return err_set(err, ERR_CONFLICT,
			       "start: this process is ending");
	if (h->started || h->starting)
		return err_set(err, ERR_CONFLICT,
			       "start: the agent has been started already");
	return 0;
}

static int on_start(struct peer *p, struct request *rq, struct err *err)
{
	struct headless *h = p->sv->headless;
	_starting_ struct starting s = {0};
	_strv_ struct strv argv = {0};
	struct stdio_start_request *r = &rq->stdio_start;
	int rc;

	if (check_once(h, err) < 0 || check_texts(r, err) < 0)
		return -1;
	s.given = r->env;
	s.hidden = r->secrets;
	r->env = r->secrets = (struct strv){0};
	s.grace_ms =
	    r->has_stop_timeout_ms ? r->stop_timeout_ms : HEADLESS_GRACE_MS;
	s.rq = cJSON_Duplicate(rq->json, true); /* wiped: env and secrets */
	if (find_argv(&s, &argv, err) < 0)
		return -1;
	buf_clear(&h->early);
	if (r->prompt)
		headless_add_line(&h->early, r->prompt);
	rc = r->repo ? start_workspace(h, &s, &argv, err)
		     : start_here(h, &s, &argv, err);
	if (rc < 0)
		buf_clear(&h->early);
	return rc;
}

void headless_cancel_start(struct headless *h)
{
	workspace_cancel(h->starting->workspace);
}

static void headless_start_finish(struct supervisor *sv)
{
	struct headless *h = sv->headless;

	if (h->starting)
		starting_finish(h->starting);
	free(h->starting);
}

static const struct request_handler requests[] = {
    {REQUEST_STDIO_START, on_start},
    {0},
};

const struct part headless_start_part = {
    .requests = requests,
    .finish = headless_start_finish,
};
