/*
 * fault_at.c - kills a process at its n-th call that changes a file, or makes
 *the call fail.
 *
 *	fault_at -x PROGRAM... [-n N] [-e ERRNO [-a] [-c CALL] [-s]] [-o REPORT]
 *		-r ROOT... -- CMD ARG...
 *
 * Runs CMD, and counts the system calls that change a file below one of the
 * ROOTs, made by CMD or a descendant while it runs PROGRAM (the name of an
 * executable file). Before the N-th of these calls its process is killed. With
 * N 0, or if there are fewer calls, no process is killed. With -e the call
 *fails instead, with ENOSPC, EIO, EMFILE or EACCES; -a also counts calls that
 *only read; -c counts only CALL; -s makes all later calls fail, too, as on a
 *disk that stays full. REPORT gets a line for each call, "N CALL PATH", and
 *then "killed", "failed" or "done". The exit code is CMD's, 128 + its signal,
 *or 125 if tracing is impossible.
 *
 * It uses ptrace(2), so that no call of any process can be missed. It traces
 * CMD, programs called afw, and PROGRAM; it detaches from any other program
 *when that starts (for example from a supervisor, which outlives CMD), and from
 *all others when CMD and every PROGRAM except a supervisor have ended.
 *support_call.h has the calls that are counted.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support_call.h"

#define ROOTS_MAX    8
#define PROGRAMS_MAX 4
#define TRACEES_MAX  256
#define TIME_MAX_S   100
#define CANNOT_TRACE 125

struct tracee {
	pid_t tid;
	bool seen;   /* has stopped for the first time */
	bool target; /* its calls count */
	bool detach; /* at its next stop */
	bool stays;  /* a supervisor: it outlives the command */
	bool failed; /* the call that it is in */
	bool inside; /* a call: its next stop of a call is at the end */
};

static struct tracee tracees[TRACEES_MAX];
static const char *roots[ROOTS_MAX + 1];
static const char *programs[PROGRAMS_MAX + 1];
static FILE *report;
static pid_t first;
static long wanted, count;
static const char *only; /* NULL, or the one call that counts */
static int error;	 /* 0: SIGKILL */
static bool any, sticky, over;

static void __attribute__((noreturn)) die(const char *what)
{
	fprintf(stderr, "fault_at: %s: %s\n", what, strerror(errno));
	exit(CANNOT_TRACE);
}

static struct tracee *find(pid_t tid, bool add)
{
	for (int i = 0; i < TRACEES_MAX; i++)
		if (tracees[i].tid == tid)
			return &tracees[i];
	for (int i = 0; add && i < TRACEES_MAX; i++)
		if (!tracees[i].tid) {
			tracees[i] = (struct tracee){.tid = tid};
			return &tracees[i];
		}
	return NULL;
}

/* Returns the name of the file that tid executes, as "afw". */
static const char *exe_of(pid_t tid)
{
	static char path[PATH_MAX];
	char link[64];
	ssize_t n;

	snprintf(link, sizeof link, "/proc/%d/exe", (int)tid);
	n = readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

static void handle_stop(struct tracee *t, bool started)
{
	const char *exe = exe_of(t->tid);

	t->target = false;
	for (int i = 0; programs[i]; i++)
		t->target |= strcmp(exe, programs[i]) == 0;
	t->stays = strcmp(exe, "afw-supervisor") == 0;
	t->detach =
	    started && !t->target && t->tid != first && strcmp(exe, "afw") != 0;
}

/* What a full disk refuses: all but to remove, to rename, to open what is
 * there, and to change what needs no block. */
static bool needs_room(const char *call, const char *path)
{
	static const char *const none[] = {"unlink",   "rmdir", "rename",
					   "fchmod",   "chmod", "truncate",
					   "ftruncate"};

	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
		if (strncmp(call, none[i], strlen(none[i])) == 0)
			return false;
	return strncmp(call, "open", 4) != 0 || access(path, F_OK) < 0;
}

/* A target begins or ends a system call. True: it was killed there. */
static bool on_call(struct tracee *t)
{
	struct __ptrace_syscall_info info;
	char path[CALL_PATH];
	pid_t tid = t->tid;
	bool inside = t->inside;
	const char *call;

	t->inside = false;
	if (t->failed) {
		t->failed = false;
		if (!call_set_failed(tid, error))
			die("set a result");
		return false;
	}
	if (over && !sticky)
		return false;
	if (inside)
		return false;
	if (ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof info, &info) <= 0 ||
	    info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return false;
	t->inside = true;
	/* A supervisor hides its memory and descriptors from everyone but
	 * root: the call is left out, or an ordinary user would see no more. */
	if (info.entry.nr == SYS_prctl &&
	    info.entry.args[0] == PR_SET_DUMPABLE) {
		if (!call_skip(tid))
			die("skip a call");
		return false;
	}
	call = call_of(tid, info.entry.nr, info.entry.args, any, roots, path,
		       sizeof path);
	if (!call || (only && strcmp(only, call) != 0) ||
	    (error == ENOSPC && !needs_room(call, path)))
		return false;
	count++;
	if (report)
		fprintf(report, "%ld %s %s\n", count, call, path);
	if (count != wanted && !(over && sticky))
		return false;
	over = true;
	if (error) {
		t->failed = true;
		if (!call_skip(tid))
			die("skip a call");
		return false;
	}
	/* The kernel does not start a call of a process that is being killed.
	 */
	kill(tid, SIGKILL);
	return true;
}

static void go_on(struct tracee *t, int signo)
{
	if (t->detach) {
		ptrace(PTRACE_DETACH, t->tid, 0, signo);
	} else if (t->failed || (t->target && (!over || sticky))) {
		ptrace(PTRACE_SYSCALL, t->tid, 0, signo);
	} else {
		ptrace(PTRACE_CONT, t->tid, 0, signo);
		t->inside = false;
	}
}

static void on_stop(struct tracee *t, int status)
{
	int signo = WSTOPSIG(status), event = status >> 16;

	if (!t->seen) {
		t->seen = true;
		handle_stop(t, false);
	}
	if (signo == (SIGTRAP | 0x80)) {
		if (on_call(t))
			return;
		signo = 0;
	} else if (event == PTRACE_EVENT_EXEC) {
		handle_stop(t, true);
		signo = 0;
	} else if (event == PTRACE_EVENT_STOP && !t->detach &&
		   (signo == SIGSTOP || signo == SIGTSTP || signo == SIGTTIN ||
		    signo == SIGTTOU)) {
		ptrace(PTRACE_LISTEN, t->tid, 0, 0); /* it stays stopped */
		return;
	} else if (event) {
		signo = 0;
	}
	/* Not before the call that it is in has failed. */
	if (t->detach && t->failed) {
		ptrace(PTRACE_SYSCALL, t->tid, 0, signo);
		return;
	}
	go_on(t, signo);
	if (t->detach)
		t->tid = 0;
}

/* Supervisors outlive the command; it waits for all other targets. */
static bool is_waited_for(const struct tracee *t)
{
	if (!t->tid)
		return false;
	return t->tid == first || (t->target && !t->stays);
}

static bool any_waited_for(void)
{
	for (int i = 0; i < TRACEES_MAX; i++)
		if (is_waited_for(&tracees[i]))
			return true;
	return false;
}

static void let_all_go(void)
{
	for (int i = 0; i < TRACEES_MAX; i++) {
		struct tracee *t = &tracees[i];
		int status;

		if (!t->tid)
			continue;
		t->detach = true;
		ptrace(PTRACE_INTERRUPT, t->tid, 0, 0);
		while (t->tid && waitpid(t->tid, &status, __WALL) == t->tid) {
			if (WIFSTOPPED(status))
				on_stop(t, status);
			else
				t->tid = 0;
		}
	}
}

static int trace(void)
{
	int status, code = 0;

	while (any_waited_for()) {
		pid_t tid = waitpid(-1, &status, __WALL);
		struct tracee *t;

		if (tid < 0 && errno == EINTR)
			continue;
		if (tid < 0)
			break;
		t = find(tid, true);
		if (!t)
			die("too many processes");
		if (WIFSTOPPED(status)) {
			on_stop(t, status);
			continue;
		}
		t->tid = 0;
		if (tid != first)
			continue;
		first = 0;
		code = WIFSIGNALED(status) ? 128 + WTERMSIG(status)
					   : WEXITSTATUS(status);
	}
	let_all_go();
	return code;
}

/* All on one processor: two of them would wake each other at every call, which
 * takes half as much time again. */
static void use_one_processor(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	sched_setaffinity(0, sizeof set, &set);
}

static pid_t start(char **argv)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK |
			     PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
			     PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	int ready[2];
	pid_t pid;
	char c;

	if (pipe2(ready, O_CLOEXEC) < 0)
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		close(ready[1]);
		if (read(ready[0], &c, 1) != 1)
			_exit(CANNOT_TRACE);
		execvp(argv[0], argv);
		fprintf(stderr, "fault_at: %s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	if (ptrace(PTRACE_SEIZE, pid, 0, options) < 0)
		die("ptrace");
	if (write(ready[1], "", 1) != 1)
		die("pipe");
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static int errno_of(const char *name)
{
	static const struct {
		const char *name;
		int value;
	} all[] = {{"ENOSPC", ENOSPC},
		   {"EIO", EIO},
		   {"EMFILE", EMFILE},
		   {"EACCES", EACCES}};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (strcmp(all[i].name, name) == 0)
			return all[i].value;
	fprintf(stderr, "fault_at: -e %s: none of those it knows\n", name);
	exit(2);
}

int main(int argc, char **argv)
{
	int c, n = 0, n_programs = 0, code;

	while ((c = getopt(argc, argv, "+ac:e:n:o:r:sx:")) != -1) {
		if (c == 'n')
			wanted = strtol(optarg, NULL, 10);
		else if (c == 'o' && !(report = fopen(optarg, "we")))
			die(optarg);
		else if (c == 'r' && n < ROOTS_MAX)
			roots[n++] = optarg;
		else if (c == 'x' && n_programs < PROGRAMS_MAX)
			programs[n_programs++] = optarg;
		else if (c == 'e')
			error = errno_of(optarg);
		else if (c == 'a')
			any = true;
		else if (c == 'c')
			only = optarg;
		else if (c == 's')
			sticky = true;
		else if (c == '?')
			return 2;
	}
	if (!n_programs || !argv[optind] || n == 0) {
		fputs("fault_at: -x PROGRAM -r ROOT CMD are needed\n", stderr);
		return 2;
	}
	use_one_processor();
	alarm(TIME_MAX_S); /* traced processes are killed when this one ends */
	first = start(argv + optind);
	find(first, true)->seen = true;
	code = trace();
	if (report) {
		fputs(!over   ? "done\n"
		      : error ? "failed\n"
			      : "killed\n",
		      report);
		fclose(report);
	}
	return code;
}
