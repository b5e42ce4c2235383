/*
 * trash_check.c - checks whether a worktree in the trash has unsaved work.
 *
 * Every name below it must be a file of the index that is as git has it (by its
 * stat data or else its content), or one that create copied or linked; the
 * index must equal HEAD; git's entry must have only files that carry no work;
 * and the commits that it names must be in a branch, a remote branch or a tag;
 * no undo can be reversed. The same for submodules, whose commits a remote must
 * have. A private git directory must have no other work. Only regular files of
 * the harness are read. .gitattributes, and .gitignore if ignored files are
 * skipped, may be anything: the caller has a limit.
 *
 * A diff by libgit2 is not enough: it misses a repository in a directory that
 * has tracked files, and a FIFO, and obeys core.trustCtime and core.ignoreCase.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worktrees/changes/copied.h"
#include "worktrees/changes/submodule.h"
#include "worktrees/checkpoint/checkpoint.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/merged.h"
#include "worktrees/git/sparse_index.h"
#include "worktrees/private/private_commit.h"
#include "worktrees/private/private_ref.h"
#include "worktrees/trash/trash.h"

#define DEPTH_MAX   200
#define HASH_MAX    ((off_t)64 * 1024 * 1024)
#define COMMITS_MAX 500

struct check {
	git_repository *git;	/* by git's entry */
	struct repo_worktree w; /* as copied_has() wants it; borrowed */
	git_index *index;
	struct timespec written; /* the index */
	struct copied copied;
	bool ignored, apply;
	size_t wanted; /* files of the index that must exist */
	size_t found;  /* files of them that exist */
	struct buf path;
	char *why; /* it is not clean */
};

static bool keep_because(struct check *c, const char *why)
{
	if (!c->why)
		c->why = mem_printf("%s%s%s", c->path.len ? c->path.data : "",
				    c->path.len ? " " : "", why);
	return false;
}

/* -- the files ------------------------------------------------------------- */

/* True if the content is as git has it, or differs only as git converts it
 * (line ends). */
static bool same_content(const struct check *c, const git_index_entry *e,
			 int dir, const char *name, const struct stat *st)
{
	_free_ char *path = file_join(c->w.path, c->path.data);
	char target[PATH_MAX];
	git_oid oid;
	ssize_t n;

	if (S_ISLNK(st->st_mode)) {
		n = readlinkat(dir, name, target, sizeof target);
		return n >= 0 &&
		       git_odb_hash(&oid, target, (size_t)n, GIT_OBJECT_BLOB) ==
			   0 &&
		       git_oid_equal(&oid, &e->id);
	}
	return st->st_size <= HASH_MAX &&
	       ((git_odb_hashfile(&oid, path, GIT_OBJECT_BLOB) == 0 &&
		 git_oid_equal(&oid, &e->id)) ||
		(git_repository_hashfile(&oid, c->git, path, GIT_OBJECT_BLOB,
					 c->path.data) == 0 &&
		 git_oid_equal(&oid, &e->id)));
}

static bool is_tracked(struct check *c, const git_index_entry *e, int dir,
		       const char *name, const struct stat *st)
{
	mode_t mode = S_ISLNK(st->st_mode)    ? 0120000
		      : !S_ISREG(st->st_mode) ? 0
		      : st->st_mode & 0100    ? 0100755
					      : 0100644;

	c->found += !index_entry_skipped(e);
	if (e->mode != mode)
		return keep_because(c, "is changed");
	return index_entry_same(e, &c->written, st) ||
	       same_content(c, e, dir, name, st) ||
	       keep_because(c, "is changed");
}

static bool is_ignored(const struct check *c)
{
	int ignored = 0;

	return c->ignored &&
	       git_ignore_path_is_ignored(&ignored, c->git, c->path.data) ==
		   0 &&
	       ignored;
}

static bool check_file(struct check *c, int dir, const char *name,
		       const struct stat *st)
{
	const git_index_entry *e =
	    git_index_get_bypath(c->index, c->path.data, 0);
	bool clean = e ? is_tracked(c, e, dir, name, st)
		       : copied_has(&c->copied, c->path.data) ||
			     is_ignored(c) ||
			     keep_because(c, "is in no commit");

	return clean && (!c->apply || unlinkat(dir, name, 0) == 0 ||
			 keep_because(c, "cannot be deleted"));
}

static bool check_names(struct check *c, DIR *d, int depth);
static bool check_submodule(struct check *c, DIR *d, const char *git);

/* Returns the repository of a submodule that git has made for this worktree, to
 * be freed; NULL: the directory is none. */
static char *find_submodule(const struct check *c)
{
	_free_ char *modules = file_join(c->w.admin, "modules"),
		    *git = submodule_git_dir(&c->w, c->path.data);
	const git_index_entry *e =
	    git_index_get_bypath(c->index, c->path.data, 0);

	return e && e->mode == GIT_FILEMODE_COMMIT && git &&
		       file_is_below(git, modules)
		   ? TAKE_PTR(git)
		   : NULL;
}

static bool check_dir(struct check *c, int dir, const char *name, int depth)
{
	_free_ char *git = find_submodule(c);
	size_t at;
	DIR *d;

	buf_addc(&c->path, '/');
	if (!git && is_ignored(c) &&
	    git_index_find_prefix(&at, c->index, c->path.data) < 0)
		return true;
	d = depth < DEPTH_MAX ? file_list(dir, name) : NULL;
	return (git ? check_submodule(c, d, git)
		    : check_names(c, d, depth + 1)) &&
	       (!c->apply || unlinkat(dir, name, AT_REMOVEDIR) == 0 ||
		keep_because(c, "is not empty any more"));
}

static bool check_name(struct check *c, int dir, const char *name, int depth)
{
	bool git = strcmp(name, ".git") == 0;
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return keep_because(c, "cannot be read");
	/* the worktree's own link to git */
	if (git && depth == 0 && S_ISREG(st.st_mode))
		return !c->apply || unlinkat(dir, name, 0) == 0;
	if (git)
		return keep_because(c, "is a repository of its own");
	return S_ISDIR(st.st_mode) ? check_dir(c, dir, name, depth)
				   : check_file(c, dir, name, &st);
}

/* Closes d; NULL: the directory cannot be opened. */
static bool check_names(struct check *c, DIR *d, int depth)
{
	size_t len = c->path.len;
	const char *name;
	bool clean = true;

	if (!d)
		return keep_because(c, "cannot be read");
	while (clean && (name = file_list_next(d))) {
		buf_adds(&c->path, name);
		clean = check_name(c, dirfd(d), name, depth);
		c->path.len = len;
		c->path.data[len] = '\0';
	}
	if (clean && errno)
		clean = keep_because(c, "cannot be read");
	closedir(d);
	return clean;
}

static bool check_files(struct check *c, const struct trash *t)
{
	DIR *d = file_list(t->trash_fd, t->name);

	if (!d)
		return keep_because(c, "the directory cannot be opened");
	if (!check_names(c, d, 0))
		return false;
	c->path.len = 0;
	return c->found == c->wanted || keep_because(c, "a file is deleted");
}

/* -- git's side ------------------------------------------------------------ */

static bool check_entry(struct check *c, int entry)
{
	_free_ char *module = submodule_unsaved(&c->w, NULL), *why = NULL;
	const char *work = trash_entry_work(entry);

	if (work || !module)
		return !work || keep_because(c, work);
	why = mem_printf("its submodule %s has commits that no remote has",
			 module);
	return keep_because(c, why);
}

static bool check_staged(struct check *c, git_index *index, const git_oid *head)
{
	_git_tree_ git_tree *tree = repo_tree(c->git, head, NULL);
	_git_diff_ git_diff *diff = NULL;
	bool same = tree != NULL;

	/* no other stage, no flag that weakens the stat data */
	for (size_t i = 0; same && i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);

		same = !(e->flags_extended & GIT_INDEX_ENTRY_INTENT_TO_ADD) &&
		       !(e->flags &
			 (GIT_INDEX_ENTRY_STAGEMASK | GIT_INDEX_ENTRY_VALID));
	}
	same = same &&
	       git_diff_tree_to_index(&diff, c->git, tree, index, NULL) == 0 &&
	       git_diff_num_deltas(diff) == 0;
	return same || keep_because(c, "something is staged");
}

/* The directory of a submodule has no file. */
static bool check_index(struct check *c, const git_oid *head)
{
	for (size_t i = 0; i < git_index_entrycount(c->index); i++) {
		const git_index_entry *e = git_index_get_byindex(c->index, i);

		c->wanted +=
		    !index_entry_skipped(e) && e->mode != GIT_FILEMODE_COMMIT;
	}
	return check_staged(c, c->index, head);
}

/* Checks HEAD, its log, and its commit before a merge or a reset. */
static bool check_commits(struct check *c, const git_oid *head)
{
	git_oid v[COMMITS_MAX];
	git_reflog *log = NULL;
	size_t n = 0, entries = 0;
	bool merged = false;

	v[n++] = *head;
	if (git_reference_name_to_id(&v[n], c->git, "ORIG_HEAD") == 0)
		n++;
	if (git_reflog_read(&log, c->git, "HEAD") == 0)
		entries = git_reflog_entrycount(log);
	for (size_t i = 0; i < entries && n < COMMITS_MAX; i++) {
		const git_oid *oid =
		    git_reflog_entry_id_new(git_reflog_entry_byindex(log, i));

		if (!git_oid_is_zero(oid) && !git_oid_equal(oid, &v[n - 1]))
			v[n++] = *oid;
	}
	git_reflog_free(log);
	if (n < COMMITS_MAX &&
	    merged_all(c->git, v, n, NULL, &merged, NULL) < 0)
		merged = false;
	return merged || keep_because(c, "it has commits that no branch has");
}

/* Only a checkpoint has the work that an undo rolled back. */
static bool check_undo(struct check *c)
{
	_checkpoint_log_ struct checkpoint_log log = {0};

	return (checkpoint_log_read(&log, &c->w, NULL) == 0 &&
		!checkpoint_undone(&log, c->git)) ||
	       keep_because(c, "an undo of it can be reversed");
}

static bool check_private_index(struct check *c, const char *dir)
{
	_free_ char *file = file_join(dir, "index");
	_git_index_ git_index *index = NULL;
	struct stat st;
	git_oid head;

	return private_ref_head(dir, &head) && lstat(file, &st) == 0 &&
		       S_ISREG(st.st_mode) &&
		       sparse_index_open(&index, file, c->git) == 0
		   ? check_staged(c, index, &head)
		   : keep_because(c, "its own git index cannot be read");
}

/* Finds commits of its own git directory (a branch, a stash, a detached HEAD)
 * that no branch has: harvest() moves its one branch, and what a checkpoint
 * imports is only in the list of checkpoints. */
static bool check_private_git(struct check *c, const char *dir)
{
	_free_ char *modules = file_join(dir ? dir : "", "modules");
	_free_ git_oid *refs = NULL;
	bool merged = false;
	size_t n = 0;

	if (!dir || (access(dir, F_OK) < 0 && errno == ENOENT))
		return true;
	if (private_ref_list(dir, &refs, &n, NULL) < 0)
		return keep_because(c, "its own git directory cannot be read");
	if (merged_all(c->git, refs, n, NULL, &merged, NULL) < 0 || !merged)
		return keep_because(c, "its own git directory has commits that "
				       "no branch has");
	if (access(modules, F_OK) == 0 || errno != ENOENT)
		return keep_because(c, "its own git directory has submodules");
	if (private_commit_unfinished(dir))
		return keep_because(c, "a git operation is unfinished");
	return check_private_index(c, dir);
}

static bool check_git(struct check *c, struct trash *t, int entry)
{
	_free_ char *file =
	    mem_printf("%s/worktrees/%s/index", t->w.git_dir, t->entry_name);
	struct stat st = {0};
	git_oid head;
	bool ok = check_entry(c, entry);

	if (ok && !trash_entry_head(t, &head))
		ok = keep_because(c, "its HEAD names no commit");
	/* its time first: a newer one then only looks racy */
	if (ok && (stat(file, &st) < 0 ||
		   sparse_index_open(&c->index, file, c->git) < 0))
		ok = keep_because(c, "its index cannot be read");
	c->written = st.st_mtim;
	return ok && check_index(c, &head) && check_commits(c, &head) &&
	       check_undo(c) && check_private_git(c, t->private_git);
}

static void check_finish(struct check *c)
{
	copied_finish(&c->copied);
	git_index_free(c->index);
	git_repository_free(c->git);
	buf_finish(&c->path);
	free(c->why);
}

/* Its commits are checked with git's entry. */
static bool check_submodule(struct check *c, DIR *d, const char *git)
{
	_free_ char *path = mem_strndup(c->path.data, c->path.len - 1),
		    *full = file_join(c->w.path, path),
		    *file = file_join(git, "index");
	CLEANUP(check_finish)
	struct check s = {.ignored = c->ignored,
			  .apply = c->apply,
			  .w = {.path = full, .admin = c->w.admin}};
	struct stat st = {0};
	git_oid head;
	/* In the trash, its core.worktree leads nowhere. */
	bool ok = git_repository_open_bare(&s.git, git) == 0 &&
		  repo_set_workdir(s.git, full) == 0 &&
		  private_ref_head(git, &head) && stat(file, &st) == 0 &&
		  sparse_index_open(&s.index, file, s.git) == 0;

	s.written = st.st_mtim;
	buf_adds(&s.path, "");
	if (!ok)
		keep_because(&s, "its index cannot be read");
	else if (!git_oid_equal(&head,
				&git_index_get_bypath(c->index, path, 0)->id))
		ok = keep_because(&s, "another commit is checked out");
	else if (git_repository_state(s.git) != GIT_REPOSITORY_STATE_NONE)
		ok = keep_because(&s, "a git operation is unfinished");
	ok = ok && check_index(&s, &head) && check_names(&s, TAKE_PTR(d), 0) &&
	     (s.found == s.wanted || keep_because(&s, "a file is deleted"));
	file_list_end(d);
	if (!ok && !c->why)
		c->why = mem_printf("in its submodule %s, %s", path, s.why);
	return ok;
}

char *trash_check(struct trash *t, bool ignored, bool apply)
{
	CLEANUP(check_finish)
	struct check c = {.ignored = ignored, .apply = apply};
	_free_ char *admin =
	    mem_printf("%s/worktrees/%s", t->w.git_dir, t->entry_name);
	_close_ int entry = t->has_entry ? trash_entry_open(t) : -1;

	c.w.admin = admin;
	c.w.git_dir = t->w.git_dir;
	c.w.path = t->path;
	buf_adds(&c.path, "");
	if (!t->has_tree && !t->has_entry)
		return NULL;
	if (!t->has_tree)
		keep_because(&c, "its directory was not there");
	else if (entry < 0 || repo_open_git(&c.git, admin) < 0 ||
		 repo_set_workdir(c.git, t->path) < 0)
		keep_because(&c, "git has no entry for it");
	else if (check_git(&c, t, entry)) {
		copied_read(&c.copied, &c.w);
		check_files(&c, t);
	}
	return TAKE_PTR(c.why);
}
