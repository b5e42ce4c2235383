/*
 * exec.c - afw exec: a command in a session's worktree.
 *
 * A child of afw's own, with its three descriptors: nothing is copied, and
 * standard output and error stay apart. It is in afw's process group, so that
 * the terminal's keys reach it as any command.
 *
 * It does not carry AF_SESSION_ID, the mark by which what a harness left
 * behind is found and ended: a command of the user's is not the harness's.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/adapter.h"
#include "base/clock.h"
#include "base/env_list.h"
#include "base/file.h"
#include "base/spawn.h"
#include "commands/cli/foreground.h"
#include "commands/cli/output.h"
#include "commands/cli/recipients.h"
#include "commands/command.h"
#include "commands/recount.h"
#include "commands/shell.h"
#include "sandbox/sandbox.h"
#include "session/identity.h"
#include "session/session.h"

#define NOT_EXECUTABLE 126
#define NOT_FOUND      127
#define DEFAULT_MS     30000

static const struct command_option options[] = {
    {.name = "timeout",
     .letter = 't',
     .arg = "TIME",
     .help = "end it after this long (5m; 0: never); default 30s, never on "
	     "a terminal"},
    {.name = "name",
     .letter = 'n',
     .arg = "SHELL",
     .help = "in the background, by this name; without a command, what it "
	     "has printed"},
    {.name = "follow", .letter = 'f', .help = "print what SHELL prints"},
    {.name = "kill", .letter = 'k', .help = "end SHELL"},
    {.name = NULL},
};

void exec_env(const struct session *s, struct strv *env)
{
	const struct adapter *adapter = adapter_find(s->spec.harness);

	sandbox_env(&s->spec, adapter->needs.env, false, env);
	env_set(env, "PWD", s->spec.worktree);
	identity_env(&s->spec, s->alive ? s->state.run : NULL, env);
	env_set(env, "AF_SESSION", s->spec.name);
	env_set(env, "AF_WORKTREE", s->spec.worktree);
	env_set(env, "AF_REPOSITORY", s->spec.repository);
}

static int start(struct foreground *f, const struct session *s,
		 struct strv *argv, struct strv *env, int fd, struct err *err)
{
	/* Before the directory gets that number. */
	int moved = fd >= 0 ? dup2(fd, SANDBOX_FD) : 0;
	int dir = moved < 0 ? -1 : spec_open_worktree(&s->spec, err);
	struct spawn sp = {.argv = argv->v,
			   .envp = env->v,
			   .dir = s->spec.worktree,
			   .dir_fd = dir,
			   .fd = {0, 1, 2}};
	int why;

	if (dir < 0)
		return err_prefix(err, "exec '%s'", s->spec.name);
	if (fd >= 0)
		sp.keep[0] = SANDBOX_FD;
	fflush(stdout);
	f->pid = spawn_start(&sp, err);
	why = errno;
	close(dir);
	if (f->pid > 0)
		return 0;
	err_prefix(err, "exec '%s'", s->spec.name);
	output_warn("%s", err->what);
	return why == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}

static int run_in(const struct session *s, struct strv *argv, struct strv *env,
		  int fd, int64_t timeout_ms, struct err *err)
{
	int64_t until = timeout_ms ? clock_mono_ms() + timeout_ms : INT64_MAX;
	struct foreground f;
	struct signalfd_siginfo si;
	int rc, signo;

	/* When its time is up its detached children are ended too. */
	foreground_begin(&f);
	rc = start(&f, s, argv, env, fd, err);
	if (rc)
		return rc;
	/* Keys, which are the kernel's, have reached it already. */
	while ((signo = foreground_wait(&f, until, &si)) > 0)
		if (signo == SIGTERM || signo == SIGHUP ||
		    si.ssi_code != SI_KERNEL)
			kill(f.pid, signo);
	if (signo < 0) {
		foreground_end(&f);
		err_set(err, ERR_TIMEOUT,
			"exec '%s': %.80s was not done after %lld ms, it is "
			"ended",
			s->spec.name, argv->v[0], (long long)timeout_ms);
		return err_hint(err, "-t 10m gives it longer, -t 0 any time");
	}
	return WIFSIGNALED(f.status) ? 128 + WTERMSIG(f.status)
				     : WEXITSTATUS(f.status);
}

static int check(const struct session *s, struct err *err)
{
	if (s->broken)
		return err_set(err, ERR_FAILED, "exec '%s': %s", s->spec.name,
			       s->state.error_reason);
	/* One that was killed while it was made. */
	if (s->spec.worktree)
		return 0;
	err_set(err, ERR_FAILED, "exec '%s': it has no worktree", s->spec.name);
	if (s->state.waits)
		return err_hint(err, "it gets one when %s has completed",
				s->spec.after);
	return err_hint(err, "`afw rm %s` clears what is left of it",
			s->spec.name);
}

int exec_prepare(const struct session *s, const struct strv *read,
		 struct strv *argv, struct strv *env, int *fd, struct err *err)
{
	struct strv degraded = {0};
	char *home = file_join(s->dir, "home");
	struct sandbox_start st = {.spec = &s->spec,
				   .dir = s->dir,
				   .home = home,
				   .read = read,
				   .argv = argv,
				   .env = env,
				   .degraded = &degraded,
				   .fd = fd};
	int rc = sandbox_enter_home(&s->spec, home, NULL, env, err);

	/* The same sandbox as the harness has. */
	if (rc == 0)
		rc = sandbox_exec(&st, s->alive ? s->state.sandbox : NULL, err);
	free(home);
	output_warn_each(s->spec.name, &degraded);
	strv_finish(&degraded);
	return rc;
}

static int prepare(const struct session *s, const struct args *args,
		   struct strv *argv, struct strv *env, int *fd,
		   struct err *err)
{
	if (!s->alive)
		output_warn("%s is %s: the command runs in its worktree, "
			    "beside no agent",
			    s->spec.name, session_word(s));
	for (size_t i = 0; i < args->n_rest; i++)
		strv_add(argv, args->rest[i]);
	exec_env(s, env);
	return exec_prepare(s, NULL, argv, env, fd, err);
}

static int exec(struct session *s, const struct args *args, struct err *err)
{
	struct strv argv = {0}, env = {0};
	/* Who sees it run can end it by a key. */
	bool seen = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	int64_t timeout =
	    args_duration_ms(args, "timeout", seen ? 0 : DEFAULT_MS);
	int fd = -1, rc = check(s, err);

	if (rc == 0)
		rc = prepare(s, args, &argv, &env, &fd, err);
	if (rc == 0) {
		rc = run_in(s, &argv, &env, fd, timeout, err);
		recount(s);
	}
	strv_finish(&argv);
	strv_finish(&env);
	return rc;
}

static int run(const struct args *args, struct err *err)
{
	bool named = args_has(args, "name");

	if (!named && (args_has(args, "follow") || args_has(args, "kill")))
		return err_set(err, ERR_USAGE,
			       "exec: --follow and --kill go with --name");
	if (named)
		return recipients_each(args, shell_exec, err);
	if (args->n_rest)
		return recipients_each(args, exec, err);
	err_set(err, ERR_USAGE, "exec: which command?");
	return err_hint(err, "afw exec [NAME] -- COMMAND ARGS...");
}

const struct command command_exec = {
    .name = "exec",
    .usage = "[NAME] [-- COMMAND [ARGS...]]",
    .summary = "run a command in a session's worktree",
    .completes = "session",
    .max_args = 1,
    .rest = true,
    .options = options,
    .run = run,
};
