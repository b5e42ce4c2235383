/*
 * private_ref.c - reads references of a private git directory without libgit2,
 * which would follow links and references of the agent.
 */
#include "worktrees/private/private_ref.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "worktrees/git/repo.h"

#define READ_MAX  ((size_t)64 * 1024 * 1024)
#define REFS_MAX  10000
#define DEPTH_MAX 32

struct found {
	git_oid *v;
	size_t n;
};

/* Adds "2f1b..."; ignores anything else, as "ref: refs/heads/x". */
static void add_oid(struct found *f, const char *text)
{
	git_oid oid;

	if (strnlen(text, GIT_OID_HEXSZ) < GIT_OID_HEXSZ ||
	    git_oid_fromstrn(&oid, text, GIT_OID_HEXSZ) < 0)
		return;
	f->v = mem_grow(f->v, f->n, sizeof *f->v);
	f->v[f->n++] = oid;
}

/* Reads a file; text is empty if there is none. */
static int read_at(int dir, const char *name, struct buf *text, struct err *err)
{
	buf_adds(text, "");
	if (file_read(dir, name, READ_MAX, text, NULL) == 0 ||
	    errno == ENOENT || errno == ENOTDIR)
		return 0;
	return err_errno(err, "read %s", name);
}

static int read_own(const char *dir, const char *name, struct buf *text,
		    struct err *err)
{
	const char *last;
	_close_ int at = file_open_parent(AT_FDCWD, dir, name, 0, &last);

	/* A missing directory means that there is none. */
	return at < 0 && errno != ENOENT && errno != ENOTDIR
		   ? err_errno(err, "read %s in %s", name, dir)
		   : read_at(at, at < 0 ? "" : last, text, err);
}

/* Adds the id at byte at of each line, or of ref's line only. */
static void add_lines(struct found *f, struct buf *text, size_t at,
		      const char *ref)
{
	char *line, *save = NULL;

	for (line = strtok_r(text->data, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		if (strlen(line) >= at &&
		    (!ref || (strlen(line) > GIT_OID_HEXSZ &&
			      strcmp(line + GIT_OID_HEXSZ + 1, ref) == 0)))
			add_oid(f, line + at);
}

static int read_lines(const char *dir, const char *name, size_t at,
		      const char *ref, struct found *f, struct err *err)
{
	_buf_ struct buf text = {0};

	if (read_own(dir, name, &text, err) < 0)
		return -1;
	add_lines(f, &text, at, ref);
	return 0;
}

int private_ref_find(const char *dir, const char *ref, git_oid *oid,
		     struct err *err)
{
	struct found f = {0};
	int rc = read_lines(dir, ref, 0, NULL, &f, err);

	if (rc == 0 && f.n == 0)
		rc = read_lines(dir, "packed-refs", 0, ref, &f, err);
	if (rc == 0 && f.n > 0) {
		*oid = f.v[0];
		rc = 1;
	}
	free(f.v);
	return rc;
}

bool private_ref_head(const char *dir, git_oid *oid)
{
	_free_ char *file = file_join(dir, "HEAD"),
		    *line = repo_line(AT_FDCWD, file);
	bool is_ref = line && strncmp(line, "ref: ", 5) == 0;

	return private_ref_find(dir, is_ref ? line + 5 : "HEAD", oid, NULL) ==
	       1;
}

static int read_dir(int parent, const char *name, int depth, struct found *f,
		    struct err *err)
{
	_dir_ DIR *d = file_list(parent, name);
	const char *at;

	if (!d)
		return errno == ENOTDIR ? 0 : err_errno(err, "list %s", name);
	while ((at = file_list_next(d))) {
		_buf_ struct buf text = {0};
		struct stat st;

		if (fstatat(dirfd(d), at, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		if ((S_ISDIR(st.st_mode) && depth < DEPTH_MAX
			 ? read_dir(dirfd(d), at, depth + 1, f, err)
			 : read_at(dirfd(d), at, &text, err)) < 0)
			return -1;
		if (text.len)
			add_oid(f, text.data);
		if (f->n > REFS_MAX)
			return err_set(err, ERR_FAILED,
				       "more than %d references", REFS_MAX);
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	return git_oid_cmp(a, b);
}

/* Removes repetitions, and what it was made with. */
static int drop_first(const char *dir, struct found *f, struct err *err)
{
	_free_ char *file = mem_printf("%s" PRIVATE_REF_FIRST, dir);
	_buf_ struct buf text = {0};
	struct found first = {0};
	size_t left = 0;

	if (read_at(AT_FDCWD, file, &text, err) < 0)
		return -1;
	add_lines(&first, &text, 0, NULL);
	if (first.n)
		qsort(first.v, first.n, sizeof *first.v, compare);
	qsort(f->v, f->n, sizeof *f->v, compare);
	for (size_t i = 0; i < f->n; i++)
		if ((!left || !git_oid_equal(&f->v[i], &f->v[left - 1])) &&
		    (!first.n || !bsearch(&f->v[i], first.v, first.n,
					  sizeof *first.v, compare)))
			f->v[left++] = f->v[i];
	f->n = left;
	free(first.v);
	return 0;
}

int private_ref_list(const char *dir, git_oid **out, size_t *n, struct err *err)
{
	_free_ char *refs = file_join(dir, "refs");
	struct found f = {0};
	int rc = read_dir(AT_FDCWD, refs, 0, &f, err);

	if (rc == 0)
		rc = read_lines(dir, "packed-refs", 0, NULL, &f, err);
	if (rc == 0)
		rc = read_lines(dir, "HEAD", 0, NULL, &f, err);
	/* "OLD NEW who when what": commits that a branch has left are only
	 * there. */
	if (rc == 0)
		rc = read_lines(dir, "logs/HEAD", GIT_OID_HEXSZ + 1, NULL, &f,
				err);
	if (rc == 0 && f.n == 0)
		rc = err_set(err, ERR_FAILED,
			     "it has no references, or in another format");
	if (rc == 0)
		rc = drop_first(dir, &f, err);
	*out = f.v;
	*n = f.n;
	return rc;
}
