/*
 * create.c - makes a worktree with its branch, or nothing.
 *
 * Not by git_worktree_add(), which writes outside .git for some names,
 * leaves its entry behind on failure and is slower than git. The steps:
 *
 *   1. mkdir of the directory: of two runs with one name one wins here
 *   2. mkdir of git's entry, with a file `locked` in it, so that a gc at
 *      this moment does not prune what looks broken; then HEAD, commondir,
 *      gitdir
 *   3. the branch; that it exists already ends it
 *   4. the files, the index, the .git file
 *   5. what the user wants copied and linked, the set-up command
 *   6. `locked` goes; from then on it is a worktree like any other
 *
 * struct create notes which of them were done by this run; undo() takes
 * back exactly those, in the other order. A signal or a reader that went
 * away is noticed between the steps and ends in undo() too.
 *
 * Durable: the files can be had again from the object store, nobody has
 * worked on them yet, and an fsync of each would cost more than all else
 * together; git does none either. What a crash must not leave is an entry
 * of git's with empty files in it (git then reports a broken repository):
 * those few are written with fsync, and so is the directory that names them.
 * A crash in between leaves a `locked` entry and directory, which
 * stale.c recognises and the next run with this name takes back.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "worktrees/base_commit.h"
#include "worktrees/bring.h"
#include "worktrees/brought.h"
#include "worktrees/checkout.h"
#include "base/delete_tree.h"
#include "worktrees/place.h"
#include "worktrees/setup.h"
#include "worktrees/worktree.h"

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

struct create {
	struct output *out;
	const cJSON *req;
	struct repo repo;
	struct place place;
	struct base_commit base;
	char *ref;   /* refs/heads/<branch> */
	char *admin; /* git's entry */
	int dir;     /* place.dir, open */
	int tree;    /* place.path, open */
	int admins;  /* <git_dir>/worktrees, open */
	int entry;   /* admin, open */
	struct stat st;
	struct tree_list list;
	struct strv copied, linked, warnings;
	/* what this run made */
	bool made_dir, made_tree, made_admins, made_entry, made_ref;
};

static int taken(struct err *err, const char *what, const char *hint)
{
	err_set(err, ERR_CONFLICT, "%s", what);
	return err_hint(err, "%s", hint);
}

static int make_dir(struct create *c, struct err *err)
{
	const char *dir = c->place.dir;

	if (mkdir(dir, 0755) == 0)
		c->made_dir = true;
	else if (errno != EEXIST)
		return err_errno(err, "make directory %s", dir);
	c->dir = open(dir, json_str(c->req, "worktrees_dir")
			       ? DIR_FLAGS & ~O_NOFOLLOW
			       : DIR_FLAGS);
	if (c->dir < 0 && (errno == ELOOP || errno == ENOTDIR)) {
		err_set(err, ERR_FAILED,
			"%s is not a directory but a link or a file", dir);
		return err_hint(err, "afw keeps its worktrees there; move it "
				     "away");
	}
	if (c->dir < 0)
		return err_errno(err, "open directory %s", dir);
	return 0;
}

static int make_tree(struct create *c, struct err *err)
{
	char what[512];

	if (mkdirat(c->dir, c->place.base, 0777) < 0) {
		if (errno != EEXIST)
			return err_errno(err, "make directory %s",
					 c->place.path);
		snprintf(what, sizeof what, "the directory %s exists already",
			 c->place.path);
		return taken(err, what, "take another name, or remove it");
	}
	c->made_tree = true;
	c->tree = openat(c->dir, c->place.base, DIR_FLAGS);
	if (c->tree < 0 || fstat(c->tree, &c->st) < 0)
		return err_errno(err, "open directory %s", c->place.path);
	return 0;
}

/* A small file of git's entry, on the disk when this returns. */
static int put(int dirfd, const char *name, struct err *err, const char *fmt,
	       ...) __attribute__((format(printf, 4, 5)));

static int put(int dirfd, const char *name, struct err *err, const char *fmt,
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

static int make_entry(struct create *c, struct err *err)
{
	char *dir = file_join(c->repo.git_dir, "worktrees");
	char what[512];
	int r = -1;

	if (mkdir(dir, 0777) == 0)
		c->made_admins = true;
	c->admins = open(dir, DIR_FLAGS);
	if (c->admins < 0) {
		err_errno(err, "open directory %s", dir);
		goto out;
	}
	if (mkdirat(c->admins, c->place.id, 0777) == 0) {
		c->made_entry = true;
	} else if (errno == EEXIST) {
		snprintf(what, sizeof what,
			 "git has a worktree of this name already (%s)",
			 c->admin);
		taken(err, what,
		      "take another name; if its directory is gone "
		      "for good: git worktree prune");
		goto out;
	} else {
		err_errno(err, "make %s", c->admin);
		goto out;
	}
	c->entry = openat(c->admins, c->place.id, DIR_FLAGS);
	if (c->entry < 0) {
		err_errno(err, "make %s", c->admin);
		goto out;
	}
	r = put(c->entry, "locked", err, "afw is making it\n") < 0 ||
		    put(c->entry, "commondir", err, "../..\n") < 0 ||
		    put(c->entry, "gitdir", err, "%s/.git\n", c->place.path) <
			0 ||
		    put(c->entry, "HEAD", err, "ref: %s\n", c->ref) < 0
		? -1
		: 0;
out:
	free(dir);
	return r;
}

static int make_ref(struct create *c, struct err *err)
{
	git_reference *ref = NULL;
	char *log = mem_printf("branch: Created from %s", c->base.name);
	char what[512];
	int e = git_reference_create(&ref, c->repo.main, c->ref,
				     &c->base.commit, 0, log);

	free(log);
	git_reference_free(ref);
	if (e == 0) {
		c->made_ref = true;
		return 0;
	}
	snprintf(what, sizeof what, "the branch %s exists already",
		 c->place.branch);
	if (e == GIT_EEXISTS)
		return taken(err, what,
			     "take another name, or delete or rename that "
			     "branch: git branch -m");
	/* af/x where a branch af is, or where there are af/x/... */
	if (git_error_last() && strstr(git_error_last()->message, "exists")) {
		snprintf(what, sizeof what,
			 "the branch %s stands in the way of another one",
			 c->place.branch);
		return taken(err, what,
			     "git cannot have both a/b and a/b/c: take another "
			     "name or branch_prefix");
	}
	return repo_err(err, ERR_FAILED, "make the branch %s", c->place.branch);
}

static bool config_bool(git_repository *git, const char *key, bool other)
{
	git_config *config = NULL;
	int value = other;

	if (git_repository_config_snapshot(&config, git) == 0 &&
	    git_config_get_bool(&value, config, key) < 0)
		value = other;
	git_config_free(config);
	return value != 0;
}

static bool config_has(git_repository *git, const char *key)
{
	git_config *config = NULL;
	const char *value;
	bool has = false;

	if (git_repository_config_snapshot(&config, git) == 0)
		has = git_config_get_string(&value, config, key) == 0 &&
		      strcmp(value, "false") != 0;
	git_config_free(config);
	return has;
}

/* Whether any file but a .gitattributes of the tree can change contents. */
static bool attributes_matter(const struct repo *r)
{
	char *info = file_join(r->git_dir, "info/attributes");
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char *user = xdg && *xdg ? mem_printf("%s/git/attributes", xdg)
				 : mem_printf("%s/.config/git/attributes",
					      home ? home : "");
	bool matter = access(info, F_OK) == 0 || access(user, F_OK) == 0 ||
		      access("/etc/gitattributes", F_OK) == 0 ||
		      config_has(r->main, "core.attributesfile") ||
		      config_has(r->main, "core.autocrlf") ||
		      config_has(r->main, "core.eol");

	free(info);
	free(user);
	return matter;
}

static void warn_checkout(struct create *c, const struct checkout *co)
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
	if (config_bool(c->repo.main, "core.sparsecheckout", false))
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
	fd = open(r->path, DIR_FLAGS & ~O_NOFOLLOW);
	return fd;
}

static int check_out(struct create *c, struct err *err)
{
	struct index_file ix = {0};
	struct buf index = {0};
	struct checkout co = {
	    .admin = c->admin,
	    .path = c->place.path,
	    .dir = c->tree,
	    .list = &c->list,
	    .source = source_open(&c->repo, &ix),
	    .attributes = attributes_matter(&c->repo),
	    .symlinks = config_bool(c->repo.main, "core.symlinks", true),
	    .out = c->out,
	};
	int fd = -1, r = -1;

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
	r = put(c->tree, ".git", err, "gitdir: %s\n", c->admin);
	warn_checkout(c, &co);
out:
	if (fd >= 0)
		close(fd);
	if (co.source >= 0)
		close(co.source);
	buf_finish(&index);
	index_file_finish(&ix);
	return r;
}

/* What the user's configuration adds to every new worktree. */
static int furnish(struct create *c, struct err *err)
{
	struct bring b = {.from_path = c->repo.path,
			  .to = c->tree,
			  .out = c->out,
			  .warnings = &c->warnings};
	struct strv copy = {0}, link = {0}, argv = {0};
	int r = 0;

	json_strv(c->req, "copy", &copy);
	json_strv(c->req, "link", &link);
	json_strv(c->req, "setup", &argv);
	if (!c->repo.bare) {
		r = bring_copy(&b, &copy, &c->copied, err);
		if (r == 0)
			r = bring_link(&b, &link, &c->linked, err);
	}
	if (r == 0 && (c->copied.n || c->linked.n))
		r = brought_write(c->entry, c->repo.path, &c->copied,
				  &c->linked, err);
	if (r == 0 && argv.n)
		r = setup_run(c->out, &argv, c->place.path, c->repo.path,
			      json_int(c->req, "setup_timeout_ms", 0), err);
	strv_finish(&copy);
	strv_finish(&link);
	strv_finish(&argv);
	return r;
}

static int finish(struct create *c, struct err *err)
{
	if (unlinkat(c->entry, "locked", 0) < 0)
		return err_errno(err, "unlock %s", c->admin);
	return 0;
}

static void undo(struct create *c)
{
	git_reference *ref = NULL;
	struct err err;

	/* git's entry first: it says that the branch is in use */
	if (c->made_entry)
		delete_tree(c->admins, c->place.id, &err);
	if (c->made_ref &&
	    git_reference_lookup(&ref, c->repo.main, c->ref) == 0 &&
	    git_reference_target(ref) &&
	    git_oid_equal(git_reference_target(ref), &c->base.commit))
		git_reference_delete(ref);
	git_reference_free(ref);
	if (c->made_tree)
		delete_tree(c->dir, c->place.base, &err);
	if (c->made_admins) {
		char *dir = file_join(c->repo.git_dir, "worktrees");

		rmdir(dir);
		free(dir);
	}
	if (c->made_dir)
		rmdir(c->place.dir);
}

static void fill(const struct create *c, const char *name, cJSON *answer)
{
	char hex[GIT_OID_HEXSZ + 1];

	git_oid_tostr(hex, sizeof hex, &c->base.commit);
	json_set_str(answer, "repository", c->repo.path);
	json_set_str(answer, "name", name);
	json_set_str(answer, "worktree", c->place.path);
	json_set_str(answer, "branch", c->place.branch);
	json_set_str(answer, "base", c->base.name);
	json_set_str(answer, "base_commit", hex);
	json_set_str(answer, "worktree_id", c->place.id);
	json_set_int(answer, "dev", (int64_t)c->st.st_dev);
	json_set_int(answer, "ino", (int64_t)c->st.st_ino);
	json_set_int(answer, "files", (int64_t)c->list.n);
	json_set_strv(answer, "copied", &c->copied);
	json_set_strv(answer, "linked", &c->linked);
	json_set_strv(answer, "warnings", &c->warnings);
}

typedef int (*step_fn)(struct create *c, struct err *err);

static int run_steps(struct create *c, struct err *err)
{
	static const step_fn steps[] = {make_dir, make_tree, make_entry,
					make_ref, check_out, furnish,
					finish};

	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
		if (output_go_on(c->out, err) < 0 || steps[i](c, err) < 0)
			return -1;
	return output_go_on(c->out, err);
}

static void finish_all(struct create *c)
{
	int fds[4] = {c->dir, c->tree, c->admins, c->entry};

	for (int i = 0; i < 4; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	tree_list_finish(&c->list);
	strv_finish(&c->copied);
	strv_finish(&c->linked);
	strv_finish(&c->warnings);
	base_commit_finish(&c->base);
	place_finish(&c->place);
	repo_finish(&c->repo);
	free(c->ref);
	free(c->admin);
}

int worktree_create(struct output *out, const cJSON *req, cJSON *answer,
		    struct err *err)
{
	struct create c = {.out = out,
			   .req = req,
			   .dir = -1,
			   .tree = -1,
			   .admins = -1,
			   .entry = -1};
	const char *name = json_str(req, "name");
	int r = -1;

	if (place_check_name(name, err) < 0 ||
	    repo_open(&c.repo, json_str(req, "path"), err) < 0)
		return -1;
	if (place_make(&c.place, &c.repo, name,
		       json_str_or(req, "branch_prefix", "af/"),
		       json_str(req, "worktrees_dir"), err) < 0 ||
	    base_commit_find(&c.base, &c.repo, json_str(req, "base"), err) < 0)
		goto out;
	c.ref = mem_printf("refs/heads/%s", c.place.branch);
	c.admin = mem_printf("%s/worktrees/%s", c.repo.git_dir, c.place.id);
	r = run_steps(&c, err);
	if (r == 0) {
		fill(&c, name, answer);
		if (output_answer(out, answer) < 0)
			r = output_go_on(out, err);
	}
	if (r < 0)
		undo(&c);
out:
	finish_all(&c);
	return r;
}
