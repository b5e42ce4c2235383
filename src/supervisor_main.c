/* supervisor_main.c - the program afw-supervisor: one word says as what. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/version.h"
#include "sandbox/confine/calls.h"
#include "sandbox/confine/confine.h"
#include "sandbox/confine/inside.h"
#include "supervisor/door/bridge.h"
#include "supervisor/door/door.h"
#include "supervisor/headless/credential.h"
#include "supervisor/headless/headless.h"
#include "supervisor/monitor/learn.h"
#include "supervisor/monitor/replay.h"
#include "supervisor/services/probe.h"
#include "supervisor/supervisor.h"

int main(int argc, char **argv)
{
	file_open_standard();
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		printf("afw-supervisor " AFW_VERSION " (%s)\n",
		       calls_library());
		return 0;
	}
	if (argc == 5 && strcmp(argv[1], "run") == 0)
		return supervisor_run(session_parts, argv[2], atoi(argv[3]),
				      atoi(argv[4]));
	if (argc == 3 && strcmp(argv[1], "hook") == 0)
		return door_hook(argv[2]);
	if (argc == 2 && strcmp(argv[1], "mcp") == 0)
		return bridge_relay();
	if (argc == 4 && strcmp(argv[1], "ready") == 0)
		return probe_run(argv[2], atoi(argv[3]));
	if (argc == 2 && strcmp(argv[1], "--stdio") == 0)
		return headless_run();
	if (argc == 3 && strcmp(argv[1], "credential") == 0)
		return credential_run(argv[2]);
	if (argc > 2 && strcmp(argv[1], "inside") == 0)
		return inside_run(false, argv + 2);
	if (argc > 2 && strcmp(argv[1], "inside-host") == 0)
		return inside_run(true, argv + 2);
	if (argc == 2 && strcmp(argv[1], "confine") == 0)
		return confine_try();
	if (argc > 3 && strcmp(argv[1], "confine") == 0)
		return confine_run(argv[2], argv + 3);
	if (argc > 4 && strcmp(argv[1], "replay") == 0)
		return replay_run(strcmp(argv[2], "json") == 0,
				  strcmp(argv[3], "screen") == 0, argv + 4);
	if (argc == 3 && strcmp(argv[1], "learn") == 0)
		return learn_run(argv[2]);
	fprintf(stderr,
		"afw-supervisor is started by afw, not by hand.\n"
		"usage: afw-supervisor run SESSION_DIR LOCK_FD "
		"CONTROL_FD\n"
		"       afw-supervisor --stdio\n"
		"       afw-supervisor hook EVENT | mcp\n"
		"       afw-supervisor credential OPERATION\n"
		"       afw-supervisor replay lines|json all|screen FILE...\n"
		"       afw-supervisor learn FILE\n"
		"See afw-supervisor(8).\n");
	return 2;
}
