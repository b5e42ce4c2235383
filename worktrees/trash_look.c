/*
 * trash_look.c - whether a worktree in the trash has anything that is nowhere
 * else.
 *
 * Every name below it must be a file of the index that is as git has it (by
 * its stat data; where those differ, by its content), or what create brought;
 * what is staged must be what HEAD has; git's entry must have no file but
 * those that say nothing else; and the commits that these name must be in a
 * branch, a remote branch or a tag. What is read of the harness's is regular
 * files, but for .gitattributes, and .gitignore where ignored files do not
 * count: the caller has a limit.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/delete_tree.h"
#include "base/file.h"
#include "worktrees/brought.h"
#include "worktrees/index_file.h"
#include "worktrees/merged.h"
#include "worktrees/trash.h"

#define DEPTH_MAX   200
#define HASH_MAX    ((size_t)64 * 1024 * 1024)
#define COMMITS_MAX 500
#define DIR_FLAGS   (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

struct look {
	git_repository *git;	/* by git's entry */
	struct repo_worktree w; /* as brought_has() wants it; borrowed */
	struct index_file index;
	struct brought brought;
	bool ignored, apply;
	size_t found; /* files of the index */
	struct buf path;
	char *why; /* it is not clean */
};

static bool no(struct look *l, const char *fmt)
{
	if (!l->why)
		l->why = mem_printf("%s%s%s", l->path.len ? l->path.data : "",
				    l->path.len ? " " : "", fmt);
	return false;
}

/* -- the files ------------------------------------------------------------- */

static int by_path(const void *key, const void *entry)
{
	return strcmp(key, ((const struct index_entry *)entry)->path);
}

static bool same_content(const struct index_entry *e, int dir, const char *name,
			 const struct stat *st)
{
	char target[PATH_MAX];
	struct buf text = {0};
	git_oid oid;
	ssize_t n;
	bool same = false;

	if (S_ISLNK(st->st_mode)) {
		n = readlinkat(dir, name, target, sizeof target);
		if (n >= 0)
			buf_add(&text, target, (size_t)n);
		same = n >= 0;
	} else {
		same = file_read(dir, name, HASH_MAX, &text, NULL) == 0;
	}
	same = same &&
	       git_odb_hash(&oid, text.len ? text.data : "", text.len,
			    GIT_OBJECT_BLOB) == 0 &&
	       memcmp(oid.id, e->oid, sizeof e->oid) == 0;
	buf_finish(&text);
	return same;
}

/* With other ends of its lines than git has, say. */
static bool same_filtered(const struct look *l, const struct index_entry *e,
			  const struct stat *st)
{
	char *path = file_join(l->w.path, l->path.data);
	git_oid oid;
	bool same = S_ISREG(st->st_mode) && st->st_size <= (off_t)HASH_MAX &&
		    git_repository_hashfile(&oid, l->git, path, GIT_OBJECT_BLOB,
					    l->path.data) == 0 &&
		    memcmp(oid.id, e->oid, sizeof e->oid) == 0;

	free(path);
	return same;
}

/* What was changed in the same tick as the index was written may look the
 * same: git calls that racy. */
static bool is_racy(const struct look *l, const struct stat *st)
{
	const struct timespec *a = &st->st_mtim, *b = &l->index.mtime;

	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec
				      : a->tv_nsec >= b->tv_nsec;
}

static bool is_tracked(struct look *l, const struct index_entry *e, int dir,
		       const char *name, const struct stat *st)
{
	mode_t mode = S_ISLNK(st->st_mode)    ? 0120000
		      : !S_ISREG(st->st_mode) ? 0
		      : st->st_mode & 0100    ? 0100755
					      : 0100644;

	l->found++;
	if (e->mode != mode)
		return no(l, "is changed");
	return (index_entry_same(e, st) && !is_racy(l, st)) ||
	       same_content(e, dir, name, st) || same_filtered(l, e, st) ||
	       no(l, "is changed");
}

static bool is_ignored(const struct look *l)
{
	int ignored = 0;

	return l->ignored &&
	       git_ignore_path_is_ignored(&ignored, l->git, l->path.data) ==
		   0 &&
	       ignored;
}

static bool look_at_file(struct look *l, int dir, const char *name,
			 const struct stat *st)
{
	const struct index_entry *e =
	    bsearch(l->path.data, l->index.entries, l->index.n,
		    sizeof *l->index.entries, by_path);
	bool clean = e ? is_tracked(l, e, dir, name, st)
		       : brought_has(&l->brought, &l->w, l->path.data) ||
			     is_ignored(l) || no(l, "is in no commit");

	return clean && (!l->apply || unlinkat(dir, name, 0) == 0 ||
			 no(l, "cannot be deleted"));
}

static bool walk(struct look *l, int fd, int depth);

static bool look_at_dir(struct look *l, int dir, const char *name, int depth)
{
	int fd;

	buf_addc(&l->path, '/');
	if (is_ignored(l))
		return !l->apply || delete_tree(dir, name, NULL) == 0 ||
		       no(l, "cannot be deleted");
	fd = depth < DEPTH_MAX ? openat(dir, name, DIR_FLAGS) : -1;
	if (fd < 0)
		return no(l, "cannot be looked at");
	return walk(l, fd, depth + 1) &&
	       (!l->apply || unlinkat(dir, name, AT_REMOVEDIR) == 0 ||
		no(l, "is not empty any more"));
}

static bool look_at(struct look *l, int dir, const char *name, int depth)
{
	bool git = strcmp(name, ".git") == 0;
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return no(l, "cannot be looked at");
	/* the worktree's own link to git */
	if (git && depth == 0 && S_ISREG(st.st_mode))
		return !l->apply || unlinkat(dir, name, 0) == 0;
	if (git)
		return no(l, "is a repository of its own");
	return S_ISDIR(st.st_mode) ? look_at_dir(l, dir, name, depth)
				   : look_at_file(l, dir, name, &st);
}

/* Takes fd over. */
static bool walk(struct look *l, int fd, int depth)
{
	DIR *d = fdopendir(fd);
	size_t len = l->path.len;
	struct dirent *e;
	bool clean = true;

	if (!d) {
		close(fd);
		return no(l, "cannot be looked at");
	}
	while (clean && (errno = 0, e = readdir(d))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		buf_adds(&l->path, e->d_name);
		clean = look_at(l, dirfd(d), e->d_name, depth);
		l->path.len = len;
		l->path.data[len] = '\0';
	}
	if (clean && errno)
		clean = no(l, "cannot be looked at");
	closedir(d);
	return clean;
}

static bool look_at_files(struct look *l, const struct trash *t)
{
	int fd = openat(t->can, t->name, DIR_FLAGS);

	if (fd < 0)
		return no(l, "the directory cannot be opened");
	if (!walk(l, fd, 0))
		return false;
	l->path.len = 0;
	return l->found == l->index.n || no(l, "a file is deleted");
}

/* -- git's side ------------------------------------------------------------ */

/* A directory of git's entry that has no file but, perhaps, the one name. */
static bool has_only(int entry, const char *dir, const char *name, int depth)
{
	int fd = openat(entry, dir, DIR_FLAGS);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	bool only = d && depth < 5;

	if (fd < 0)
		return errno == ENOENT;
	while (only && (e = readdir(d)))
		only = e->d_name[0] == '.' || strcmp(e->d_name, name) == 0 ||
		       has_only(dirfd(d), e->d_name, "", depth + 1);
	if (d)
		closedir(d);
	else
		close(fd);
	return only;
}

/* A merge half done, a bisect, a submodule, a lock: whatever else there is
 * says that it is not over. */
static bool look_at_entry(struct look *l, int entry)
{
	static const char *const known[] = {
	    "HEAD",  "ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG", "commondir",
	    "index", "gitdir",	  "locked",	BROUGHT_FILE,
	};
	int fd = openat(entry, ".", DIR_FLAGS);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	bool ok = d != NULL;

	while (ok && (e = readdir(d))) {
		bool is = e->d_name[0] == '.' ||
			  (strcmp(e->d_name, "logs") == 0 &&
			   has_only(entry, "logs", "HEAD", 0)) ||
			  (strcmp(e->d_name, "refs") == 0 &&
			   has_only(entry, "refs", "", 0));

		for (size_t i = 0; !is && i < sizeof known / sizeof *known; i++)
			is = strcmp(e->d_name, known[i]) == 0;
		ok = is;
	}
	if (d)
		closedir(d);
	return ok || no(l, "something of git's is not over");
}

static bool look_at_index(struct look *l, const git_oid *head)
{
	git_commit *commit = NULL;
	git_tree *tree = NULL;
	git_index *index = NULL;
	git_diff *diff = NULL;
	bool same = true;

	for (size_t i = 0; i < l->index.n; i++)
		same = same && l->index.entries[i].plain;
	same = same && git_commit_lookup(&commit, l->git, head) == 0 &&
	       git_commit_tree(&tree, commit) == 0 &&
	       git_repository_index(&index, l->git) == 0 &&
	       git_diff_tree_to_index(&diff, l->git, tree, index, NULL) == 0 &&
	       git_diff_num_deltas(diff) == 0;
	git_diff_free(diff);
	git_index_free(index);
	git_tree_free(tree);
	git_commit_free(commit);
	return same || no(l, "something is staged");
}

/* HEAD, what its log has, and where it was before a merge or a reset. */
static bool look_at_commits(struct look *l, const git_oid *head)
{
	git_oid v[COMMITS_MAX];
	git_reflog *log = NULL;
	size_t n = 0, entries = 0;
	bool merged = false;

	v[n++] = *head;
	if (git_reference_name_to_id(&v[n], l->git, "ORIG_HEAD") == 0)
		n++;
	if (git_reflog_read(&log, l->git, "HEAD") == 0)
		entries = git_reflog_entrycount(log);
	for (size_t i = 0; i < entries && n < COMMITS_MAX; i++) {
		const git_oid *oid =
		    git_reflog_entry_id_new(git_reflog_entry_byindex(log, i));

		if (!git_oid_is_zero(oid) && !git_oid_equal(oid, &v[n - 1]))
			v[n++] = *oid;
	}
	git_reflog_free(log);
	if (n < COMMITS_MAX &&
	    merged_all(l->git, v, n, NULL, &merged, NULL) < 0)
		merged = false;
	return merged || no(l, "it has commits that no branch has");
}

static bool look_at_git(struct look *l, struct trash *t, int entry)
{
	char *file =
	    mem_printf("%s/worktrees/%s/index", t->w.git_dir, t->entry_name);
	git_oid head;
	bool ok = look_at_entry(l, entry);

	if (ok && !trash_entry_head(t, &head))
		ok = no(l, "its HEAD names no commit");
	if (ok && index_file_read(file, &l->index, NULL) < 0)
		ok = no(l, "its index cannot be read");
	free(file);
	return ok && look_at_index(l, &head) && look_at_commits(l, &head);
}

/* Where apply, only the files: the rest was looked at before. */
static char *look(struct trash *t, bool ignored, bool apply)
{
	struct look l = {.ignored = ignored, .apply = apply};
	char *admin =
	    mem_printf("%s/worktrees/%s", t->w.git_dir, t->entry_name);
	int entry = t->has_entry ? trash_entry_open(t) : -1;

	l.w.admin = admin;
	l.w.path = t->path;
	buf_adds(&l.path, "");
	if (!t->has_tree && !t->has_entry)
		;
	else if (!t->has_tree)
		no(&l, "its directory was not there");
	else if (entry < 0 || git_repository_open(&l.git, admin) < 0 ||
		 repo_set_workdir(l.git, t->path) < 0)
		no(&l, "git has no entry for it");
	else if (look_at_git(&l, t, entry)) {
		brought_read(&l.brought, &l.w);
		look_at_files(&l, t);
	}
	if (entry >= 0)
		close(entry);
	brought_finish(&l.brought);
	index_file_finish(&l.index);
	git_repository_free(l.git);
	buf_finish(&l.path);
	free(admin);
	return l.why;
}

char *trash_look(struct trash *t, bool ignored)
{
	return look(t, ignored, false);
}

bool trash_look_delete(struct trash *t, bool ignored)
{
	char *why = look(t, ignored, true);

	free(why);
	return !why;
}
