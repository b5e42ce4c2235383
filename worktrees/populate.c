/*
 * populate.c - fills a new worktree: decides where the files may come from,
 * has them made, and writes the index that belongs to them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "worktrees/checkout.h"
#include "worktrees/create.h"

int create_put(int dirfd, const char *name, struct err *err, const char *fmt,
	       ...)
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

/* What of the configuration matters for a checkout; snapshot borrowed. */
static bool config_bool(git_config *config, const char *key, bool other)
{
	int value;

	return config && git_config_get_bool(&value, config, key) == 0
		   ? value != 0
		   : other;
}

static bool config_has(git_config *config, const char *key)
{
	const char *value;

	return !config || (git_config_get_string(&value, config, key) == 0 &&
			   strcmp(value, "false") != 0);
}

/* Whether any file but a .gitattributes of the tree can change contents. */
static bool attributes_matter(const struct repo *r, git_config *config)
{
	char *info = file_join(r->git_dir, "info/attributes");
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char *user = xdg && *xdg ? mem_printf("%s/git/attributes", xdg)
				 : mem_printf("%s/.config/git/attributes",
					      home ? home : "");
	bool matter = access(info, F_OK) == 0 || access(user, F_OK) == 0 ||
		      access("/etc/gitattributes", F_OK) == 0 ||
		      config_has(config, "core.attributesfile") ||
		      config_has(config, "core.autocrlf") ||
		      config_has(config, "core.eol");

	free(info);
	free(user);
	return matter;
}

static void warn_checkout(struct create *c, const struct checkout *co,
			  git_config *config)
{
	if (co->lfs)
		strv_addf(&c->warnings,
			  "%zu file%s of git LFS left as pointers; run `git "
			  "lfs pull` there",
			  co->lfs, co->lfs == 1 ? "" : "s");
	if (co->filter[0])
		strv_addf(&c->warnings,
			  "the filter \"%s\" of .gitattributes was not run: "
			  "afw runs no command of a repository",
			  co->filter);
	if (co->submodules)
		strv_addf(&c->warnings,
			  "%zu submodule%s left empty; run `git submodule "
			  "update --init` there",
			  co->submodules, co->submodules == 1 ? "" : "s");
	if (config_bool(config, "core.sparsecheckout", false))
		strv_add(&c->warnings, "the repository is sparse; the worktree "
				       "has all files");
}

/* The main worktree as a source of files, where there is one. */
static int source_open(const struct repo *r, struct index_file *ix)
{
	char *index;
	struct err err;
	int fd, e;

	if (r->bare)
		return -1;
	index = file_join(git_repository_path(r->main), "index");
	e = index_file_read(index, ix, &err);
	free(index);
	if (e < 0)
		return -1;
	fd = open(r->path, FILE_DIR_FLAGS & ~O_NOFOLLOW);
	return fd;
}

int create_populate(struct create *c, struct err *err)
{
	git_config *config = NULL;
	struct index_file ix = {0};
	struct buf index = {0};
	struct checkout co = {
	    .admin = c->admin,
	    .path = c->place.path,
	    .dir = c->tree,
	    .list = &c->list,
	    .source = source_open(&c->repo, &ix),
	    .out = c->out,
	};
	int fd = -1, r = -1;

	git_repository_config_snapshot(&config, c->repo.main);
	co.attributes = attributes_matter(&c->repo, config);
	co.symlinks = config_bool(config, "core.symlinks", true);
	co.source_index = &ix;
	if (tree_list_read(&c->list, c->repo.here, &c->base.tree, &ix, err) <
		0 ||
	    checkout_run(&co, err) < 0)
		goto out;
	index_file_format(c->list.entries, c->list.n, c->list.ext.data,
			  c->list.ext.len, &index);
	fd = openat(c->entry, "index", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    0666);
	if (fd < 0 || file_write_all(fd, index.data, index.len) < 0) {
		err_errno(err, "write %s/index", c->admin);
		goto out;
	}
	r = create_put(c->tree, ".git", err, "gitdir: %s\n", c->admin);
	warn_checkout(c, &co, config);
out:
	file_close(fd);
	file_close(co.source);
	git_config_free(config);
	buf_finish(&index);
	index_file_finish(&ix);
	return r;
}
