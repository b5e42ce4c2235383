/*
 * checkout_file.c - makes one file of a new worktree.
 *
 * A copy is only made if the file in the main worktree is byte for byte what a
 * checkout would write. Files with converted line endings would be the most
 * expensive exception (`* text=auto` is common): a file without a CR is what a
 * checkout with LF endings writes, and the copy can check its bytes. The other
 * exception are files that a program has filtered, or git LFS has fetched: the
 * user has what it made of them, and so has the new worktree.
 */
#include "worktrees/git/checkout_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <git2/sys/repository.h>

#include "worktrees/git/cleanup.h"
#include "worktrees/git/copy_bytes.h"
#include "worktrees/git/filter.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/lfs.h"
#include "worktrees/git/repo.h"

#define MAX_LINK    4096
#define CREATE_FLAG (O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)

/* How git converts a file from the object store to the worktree. */
enum conversion {
	CONVERT_NONE,
	CONVERT_LF, /* line endings; LF is written */
	CONVERT_LFS,
	CONVERT_FILTER, /* and line endings */
	CONVERT_ALL,
};

static int open_git(struct checkout_file *cf, struct err *err)
{
	const char *file = cf->co->index_file;
	_git_index_ git_index *index = NULL;

	if (cf->git)
		return 0;
	if (repo_open_git(&cf->git, cf->co->admin) < 0 ||
	    repo_set_workdir(cf->git, cf->co->path) < 0 ||
	    (file && (git_index_open(&index, file) < 0 ||
		      git_repository_set_index(cf->git, index) < 0)))
		return repo_err(err, ERR_FAILED, "open %s", cf->co->admin);
	return 0;
}

/* Returns the kind of conversion by the filter of that name. Records one that
 * git would run and afw does not. */
static enum conversion find_filter(struct checkout_file *cf, const char *filter)
{
	enum filter_kind kind = filter_kind(cf->git, filter);

	cf->is_lfs = GIT_ATTR_HAS_VALUE(filter) && strcmp(filter, "lfs") == 0;
	if (kind == FILTER_NOT_RUN)
		memccpy(cf->filter, filter, 0, sizeof cf->filter - 1);
	return kind == FILTER_NONE  ? CONVERT_NONE
	       : kind == FILTER_LFS ? CONVERT_LFS
				    : CONVERT_FILTER;
}

static int conversion(struct checkout_file *cf, const char *path,
		      enum conversion *conv, struct err *err)
{
	static const char *names[] = {
	    "filter", "ident", "working-tree-encoding", "text", "crlf", "eol"};
	enum conversion filter;
	const char *v[6] = {0};
	bool set[6];

	*conv = CONVERT_NONE;
	cf->is_lfs = false;
	if (cf->raw || !cf->co->attributes)
		return 0;
	*conv = CONVERT_ALL;
	if (open_git(cf, err) < 0)
		return -1;
	if (git_attr_get_many(v, cf->git, GIT_ATTR_CHECK_FILE_THEN_INDEX, path,
			      6, names) < 0)
		return repo_err(err, ERR_FAILED, "attributes of %s", path);
	for (int i = 0; i < 6; i++)
		set[i] =
		    !GIT_ATTR_IS_UNSPECIFIED(v[i]) && !GIT_ATTR_IS_FALSE(v[i]);
	filter = find_filter(cf, v[0]);
	if (filter != CONVERT_NONE || set[2])
		*conv = filter == CONVERT_LFS ? CONVERT_LFS : CONVERT_FILTER;
	if (*conv != CONVERT_ALL || set[1])
		return 0;
	if (GIT_ATTR_IS_FALSE(v[3]) && !set[4] && !set[5])
		*conv = CONVERT_NONE; /* -text, binary */
	else if (v[5] && GIT_ATTR_HAS_VALUE(v[5]) ? strcmp(v[5], "crlf") != 0
						  : !cf->co->crlf)
		*conv = CONVERT_LF;
	return 0;
}

static mode_t file_mode(const git_index_entry *e)
{
	return e->mode == GIT_FILEMODE_BLOB_EXECUTABLE ? 0777 : 0666;
}

static int finish_file(int fd, git_index_entry *e, const struct stat *times_of,
		       struct err *err)
{
	struct timespec t[2];
	struct stat st;

	if (times_of) {
		t[0] = t[1] = times_of->st_mtim;
		if (futimens(fd, t) < 0)
			return err_errno(err, "write %s", e->path);
	}
	if (fstat(fd, &st) < 0)
		return err_errno(err, "write %s", e->path);
	index_entry_stat(e, &st);
	return 0;
}

/*
 * Copies from the main worktree. Returns 1, with no file left, if the file
 * there is not (or does not stay) what the index says.
 */
static int copy_file(struct checkout_file *cf, git_index_entry *e, bool no_cr,
		     struct err *err)
{
	const struct checkout *co = cf->co;
	_close_ int in = openat(co->source, e->path,
				O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	_close_ int out = -1;
	struct stat before, after;
	int r;

	if (in < 0 || fstat(in, &before) < 0 || !S_ISREG(before.st_mode) ||
	    !index_entry_same(e, &co->source_written, &before))
		return 1;
	out = openat(co->dir, e->path, CREATE_FLAG, file_mode(e));
	if (out < 0)
		return err_errno(err, "write %s", e->path);
	if (!cf->data)
		cf->data = mem_alloc(COPY_BYTES_ROOM);
	r = copy_bytes(in, out, cf->data,
		       !no_cr && before.st_size > (off_t)COPY_BYTES_ROOM,
		       no_cr);
	if (r < 0)
		return err_errno(err, "write %s", e->path);
	if (r == 1 || fstat(in, &after) < 0 ||
	    !index_entry_same(e, &co->source_written, &after)) {
		unlinkat(co->dir, e->path, 0);
		return 1;
	}
	if (finish_file(out, e, &before, err) < 0)
		return -1;
	return close(TAKE_FD(out)) < 0 ? err_errno(err, "write %s", e->path)
				       : 0;
}

static int make_link(struct checkout_file *cf, git_index_entry *e,
		     const char *target, struct err *err)
{
	struct stat st;

	if (symlinkat(target, cf->co->dir, e->path) < 0 ||
	    fstatat(cf->co->dir, e->path, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_errno(err, "make symlink %s", e->path);
	index_entry_stat(e, &st);
	return 0;
}

static int write_file(struct checkout_file *cf, git_index_entry *e,
		      const void *data, size_t len, struct err *err)
{
	_close_ int fd =
	    openat(cf->co->dir, e->path, CREATE_FLAG, file_mode(e));

	if (fd < 0 || file_write_all(fd, data, len) < 0)
		return err_errno(err, "write %s", e->path);
	if (finish_file(fd, e, NULL, err) < 0)
		return -1;
	return close(TAKE_FD(fd)) < 0 ? err_errno(err, "write %s", e->path) : 0;
}

/* Writes the object of a pointer. If it is not there, the pointer. */
static int write_lfs(struct checkout_file *cf, git_index_entry *e,
		     git_blob *blob, struct err *err)
{
	const char *text = git_blob_rawcontent(blob);
	size_t len = (size_t)git_blob_rawsize(blob);
	struct lfs_pointer p;
	_close_ int in = lfs_parse(&p, text, len) ? lfs_open(cf->git, &p) : -1;
	_close_ int out = -1;

	if (in < 0)
		return write_file(cf, e, text, len, err);
	if (!cf->data)
		cf->data = mem_alloc(COPY_BYTES_ROOM);
	out = openat(cf->co->dir, e->path, CREATE_FLAG, file_mode(e));
	if (out < 0 || copy_bytes(in, out, cf->data, true, false) != 0)
		return err_errno(err, "write %s", e->path);
	if (finish_file(out, e, NULL, err) < 0)
		return -1;
	return close(TAKE_FD(out)) < 0 ? err_errno(err, "write %s", e->path)
				       : 0;
}

static int write_blob(struct checkout_file *cf, git_index_entry *e,
		      git_blob *blob, enum conversion conv, struct err *err)
{
	git_blob_filter_options opt;
	const void *data = git_blob_rawcontent(blob);
	size_t len = (size_t)git_blob_rawsize(blob);
	_git_buf_ git_buf out = GIT_BUF_INIT;
	_free_ char *target = NULL;

	if (e->mode == GIT_FILEMODE_LINK && cf->co->symlinks) {
		if (len > MAX_LINK || memchr(data, 0, len))
			return err_set(err, ERR_FAILED,
				       "make symlink %s: invalid target",
				       e->path);
		target = mem_strndup(data, len);
		return make_link(cf, e, target, err);
	}
	if (conv == CONVERT_NONE || e->mode == GIT_FILEMODE_LINK)
		return write_file(cf, e, data, len, err);
	if (conv == CONVERT_LFS)
		return write_lfs(cf, e, blob, err);
	git_blob_filter_options_init(&opt, GIT_BLOB_FILTER_OPTIONS_VERSION);
	opt.flags = 0;
	if (git_blob_filter(&out, blob, e->path, &opt) < 0) {
		repo_err(err, ERR_FAILED, "convert %s", e->path);
		return conv == CONVERT_FILTER
			   ? err_hint(err, "filters run outside of the "
					   "repository: if this one cannot, "
					   "use git itself")
			   : -1;
	}
	return write_file(cf, e, out.ptr, out.size, err);
}

static int from_store(struct checkout_file *cf, git_index_entry *e,
		      enum conversion conv, struct err *err)
{
	_git_blob_ git_blob *blob = NULL;

	if (open_git(cf, err) < 0)
		return -1;
	if (git_blob_lookup(&blob, cf->git, &e->id) < 0)
		return repo_err(err, ERR_FAILED, "read %s", e->path);
	return write_blob(cf, e, blob, conv, err);
}

static int make_file(struct checkout_file *cf, git_index_entry *e,
		     enum conversion conv, struct err *err)
{
	bool known = cf->co->source >= 0 && e->ino &&
		     !(e->flags & GIT_INDEX_ENTRY_VALID);
	int r = known && conv != CONVERT_ALL
		    ? copy_file(cf, e, conv == CONVERT_LF, err)
		    : 1;

	/* The user may have fetched its contents, and not checked them out. */
	if (r == 0 && conv == CONVERT_LFS &&
	    lfs_is_pointer(cf->co->dir, e->path))
		r = unlinkat(cf->co->dir, e->path, 0) < 0
			? err_errno(err, "write %s", e->path)
			: 1;
	return r > 0 ? from_store(cf, e, conv, err) : r;
}

int checkout_file_make(struct checkout_file *cf, git_index_entry *e,
		       struct err *err)
{
	enum conversion conv = CONVERT_NONE;

	if (e->mode == GIT_FILEMODE_COMMIT)
		return mkdirat(cf->co->dir, e->path, 0777) < 0
			   ? err_errno(err, "make directory %s", e->path)
			   : 0;
	if (e->mode == GIT_FILEMODE_LINK)
		return from_store(cf, e, conv, err);
	if (conversion(cf, e->path, &conv, err) < 0 ||
	    make_file(cf, e, conv, err) < 0)
		return -1;
	cf->lfs += cf->is_lfs && lfs_is_pointer(cf->co->dir, e->path);
	return 0;
}

int checkout_file_convert(struct checkout_file *cf, git_index_entry *e,
			  struct err *err)
{
	enum conversion conv = CONVERT_NONE;
	git_blob_filter_options opt;
	_git_blob_ git_blob *blob = NULL;
	_git_buf_ git_buf out = GIT_BUF_INIT;

	if (e->mode == GIT_FILEMODE_LINK)
		return 0;
	if (conversion(cf, e->path, &conv, err) < 0)
		return -1;
	if (conv != CONVERT_ALL && conv != CONVERT_FILTER)
		return 0;
	git_blob_filter_options_init(&opt, GIT_BLOB_FILTER_OPTIONS_VERSION);
	opt.flags = 0;
	if (git_blob_lookup(&blob, cf->git, &e->id) < 0 ||
	    git_blob_filter(&out, blob, e->path, &opt) < 0)
		return repo_err(err, ERR_FAILED, "convert %s", e->path);
	if (out.size == e->file_size)
		return 0;
	if (unlinkat(cf->co->dir, e->path, 0) < 0)
		return err_errno(err, "write %s", e->path);
	return write_file(cf, e, out.ptr, out.size, err);
}

void checkout_file_finish(struct checkout_file *cf)
{
	git_repository_free(cf->git);
	free(cf->data);
	cf->git = NULL;
	cf->data = NULL;
}
