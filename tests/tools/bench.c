/*
 * bench.c - measures for tests/bench/run, which a script is too slow for.
 *
 *	bench runs ROUNDS ++ CMD ARGS ++ CMD ARGS ...
 *		Runs the commands in turn, ROUNDS times; "%d" in an argument
 *		is the round. One line a round: microseconds of each. Their
 *		output goes to /dev/null; one that fails ends it all.
 *
 *	bench echo KEYS CMD ARGS
 *		Runs CMD on a terminal of its own, types KEYS letters and
 *		prints how many microseconds each took to come back.
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
#define MAX_COMMANDS 16

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

	for (i = 0; argv[i] && i < MAX_ARGS; i++) {
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

int main(int argc, char **argv)
{
	if (argc > 3 && strcmp(argv[1], "runs") == 0)
		return runs(atoi(argv[2]), argv + 3);
	if (argc > 3 && strcmp(argv[1], "echo") == 0)
		return echo(atoi(argv[2]), argv + 3);
	return 2;
}
