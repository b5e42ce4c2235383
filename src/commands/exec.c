/*
 * exec.c - afw exec: runs a command in a session's worktree.
 *
 * The command is a child of afw with afw's three descriptors: nothing is
 * copied, and standard output and error stay separate. It is in afw's process
 * group, so that the terminal's keys signal it like any command. In a sandbox
 * it gets none of the user's terminals, but a separate one (own_terminal.h).
 *
 * It does not get AF_SESSION_ID, the mark by which leftover processes of a
 * harness are found and ended: a command of the user does not belong to the
 * harness.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/spawn.h"
#include "commands/beside.h"
#include "commands/cli/foreground.h"
#include "commands/cli/output.h"
#include "commands/cli/own_terminal.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/exec_shell.h"
#include "commands/launch/session_command.h"
#include "commands/launch/settings.h"
#include "commands/recount.h"
#include "sandbox/sandbox.h"
#include "session/session.h"
#include "session/spec.h"

#define NOT_EXECUTABLE 126
#define NOT_FOUND      127
#define DEFAULT_MS     30000

static const struct command_option exec_options[] = {
    {.name = "timeout",
     .letter = 't',
     .arg = "TIME",
     .help = "end it after this long (5m; 0: never); default 30s, never on "
	     "a terminal",
     .not_with = "name",
     .why = "a shell runs until it ends"},
    {.name = "attach",
     .help = "run it in a terminal of its own, or return to it there; without "
	     "a command: your shell",
     .not_with = "timeout follow kill"},
    {.name = "name",
     .letter = 'n',
     .arg = "SHELL",
     .help = "run it in the background under this name; without a command: "
	     "print its output; with --attach: the terminal's name"},
    {.name = "follow",
     .letter = 'f',
     .help = "print what SHELL prints",
     .needs = "name"},
    {.name = "kill",
     .letter = 'k',
     .help = "end SHELL",
     .needs = "name",
     .not_with = "follow"},
    {.name = NULL},
};

struct run {
	const struct session *s;
	const char *command;
	struct spawn sp;
	struct foreground f;
	struct own_terminal *terminal; /* NULL: it has the user's terminal */
	int64_t timeout_ms;
};

static int start(struct run *r, struct err *err)
{
	int why;

	r->sp.dir_fd = spec_open_directory(&r->s->spec, err);
	if (r->sp.dir_fd < 0)
		return err_prefix(err, "exec '%s'", r->s->spec.name);
	fflush(stdout);
	r->f.pid = spawn_start(&r->sp, err);
	why = errno;
	close(r->sp.dir_fd);
	if (r->f.pid > 0)
		return 0;
	err_prefix(err, "exec '%s'", r->s->spec.name);
	output_warn("%s", err->what);
	return why == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}

/* Forwards a signal to the command. Signals from keys have already reached it
 * if it is in our session. */
static void forward_signal(const struct run *r,
			   const struct signalfd_siginfo *si)
{
	int signo = (int)si->ssi_signo;
	bool is_key = si->ssi_code == SI_KERNEL && signo != SIGHUP;

	if (!is_key)
		kill(r->f.pid, signo);
	else if (r->terminal)
		kill(-r->f.pid, signo);
}

/* Like foreground_wait(), but also copies the terminal's data. */
static int wait_for(struct run *r)
{
	int64_t until =
	    r->timeout_ms ? clock_mono_ms() + r->timeout_ms : INT64_MAX;
	struct own_terminal *t = r->terminal;
	struct signalfd_siginfo si;
	int signo;

	for (;;) {
		if (t)
			own_terminal_watch(t, r->f.fds);
		signo = foreground_wait(&r->f, until, &si);
		if (signo == 0 || signo == -1)
			return signo;
		if (signo == FOREGROUND_READY &&
		    !own_terminal_copy(t, r->f.fds))
			return SIGHUP;
		if (signo == SIGWINCH)
			own_terminal_resize(t);
		else if (signo > 0 && signo != SIGTSTP)
			forward_signal(r, &si);
	}
}

static int run_to_end(struct run *r, struct err *err)
{
	const struct sandbox *tier = sandbox_find(r->s->spec.sandbox);
	struct own_terminal *t = r->terminal;
	int rc, signo;

	/* At the timeout its detached children are ended too. */
	foreground_begin(&r->f);
	rc = start(r, err);
	if (rc)
		return rc;
	if (t)
		own_terminal_begin(t, &r->f);
	signo = wait_for(r);
	/* Processes that are left in a container are ended from inside it. */
	if (signo || !tier || !tier->holds)
		foreground_end(&r->f);
	if (signo < 0) {
		err_set(
		    err, ERR_TIMEOUT,
		    "exec '%s': %.80s was not done after %lld ms and is ended",
		    r->s->spec.name, r->command, (long long)r->timeout_ms);
		return err_hint(err, "-t 10m gives it longer, -t 0 any time");
	}
	if (signo > 0)
		return 128 + signo;
	return WIFSIGNALED(r->f.status) ? 128 + WTERMSIG(r->f.status)
					: WEXITSTATUS(r->f.status);
}

/* Runs the command in a sandbox, which does not get the user's terminal. */
static int run_in_sandbox(struct run *r, int fd, struct err *err)
{
	struct config *config = NULL;
	struct own_terminal t;
	int rc;

	/* Before another file gets that descriptor number. */
	if (dup2(fd, SANDBOX_FD) < 0)
		return err_errno(err, "exec '%s'", r->s->spec.name);
	r->sp.keep[0] = SANDBOX_FD;
	if (settings_load_usable(&config, spec_checkout(&r->s->spec), err) < 0)
		return -1;
	rc = own_terminal_open(&t, &r->sp, config_str(config, OPTION_CLIPBOARD),
			       err);
	if (rc == 0) {
		r->terminal = &t;
		rc = run_to_end(r, err);
		own_terminal_close(&t);
	}
	config_destroy(config);
	return rc;
}

static int check(const struct session *s, struct err *err)
{
	if (s->broken)
		return err_set(err, ERR_FAILED, "exec '%s': %s", s->spec.name,
			       s->state.error_reason);
	/* Without a worktree it waits for another session, or afw was killed
	 * while it made the worktree. */
	if (s->spec.worktree)
		return 0;
	err_set(err, ERR_FAILED, "exec '%s': it has no worktree", s->spec.name);
	if (s->state.waits)
		return err_hint(err, "it gets one when %s is done",
				s->spec.after);
	return err_hint(err, "`afw rm %s` clears what is left of it",
			s->spec.name);
}

static int prepare(const struct session *s, const struct args *args,
		   struct strv *argv, struct strv *env, int *fd,
		   struct err *err)
{
	if (!s->alive)
		output_warn("%s is %s: the command runs in its worktree, "
			    "beside no agent",
			    s->spec.name, session_status_word(s));
	for (size_t i = 0; i < args->n_rest; i++)
		strv_add(argv, args->rest[i]);
	session_command_env(s, env);
	return session_command_enter(s, NULL, false, argv, env, fd, err);
}

static int exec(struct session *s, const struct args *args, struct err *err)
{
	struct strv argv = {0}, env = {0};
	/* A user at the terminal can end it with a key. */
	bool seen = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	struct run r = {.s = s,
			.command = args->rest[0],
			.sp = {.dir = s->spec.worktree, .fd = {0, 1, 2}},
			.timeout_ms = args_duration_ms(args, "timeout",
						       seen ? 0 : DEFAULT_MS)};
	int fd = -1, rc = check(s, err);

	if (rc == 0)
		rc = prepare(s, args, &argv, &env, &fd, err);
	if (rc == 0) {
		r.sp.argv = argv.v;
		r.sp.envp = env.v;
		rc = fd < 0 ? run_to_end(&r, err) : run_in_sandbox(&r, fd, err);
		recount(s, NULL);
	}
	strv_finish(&argv);
	strv_finish(&env);
	return rc;
}

static int attach(struct session *s, const struct args *args, struct err *err)
{
	const char *name = args_value(args, "name");

	if (check(s, err) < 0)
		return -1;
	if (beside_attach(s, name ? name : "shell", args->rest, args->n_rest,
			  err) < 0)
		return err_prefix(err, "exec '%s'", s->spec.name);
	return 0;
}

static int cmd_exec(const struct args *args, struct err *err)
{
	if (args_has(args, "attach"))
		return targets_each(args, attach, err);
	if (args_has(args, "name"))
		return targets_each(args, shell_exec, err);
	if (args->n_rest)
		return targets_each(args, exec, err);
	err_set(err, ERR_USAGE, "exec: which command?");
	return err_hint(err, "`afw exec NAME -- COMMAND` runs one");
}

const struct command command_exec = {
    .name = "exec",
    .usage = "[NAME] [-- COMMAND [ARGS...]]",
    .summary = "run a command in a session's worktree",
    .completes = "session",
    .max_args = 1,
    .rest = true,
    .options = exec_options,
    .run = cmd_exec,
};
