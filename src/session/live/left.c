/* left.c - finds supervisors of deleted sessions by their command lines. */
#include "session/live/left.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/pidfd.h"
#include "base/procstat.h"
#include "session/disk/dirs.h"
#include "session/spec.h"

#define PROC_MAX ((size_t)64 * 1024)

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
	_buf_ struct buf text = {0};
	const char *at = NULL;
	unsigned uid = 0;

	if (read_proc(pid, "status", &text) == 0 && text.len > 0)
		at = strstr(text.data, "\nUid:");
	return at && sscanf(at, "\nUid: %*u %u", &uid) == 1 && uid == geteuid();
}

/* Returns the directory of the session that pid, a supervisor of this user,
 * runs, or NULL; to be freed. supervise.c starts it as "afw-supervisor run
 * DIRECTORY ...". */
static char *session_dir(pid_t pid)
{
	_buf_ struct buf line = {0};
	const char *run, *dir, *end;

	if (pid <= 0 || !is_ours(pid) || read_proc(pid, "cmdline", &line) < 0 ||
	    line.len == 0 || line.data[line.len - 1] != '\0')
		return NULL;
	end = line.data + line.len;
	run = line.data + strlen(line.data) + 1;
	dir = run < end ? run + strlen(run) + 1 : end;
	return dir < end && strcmp(run, "run") == 0 ? mem_strdup(dir) : NULL;
}

static bool runs(pid_t pid, const char *dir)
{
	_free_ char *other = session_dir(pid);

	return other && strcmp(other, dir) == 0;
}

/* Here, and for that process, which may have mounts of its own. Only root may
 * look at the latter. */
static bool is_gone(pid_t pid, const char *path)
{
	_free_ char *there = mem_printf("/proc/%d/root%s", (int)pid, path);

	return access(path, F_OK) < 0 && errno == ENOENT &&
	       access(there, F_OK) < 0 && (errno == ENOENT || errno == EACCES);
}

/* dir: DATA/sessions/ID */
static bool was_deleted(pid_t pid, const char *dir)
{
	static const char sessions[] = "/sessions/";
	size_t len = strlen(dir), tail = sizeof sessions - 1 + SPEC_ID_LEN;
	_free_ char *data = NULL, *ours = NULL;

	if (dir[0] != '/' || len <= tail ||
	    strncmp(dir + len - tail, sessions, sizeof sessions - 1) != 0)
		return false;
	data = mem_strndup(dir, len - tail);
	ours = dirs_data(NULL);
	return is_gone(pid, dir) &&
	       ((ours && strcmp(data, ours) == 0) || is_gone(pid, data));
}

static void look_at(pid_t pid, left_fn *fn, void *ctx)
{
	struct procstat is;
	_close_ int fd = pidfd_hold(pid);
	_free_ char *dir = fd >= 0 || errno == ENOSYS ? session_dir(pid) : NULL;

	/* Its guard, a child, has the same command line. */
	if (dir && procstat_read(pid, &is) && !is.zombie &&
	    strcmp(is.name, "afw-supervisor") == 0 && !runs(is.parent, dir) &&
	    was_deleted(pid, dir))
		fn(ctx, pid, fd, dir);
}

void left_each(left_fn *fn, void *ctx)
{
	_dir_ DIR *d = file_list(AT_FDCWD, "/proc");
	const char *name;

	while ((name = file_list_next(d)))
		if (isdigit((unsigned char)name[0]))
			look_at((pid_t)atoi(name), fn, ctx);
}
