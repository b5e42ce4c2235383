/*
 * suspects.c - finds the paths of a worktree that may not be as in its index.
 *
 * What has the stat data of its entry is as the entry says. All else is listed,
 * untracked directories as a whole, for libgit2 to decide about.
 */
#include "worktrees/changes/suspects.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "worktrees/git/index_entry.h"

#define MANY	  500 /* paths */
#define DEPTH_MAX 200

struct look {
	struct strv *out;
	git_index *index;
	const struct timespec *written;
	bool *found;	 /* for each entry */
	struct buf path; /* of the directory, with a '/' at the end */
};

static void look_finish(struct look *l)
{
	buf_finish(&l->path);
	free(l->found);
}

static bool is_same(const git_index_entry *e, const struct stat *st,
		    const struct timespec *written)
{
	unsigned mode = S_ISLNK(st->st_mode)	? GIT_FILEMODE_LINK
			: st->st_mode & S_IXUSR ? GIT_FILEMODE_BLOB_EXECUTABLE
						: GIT_FILEMODE_BLOB;

	return e->mode == mode && GIT_INDEX_ENTRY_STAGE(e) == 0 &&
	       (S_ISREG(st->st_mode) || S_ISLNK(st->st_mode)) &&
	       index_entry_same(e, written, st);
}

static bool look_in(struct look *l, int dir, const char *name, int depth);

/* path: of name, as l->path. Returns false to give up. */
static bool look_at(struct look *l, int dir, const char *name, int depth)
{
	size_t at, len = l->path.len;
	bool tracked = git_index_find(&at, l->index, l->path.data) == 0;
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return true; /* it is gone */
	if (tracked &&
	    is_same(git_index_get_byindex(l->index, at), &st, l->written)) {
		l->found[at] = true;
		return true;
	}
	if (!tracked && S_ISDIR(st.st_mode)) {
		buf_addc(&l->path, '/');
		if (git_index_find_prefix(&at, l->index, l->path.data) == 0)
			return look_in(l, dir, name, depth + 1);
		l->path.data[len] = '\0';
	}
	strv_add(l->out, l->path.data);
	return l->out->n < MANY;
}

static bool look_in(struct look *l, int dir, const char *name, int depth)
{
	_dir_ DIR *d = depth < DEPTH_MAX ? file_list(dir, name) : NULL;
	size_t len = l->path.len;
	const char *in;
	bool more = d;

	while (more && (in = file_list_next(d))) {
		if (strcmp(in, ".git") == 0) {
			more = len == 0; /* not a nested repository */
			continue;
		}
		buf_adds(&l->path, in);
		more = look_at(l, dirfd(d), in, depth);
		l->path.len = len;
		l->path.data[len] = '\0';
	}
	return more && !errno;
}

bool suspects_find(struct strv *paths, int dir, git_index *index,
		   const struct timespec *written)
{
	CLEANUP(look_finish)
	struct look l = {.out = paths,
			 .index = index,
			 .written = written,
			 .found = mem_alloc(git_index_entrycount(index) + 1)};

	buf_adds(&l.path, "");
	strv_add(paths, ".git"); /* none would be all paths */
	if (!look_in(&l, dir, ".", 0))
		return false;
	for (size_t i = 0; i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);

		if (!l.found[i] && !index_entry_skipped(e))
			strv_add(paths, e->path);
	}
	return paths->n < MANY;
}
