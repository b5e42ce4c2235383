/*
 * populate.c - fills a new worktree: chooses the sources of the files, makes
 * them, and writes their index.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worktrees/create/create.h"
#include "worktrees/git/attributes.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/sparse.h"
#include "worktrees/git/sparse_index.h"

#define INDEX_MAX ((size_t)1 << 30)
#define OWN_MAX	  ((size_t)16 << 20)

int create_write_file(int dirfd, const char *name, struct err *err,
		      const char *fmt, ...)
{
	va_list ap;
	char *text;
	int fd, r = 0;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = mem_strdup("");
	va_end(ap);
	fd = openat(dirfd, name,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0 || file_write_all(fd, text, strlen(text)) < 0)
		r = err_errno(err, "write %s", name);
	if (fd >= 0 && close(fd) < 0 && r == 0)
		r = err_errno(err, "write %s", name);
	free(text);
	return r;
}

void create_set_conversion(struct checkout *co, git_repository *git)
{
	_git_config_ git_config *config = NULL;
	const char *eol;

	co->symlinks = repo_config_bool(git, "core.symlinks", true);
	co->crlf = repo_config_bool(git, "core.autocrlf", false);
	co->attributes =
	    attributes_elsewhere(git) || attributes_configured(git);
	if (git_repository_config_snapshot(&config, git) == 0 &&
	    git_config_get_string(&eol, config, "core.eol") == 0)
		co->crlf |= strcmp(eol, "crlf") == 0;
}

static void note_left_out(struct create *c, const struct checkout *co)
{
	c->lfs = co->lfs;
	if (co->filter[0])
		strv_addf(&c->warnings,
			  "the filter \"%s\" of .gitattributes was not run: "
			  "afw runs no command that a repository's "
			  "configuration names",
			  co->filter);
}

/*
 * Copies the main worktree's index to the new one, and opens that worktree as a
 * source of files; -1 if it cannot.
 */
static int source_open(struct create *c, struct timespec *written)
{
	_buf_ struct buf text = {0};
	_free_ char *index = NULL;
	struct stat st = {0};
	int fd = -1;

	if (c->repo.bare)
		return -1;
	index = file_join(git_repository_path(c->repo.main), "index");
	/* its time first: a newer one then only looks racy */
	if (stat(index, &st) == 0 &&
	    file_read(AT_FDCWD, index, INDEX_MAX, &text, NULL) == 0 &&
	    file_replace(c->entry, "index", text.data, text.len, false, NULL) ==
		0)
		fd = open(c->repo.path, FILE_DIR_FLAGS & ~O_NOFOLLOW);
	*written = st.st_mtim;
	return fd;
}

/* Counts the .gitattributes; in the main worktree: those of which it has the
 * same file. */
static size_t count_attributes(git_index *index, const struct checkout *in_main)
{
	size_t n = 0;

	for (size_t i = 0; i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);
		struct stat st;

		if (strcmp(repo_basename(e->path), ".gitattributes") == 0)
			n += !in_main ||
			     (fstatat(in_main->source, e->path, &st,
				      AT_SYMLINK_NOFOLLOW) == 0 &&
			      index_entry_same(e, &in_main->source_written,
					       &st));
	}
	return n;
}

/* Lists all files of the base, with the stat data that the index there has of
 * the same ones. With other attributes the files there may be converted in
 * another way: then they are no source. */
static git_index *index_open(struct create *c, struct checkout *co,
			     struct err *err)
{
	size_t n = 0;
	_free_ char *path = file_join(c->admin, "index");
	_git_index_ git_index *index = NULL;
	_git_tree_ git_tree *tree = NULL;

	/* an index that libgit2 cannot read is not used */
	if (sparse_index_replace(&index, path, c->repo.main) < 0 &&
	    (unlinkat(c->entry, "index", 0) < 0 ||
	     git_index_open(&index, path) < 0)) {
		repo_err(err, ERR_FAILED, "make %s", path);
		return NULL;
	}
	n = count_attributes(index, NULL);
	if (git_tree_lookup(&tree, c->repo.here, &c->base.tree) < 0 ||
	    git_index_read_tree(index, tree) < 0) {
		repo_err(err, ERR_FAILED, "list the files of %s", c->base.name);
		return NULL;
	}
	if (count_attributes(index, NULL) != n ||
	    (n && count_attributes(index, co) != n))
		co->source = -1;
	return TAKE_PTR(index);
}

/* Copies one of git's files of the worktree that this one is made from, if it
 * exists. */
static int copy_own(struct create *c, const char *name, struct err *err)
{
	_free_ char *from = file_join(git_repository_path(c->like), name);
	_buf_ struct buf text = {0};

	if (file_read(AT_FDCWD, from, OWN_MAX, &text, err) < 0)
		return errno == ENOENT ? 0 : -1;
	return create_write_file(c->entry, name, err, "%s",
				 text.len ? text.data : "");
}

/* Removes the options that name that worktree's place, and turns off forms of
 * the index that libgit2 cannot read. */
static int adapt_config(struct create *c, struct err *err)
{
	static const char *const off[] = {"index.sparse", "core.splitindex",
					  "index.skiphash"};
	_free_ char *file = file_join(c->admin, "config.worktree");
	_git_config_ git_config *own = NULL;
	int rc = git_config_open_ondisk(&own, file);

	if (rc == 0) {
		git_config_delete_multivar(own, "core.bare", "");
		git_config_delete_multivar(own, "core.worktree", "");
	}
	for (size_t i = 0; rc == 0 && i < sizeof off / sizeof off[0]; i++)
		if (repo_config_bool(c->like, off[i], false))
			rc = git_config_set_bool(own, off[i], false);
	return rc < 0 ? repo_err(err, ERR_FAILED, "write %s", file) : 0;
}

/* Copies, as `git worktree add` does, the sparse patterns and the configuration
 * of the worktree that this one is made from. */
int create_take_over(struct create *c, struct err *err)
{
	if (repo_config_bool(c->like, "core.sparsecheckout", false) &&
	    ((mkdirat(c->entry, "info", 0777) < 0 &&
	      err_errno(err, "make %s/info", c->admin) < 0) ||
	     copy_own(c, "info/sparse-checkout", err) < 0))
		return -1;
	if (!repo_config_bool(c->like, "extensions.worktreeconfig", false))
		return 0;
	return copy_own(c, "config.worktree", err) < 0 ? -1
						       : adapt_config(c, err);
}

/* Hints at the git command that fetches only the objects of these files. */
static void hint_fetch(const struct create *c, struct err *err)
{
	const char *from = git_repository_workdir(c->repo.here);

	if (!repo_lacks_object(c->repo.here, err))
		return;
	from = from ? from : c->repo.path;
	err_hint(err,
		 "to fetch it: `git -C %s worktree add --detach %s.fetch %s && "
		 "git -C %s worktree remove %s.fetch`",
		 from, c->repo.path, c->base.name, from, c->repo.path);
}

static bool chooses_patterns(const struct create *c)
{
	return c->req->sparse->n || c->req->no_sparse;
}

static int load_patterns(const struct create *c, struct sparse *sparse,
			 struct err *err)
{
	_git_repository_ git_repository *own = NULL;

	if (!chooses_patterns(c))
		return sparse_load(sparse, c->repo.here, err);
	return repo_open_git(&own, c->admin) < 0
		   ? repo_err(err, ERR_FAILED, "open %s", c->admin)
		   : sparse_load(sparse, own, err);
}

static int populate(struct create *c, struct err *err)
{
	_git_index_ git_index *index = NULL;
	_sparse_ struct sparse sparse = {0};
	struct checkout co = {.admin = c->admin,
			      .path = c->place.path,
			      .dir = c->tree,
			      .out = c->out};
	_close_ int source = -1;

	co.source = source = source_open(c, &co.source_written);
	create_set_conversion(&co, c->repo.here);
	co.index = index = index_open(c, &co, err);
	if (!index || load_patterns(c, &sparse, err) < 0)
		return -1;
	sparse_mark(&sparse, index);
	if (checkout_run(&co, err) < 0)
		return -1;
	c->files = git_index_entrycount(index) - sparse.skipped;
	c->no_modules = sparse.modules == 0;
	note_left_out(c, &co);
	if (git_index_write(index) < 0)
		return repo_err(err, ERR_FAILED, "write %s/index", c->admin);
	return create_write_file(c->tree, ".git", err, "gitdir: %s\n",
				 c->admin);
}

int create_populate(struct create *c, struct err *err)
{
	if (create_take_over(c, err) < 0 ||
	    (chooses_patterns(c) && create_set_sparse(c, err) < 0))
		return -1;
	if (populate(c, err) == 0)
		return 0;
	hint_fetch(c, err);
	return -1;
}
