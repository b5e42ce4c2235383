/*
 * new.c - afw new: worktree, branch, agent started, task delivered.
 *
 * The order is what makes it safe: everything that can be checked is checked
 * before anything is made; then the session's directory, the worktree, the
 * supervisor. Whatever fails (or a signal) takes back what was made, in the
 * opposite order; the worktree is taken back by afw-worktree, which refuses
 * while there is work in it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/adapter.h"
#include "adapters/rules.h"
#include "base/clock.h"
#include "base/delete_tree.h"
#include "base/file.h"
#include "base/json.h"
#include "base/random.h"
#include "base/spawn.h"
#include "base/utf8.h"
#include "commands/attach.h"
#include "commands/command.h"
#include "commands/harness_choice.h"
#include "commands/message.h"
#include "commands/output.h"
#include "commands/progress.h"
#include "commands/settings.h"
#include "commands/supervise.h"
#include "sandbox/sandbox.h"
#include "session/dirs.h"
#include "session/events.h"
#include "session/limit.h"
#include "session/lock.h"
#include "session/session.h"
#include "terminal/terminal.h"
#include "wire/worktree_client.h"

static const struct command_option new_options[] = {
    {.name = "harness",
     .letter = 'a',
     .arg = "HARNESS",
     .help = "the agent: claude, codex, gemini, opencode, or one of your own"},
    {.name = "base",
     .letter = 'b',
     .arg = "BASE",
     .help = "branch, tag or commit to start from"},
    {.name = "message", .letter = 'm', .arg = "TEXT", .help = "its first task"},
    {.name = "file",
     .letter = 'F',
     .arg = "FILE",
     .help = "its first task from a file, - for standard input"},
    {.name = "env",
     .letter = 'e',
     .arg = "NAME[=VALUE]",
     .many = true,
     .help = "a variable for the agent, without = from here"},
    {.name = "env-file",
     .arg = "FILE",
     .many = true,
     .help = "variables from a file of NAME=VALUE lines"},
    {.name = "system-prompt",
     .arg = "TEXT",
     .help = "added to the agent's system prompt"},
    {.name = "backend", .arg = "BACKEND", .help = "where its terminal lives"},
    {.name = "sandbox", .arg = "SANDBOX", .help = "what confines it"},
    {.name = "attach", .help = "attach to it at once"},
    {.name = "json", .help = "print the session as one object"},
    {.name = NULL},
};

#define SUPERVISOR_MS 5000 /* to end when its start has failed */

struct new_session {
	const struct args *args;
	struct config *config;
	struct spec spec;
	struct strv env;
	struct buf message;
	char *repository; /* where we stand; NULL: in none */
	char *dir;
	int lock_fd;
	bool made_dir, made_worktree;
};

static volatile sig_atomic_t interrupted;

static void on_signal(int signo)
{
	interrupted = signo;
}

static void finish(struct new_session *n)
{
	if (n->lock_fd >= 0)
		close(n->lock_fd);
	config_destroy(n->config);
	spec_finish(&n->spec);
	strv_finish(&n->env);
	buf_finish(&n->message);
	free(n->repository);
	free(n->dir);
}

/* -- before anything is made ------------------------------------------- */

static int choose_backend(struct new_session *n, struct err *err)
{
	const char *backend = args_value(n->args, "backend");
	const char *sandbox = args_value(n->args, "sandbox");
	const struct terminal_backend *terminal;

	if (backend && config_set(n->config, OPTION_BACKEND, backend, err) < 0)
		return -1;
	if (sandbox && config_set(n->config, OPTION_SANDBOX, sandbox, err) < 0)
		return -1;
	backend = config_str(n->config, OPTION_BACKEND);
	sandbox = config_str(n->config, OPTION_SANDBOX);
	terminal = terminal_find(backend);
	if (!terminal)
		return err_set(err, ERR_USAGE,
			       "backend '%s' is not in this version of afw; "
			       "it has: pty, tmux",
			       backend);
	if (!sandbox_find(sandbox))
		return err_set(err, ERR_USAGE,
			       "sandbox '%s' is not in this version of afw; "
			       "it has: none",
			       sandbox);
	n->spec.backend = mem_strdup(backend);
	n->spec.sandbox = mem_strdup(sandbox);
	if (terminal->check && terminal->check(err) < 0)
		return -1;
	return sandbox_find(sandbox)->check(err);
}

static void choose_size(struct spec *s)
{
	struct winsize ws;

	s->cols = 120;
	s->rows = 40;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col >= 20 &&
	    ws.ws_row >= 5) {
		s->cols = ws.ws_col;
		s->rows = ws.ws_row;
	}
}

static int name_is_free(const struct new_session *n, struct err *err)
{
	struct session_list l;
	int rc = 0;

	if (!n->repository)
		return 0;
	if (session_list_glance(&l, err) < 0)
		return -1;
	for (size_t i = 0; rc == 0 && i < l.n; i++) {
		const struct session *s = &l.v[i];

		if (s->broken || !s->spec.repository ||
		    strcmp(s->spec.repository, n->repository) != 0 ||
		    strcmp(s->spec.name, n->spec.name) != 0)
			continue;
		rc = err_set(err, ERR_CONFLICT,
			     "new '%s': this repository has a session of that "
			     "name, it is %s",
			     n->spec.name, session_word(s));
		err_hint(err,
			 "`afw attach %s` goes to it, `afw rm %s` takes it "
			 "away",
			 n->spec.name, n->spec.name);
	}
	session_list_finish(&l);
	return rc;
}

static int check(struct new_session *n, struct err *err)
{
	const struct args *a = n->args;
	struct spec *s = &n->spec;

	s->name = mem_strdup(a->positional[0]);
	if (spec_check_name(s->name, err) < 0)
		return -1;
	if (message_read(args_value(a, "message"), args_value(a, "file"),
			 &n->message, err) < 0 ||
	    supervise_env(a, &n->env, err) < 0)
		return -1;
	if ((args_has(a, "message") || args_has(a, "file")) &&
	    n->message.len == 0)
		return err_set(err, ERR_USAGE,
			       "new '%s': the first task is empty", s->name);
	if (args_has(a, "attach") &&
	    (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
		return err_set(err, ERR_USAGE,
			       "new '%s': --attach needs a terminal",
			       s->name);
	n->repository = session_repository_of(".");
	if (!n->repository) {
		err_set(err, ERR_FAILED,
			"new '%s': this is not in a git repository", s->name);
		return err_hint(err, "go to one, or make one with `git init`");
	}
	if (settings_load(&n->config, n->repository, err) < 0)
		return -1;
	settings_warn(n->config);
	if (choose_backend(n, err) < 0 ||
	    harness_choose(a, n->config, s, err) < 0)
		return -1;
	s->system_prompt = mem_strdup(args_value(a, "system-prompt"));
	s->stop_timeout_ms = config_int(n->config, OPTION_STOP_TIMEOUT);
	s->stall_after_ms = config_int(n->config, OPTION_STALL_AFTER);
	s->transcript_max_bytes = config_int(n->config, OPTION_TRANSCRIPT_MAX);
	s->scrollback_lines = (int)config_int(n->config, OPTION_SCROLLBACK);
	choose_size(s);
	for (size_t i = 0; i < n->env.n; i++)
		strv_take(&s->env_names,
			  mem_strndup(n->env.v[i], strcspn(n->env.v[i], "=")));
	if (dirs_prepare(err) < 0)
		return -1;
	return name_is_free(n, err);
}

/* -- making it ------------------------------------------------------------- */

static int save_phase(struct new_session *n, enum phase phase, struct err *err)
{
	struct state state;
	int rc;

	state_init(&state);
	state.phase = phase;
	state.created_at = n->spec.created_at;
	/* Not durable: until the worktree is there, nothing can be lost. */
	rc = state_save(&state, n->dir, false, err);
	state_finish(&state);
	return rc;
}

/* The history begins. What it says stands in the files too: that it cannot
 * be written is no reason to fail. */
static void note(const struct new_session *n, const char *event)
{
	const struct spec *s = &n->spec;
	cJSON *o = cJSON_CreateObject();

	if (strcmp(event, "created") == 0) {
		json_set_str(o, "harness", s->harness);
		json_set_str(o, "repository", s->repository);
	} else if (strcmp(event, "ready") == 0) {
		json_set_str(o, "worktree", s->worktree);
		json_set_str(o, "branch", s->branch);
		json_set_str(o, "base_commit", s->base_commit);
	}
	events_append(n->dir, event, o, NULL);
}

static int make_files(struct new_session *n, struct err *err)
{
	struct spec *s = &n->spec;

	random_hex(s->id, SPEC_ID_LEN);
	s->created_at = clock_wall_ms();
	s->repository = mem_strdup(n->repository);
	n->dir = dirs_session(s->id, err);
	if (!n->dir)
		return -1;
	if (mkdir(n->dir, 0700) < 0)
		return err_errno(err, "make %s", n->dir);
	n->made_dir = true;
	n->lock_fd = lock_take(n->dir, err);
	if (n->lock_fd < 0 || spec_save(s, n->dir, false, err) < 0)
		return -1;
	note(n, "created");
	if (save_phase(n, PHASE_PROVISIONING, err) < 0)
		return -1;
	note(n, "provisioning");
	return 0;
}

static int make_session(struct new_session *n, struct err *err)
{
	struct limit most = settings_limit(n->config);
	int limit = limit_take(&most, n->repository, err), rc;

	if (limit == -1)
		return err_prefix(err, "new '%s'", n->spec.name);
	rc = make_files(n, err);
	limit_release(limit);
	return rc;
}

static void add_list(cJSON *o, const char *key, const struct strv *list)
{
	if (list->n)
		json_set_strv(o, key, list);
}

static cJSON *create_request(const struct new_session *n)
{
	const char *base = args_value(n->args, "base");
	const struct config *c = n->config;
	char *here = realpath(".", NULL);
	cJSON *o = cJSON_CreateObject();

	if (!base && config_str(c, OPTION_BASE)[0])
		base = config_str(c, OPTION_BASE);
	json_set_str(o, "op", "create");
	json_set_str(o, "path", here ? here : n->repository);
	json_set_str(o, "name", n->spec.name);
	json_set_str(o, "branch_prefix", config_str(c, OPTION_BRANCH_PREFIX));
	json_set_str(o, "base", base);
	add_list(o, "copy", config_list(c, OPTION_COPY));
	add_list(o, "link", config_list(c, OPTION_LINK));
	add_list(o, "setup", config_list(c, OPTION_SETUP));
	json_set_int(o, "setup_timeout_ms",
		     config_int(c, OPTION_SETUP_TIMEOUT));
	free(here);
	return o;
}

/* "web" of /src/web and of /srv/web.git; to be freed. */
static char *repository_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t len = strlen(name);

	if (len > 4 && strcmp(name + len - 4, ".git") == 0)
		len -= 4;
	return mem_strndup(name, len);
}

static void take(char **member, const cJSON *o, const char *key)
{
	free(*member);
	*member = mem_strdup(json_str(o, key));
}

static int make_worktree(struct new_session *n, struct err *err)
{
	struct progress *progress = progress_create(n->spec.name);
	cJSON *rq = create_request(n), *o;
	struct spec *s = &n->spec;
	struct strv warnings = {0};

	o = worktree_client_run_until(rq, progress_line, progress, 0,
				      &interrupted, err);
	cJSON_Delete(rq);
	progress_destroy(progress);
	if (!o) {
		err_prefix(err, "new '%s'", s->name);
		return -1;
	}
	n->made_worktree = true;
	take(&s->repository, o, "repository");
	free(s->repository_name);
	s->repository_name = repository_name(s->repository);
	take(&s->worktree, o, "worktree");
	take(&s->worktree_id, o, "worktree_id");
	take(&s->branch, o, "branch");
	take(&s->base, o, "base");
	take(&s->base_commit, o, "base_commit");
	s->worktree_ino = json_u64(o, "ino", 0);
	json_strv(o, "warnings", &warnings);
	for (size_t i = 0; i < warnings.n; i++)
		output_warn("%s", warnings.v[i]);
	strv_finish(&warnings);
	cJSON_Delete(o);
	if (spec_save(s, n->dir, true, err) < 0)
		return -1;
	note(n, "ready");
	return 0;
}

/* Takes back what was made; err keeps the first reason, and says what could
 * not be taken back. */
static void roll_back(struct new_session *n, struct err *err)
{
	struct err why = {0};
	int64_t end = clock_mono_ms() + SUPERVISOR_MS;
	bool given = n->made_dir && n->lock_fd < 0; /* to a supervisor */

	/* It ends by itself where its start has failed. One that goes on has
	 * a harness in the worktree. */
	while (given && lock_is_held(n->dir) && clock_mono_ms() < end)
		poll(NULL, 0, 10);
	if (given && lock_is_held(n->dir)) {
		err_hint(err, "its supervisor still runs: `afw status %s`",
			 n->spec.name);
		return;
	}
	if (n->made_worktree) {
		cJSON *rq = spec_worktree_request(&n->spec, "remove"), *o;

		json_set_str(rq, "delete_branch", "merged");
		o = worktree_client_run(rq, NULL, NULL, 60000, &why);
		cJSON_Delete(rq);
		if (!o)
			err_hint(err, "its worktree %s is still there: %s",
				 n->spec.worktree, why.what);
		cJSON_Delete(o);
	}
	/* The session's files stay where its worktree does. */
	if (n->made_dir && !why.kind && delete_tree(AT_FDCWD, n->dir, &why) < 0)
		err_hint(err, "%s", why.what);
}

static int start(struct new_session *n, struct err *err)
{
	struct supervise how = {
	    .env = &n->env,
	    .term = config_str(n->config, OPTION_TERM),
	    .message = n->message.len ? n->message.data : NULL,
	    .trusted = config_repository_trusted(n->config),
	};
	struct strv degraded = {0};
	cJSON *o = supervise_start(n->dir, n->lock_fd, &how, err);

	n->lock_fd = -1;
	if (!o)
		return -1;
	json_strv(o, "degraded", &degraded);
	for (size_t i = 0; i < degraded.n; i++)
		output_warn("%s: %s", n->spec.name, degraded.v[i]);
	strv_finish(&degraded);
	cJSON_Delete(o);
	return 0;
}

static int make(struct new_session *n, struct err *err)
{
	struct sigaction sa = {.sa_handler = on_signal}, old[3];
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	int rc;

	/* A signal ends what is under way and takes it back; without
	 * SA_RESTART a wait ends too. */
	for (size_t i = 0; i < 3; i++)
		sigaction(signals[i], &sa, &old[i]);
	rc = make_session(n, err);
	if (rc == 0)
		rc = make_worktree(n, err);
	if (rc == 0 && interrupted)
		rc = err_set(err, ERR_FAILED, "new '%s': interrupted",
			     n->spec.name);
	if (rc == 0)
		rc = start(n, err);
	if (rc < 0)
		roll_back(n, err);
	for (size_t i = 0; i < 3; i++)
		sigaction(signals[i], &old[i], NULL);
	return rc;
}

static int report(const struct new_session *n, struct err *err)
{
	const struct spec *s = &n->spec;
	struct buf line = {0};
	struct session now;

	if (args_has(n->args, "json")) {
		if (session_load(&now, s->id, err) < 0)
			return -1;
		output_json(session_to_json(&now));
		session_finish(&now);
		return 0;
	}
	output_text(&line, s->name, -1);
	buf_adds(&line, ": ");
	output_text(&line, s->harness, -1);
	buf_adds(&line, " runs in ");
	output_text(&line, s->worktree, -1);
	buf_adds(&line, " on branch ");
	output_text(&line, s->branch, -1);
	printf("%s\n", line.data);
	buf_finish(&line);
	return 0;
}

static int run(const struct args *args, struct err *err)
{
	struct new_session n = {.args = args, .lock_fd = -1};
	struct session s;
	int rc = check(&n, err);

	if (rc == 0)
		rc = make(&n, err);
	if (rc == 0)
		rc = report(&n, err);
	if (rc == 0 && args_has(args, "attach")) {
		rc = session_load(&s, n.spec.id, err);
		if (rc == 0) {
			rc = attach_session(&s, n.config, false, err);
			session_finish(&s);
		}
	}
	finish(&n);
	return rc;
}

const struct command command_new = {
    .name = "new",
    .usage = "NAME [-- ARGS...]",
    .summary = "make a worktree and a branch, and start an agent in it",
    .completes = "",
    .min_args = 1,
    .max_args = 1,
    .rest = true,
    .options = new_options,
    .run = run,
};
