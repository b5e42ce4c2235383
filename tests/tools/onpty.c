/*
 * onpty - runs a program on a pseudo-terminal, for test scripts.
 *
 *	onpty [-n] [-c BYTES] [-s COLSxROWS] CMD ARGS... <KEYS >SCREEN
 *
 * Types standard input (with -c in parts of that many bytes, two milliseconds
 * apart) and writes the program's output to standard output unchanged; with -n
 * it does not read the terminal. At the end of the input it waits for the end
 *of the program. Then the terminal's settings must be restored within twenty
 * seconds (another process may do that), else the exit code is 99; otherwise it
 * is the program's, or 128 + its signal.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define RESTORE_MS 20000

static int master, slave;
static size_t part = 1024;
static bool read_it = true;

static void child(char **argv)
{
	setsid();
	ioctl(slave, TIOCSCTTY, 0);
	for (int i = 0; i < 3; i++)
		dup2(slave, i);
	if (slave > 2)
		close(slave);
	close(master);
	execvp(argv[0], argv);
	_exit(127);
}

/* One round of copying; false when the input has ended. */
static bool copy(bool input, int wait_ms)
{
	struct pollfd p[2] = {{.fd = input ? 0 : -1, .events = POLLIN},
			      {.fd = read_it ? master : -1, .events = POLLIN}};
	char chunk[65536];
	ssize_t n;

	poll(p, 2, wait_ms);
	if (p[1].revents) {
		n = read(master, chunk, sizeof chunk);
		if (n > 0 && write(1, chunk, (size_t)n) != n)
			exit(98);
	}
	if (p[0].revents) {
		n = read(0, chunk, 1024);
		if (n <= 0)
			return false;
		for (ssize_t at = 0; at < n;) {
			size_t left = (size_t)(n - at);
			ssize_t w = write(master, chunk + at,
					  left < part ? left : part);

			if (part < 1024)
				usleep(2000);

			if (w > 0)
				at += w;
			else if (errno != EINTR)
				exit(97);
		}
	}
	return input;
}

static bool as_before(const struct termios *before)
{
	struct termios now = *before;

	tcgetattr(slave, &now);
	return now.c_iflag == before->c_iflag &&
	       now.c_oflag == before->c_oflag &&
	       now.c_cflag == before->c_cflag &&
	       now.c_lflag == before->c_lflag &&
	       memcmp(now.c_cc, before->c_cc, sizeof now.c_cc) == 0;
}

int main(int argc, char **argv)
{
	struct winsize ws = {.ws_col = 80, .ws_row = 24};
	struct termios before;
	bool input = true;
	int opt, status, left;
	pid_t pid;

	while ((opt = getopt(argc, argv, "+nc:s:")) != -1) {
		if (opt == 'n')
			read_it = false;
		else if (opt == 'c')
			part = (size_t)atoi(optarg);
		else if (opt != 's' ||
			 sscanf(optarg, "%hux%hu", &ws.ws_col, &ws.ws_row) != 2)
			return 2;
	}
	if (!argv[optind] || openpty(&master, &slave, NULL, NULL, &ws) < 0 ||
	    tcgetattr(slave, &before) < 0)
		return 2;
	pid = fork();
	if (pid == 0)
		child(argv + optind);
	while (waitpid(pid, &status, WNOHANG) == 0)
		input = copy(input, 20);
	for (left = RESTORE_MS; left > 0 && !as_before(&before); left -= 20)
		copy(false, 20);
	/* Its last output, and that of the process that restores the terminal.
	 */
	for (int quiet = 0; quiet < 10; quiet++)
		copy(false, 20);
	if (left <= 0)
		return 99;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}
