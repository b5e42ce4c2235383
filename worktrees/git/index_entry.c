/* index_entry.c - the stat data of a file in git's index. */
#include "worktrees/git/index_entry.h"

#include <string.h>

void index_entry_stat(git_index_entry *e, const struct stat *st)
{
	e->ctime.seconds = (int32_t)st->st_ctim.tv_sec;
	e->ctime.nanoseconds = (uint32_t)st->st_ctim.tv_nsec;
	e->mtime.seconds = (int32_t)st->st_mtim.tv_sec;
	e->mtime.nanoseconds = (uint32_t)st->st_mtim.tv_nsec;
	e->dev = (uint32_t)st->st_dev;
	e->ino = (uint32_t)st->st_ino;
	e->uid = (uint32_t)st->st_uid;
	e->gid = (uint32_t)st->st_gid;
	e->file_size = (uint32_t)st->st_size;
	e->flags &= GIT_INDEX_ENTRY_NAMEMASK; /* clears the user's flags */
}

void index_entry_take_stat(git_index_entry *e, const git_index_entry *from)
{
	e->ctime = from->ctime;
	e->mtime = from->mtime;
	e->dev = from->dev;
	e->ino = from->ino;
	e->uid = from->uid;
	e->gid = from->gid;
	e->file_size = from->file_size;
}

bool index_entry_skipped(const git_index_entry *e)
{
	return e->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE;
}

void index_entry_skip(const git_index_entry *e, bool skip)
{
	git_index_entry *to = (git_index_entry *)e;

	to->flags_extended &= (uint16_t)~GIT_INDEX_ENTRY_SKIP_WORKTREE;
	if (skip) {
		to->flags |= GIT_INDEX_ENTRY_EXTENDED;
		to->flags_extended |= GIT_INDEX_ENTRY_SKIP_WORKTREE;
	}
}

static bool same_time(const git_index_time *a, const git_index_time *b)
{
	return a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}

bool index_entry_equal(const git_index_entry *a, const struct timespec *written,
		       const git_index_entry *b)
{
	return same_time(&a->ctime, &b->ctime) &&
	       same_time(&a->mtime, &b->mtime) && a->ino == b->ino &&
	       a->file_size == b->file_size && a->uid == b->uid &&
	       (b->mtime.seconds < written->tv_sec ||
		(b->mtime.seconds == written->tv_sec &&
		 b->mtime.nanoseconds < written->tv_nsec));
}

bool index_entry_same(const git_index_entry *e, const struct timespec *written,
		      const struct stat *st)
{
	git_index_entry now = {0};

	index_entry_stat(&now, st);
	return index_entry_equal(e, written, &now);
}

const git_index_entry *index_entry_find(git_index *index, size_t *next,
					const char *path)
{
	const git_index_entry *e = git_index_get_byindex(index, *next);

	if (!e || strcmp(e->path, path) != 0)
		e = git_index_find(next, index, path) == 0
			? git_index_get_byindex(index, *next)
			: NULL;
	*next += e != NULL;
	return e;
}
