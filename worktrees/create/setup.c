/*
 * setup.c - runs the user's command for new worktrees.
 *
 * It comes from the user's own configuration, not from the repository. It runs
 * in a session of its own: processes that it leaves running, in any session,
 * are killed with it when it fails (this process is their subreaper), and this
 * process passes Ctrl-C on.
 */
#include "worktrees/create/setup.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/env_list.h"
#include "base/gitenv.h"
#include "base/mem.h"
#include "base/session_vars.h"
#include "base/spawn.h"
#include "base/tree.h"
#include "base/utf8.h"
#include "base/venv.h"
#include "worktrees/limits.h"

#define DEFAULT_MS (10 * 60 * 1000)
#define TICK_MS	   50
#define GRACE_MS   2000

static char **environment(const char *dir, const char *repository,
			  const struct strv *vars, struct strv *env)
{
	gitenv_copy(env);
	session_vars_set(0, NULL, env); /* of a session in which afw runs */
	for (size_t i = 0; i < vars->n; i++)
		env_apply(env, vars->v[i]);
	venv_move(env, repository, dir);
	strv_addf(env, "AF_WORKTREE=%s", dir);
	strv_addf(env, "AF_REPOSITORY=%s", repository);
	return env->v;
}

/* Writes the text up to the last whole character; all of it at the end. */
static void flush(struct output *out, struct buf *text, bool end)
{
	size_t n = end ? text->len : utf8_whole(text->data, text->len);

	if (n)
		output_text(out, "output", text->data, n);
	buf_drop(text, n);
}

/* Reads what is available. False at its end. */
static bool read_output(int fd, struct output *out, struct buf *text)
{
	char *to = buf_room(text, 8192);
	ssize_t n = read(fd, to, 8192);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	text->len += (size_t)n;
	text->data[text->len] = '\0';
	flush(out, text, n == 0);
	return n > 0;
}

static void stop(pid_t pid, int *status)
{
	int64_t end = clock_mono_ms() + GRACE_MS;

	kill(-pid, SIGTERM);
	while (waitpid(pid, status, WNOHANG) == 0 && clock_mono_ms() < end)
		poll(NULL, 0, 10);
	kill(-pid, SIGKILL);
	waitpid(pid, status, 0);
}

/* Kills every process that it started and that is still running. */
static void kill_rest(pid_t pid)
{
	int64_t end = clock_mono_ms() + GRACE_MS;

	kill(-pid, SIGKILL);
	while (tree_kill_all(getpid(), NULL) > 0 && clock_mono_ms() < end) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		poll(NULL, 0, 10);
	}
	/* Reaps those that exited since: not every init is quick. */
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static int verdict(const char *key, const char *name, int status,
		   struct err *err)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	if (WIFEXITED(status))
		err_set(err, ERR_FAILED,
			"the setup command %s failed with exit code %d", name,
			WEXITSTATUS(status));
	else
		err_set(err, ERR_FAILED,
			"the setup command %s was killed by signal %d (%s)",
			name, WTERMSIG(status), strsignal(WTERMSIG(status)));
	return err_hint(err,
			"the worktree was rolled back; `afw config -v %s` "
			"prints where %s is set",
			key, key);
}

static int wait_for(struct output *out, pid_t pid, int fd, const char *key,
		    const char *name, int64_t timeout_ms, struct err *err)
{
	int64_t end = clock_mono_ms() + timeout_ms;
	struct pollfd p = {.fd = fd, .events = POLLIN};
	struct buf text = {0};
	int status = 0, r = 0;
	bool ended = false;

	/*
	 * It ends when the command itself does: a process that it left running
	 * may hold the pipe open for ever.
	 */
	while (r == 0) {
		int n;

		ended = ended || waitpid(pid, &status, WNOHANG) == pid;
		n = poll(&p, 1, ended ? 0 : TICK_MS);
		if (n > 0 && !read_output(fd, out, &text))
			p.fd = -1;
		if (ended && (n <= 0 || p.fd < 0))
			break;
		r = output_check(out, err);
		if (r == 0 && clock_mono_ms() >= end)
			r = err_set(err, ERR_TIMEOUT,
				    "the setup command %s was not done after "
				    "%lld ms",
				    name, (long long)timeout_ms);
	}
	if (r < 0)
		stop(pid, &status);
	flush(out, &text, true);
	buf_finish(&text);
	if (r == 0)
		r = verdict(key, name, status, err);
	if (r < 0)
		kill_rest(pid);
	return r;
}

int setup_run(struct output *out, const struct setup *s, const char *dir,
	      int dir_fd, const char *repository, struct err *err)
{
	_strv_ struct strv env = {0}, argv = {0};
	struct spawn sp = {.envp = environment(dir, repository, s->vars, &env),
			   .dir = dir,
			   .dir_fd = dir_fd,
			   .new_session = true};
	int fds[2], r = -1;
	pid_t pid = -1;
	char *what;

	strv_copy(&argv, s->argv);
	session_vars_expand_all(&argv, s->vars);
	sp.argv = argv.v;
	limits_lift();
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0 || pipe2(fds, O_CLOEXEC) < 0)
		return err_errno(err, "run the setup command");
	sp.fd[0] = -1;
	sp.fd[1] = sp.fd[2] = fds[1];
	pid = spawn_start(&sp, err);
	close(fds[1]);
	if (pid < 0) {
		err_prefix(err, "setup command");
	} else {
		/* It may print nothing for minutes. */
		what = mem_printf("%s %s", s->key, argv.v[0]);
		out->last_progress = 0;
		output_progress(out, what, 0, 0);
		free(what);
		r = wait_for(out, pid, fds[0], s->key, argv.v[0],
			     s->timeout_ms > 0 ? s->timeout_ms : DEFAULT_MS,
			     err);
	}
	close(fds[0]);
	return r;
}
