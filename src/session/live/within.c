/*
 * within.c - the ancestors of a process, from /proc.
 *
 * A parent that is still the parent after it was looked at was there all the
 * time: its number was no other process's.
 */
#include "session/live/within.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/procstat.h"

#define LOOKS_MAX 10000

static bool is_supervisor(const struct procstat *p)
{
	return p->pid == getpid() || strcmp(p->name, "afw-supervisor") == 0;
}

/* Goes up until stop (0: a supervisor) is found: its pid; 0: none; -1. */
static pid_t climb(pid_t pid, pid_t stop)
{
	struct procstat is, above, again;

	for (int i = 0; i < LOOKS_MAX; i++) {
		bool seen;

		if (pid <= 0 || !procstat_read(pid, &is))
			return -1;
		if (is.parent == 0)
			return 0;
		seen = procstat_read(is.parent, &above);
		if (!procstat_read(pid, &again) || again.start != is.start)
			return -1;
		if (again.parent != is.parent)
			continue;
		if (stop ? is.parent == stop : seen && is_supervisor(&above))
			return is.parent;
		/* Hidden from us (hidepid, proc(5)) is another user's, or a
		 * supervisor of ours, whom nobody may look into. */
		if (!seen)
			return !stop && kill(is.parent, 0) == 0 ? is.parent : 0;
		pid = is.parent;
	}
	return -1;
}

pid_t within_supervisor(pid_t pid)
{
	return climb(pid, 0);
}

int within_check_user(pid_t supervisor, struct err *err)
{
	if (supervisor == 0)
		return 0;
	if (supervisor < 0)
		return err_set(err, ERR_REFUSED,
			       "who asks cannot be told: its process is gone, "
			       "or out of sight");
	err_set(err, ERR_REFUSED,
		"what runs in a session may not do that (supervisor %d)",
		(int)supervisor);
	return err_hint(err, "do it in a terminal of your own");
}

bool within_is_below(pid_t pid, pid_t above)
{
	return climb(pid, above) == above;
}
