/*
 * outrun.c - a tree of processes that is hard to end: each process forks the
 *next and exits, or stays, before its pid can be signalled.
 *
 *	outrun FILE chain|sessions|storm [CHAINS]
 *
 * chain: each process exits after one fork; sessions: also in a session of its
 * own; storm: all stay, 400 at most, and one that ends is replaced. All ignore
 * TERM, HUP and INT. Each writes a line to FILE. It ends by itself after 30 s.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIFE_S	  30
#define STORM_MAX 400

static time_t end;

static time_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

static void run(int fd, int sessions)
{
	while (now() < end) {
		pid_t pid = fork();

		if (pid > 0)
			_exit(0);
		if (pid == 0 && sessions)
			setsid();
		if (pid == 0 && write(fd, "x\n", 2) < 0)
			_exit(1);
	}
	_exit(0);
}

/* Each has a child and replaces it. */
static void run_storm(int fd)
{
	int depth = STORM_MAX;

	while (now() < end) {
		pid_t pid = depth > 0 ? fork() : -1;

		if (pid == 0 && write(fd, "x\n", 2) < 0)
			_exit(1);
		if (pid == 0)
			depth--;
		else if (pid > 0)
			waitpid(pid, NULL, 0);
		else
			usleep(1000);
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	int chains = argc > 3 ? atoi(argv[3]) : 1, fd;

	if (argc < 3)
		return 2;
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	end = now() + LIFE_S;
	fd = open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0600);
	for (int i = 0; i < chains; i++) {
		if (fork() != 0)
			continue;
		if (strcmp(argv[2], "storm") == 0)
			run_storm(fd);
		run(fd, strcmp(argv[2], "sessions") == 0);
	}
	while (now() < end)
		usleep(100000);
	return 0;
}
