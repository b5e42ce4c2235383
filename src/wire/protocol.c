/*
 * protocol.c - sets in a message how a process has ended: its exit code or its
 * signal.
 */
#include "wire/protocol.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "base/json.h"

#define NAME(signo) [signo] = #signo

/* sigabbrev_np(3) is of glibc 2.32. */
static const char *const names[] = {
    NAME(SIGHUP),    NAME(SIGINT),  NAME(SIGQUIT), NAME(SIGILL),
    NAME(SIGTRAP),   NAME(SIGABRT), NAME(SIGBUS),  NAME(SIGFPE),
    NAME(SIGKILL),   NAME(SIGUSR1), NAME(SIGSEGV), NAME(SIGUSR2),
    NAME(SIGPIPE),   NAME(SIGALRM), NAME(SIGTERM), NAME(SIGSTKFLT),
    NAME(SIGCHLD),   NAME(SIGCONT), NAME(SIGSTOP), NAME(SIGTSTP),
    NAME(SIGTTIN),   NAME(SIGTTOU), NAME(SIGURG),  NAME(SIGXCPU),
    NAME(SIGXFSZ),   NAME(SIGPROF), NAME(SIGIO),   NAME(SIGPWR),
    NAME(SIGVTALRM), NAME(SIGSYS),  NAME(SIGWINCH)};

static void name_signal(int signo, char out[static 32])
{
	const char *name =
	    signo > 0 && (size_t)signo < sizeof names / sizeof *names
		? names[signo]
		: NULL;

	if (name)
		snprintf(out, 32, "%s", name);
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
