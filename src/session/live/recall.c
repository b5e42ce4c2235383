/* recall.c - signals to a supervisor that has lost its socket. */
#include "session/live/recall.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/pidfd.h"
#include "session/disk/dirs.h"
#include "wire/sock.h"

#define LOOK_MS	 20
#define PROC_MAX ((size_t)64 * 1024)

bool recall_is_reachable(const char *id)
{
	char *path = dirs_socket(id, NULL);
	int fd = path ? sock_connect(path) : -1;
	/* It has more to do than it can take: it is there. */
	bool there = fd >= 0 || (path && errno == EAGAIN);

	file_close(fd);
	free(path);
	return there;
}

static int read_proc(pid_t pid, const char *name, struct buf *out)
{
	char path[48];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	return file_read(AT_FDCWD, path, PROC_MAX, out, NULL);
}

/* Whether its effective user is ours. The owner of its files in /proc is root,
 * because it cannot be dumped. */
static bool is_ours(pid_t pid)
{
	struct buf text = {0};
	const char *at = NULL;
	unsigned uid = 0;
	bool ours;

	if (read_proc(pid, "status", &text) == 0 && text.len > 0)
		at = strstr(text.data, "\nUid:");
	ours = at && sscanf(at, "\nUid: %*u %u", &uid) == 1 && uid == geteuid();
	buf_finish(&text);
	return ours;
}

/* supervise.c starts it as "afw-supervisor run DIRECTORY ...". */
char *recall_session_dir(pid_t pid)
{
	struct buf line = {0};
	const char *run, *dir;
	char *found = NULL;

	if (pid > 0 && is_ours(pid) && read_proc(pid, "cmdline", &line) == 0 &&
	    line.len > 0 && line.data[line.len - 1] == '\0') {
		const char *end = line.data + line.len;

		run = line.data + strlen(line.data) + 1;
		dir = run < end ? run + strlen(run) + 1 : end;
		if (dir < end && strcmp(run, "run") == 0)
			found = mem_strdup(dir);
	}
	buf_finish(&line);
	return found;
}

bool recall_runs(pid_t pid, const char *session_dir)
{
	char *dir = recall_session_dir(pid);
	bool runs = dir && strcmp(dir, session_dir) == 0;

	free(dir);
	return runs;
}

/* It blocks the signal, to read it from a signalfd (proc(5), SigBlk). */
static bool takes_signal(pid_t pid, int signo)
{
	struct buf text = {0};
	const char *at = NULL;
	uint64_t mask = 0;

	if (read_proc(pid, "status", &text) == 0 && text.len > 0)
		at = strstr(text.data, "\nSigBlk:");
	if (at)
		mask = strtoull(at + strlen("\nSigBlk:"), NULL, 16);
	buf_finish(&text);
	return mask >> (signo - 1) & 1;
}

bool recall_tell(const struct session *s)
{
	pid_t pid = s->state.supervisor_pid;
	bool told = false;
	int fd;

	if (pid <= 0)
		return false;
	/* Held before it is looked at: the signal goes to that process. */
	fd = pidfd_hold(pid);
	if (fd < 0)
		return false;
	if (recall_runs(pid, s->dir) && takes_signal(pid, SIGUSR1))
		told = pidfd_tell(fd, pid, SIGUSR1) == 0;
	close(fd);
	return told;
}

int recall_supervisor(const struct session *s, struct err *err)
{
	int64_t end = clock_mono_ms() + RECALL_MS;

	if (recall_is_reachable(s->spec.id))
		return 0; /* another one's, by now */
	if (!recall_tell(s))
		return err_set(err, ERR_NOT_RUNNING,
			       "no supervisor of session '%s' is there that "
			       "could be called",
			       s->spec.name);
	while (!recall_is_reachable(s->spec.id)) {
		if (clock_mono_ms() >= end)
			return err_set(err, ERR_TIMEOUT,
				       "the socket of session '%s' is gone, "
				       "and its supervisor (%d) makes no other",
				       s->spec.name,
				       (int)s->state.supervisor_pid);
		poll(NULL, 0, LOOK_MS);
	}
	return 0;
}
