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
	const struct tree_but *but;
	int signo, word;
	int count;
};

/* Kills a whole group, which no process can escape by forking. Not a group of
 * our own session, which may have other processes; a session made below us has
 * only our descendants, and no helpers unless it is a helper's. */
static void kill_group(pid_t pid, const struct tree_but *but)
{
	pid_t group = getpgid(pid);

	if (group > 1 && getsid(pid) != getsid(0) &&
	    !tree_has(but->spared, group) && !tree_has(but->helpers, group))
		kill(-group, SIGKILL);
}

/* Signals pid if it is still running as a child of parent. A pidfd ensures that
 * the signal reaches no later process with its number. */
static bool signal_process(pid_t pid, pid_t parent, const struct tree_but *but,
			   int signo, int word)
{
	struct process is;
	bool lives;
	int fd;

	/* Our own child keeps its number until we reap it: it need not be
	 * checked first, which can take too long. */
	if (signo == SIGKILL && parent == getpid()) {
		kill_group(pid, but);
		kill(pid, SIGKILL);
	}
	fd = process_hold(pid);
	lives = (fd >= 0 || errno == ENOSYS) &&
		(process_read(pid, &is) ? !is.zombie && is.parent == parent
					: tree_hides_child(pid, parent));
	if (lives && signo == SIGKILL)
		kill_group(pid, but);
	if (lives && signo)
		process_signal_word(fd, pid, signo, word);
	file_close(fd);
	return lives;
}

static bool visit(void *ctx, pid_t pid, pid_t parent, bool helper)
{
	struct signalled *s = ctx;
	bool lives =
	    signal_process(pid, parent, s->but, helper ? 0 : s->signo, s->word);

	s->count += lives && !helper;
	return lives;
}

static int signal_below(pid_t root, const struct tree_but *but, int signo,
			int word)
{
	static const struct tree_but nobody;
	struct signalled s = {but ? but : &nobody, signo, word, 0};

	tree_walk(root, s.but, visit, &s);
	return s.count;
}

int tree_kill(pid_t root, const struct tree_but *but, int signo)
{
	return signal_below(root, but, signo, 0);
}

int tree_stop(pid_t root, const struct tree_but *but, int signo)
{
	return signal_below(root, but, signo, TREE_STOP_WORD);
}

int tree_storm(pid_t root, const struct tree_but *but)
{
	int64_t end = clock_mono_ms() + TREE_STORM_MS;
	int left;

	do
		left = tree_kill(root, but, SIGKILL);
	while (left > 0 && clock_mono_ms() < end);
	return left;
}
