/*
 * submodules.c - fills the submodules of a new worktree, and those below them,
 * from the git directories that the main worktree has for its own: nothing is
 * fetched, and no URL is read. One that is not there, or lacks the commit, is
 * left empty.
 *
 * The commit may be an agent's, .gitmodules included: a name in it only chooses
 * among the submodules that git has cloned for the user, and a path must be a
 * submodule in the index, whose directory is there, empty, and no link.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/delete_tree.h"
#include "base/git_program.h"
#include "worktrees/create/create.h"
#include "worktrees/git/submodule_git.h"
#include "worktrees/git/checkout.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/sparse_index.h"

#define DEPTH_MAX 16

/* A worktree, or a submodule with submodules. */
struct level {
	struct create *c;
	git_repository *source; /* its git directory of the main worktree */
	git_index *index;
	const char *admin; /* git's directory */
	const char *path;  /* its files */
	const char *below; /* path in the worktree: "", or "libs/a/" */
	int tree;	   /* path, open */
	int depth;
	struct buf names; /* as git config -z prints them */
};

static int fill_all(struct level *l);

/* As git's check_submodule_name(), and without control characters. */
static bool is_name(const char *name)
{
	const char *at = name;

	for (const char *p = name; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return false;
	while (*at) {
		size_t len = strcspn(at, "/\\");

		if (len == 2 && strncmp(at, "..", 2) == 0)
			return false;
		at += len + (at[len] != '\0');
	}
	return *name && *name != '/';
}

static void read_names(struct level *l)
{
	const git_index_entry *e =
	    git_index_get_bypath(l->index, ".gitmodules", 0);
	_free_ char *blob =
	    e ? mem_printf("--blob=%s", git_oid_tostr_s(&e->id)) : NULL;
	const char *const args[] = {
	    GIT_PROGRAM_CONFINED,      "config", blob, "-z", "--get-regexp",
	    "^submodule\\..*\\.path$", NULL};

	if (blob)
		git_program_read(git_repository_path(l->source), args,
				 &l->names, NULL);
}

/* Returns the name of the submodule at path, to be freed, or NULL. */
static char *name_of(const struct level *l, const char *path)
{
	static const char before[] = "submodule.", after[] = ".path\n";
	const char *at = l->names.data, *end = at + l->names.len;

	for (; at < end; at += strlen(at) + 1) {
		const char *value = strchr(at, '\n');
		size_t len = value ? (size_t)(value + 1 - at) : 0;

		if (len > strlen(before) + strlen(after) &&
		    strcmp(value + 1, path) == 0)
			return mem_strndup(at + strlen(before),
					   len - strlen(before) -
					       strlen(after));
	}
	return NULL;
}

/* True if the user has it: it is checked out in the main worktree, or may be
 * there, as on another branch: `git submodule init`, and no deinit. */
static bool is_active(const struct level *l, const char *name, const char *path)
{
	const char *top = l->c->repo.checkout;
	_free_ char *link =
	    mem_printf("%s/%s%s/.git", top ? top : "", l->below, path);
	_free_ char *url = mem_printf("submodule.%s.url", name),
		    *active = mem_printf("submodule.%s.active", name);
	_git_config_ git_config *config = NULL;
	const char *value;

	if (top && access(link, F_OK) == 0)
		return true;
	return git_repository_config_snapshot(&config, l->source) == 0 &&
	       git_config_get_string(&value, config, url) == 0 &&
	       repo_config_bool(l->source, active, true);
}

static int make_files(const struct level *l, git_repository *git,
		      const git_oid *commit, struct err *err)
{
	struct checkout co = {.admin = l->admin,
			      .path = l->path,
			      .dir = l->tree,
			      .index = l->index,
			      .source = -1,
			      .out = l->c->out};
	_git_tree_ git_tree *tree = repo_tree(git, commit, err);

	create_set_conversion(&co, git);
	if (!tree || git_index_read_tree(l->index, tree) < 0 ||
	    checkout_run(&co, err) < 0 || git_index_write(l->index) < 0)
		return -1;
	if (co.lfs)
		strv_addf(&l->c->warnings,
			  "%zu file%s of git LFS in the submodule %.*s left as "
			  "pointers; run `git lfs pull` there",
			  co.lfs, co.lfs == 1 ? "" : "s",
			  (int)strlen(l->below) - 1, l->below);
	return 0;
}

/* Makes the files of l, and what is below them. */
static int fill(struct level *l, const git_oid *commit, struct err *err)
{
	_git_repository_ git_repository *git = NULL;
	_git_index_ git_index *index = NULL;

	if (submodule_git_make(&git, l->admin, l->source, l->path, commit,
			       err) < 0 ||
	    git_repository_index(&index, git) < 0)
		return -1;
	l->index = index;
	if (make_files(l, git, commit, err) < 0)
		return -1;
	return fill_all(l);
}

/* Empties the directory again. */
static void undo(const struct level *l, int parent, const char *name)
{
	delete_tree(AT_FDCWD, l->admin, NULL);
	delete_tree(parent, name, NULL);
	mkdirat(parent, name, 0777);
}

static bool is_empty(int tree)
{
	_dir_ DIR *d = file_list(tree, ".");

	return d && !file_list_next(d);
}

/* Fills the submodule of the entry e; false if it is left empty. */
static bool fill_one(const struct level *l, const git_index_entry *e)
{
	_free_ char *name = name_of(l, e->path),
		    *from = mem_printf("%smodules/%s",
				       git_repository_path(l->source),
				       name ? name : ""),
		    *admin =
			mem_printf("%s/modules/%s", l->admin, name ? name : ""),
		    *path = file_join(l->path, e->path),
		    *below = mem_printf("%s%s/", l->below, e->path);
	_git_repository_ git_repository *source = NULL;
	const char *base;
	_close_ int parent = file_open_parent(l->tree, ".", e->path, 0, &base);
	_close_ int tree =
	    parent < 0 ? -1 : openat(parent, base, FILE_DIR_FLAGS);
	struct level sub = {.c = l->c,
			    .admin = admin,
			    .path = path,
			    .below = below,
			    .tree = tree,
			    .depth = l->depth + 1};
	struct err err;

	if (tree < 0 || !is_empty(tree))
		return true; /* not one to fill */
	if (!name || !is_name(name) || l->depth == DEPTH_MAX ||
	    !is_active(l, name, e->path) || access(admin, F_OK) == 0 ||
	    git_repository_open_bare(&source, from) < 0)
		return false;
	sub.source = source;
	if (fill(&sub, &e->id, &err) == 0)
		return true;
	undo(&sub, parent, base);
	return false;
}

static int fill_all(struct level *l)
{
	bool any = false;

	for (size_t i = 0; i < git_index_entrycount(l->index); i++) {
		const git_index_entry *e = git_index_get_byindex(l->index, i);

		if (e->mode != GIT_FILEMODE_COMMIT || index_entry_skipped(e))
			continue;
		if (!any)
			read_names(l);
		any = true;
		if (!fill_one(l, e))
			strv_addf(&l->c->empty, "%s%s", l->below, e->path);
	}
	buf_finish(&l->names);
	return 0;
}

int create_submodules(struct create *c, struct err *err)
{
	_free_ char *file = file_join(c->admin, "index");
	_git_index_ git_index *index = NULL;
	struct level top = {.c = c,
			    .source = c->repo.main,
			    .admin = c->admin,
			    .path = c->place.path,
			    .below = "",
			    .tree = c->tree};

	/* A large index takes long to read. */
	if (c->no_modules && !c->req->changes)
		return 0;
	if (sparse_index_open(&index, file, c->repo.main) < 0)
		return repo_err(err, ERR_FAILED, "read %s", file);
	top.index = index;
	return fill_all(&top);
}
