/* private_git.c - makes the git directory that a session in a sandbox commits
 * in. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/delete_tree.h"
#include "base/gitfile.h"
#include "worktrees/git/identity.h"
#include "worktrees/git/packed_refs.h"
#include "worktrees/git/repo.h"
#include "worktrees/operations.h"
#include "worktrees/private/harvest.h"
#include "worktrees/private/private_modules.h"
#include "worktrees/private/private_ref.h"

#define COPY_MAX ((size_t)256 * 1024 * 1024)

/* Adds a value, quoted as in git's configuration. */
static void add_value(struct buf *out, const char *key, const char *value)
{
	buf_addf(out, "\t%s = \"", key);
	for (; *value; value++) {
		if (strchr("\"\\", *value))
			buf_addc(out, '\\');
		if ((unsigned char)*value >= ' ')
			buf_addc(out, *value);
	}
	buf_adds(out, "\"\n");
}

static void add_person(struct buf *out, const char *section,
		       const git_signature *who)
{
	buf_addf(out, "[%s]\n", section);
	add_value(out, "name", who->name);
	add_value(out, "email", who->email);
}

/* Adds the identity that git uses outside, and nothing else of the user's
 * configuration. author.* would override user.*, which an agent may set, so it
 * is added only if needed. */
static void add_identity(git_repository *git, struct buf *out)
{
	_identity_ struct identity who = {0};

	if (identity_load(&who, git, NULL) < 0)
		return;
	add_person(out, "user", who.committer);
	if (strcmp(who.author->name, who.committer->name) != 0 ||
	    strcmp(who.author->email, who.committer->email) != 0)
		add_person(out, "author", who.author);
}

static int write_buf(int dir, const char *name, const struct buf *text,
		     struct err *err)
{
	return file_replace(dir, name, text->len ? text->data : "", text->len,
			    false, err);
}

static int write_config(int dir, git_repository *git, struct err *err)
{
	static const char *const sparse[] = {"core.sparsecheckout",
					     "core.sparsecheckoutcone"};
	_buf_ struct buf text = {0};

	buf_adds(&text, "[core]\n\trepositoryformatversion = 0\n"
			"\tbare = false\n\tlogallrefupdates = true\n");
	for (size_t i = 0; i < sizeof sparse / sizeof sparse[0]; i++)
		if (repo_config_bool(git, sparse[i], false))
			buf_addf(&text, "\t%s = true\n", sparse[i] + 5);
	/* So that git there expects to fetch a missing object. */
	if (repo_is_partial(git))
		buf_adds(&text, "[remote \"origin\"]\n\tpromisor = true\n");
	buf_adds(&text, "[submodule]\n\tactive = .\n");
	add_identity(git, &text);
	return write_buf(dir, "config", &text, err);
}

static int write_refs(int dir, const char *first, git_repository *git,
		      struct err *err)
{
	_buf_ struct buf text = {0};

	if (packed_refs_list(git, &text, err) < 0)
		return -1;
	return write_buf(AT_FDCWD, first, &text, err) < 0
		   ? -1
		   : write_buf(dir, "packed-refs", &text, err);
}

static int write_line(int dir, const char *name, const char *prefix,
		      const char *line, struct err *err)
{
	_buf_ struct buf text = {0};

	buf_addf(&text, "%s%s\n", prefix, line);
	return write_buf(dir, name, &text, err);
}

/* Copies a file, if it exists. */
static int copy(const char *from_dir, const char *name, int dir,
		struct err *err)
{
	_free_ char *from = file_join(from_dir, name);
	_buf_ struct buf text = {0};

	if (file_read(AT_FDCWD, from, COPY_MAX, &text, err) < 0)
		return errno == ENOENT ? 0 : -1;
	return write_buf(dir, name, &text, err);
}

static int make_dirs(int dir, struct err *err)
{
	static const char *const names[] = {
	    "info",    "refs",	       "refs/heads",  "refs/tags",
	    "objects", "objects/info", "objects/pack"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (mkdirat(dir, names[i], 0700) < 0)
			return err_errno(err, "make %s", names[i]);
	return 0;
}

/* HEAD is the last: without it, git does not see a git directory. */
static int fill(int dir, const char *path, const struct repo_worktree *w,
		const char *objects, const char *branch, struct err *err)
{
	_free_ char *first = mem_printf("%s" PRIVATE_REF_FIRST, path);

	if (make_dirs(dir, err) < 0 ||
	    write_line(dir, "objects/info/alternates", "", objects, err) < 0 ||
	    write_config(dir, w->git, err) < 0 ||
	    write_refs(dir, first, w->git, err) < 0 ||
	    copy(w->git_dir, "info/exclude", dir, err) < 0 ||
	    copy(w->git_dir, "shallow", dir, err) < 0 ||
	    copy(w->admin, "info/sparse-checkout", dir, err) < 0 ||
	    copy(w->admin, "index", dir, err) < 0)
		return -1;
	return write_line(dir, "HEAD", "ref: refs/heads/", branch, err);
}

/* Lists beside it, where the agent cannot write, what they borrow. */
static int add_modules(const char *making, const char *path,
		       const struct repo_worktree *w,
		       const struct private_request *req, struct err *err)
{
	_free_ char *list = mem_printf("%s" GITFILE_BORROWED, path);
	_buf_ struct buf objects = {0};

	if (private_modules_make(w, making, req->inside ? req->inside : path,
				 &objects, err) < 0)
		return -1;
	return objects.len ? write_buf(AT_FDCWD, list, &objects, err) : 0;
}

static int make_private_git(const char *path, const struct repo_worktree *w,
			    const struct private_request *req, struct err *err)
{
	_free_ char *making = mem_printf("%s.making", path),
		    *objects = file_join(w->git_dir, "objects");
	_close_ int dir = -1;

	if (delete_tree(AT_FDCWD, making, err) < 0 ||
	    file_private_dir(making, err) < 0)
		return -1;
	dir = open(making, FILE_DIR_FLAGS);
	if (dir < 0)
		return err_errno(err, "open %s", making);
	if (fill(dir, path, w, req->objects ? req->objects : objects,
		 req->place.branch, err) < 0 ||
	    add_modules(making, path, w, req, err) < 0 ||
	    harvest_begin(&req->place, w, err) < 0)
		return -1;
	return rename(making, path) < 0 ? err_errno(err, "make %s", path) : 0;
}

int worktree_private(struct output *out, const struct private_request *req,
		     cJSON *answer, struct err *err)
{
	const char *path = req->place.private;
	_free_ char *file = mem_printf("%s.file", path);
	_repo_worktree_ struct repo_worktree w = REPO_WORKTREE_NONE;

	if (!path)
		return err_set(err, ERR_USAGE,
			       "bad request: private is needed");
	if (access(path, F_OK) < 0 &&
	    (repo_worktree_open(&w, &req->place, err) < 0 ||
	     make_private_git(path, &w, req, err) < 0))
		return -1;
	return write_line(AT_FDCWD, file,
			  "gitdir: ", req->inside ? req->inside : path, err);
}
