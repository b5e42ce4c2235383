/*
 * confirm.c - a worktree that nobody has recorded is taken back, untouched.
 *
 * It was a worktree like any other for a moment: a person may have found it
 * and begun to work there. (No harness can: the session's lock is held, also
 * by us, until we are gone.) So all in it and in git's entry for it must be
 * from before it was done, by the time of change, which nobody can set. The
 * last thing that was done is that `locked` went from the entry: the entry's
 * own time is that moment, by the clock of its file system. A change within
 * the same tick of that clock (10 ms at most) would not be seen; the answer
 * is not even out then.
 *
 * And it must be that directory, by device and inode, which is held open so
 * that no other can have its number.
 */
#include "worktrees/confirm.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/delete_tree.h"
#include "base/json.h"
#include "base/leaving.h"
#include "worktrees/branch.h"
#include "worktrees/untouched.h"

#define CONFIRM_MS 60000 /* for afw to write one file */
#define LOOK_MS	   100	 /* a signal that came just before poll is seen then */

int confirm_begin(struct create *c, struct err *err)
{
	struct stat st;

	if (fstat(c->entry, &st) < 0)
		return err_errno(err, "look at %s", c->admin);
	c->done_at = st.st_ctim;
	return 0;
}

int confirm_wait(struct create *c, struct err *err)
{
	int64_t most = json_int(c->req, "confirm_timeout_ms", CONFIRM_MS);
	int64_t end = clock_mono_ms() + most, left;
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	char word;
	int n;

	if (!json_bool(c->req, "confirm", false))
		return 0;
	do {
		if (output_signal())
			return output_go_on(c->out, err);
		left = end - clock_mono_ms();
		n = poll(&p, 1,
			 left < 0	  ? 0
			 : left < LOOK_MS ? (int)left
					  : LOOK_MS);
	} while ((n == 0 && left > 0) || (n < 0 && errno == EINTR));
	if (n > 0 && read(p.fd, &word, 1) == 1 && word == '\n')
		return 0;
	return err_set(err, ERR_FAILED, "nobody has recorded the worktree %s%s",
		       c->place.path, n == 0 ? " in time" : "");
}

/* -- taking it back -------------------------------------------------------- */

static bool is_untouched(const struct create *c)
{
	return untouched_since(openat(c->tree, ".", CREATE_DIR_FLAGS),
			       &c->done_at, false) &&
	       untouched_since(openat(c->entry, ".", CREATE_DIR_FLAGS),
			       &c->done_at, false);
}

/* Whether name in dir is the directory that fd has open. */
static bool is_that(int dir, const char *name, int fd)
{
	struct stat a, b;

	return fstatat(dir, name, &a, AT_SYMLINK_NOFOLLOW) == 0 &&
	       fstat(fd, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* Renames it away and looks once more: 0, or it is where it was. */
static int take_away(const struct create *c, char away[LEAVING_SIZE])
{
	leaving_name(away);
	if (!is_that(c->dir, c->place.base, c->tree) ||
	    !is_that(c->admins, c->place.id, c->entry) || !is_untouched(c) ||
	    renameat(c->dir, c->place.base, c->dir, away) < 0)
		return -1;
	if (is_that(c->dir, away, c->tree) && is_untouched(c))
		return 0;
	renameat2(c->dir, away, c->dir, c->place.base, RENAME_NOREPLACE);
	return -1;
}

void confirm_take_back(struct create *c, struct err *err)
{
	int held = leaving_hold(c->tree, ".");
	char away[LEAVING_SIZE];
	struct err sub;

	if (take_away(c, away) < 0) {
		err_hint(err, "it has changed since it was made, so it stays: "
			      "look at it; `git worktree remove` takes it "
			      "away");
		goto out;
	}
	/* A branch that has moved on stays, with its commits. */
	branch_delete_ref(c->repo.main, c->ref, &c->base.commit);
	making_remove_entry(c->admins, c->place.id, &sub);
	delete_tree(c->dir, away, &sub);
out:
	if (held >= 0)
		close(held);
}
