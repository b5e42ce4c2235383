/*
 * worktree_main.c - the program afw-worktree: one request on standard input,
 * JSON lines on standard output. See wire/worktree_request.def.
 *
 * A program of its own because loading libgit2 costs more than all else that
 * `afw ls` does, and because a hostile repository then crashes only this.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/version.h"
#include "worktrees/git/repo.h"
#include "worktrees/limits.h"
#include "worktrees/operations.h"

#define MAX_REQUEST (1024 * 1024)

/* A function of the program's own comes before the C library's of the same
 * name (ELF): libgit2 calls these. */
#define OPEN(name)                                                             \
	int name(const char *path, int flags, ...);                            \
	int name(const char *path, int flags, ...)                             \
	{                                                                      \
		mode_t mode = 0;                                               \
		va_list ap;                                                    \
                                                                               \
		va_start(ap, flags);                                           \
		if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE)     \
			mode = va_arg(ap, mode_t);                             \
		va_end(ap);                                                    \
		return limits_open(path, flags, mode);                         \
	}

OPEN(open)
OPEN(open64)

DIR *opendir(const char *path)
{
	return limits_opendir(path);
}

/* Up to the first newline or the end. */
static int read_request(struct buf *line)
{
	for (;;) {
		char *to = buf_room(line, 4096), *lf;
		ssize_t n = read(0, to, 4096);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		lf = memchr(to, '\n', (size_t)n);
		line->len += lf ? (size_t)(lf - to) : (size_t)n;
		line->data[line->len] = '\0';
		if (lf || n == 0)
			return 0;
		if (line->len > MAX_REQUEST) {
			errno = EFBIG;
			return -1;
		}
	}
}

static int run_one(void)
{
	struct output out = {.fd = 1};
	struct buf line = {0};
	int code;

	output_catch_signals();
	if (read_request(&line) < 0) {
		fprintf(stderr, "afw-worktree: read the request: %s\n",
			strerror(errno));
		return ERR_FAILED;
	}
	code = request_run(&out, line.data, line.len);
	buf_finish(&line);
	return code;
}

static volatile pid_t child;

/* Without a request it is for the caller alone, which then ends this. */
static void pass_on(int signo)
{
	if (child > 0)
		kill(child, signo);
}

/* Waits for a request, or the end of them. */
static bool is_asked(void)
{
	char byte;
	ssize_t n;

	do
		n = recv(STDIN_FILENO, &byte, 1, MSG_PEEK);
	while (n < 0 && errno == EINTR);
	return n > 0;
}

/* Runs each request in a process of its own, which ends with this one: so no
 * request finds what another has left, and the program is loaded once. */
static int serve(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	sigset_t all, none;
	int status = 0;

	repo_init(NULL); /* each request does, and reports why it cannot */

	sigfillset(&all);
	sigemptyset(&none);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		signal(signals[i], pass_on);
	while (status == 0 && is_asked()) {
		sigprocmask(SIG_SETMASK, &all, NULL);
		child = fork();
		if (child == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			output_catch_signals();
			sigprocmask(SIG_SETMASK, &none, NULL);
			return run_one();
		}
		sigprocmask(SIG_SETMASK, &none, NULL);
		if (child < 0)
			return ERR_FAILED;
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
		child = 0;
	}
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	file_open_standard();
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		printf("afw-worktree " AFW_VERSION " (%s)\n", repo_library());
		return 0;
	}
	if (argc == 2 && strcmp(argv[1], "--serve") == 0)
		return serve();
	if (argc != 1) {
		fputs("afw-worktree: works for afw, which speaks to it on "
		      "standard input\nSee afw-worktree(8).\n",
		      stderr);
		return ERR_USAGE;
	}
	return run_one();
}
