/*
 * protocol.c - sets in a message how a process has ended: its exit code or its
 * signal.
 */
#include "wire/protocol.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/json.h"

static void name_signal(int signo, char out[static 32])
{
	const char *name = sigabbrev_np(signo);

	if (name)
		snprintf(out, 32, "SIG%s", name);
	else
		snprintf(out, 32, "SIGRTMIN+%d", signo - SIGRTMIN);
}

void protocol_set_end(cJSON *o, int wait_status)
{
	char name[32];

	if (WIFSIGNALED(wait_status)) {
		name_signal(WTERMSIG(wait_status), name);
		cJSON_AddNullToObject(o, "code");
		json_set_str(o, "signal", name);
	} else {
		json_set_int(o, "code", WEXITSTATUS(wait_status));
		cJSON_AddNullToObject(o, "signal");
	}
}
