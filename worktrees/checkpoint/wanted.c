/*
 * wanted.c - which files of a worktree a scan reads.
 *
 * A scan of all files asks git's index first, which is cheaper than the
 * patterns. A scan of a few paths does not even open it for them.
 */
#include "worktrees/checkpoint/wanted.h"

#include <fcntl.h>
#include <string.h>

#include "base/file.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/index_lock.h"
#include "worktrees/git/sparse_index.h"
#include "worktrees/git/tree_diff.h"

#define SEARCHES 8 /* of the index's bytes, before it is parsed */

int wanted_open(struct scan *s, struct err *err)
{
	return s->tracked || sparse_index_open(&s->tracked, s->index_file,
					       s->w->git) == 0
		   ? 0
		   : index_lock_unreadable(s->w->git, err);
}

/* True if the bytes of git's index lack the path, so that its 50,000 entries
 * need not be parsed. Version 4 of the format compresses paths. */
static bool lacks(struct wanted *k, const char *path)
{
	struct err err;

	if (k->searches++ == SEARCHES)
		return false;
	if (!k->raw.len && file_read(AT_FDCWD, k->s->index_file, SCAN_INDEX_MAX,
				     &k->raw, &err) < 0)
		return false;
	return k->raw.len > 8 && k->raw.data[7] < 4 &&
	       !sparse_index_is(&k->raw) &&
	       !memmem(k->raw.data, k->raw.len, path, strlen(path));
}

static bool is_tracked(struct wanted *k, const char *path, bool is_dir)
{
	git_index *index = k->s->tracked;

	return is_dir ? git_index_find_prefix(&k->next, index, path) == 0
		      : index_entry_find(index, &k->next, path) != NULL;
}

/* A directory may have the name of a file there. */
static bool is_also(const struct wanted *k, const char *path, bool is_dir)
{
	unsigned mode = k->s->also ? tree_find(k->s->also, path, NULL) : 0;

	return mode && is_dir == (mode == GIT_FILEMODE_TREE);
}

int wanted_known(struct wanted *k, const char *path, struct err *err)
{
	bool is_dir = path[strlen(path) - 1] == '/';

	if (!k->s->tracked && lacks(k, path))
		return 0;
	if (wanted_open(k->s, err) < 0)
		return -1;
	return is_tracked(k, path, is_dir) || is_also(k, path, is_dir);
}

bool wanted_ignored(const struct wanted *k, const char *path)
{
	int ignored = 0;

	return git_ignore_path_is_ignored(&ignored, k->s->w->git, path) == 0 &&
	       ignored;
}

int wanted_file(struct wanted *k, const char *path, bool ignored,
		struct err *err)
{
	if (!k->s->tracked) /* then that costs more */
		return !ignored && !wanted_ignored(k, path)
			   ? 1
			   : wanted_known(k, path, err);
	return wanted_known(k, path, err) ||
	       (!ignored && !wanted_ignored(k, path));
}

void wanted_finish(struct wanted *k)
{
	buf_finish(&k->raw);
}
