/* spawn.c - starts child processes without a shell. */
#include "base/spawn.h"

#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/made_dir.h"
#include "base/mem.h"
#include "base/process.h"

extern char **environ;

/* What a child that could not exec reports to its parent. */
struct failure {
	int why;     /* errno */
	bool in_dir; /* the directory failed */
};

static void close_range_from(unsigned first, unsigned last)
{
	if (first > last)
		return;
	if (syscall(__NR_close_range, first, last, 0) == 0)
		return;
	if (last > 65535)
		last = 65535;
	for (unsigned fd = first; fd <= last; fd++)
		close((int)fd);
}

void spawn_close_others(const int *append_output)
{
	unsigned from = 3;

	for (;;) {
		unsigned next = ~0U;

		for (size_t i = 0; append_output && append_output[i]; i++)
			if ((unsigned)append_output[i] >= from &&
			    (unsigned)append_output[i] < next)
				next = (unsigned)append_output[i];
		if (next == ~0U)
			break;
		close_range_from(from, next - 1);
		from = next + 1;
	}
	close_range_from(from, ~0U);
}

static bool is_program(const char *path)
{
	struct stat st;

	return access(path, X_OK) == 0 && stat(path, &st) == 0 &&
	       S_ISREG(st.st_mode);
}

char *spawn_find(const char *program)
{
	const char *path = getenv("PATH"), *end;

	int why = ENOENT;

	if (strchr(program, '/'))
		return is_program(program) ? mem_strdup(program) : NULL;
	errno = why;
	if (!program[0])
		return NULL;
	for (path = path ? path : "/usr/bin:/bin";; path = end + 1) {
		char *full;

		end = strchrnul(path, ':');
		full = mem_printf("%.*s/%s", (int)(end - path), path, program);
		if (full[0] == '/' && end > path && is_program(full))
			return full;
		if (full[0] == '/' && end > path && errno == EACCES)
			why = EACCES;
		free(full);
		errno = why;
		if (!*end)
			return NULL;
	}
}

void spawn_exec(char *const *argv)
{
	/* With a slash, execvp() gives the reason. */
	char *path =
	    strchr(argv[0], '/') ? mem_strdup(argv[0]) : spawn_find(argv[0]);

	if (path)
		execvp(path, argv);
}

static void child_signals(void)
{
	sigset_t none;

	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void child(const struct spawn *sp, int report)
{
	int fd[3], append_output[7] = {0};
	struct failure failure = {0};
	size_t n = 0;

	child_signals();
	if (sp->new_session)
		setsid();
	if (sp->terminal && ioctl(sp->terminal, TIOCSCTTY, 0) < 0)
		goto fail;
	/* Move all descriptors above 2 before they become 0 to 2. */
	report = fcntl(report, F_DUPFD_CLOEXEC, 3);
	for (int i = 0; i < 3; i++) {
		int from = sp->fd[i];

		if (from < 0)
			from = open("/dev/null", O_RDWR | O_CLOEXEC);
		fd[i] = fcntl(from, F_DUPFD_CLOEXEC, 3);
		if (fd[i] < 0)
			goto fail;
	}
	for (int i = 0; i < 3; i++)
		if (dup2(fd[i], i) < 0)
			goto fail;
	for (; n < 4 && sp->keep[n]; n++) {
		append_output[n] = sp->keep[n];
		file_set_cloexec(append_output[n], false);
	}
	append_output[n++] = report;
	append_output[n] = sp->dir_fd;
	spawn_close_others(append_output);
	failure.in_dir = sp->dir_fd ? made_dir_enter(sp->dir_fd) < 0
				    : sp->dir && chdir(sp->dir) < 0;
	if (failure.in_dir)
		goto fail;
	if (sp->envp)
		environ = (char **)sp->envp;
	spawn_exec(sp->argv);
fail:
	failure.why = errno;
	file_write_all(report, &failure, sizeof failure);
	_exit(127);
}

pid_t spawn_start(const struct spawn *sp, struct err *err)
{
	struct failure failure;
	int report[2];
	ssize_t n;
	pid_t pid;

	if (pipe2(report, O_CLOEXEC) < 0)
		return err_errno(err, "start %s", sp->argv[0]);
	pid = fork();
	if (pid == 0)
		child(sp, report[1]);
	close(report[1]);
	if (pid < 0) {
		close(report[0]);
		return err_errno(err, "start %s", sp->argv[0]);
	}
	do
		n = read(report[0], &failure, sizeof failure);
	while (n < 0 && errno == EINTR);
	close(report[0]);
	if (n != sizeof failure)
		return pid;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	errno = failure.why;
	if (failure.in_dir)
		return err_errno(err, "start %s in %s", sp->argv[0], sp->dir);
	return err_errno(err, "start %s", sp->argv[0]);
}

/* Makes a pipe to a child; stores our end and the child's. */
static int pipe_for(struct pollfd *mine, int *theirs, bool write)
{
	int p[2];

	if (pipe2(p, O_CLOEXEC) < 0)
		return -1;
	mine->fd = p[write ? 1 : 0];
	mine->events = write ? POLLOUT : POLLIN;
	*theirs = p[write ? 0 : 1];
	return file_set_nonblock(mine->fd);
}

static void append_output(struct buf *out, const char *chunk, size_t n,
			  size_t max, bool last)
{
	if (!last && n > max - out->len)
		n = max - out->len;
	buf_add(out, chunk, n);
	if (out->len > max)
		buf_drop(out, out->len - max);
}

static void pump(struct pollfd *p, const char **in, struct buf *out, size_t max,
		 bool last)
{
	char chunk[16384];
	ssize_t n;

	if (in) {
		n = write(p->fd, *in, strlen(*in));
		if (n > 0)
			*in += n;
		if ((n < 0 && errno != EAGAIN && errno != EINTR) || !**in)
			goto done;
		return;
	}
	n = read(p->fd, chunk, sizeof chunk);
	if (n > 0 && out)
		append_output(out, chunk, (size_t)n, max, last);
	if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return;
done:
	file_reset(&p->fd);
}

static int wait_ms(int64_t end)
{
	int64_t left = end - clock_mono_ms();

	return left > INT_MAX ? INT_MAX : left > 0 ? (int)left : 0;
}

/* Waits until end for a child whose pipes are closed to exit. */
static bool ends_by(pid_t pid, int64_t end)
{
	struct pollfd p = {.fd = process_open(pid), .events = POLLIN};
	int n = p.fd < 0;

	while (n <= 0 && wait_ms(end) > 0)
		n = poll(&p, 1, wait_ms(end));
	file_close(p.fd);
	return n > 0;
}

bool spawn_background(void)
{
	int null;

	fflush(stdout);
	fflush(stderr);
	if (fork() != 0)
		return false;
	setsid();
	null = open("/dev/null", O_RDWR);
	for (int i = 0; i < 3 && null >= 0; i++)
		dup2(null, i);
	/* So that no reader waits for it to close the caller's. */
	spawn_close_others(NULL);
	return true;
}

int spawn_run(const struct spawn *sp, const char *input, struct buf *out,
	      struct buf *errout, size_t max, int64_t timeout_ms, int *status,
	      struct err *err)
{
	struct pollfd p[3] = {{.fd = -1}, {.fd = -1}, {.fd = -1}};
	struct buf *to[3] = {NULL, out, errout};
	struct spawn mine = *sp;
	int64_t end = clock_mono_ms() + timeout_ms;
	struct sigaction ignore = {.sa_handler = SIG_IGN}, pipe_before;
	bool late = false;
	pid_t pid = -1;

	/* A child that does not read all of its input must not kill us by
	 * SIGPIPE. */
	sigaction(SIGPIPE, &ignore, &pipe_before);
	mine.new_session = !sp->same_session;
	mine.fd[0] = mine.fd[1] = mine.fd[2] = -1;
	if ((input && pipe_for(&p[0], &mine.fd[0], true) < 0) ||
	    (out && pipe_for(&p[1], &mine.fd[1], false) < 0) ||
	    (errout && pipe_for(&p[2], &mine.fd[2], false) < 0))
		err_errno(err, "start %s", sp->argv[0]);
	else
		pid = spawn_start(&mine, err);
	for (int i = 0; i < 3; i++)
		file_close(mine.fd[i]);
	while (pid > 0 && (p[0].fd >= 0 || p[1].fd >= 0 || p[2].fd >= 0)) {
		late = wait_ms(end) == 0;
		if (late)
			break;
		if (poll(p, 3, wait_ms(end)) <= 0)
			continue;
		for (int i = 0; i < 3; i++)
			if (p[i].fd >= 0 && p[i].revents)
				pump(&p[i], i ? NULL : &input, to[i], max,
				     sp->keep_last);
	}
	for (int i = 0; i < 3; i++)
		file_close(p[i].fd);
	sigaction(SIGPIPE, &pipe_before, NULL);
	if (pid < 0)
		return -1;
	if (late || !ends_by(pid, end)) {
		kill(mine.new_session ? -pid : pid, SIGKILL);
		late = true;
	}
	while (waitpid(pid, status, 0) < 0)
		if (errno != EINTR)
			return err_errno(err, "wait for %s", sp->argv[0]);
	if (late)
		return err_set(err, ERR_TIMEOUT,
			       "run %s: not done after %lld ms, killed",
			       sp->argv[0], (long long)timeout_ms);
	return 0;
}
