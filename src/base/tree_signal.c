/* tree_signal.c - signals the processes below one, each as soon as it is
 * found. */
#include "base/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/tree_walk.h"

struct signalled {
	const struct tree_except *except;
	int signo, value;
	int count;
};

/* Kills a whole group, which no process can escape by forking. Not a group of
 * our own session, which may have other processes; a session made below us has
 * only our descendants, and no helpers unless it is a helper's. */
static void kill_group(pid_t pid, const struct tree_except *except)
{
	pid_t group = getpgid(pid);

	if (group > 1 && getsid(pid) != getsid(0) &&
	    !tree_has(except->spared, group) &&
	    !tree_has(except->helpers, group))
		kill(-group, SIGKILL);
}

/* Signals pid if it is still running as a child of parent. A pidfd ensures that
 * the signal reaches no later process with its number. */
static bool signal_process(pid_t pid, pid_t parent,
			   const struct tree_except *except, int signo,
			   int value)
{
	struct process is;
	bool running;
	int fd;

	/* Our own child keeps its number until we reap it: it need not be
	 * checked first, which can take too long. */
	if (signo == SIGKILL && parent == getpid()) {
		kill_group(pid, except);
		kill(pid, SIGKILL);
	}
	fd = process_open(pid);
	running = (fd >= 0 || errno == ENOSYS) &&
		  (process_read(pid, &is) ? !is.zombie && is.parent == parent
					  : tree_hides_child(pid, parent));
	if (running && signo == SIGKILL)
		kill_group(pid, except);
	if (running && signo)
		process_signal_value(fd, pid, signo, value);
	file_close(fd);
	return running;
}

static bool visit(void *ctx, pid_t pid, pid_t parent, bool helper)
{
	struct signalled *s = ctx;
	bool running = signal_process(pid, parent, s->except,
				      helper ? 0 : s->signo, s->value);

	s->count += running && !helper;
	return running;
}

static int signal_below(pid_t root, const struct tree_except *except, int signo,
			int value)
{
	static const struct tree_except none;
	struct signalled s = {except ? except : &none, signo, value, 0};

	tree_walk(root, s.except, visit, &s);
	return s.count;
}

int tree_kill(pid_t root, const struct tree_except *except, int signo)
{
	return signal_below(root, except, signo, 0);
}

int tree_stop(pid_t root, const struct tree_except *except, int signo)
{
	return signal_below(root, except, signo, TREE_STOP_VALUE);
}

int tree_kill_all(pid_t root, const struct tree_except *except)
{
	int64_t end = clock_mono_ms() + TREE_KILL_ALL_MS;
	int left;

	do
		left = tree_kill(root, except, SIGKILL);
	while (left > 0 && clock_mono_ms() < end);
	return left;
}
