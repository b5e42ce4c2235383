/* left.c - finds supervisors of deleted sessions by their command lines. */
#include "session/live/left.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/pidfd.h"
#include "base/procstat.h"
#include "session/disk/dirs.h"
#include "session/live/recall.h"
#include "session/spec.h"

/* Here, and for that process, which may have mounts of its own. Only root may
 * look at the latter. */
static bool is_gone(pid_t pid, const char *path)
{
	char *there = mem_printf("/proc/%d/root%s", (int)pid, path);
	bool gone = access(path, F_OK) < 0 && errno == ENOENT &&
		    access(there, F_OK) < 0 &&
		    (errno == ENOENT || errno == EACCES);

	free(there);
	return gone;
}

/* dir: DATA/sessions/ID */
static bool was_deleted(pid_t pid, const char *dir)
{
	static const char sessions[] = "/sessions/";
	size_t len = strlen(dir), tail = sizeof sessions - 1 + SPEC_ID_LEN;
	char *data, *ours;
	bool deleted;

	if (dir[0] != '/' || len <= tail ||
	    strncmp(dir + len - tail, sessions, sizeof sessions - 1) != 0)
		return false;
	data = mem_strndup(dir, len - tail);
	ours = dirs_data(NULL);
	deleted = is_gone(pid, dir) &&
		  ((ours && strcmp(data, ours) == 0) || is_gone(pid, data));
	free(data);
	free(ours);
	return deleted;
}

static void look_at(pid_t pid, left_fn *fn, void *ctx)
{
	struct procstat is;
	int fd = pidfd_hold(pid);
	char *dir = fd >= 0 || errno == ENOSYS ? recall_session_dir(pid) : NULL;

	/* Its guard, a child, has the same command line. */
	if (dir && procstat_read(pid, &is) && !is.zombie &&
	    strcmp(is.name, "afw-supervisor") == 0 &&
	    !recall_runs(is.parent, dir) && was_deleted(pid, dir))
		fn(ctx, pid, fd, dir);
	free(dir);
	file_close(fd);
}

void left_each(left_fn *fn, void *ctx)
{
	DIR *d = file_list(AT_FDCWD, "/proc");
	const char *name;

	while ((name = file_list_next(d)))
		if (isdigit((unsigned char)name[0]))
			look_at((pid_t)atoi(name), fn, ctx);
	file_list_end(d);
}
