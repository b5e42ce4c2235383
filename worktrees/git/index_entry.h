/*
 * index_entry.h - the stat data of a file in git's index. libgit2's entries are
 * patched in place: git_index_add() would treat each as changed.
 */
#ifndef AFW_WORKTREES_GIT_INDEX_ENTRY_H
#define AFW_WORKTREES_GIT_INDEX_ENTRY_H

#include <git2.h>
#include <stdbool.h>
#include <sys/stat.h>

/* Copies what git records of a file's stat. */
void index_entry_stat(git_index_entry *e, const struct stat *st);

/* Copies the stat data of another entry. */
void index_entry_take_stat(git_index_entry *e, const git_index_entry *from);

/* The skip-worktree bit: the worktree may lack the file. index_entry_skip()
 * changes the entry in place. */
bool index_entry_skipped(const git_index_entry *e);
void index_entry_skip(const git_index_entry *e, bool skip);

/*
 * True if st equals the entry to the nanosecond, and is older than the index
 * (written is the time of its file): a file changed in the tick in which the
 * index was written may look the same. git calls that racy.
 */
bool index_entry_same(const git_index_entry *e, const struct timespec *written,
		      const struct stat *st);
/* The same with the stat data of another entry. */
bool index_entry_equal(const git_index_entry *e, const struct timespec *written,
		       const git_index_entry *now);

/* Returns the entry of the path, or NULL. next: where it is if paths are asked
 * for in order. */
const git_index_entry *index_entry_find(git_index *index, size_t *next,
					const char *path);

#endif
