/*
 * filter.c - the filters of .gitattributes that libgit2 does not have.
 *
 * libgit2 has those for the ends of lines and for ident; this is one more,
 * which runs after them into the worktree, and before them out of it, as in
 * git. What an agent can write decides only which of the user's programs run,
 * and on what, as in the user's own `git status`: a program that the
 * repository's configuration names is not run, and who needs its result asks
 * filter_not_run(). git LFS needs no program.
 */
#include "worktrees/git/filter.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#if __has_include(<git2/sys/errors.h>) /* since libgit2 1.9 */
#include <git2/sys/errors.h>
#endif
#include <git2/sys/filter.h>

#include "base/clock.h"
#include "base/file.h"
#include "worktrees/git/attributes.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/filter_driver.h"
#include "worktrees/git/filter_git.h"
#include "worktrees/git/lfs.h"
#include "worktrees/git/repo.h"

#define NAME_MAX_LEN 64

/* libgit2 reads a file that it is to hash into memory. A larger one of git LFS
 * is hashed as it is, and so counts as changed. */
#define HASH_MAX ((off_t)256 << 20)

#define COMPARE_MS 30000
#define CONVERT_MS (10 * 60 * 1000)
static _Atomic int64_t compared_ms;

/* What libgit2 converts files of the worktree for. */
static enum { TO_COMPARE, TO_KEEP, TO_COMMIT } purpose;

void filter_store_whole(bool on)
{
	purpose = on ? TO_KEEP : TO_COMPARE;
}

/* -- which ------------------------------------------------------------------
 */

/* True for a word without spaces, quotes and the like. */
static bool is_plain(const char *value)
{
	size_t len = strlen(value);

	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)value[i]) &&
		    !strchr("._:+-", value[i]))
			return false;
	return len > 0 && len <= NAME_MAX_LEN;
}

/* Returns the value if it is one; the default of git's is none. */
static const char *encoding_of(const char *value)
{
	return GIT_ATTR_HAS_VALUE(value) && is_plain(value) &&
		       strcasecmp(value, "UTF-8") != 0 &&
		       strcasecmp(value, "UTF8") != 0
		   ? value
		   : NULL;
}

enum filter_kind filter_kind(git_repository *git, const char *value)
{
	enum filter_driver who = GIT_ATTR_HAS_VALUE(value)
				     ? filter_driver(git, value)
				     : FILTER_NOBODY;

	return who == FILTER_NOBODY		       ? FILTER_NONE
	       : strcmp(value, "lfs") == 0	       ? FILTER_LFS
	       : who == FILTER_USER && is_plain(value) ? FILTER_RUNS
						       : FILTER_NOT_RUN;
}

/* Returns the file's attribute filter, or NULL. */
static const char *attribute(git_repository *git, const char *path)
{
	const char *value = NULL;

	return git_attr_get(&value, git, GIT_ATTR_CHECK_FILE_THEN_INDEX, path,
			    "filter") < 0
		   ? NULL
		   : value;
}

bool filter_runs(git_repository *git, const char *path)
{
	enum filter_kind kind = filter_kind(git, attribute(git, path));

	return kind == FILTER_LFS || kind == FILTER_RUNS;
}

int filter_refuse(git_repository *git, const char *path, struct err *err)
{
	const char *value = attribute(git, path);

	return filter_kind(git, value) == FILTER_NOT_RUN
		   ? err_set(err, ERR_REFUSED,
			     "%s has the filter %s, which afw does not run: "
			     "the repository's .git/config names it, and an "
			     "agent could have written that",
			     path, value)
		   : 0;
}

/* -- the filter -------------------------------------------------------------
 */

/* What is to be done with a file. */
struct rule {
	git_filter_mode_t mode;
	git_repository *git;
	bool lfs;
	char *path, *driver, *encoding;
};

struct stream {
	git_writestream base; /* first */
	git_writestream *next;
	const struct rule *rule;
	struct buf data;   /* of a file of git LFS only the start */
	struct sha256 sum; /* of one */
};

static bool is_large(const char *path, git_repository *git)
{
	_free_ char *full = file_join(git_repository_workdir(git), path);
	struct stat st;

	return lstat(full, &st) == 0 && st.st_size > HASH_MAX;
}

/* Looks the attributes up, into value. Files that are hashed are many: if the
 * last one had a directory without attributes, those of the next in it are
 * known. Files that are made may bring them along. */
static int look_up(const git_filter_source *src, const char *value[2])
{
	static const char *const names[] = {"filter", "working-tree-encoding"};
	static _Thread_local char known[PATH_MAX]; /* such a directory */
	git_repository *git = git_filter_source_repo(src);
	const char *path = git_filter_source_path(src), *slash;
	const char *top = git_repository_workdir(git);
	char dir[PATH_MAX], *inner = dir;

	if (git_filter_source_mode(src) == GIT_FILTER_TO_ODB && top) {
		slash = strrchr(path, '/');
		snprintf(dir, sizeof dir, "%s%.*s", top,
			 slash ? (int)(slash - path) + 1 : 0, path);
		inner = dir + strlen(top);
		if (strcmp(dir, known) == 0)
			return GIT_PASSTHROUGH;
		if (!attributes_apply(git, inner)) {
			snprintf(known, sizeof known, "%s", dir);
			return GIT_PASSTHROUGH;
		}
	}
	return git_attr_get_many(value, git, GIT_ATTR_CHECK_FILE_THEN_INDEX,
				 path, 2, (const char **)names);
}

static int check(git_filter *self, void **payload, const git_filter_source *src,
		 const char **unused)
{
	git_repository *git = git_filter_source_repo(src);
	const char *path = git_filter_source_path(src);
	git_filter_mode_t mode = git_filter_source_mode(src);
	const char *value[2] = {0}, *encoding;
	enum filter_kind kind;
	struct rule *r;
	int rc = path ? look_up(src, value) : GIT_PASSTHROUGH;

	if (rc < 0)
		return rc;
	encoding = encoding_of(value[1]);
	kind = filter_kind(git, value[0]);
	if ((kind != FILTER_LFS && kind != FILTER_RUNS && !encoding) ||
	    (kind == FILTER_LFS && mode == GIT_FILTER_TO_ODB &&
	     (purpose == TO_KEEP || !git_repository_workdir(git) ||
	      is_large(path, git))))
		return GIT_PASSTHROUGH;
	r = mem_alloc(sizeof *r);
	*r = (struct rule){.mode = mode,
			   .git = git,
			   .lfs = kind == FILTER_LFS,
			   .path = mem_strdup(path),
			   .driver = kind == FILTER_RUNS ? mem_strdup(value[0])
							 : NULL,
			   .encoding = encoding ? mem_strdup(encoding) : NULL};
	*payload = r;
	return 0;
}

static void cleanup(git_filter *self, void *payload)
{
	struct rule *r = payload;

	if (!r)
		return;
	free(r->path);
	free(r->driver);
	free(r->encoding);
	free(r);
}

static int stream_write(git_writestream *base, const char *data, size_t len)
{
	struct stream *s = (struct stream *)base;
	bool sums = s->rule->lfs && s->rule->mode == GIT_FILTER_TO_ODB;

	if (sums)
		sha256_add(&s->sum, data, len);
	if (!sums || s->data.len <= LFS_POINTER_MAX)
		buf_add(&s->data, data, len);
	return 0;
}

/* Passes on the object of a pointer; anything else as it is. */
static int put_object(struct stream *s)
{
	_free_ char *chunk = NULL;
	struct lfs_pointer p;
	_close_ int fd = lfs_parse(&p, s->data.data, s->data.len)
			     ? lfs_open(s->rule->git, &p)
			     : -1;
	ssize_t n;
	int rc = 0;

	if (fd < 0)
		return s->next->write(s->next, s->data.data, s->data.len);
	chunk = mem_alloc(65536);
	while (rc == 0 && (n = read(fd, chunk, 65536)) != 0) {
		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0)
			rc = s->next->write(s->next, chunk, (size_t)n);
	}
	return rc;
}

static int put_pointer(struct stream *s)
{
	struct lfs_pointer p = {.size = (int64_t)s->sum.len}, is;
	char text[LFS_TEXT];

	if (s->sum.len == 0 || (s->sum.len <= LFS_POINTER_MAX &&
				lfs_parse(&is, s->data.data, s->data.len)))
		return s->next->write(s->next, s->data.data, s->data.len);
	sha256_end(&s->sum, p.id);
	lfs_text(&p, text);
	return s->next->write(s->next, text, strlen(text));
}

/* Runs git. Files that are only compared have COMPARE_MS in all: an agent can
 * make many, and a hostile one for the user's program. */
static int convert(const struct rule *r, const struct buf *in, struct buf *out,
		   struct err *err)
{
	bool compares = r->mode == GIT_FILTER_TO_ODB && purpose != TO_COMMIT;
	int64_t began = clock_mono_ms(), left = COMPARE_MS - compared_ms;
	struct filter_git f = {.path = r->path,
			       .driver = r->driver,
			       .encoding = r->encoding,
			       .to_store = r->mode == GIT_FILTER_TO_ODB,
			       .timeout_ms = compares ? left : CONVERT_MS};
	int rc = f.timeout_ms > 0 ? filter_git_run(&f, in, out, err) : -1;

	if (compares)
		compared_ms += clock_mono_ms() - began;
	return rc;
}

/* A file that cannot be converted is compared as it is, and so has changed; but
 * none is made or committed that way. */
static int put_converted(struct stream *s)
{
	_buf_ struct buf out = {0};
	struct err err = {0};
	int rc;

	buf_adds(&out, "");
	rc = convert(s->rule, &s->data, &out, &err);
	if (rc == 0)
		return s->next->write(s->next, out.data, out.len);
	if (s->rule->mode == GIT_FILTER_TO_ODB && purpose != TO_COMMIT)
		return s->next->write(s->next, s->data.data, s->data.len);
	git_error_set_str(GIT_ERROR_FILTER, err.what);
	return rc;
}

static int stream_close(git_writestream *base)
{
	struct stream *s = (struct stream *)base;
	int rc;

	buf_adds(&s->data, "");
	rc = !s->rule->lfs			  ? put_converted(s)
	     : s->rule->mode == GIT_FILTER_TO_ODB ? put_pointer(s)
						  : put_object(s);
	return rc < 0 ? rc : s->next->close(s->next);
}

static void stream_free(git_writestream *base)
{
	struct stream *s = (struct stream *)base;

	buf_finish(&s->data);
	free(s);
}

static int stream(git_writestream **out, git_filter *self, void **payload,
		  const git_filter_source *src, git_writestream *next)
{
	struct stream *s = mem_alloc(sizeof *s);

	*s = (struct stream){.base = {stream_write, stream_close, stream_free},
			     .next = next,
			     .rule = *payload};
	*out = &s->base;
	return 0;
}

int filter_register(struct err *err)
{
	static git_filter filter = {.version = GIT_FILTER_VERSION,
				    .check = check,
				    .stream = stream,
				    .cleanup = cleanup};
	int rc =
	    git_filter_register("afw", &filter, GIT_FILTER_DRIVER_PRIORITY);

	return rc < 0 && rc != GIT_EEXISTS
		   ? err_set(err, ERR_FAILED, "set up libgit2: %s",
			     git_error_last() ? git_error_last()->message : "")
		   : 0;
}

/* -- files ------------------------------------------------------------------
 */

/* Opens a file of the worktree; follows no link. */
static int open_file(git_repository *git, const char *path, struct err *err)
{
	const char *last;
	_close_ int dir = file_open_parent(
	    AT_FDCWD, git_repository_workdir(git), path, 0, &last);

	if (dir < 0) {
		err_errno(err, "open %s", path);
		return -1;
	}
	return file_open_any(dir, last, err);
}

int filter_hash(git_oid *out, git_repository *git, const char *path)
{
	_close_ int fd = filter_kind(git, attribute(git, path)) == FILTER_LFS
			     ? open_file(git, path, NULL)
			     : -1;
	struct lfs_pointer p;
	char text[LFS_TEXT];

	if (fd < 0 || lfs_point(&p, fd) <= 0)
		return git_repository_hashfile(out, git, path, GIT_OBJECT_BLOB,
					       NULL);
	lfs_text(&p, text);
	return git_odb_hash(out, text, strlen(text), GIT_OBJECT_BLOB);
}

/* Stores the object, and the pointer. */
static int store_lfs(git_oid *out, git_repository *git, int fd,
		     const struct lfs_pointer *p, struct err *err)
{
	char text[LFS_TEXT];

	if (lfs_store(git, p, fd, err) < 0)
		return -1;
	lfs_text(p, text);
	return git_blob_create_from_buffer(out, git, text, strlen(text)) < 0
		   ? repo_err(err, ERR_FAILED, "store a pointer")
		   : 0;
}

int filter_store(git_oid *out, git_repository *git, const char *path,
		 struct err *err)
{
	_close_ int fd = open_file(git, path, err);
	struct lfs_pointer p;
	int is = 0;

	if (fd < 0)
		return -1;
	if (filter_kind(git, attribute(git, path)) == FILTER_LFS)
		is = lfs_point(&p, fd);
	if (is < 0)
		return err_errno(err, "read %s", path);
	if (is > 0)
		return store_lfs(out, git, fd, &p, err);
	purpose = TO_COMMIT;
	is = git_blob_create_from_workdir(out, git, path);
	purpose = TO_COMPARE;
	return is < 0 ? repo_err(err, ERR_FAILED, "add %s", path) : 0;
}
