/*
 * guard_main.c - the program afw-guard (terminal/guard.h).
 *
 * `afw-guard SOCKET tty|none FD... -- COMMAND...` runs the command in the
 * working directory; it gets the descriptors FD. `pane` and `pipe`: pane.h.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/version.h"
#include "terminal/guard.h"
#include "terminal/pane.h"

static int run(int sock, bool tty, char **argv)
{
	int fds[GUARD_FDS + 1] = {0}, signals = guard_init();
	struct guard_start st = {
	    .dir = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC),
	    .fds = fds,
	    .envp = environ,
	    .no_terminal = !tty};

	for (int i = 0; i < GUARD_FDS && *argv && strcmp(*argv, "--") != 0; i++)
		fds[i] = atoi(*argv++);
	if (signals < 0 || st.dir < 0 || !*argv || !argv[1])
		return 1;
	file_set_cloexec(sock, true);
	st.argv = argv + 1;
	return guard_run(&st, sock, signals);
}

int main(int argc, char **argv)
{
	file_open_standard();
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		dprintf(STDOUT_FILENO, "afw-guard " AFW_VERSION "\n");
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "pane") == 0)
		return pane_run(argv[2]);
	if (argc == 3 && strcmp(argv[1], "pipe") == 0)
		return pane_pipe(argv[2]);
	if (argc > 4)
		return run(atoi(argv[1]), strcmp(argv[2], "tty") == 0,
			   argv + 3);
	dprintf(STDERR_FILENO, "afw-guard is started by afw-supervisor(8).\n");
	return 2;
}
