/*
 * opencode_main.c - the program afw-opencode: the bridge between a session's
 * supervisor and OpenCode's HTTP server. See wire/bridge.h.
 *
 * A program of its own, because there is a supervisor for each session and
 * only this needs libcurl; and because what the server says, a harness wrote.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/file.h"
#include "opencode/client.h"

int main(int argc, char **argv)
{
	struct stat st;

	file_open_standard();
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		puts("afw-opencode " AFW_VERSION);
		return 0;
	}
	if (argc != 1 || fstat(0, &st) < 0 || !S_ISSOCK(st.st_mode)) {
		fputs("afw-opencode: works for afw-supervisor, which starts "
		      "it\nSee afw-opencode(8).\n",
		      stderr);
		return ERR_USAGE;
	}
	signal(SIGPIPE, SIG_IGN);
	return client_run(0);
}
