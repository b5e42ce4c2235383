/* dashboard.c - afw dashboard, and afw without arguments on a terminal: runs a
 * separate program, so that no other command loads ncurses. */
#include <stdlib.h>
#include <unistd.h>

#include "commands/command.h"
#include "wire/program.h"

static int cmd_dashboard(const struct args *args, struct err *err)
{
	char *path = program_find("afw-dashboard");
	char *argv[] = {(char[]){"afw-dashboard"}, NULL};

	execv(path, argv);
	err_errno(err, "open the dashboard (%s)", path);
	free(path);
	return -1;
}

const struct command command_dashboard = {
    .name = "dashboard",
    .usage = "",
    .summary = "show all sessions on this terminal, and act on them",
    .run = cmd_dashboard,
};
