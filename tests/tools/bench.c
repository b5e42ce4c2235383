/*
 * bench.c - measures for tests/bench/run what a script is too slow to measure.
 *
 *	bench runs ROUNDS ++ CMD ARGS ++ CMD ARGS ...
 *		Runs the commands in turn, ROUNDS times; "%d" in an argument
 *		is the round. Prints a line per round: microseconds of each.
 *		Their output goes to /dev/null; a failure ends the program.
 *
 *	bench echo KEYS CMD ARGS
 *		Runs CMD on a terminal of its own, types KEYS letters and
 *		prints after how many microseconds each was echoed.
 *
 *	bench picture ROUNDS TEXT KEY CMD ARGS
 *		Runs CMD on a terminal of its own, ROUNDS times. One line a
 *		round: microseconds until TEXT is on it, and from KEY, typed
 *		when it is quiet, until something changes there.
 *
 *	bench spin MS
 *		Prints a spinner and a clock each MS, until it is ended.
 */
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_ARGS     64
#define MAX_COMMANDS 64

extern char **environ;

static int64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

/* argv with every "%d" replaced. */
static void fill(char *const *argv, int round, char *out[MAX_ARGS + 1])
{
	int i;

	for (i = 0; i < MAX_ARGS && argv[i]; i++) {
		const char *at = strstr(argv[i], "%d");

		if (!at)
			out[i] = strdup(argv[i]);
		else if (asprintf(&out[i], "%.*s%d%s", (int)(at - argv[i]),
				  argv[i], round, at + 2) < 0)
			abort();
	}
	out[i] = NULL;
}

static int64_t run_once(char *const *argv, posix_spawn_file_actions_t *quiet)
{
	int64_t start = now_us();
	int status;
	pid_t pid;

	if (posix_spawnp(&pid, argv[0], quiet, NULL, argv, environ) != 0 ||
	    waitpid(pid, &status, 0) != pid || status != 0) {
		fprintf(stderr, "bench: failed: ");
		for (; *argv; argv++)
			fprintf(stderr, "%s ", *argv);
		fprintf(stderr, "\n");
		exit(1);
	}
	return now_us() - start;
}

static int runs(int rounds, char **argv)
{
	char **commands[MAX_COMMANDS];
	posix_spawn_file_actions_t quiet;
	int n = 0;

	for (; *argv; argv++) {
		if (strcmp(*argv, "++") != 0)
			continue;
		*argv = NULL;
		if (n < MAX_COMMANDS)
			commands[n++] = argv + 1;
	}
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < n; i++) {
			char *args[MAX_ARGS + 1];

			fill(commands[i], round, args);
			printf("%s%lld", i ? " " : "",
			       (long long)run_once(args, &quiet));
			for (int k = 0; args[k]; k++)
				free(args[k]);
		}
		printf("\n");
		fflush(stdout);
	}
	posix_spawn_file_actions_destroy(&quiet);
	return 0;
}

/* Reads until c comes, or for ms; 1 if it came. c 0: until it is quiet. */
static int read_until(int fd, char c, int ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char bytes[65536];

	while (poll(&p, 1, ms) > 0) {
		ssize_t n = read(fd, bytes, sizeof bytes);

		if (n <= 0)
			return 0;
		if (c && memchr(bytes, c, (size_t)n))
			return 1;
	}
	return 0;
}

static int echo(int keys, char **argv)
{
	struct winsize ws = {.ws_row = 24, .ws_col = 80};
	int fd, status, rc = 0;
	pid_t pid = forkpty(&fd, NULL, NULL, &ws);

	if (pid == 0) {
		execvp(argv[0], argv);
		_exit(127);
	}
	read_until(fd, 0, 500);
	for (int i = 0; i < keys && rc == 0; i++) {
		char c = (char)('a' + i % 26);
		int64_t start;

		read_until(fd, 0, 3);
		start = now_us();
		if (write(fd, &c, 1) != 1 || !read_until(fd, c, 2000)) {
			fprintf(stderr, "bench: %s: no echo\n", argv[0]);
			rc = 1;
		} else {
			printf("%lld\n", (long long)(now_us() - start));
		}
	}
	kill(pid, SIGHUP);
	close(fd);
	waitpid(pid, &status, 0);
	return rc;
}

/* Reads until text comes, or for ms; 1 if it came. */
static int read_text(int fd, const char *text, int ms)
{
	static char all[1 << 20];
	struct pollfd p = {.fd = fd, .events = POLLIN};
	size_t len = 0;

	while (len < sizeof all && poll(&p, 1, ms) > 0) {
		ssize_t n = read(fd, all + len, sizeof all - len);

		if (n <= 0)
			return 0;
		len += (size_t)n;
		if (memmem(all, len, text, strlen(text)))
			return 1;
	}
	return 0;
}

static int picture_once(const char *text, char key, char **argv)
{
	struct winsize ws = {.ws_row = 50, .ws_col = 200};
	struct pollfd p = {.events = POLLIN};
	int64_t start = now_us(), shown;
	int status, rc = -1;
	pid_t pid = forkpty(&p.fd, NULL, NULL, &ws);

	if (pid == 0) {
		execvp(argv[0], argv);
		_exit(127);
	}
	if (!read_text(p.fd, text, 5000)) {
		fprintf(stderr, "bench: %s: never showed %s\n", argv[0], text);
		goto out;
	}
	shown = now_us() - start;
	read_until(p.fd, 0, 200);
	start = now_us();
	if (write(p.fd, &key, 1) != 1 || poll(&p, 1, 5000) != 1) {
		fprintf(stderr, "bench: %s: the key did nothing\n", argv[0]);
		goto out;
	}
	printf("%lld %lld\n", (long long)shown, (long long)(now_us() - start));
	rc = 0;
out:
	kill(pid, SIGHUP);
	close(p.fd);
	waitpid(pid, &status, 0);
	return rc;
}

static int picture(int rounds, const char *text, char key, char **argv)
{
	for (int i = 0; i < rounds; i++)
		if (picture_once(text, key, argv) < 0)
			return 1;
	return 0;
}

static int spin(int ms)
{
	static const char *const glyphs[] = {"⠋", "⠙", "⠹", "⠸", "⠼",
					     "⠴", "⠦", "⠧", "⠇", "⠏"};

	for (int i = 0;; i++) {
		if (printf("\r%s Working (%ds)", glyphs[i % 10],
			   i * ms / 1000) < 0 ||
		    fflush(stdout) != 0)
			return 1;
		usleep((useconds_t)ms * 1000);
	}
}

int main(int argc, char **argv)
{
	if (argc > 3 && strcmp(argv[1], "runs") == 0)
		return runs(atoi(argv[2]), argv + 3);
	if (argc > 3 && strcmp(argv[1], "echo") == 0)
		return echo(atoi(argv[2]), argv + 3);
	if (argc > 5 && strcmp(argv[1], "picture") == 0)
		return picture(atoi(argv[2]), argv[3], argv[4][0], argv + 5);
	if (argc == 3 && strcmp(argv[1], "spin") == 0)
		return spin(atoi(argv[2]));
	return 2;
}
