/* patterns.c - the sparse patterns that the user has chosen for a new worktree:
 * git writes them, before the worktree has files. */
#include <string.h>

#include "base/git_program.h"
#include "worktrees/create/create.h"
#include "worktrees/git/cleanup.h"

/* Returns a directory as git's trees name it, to be freed. */
static char *tidy(const char *path)
{
	size_t len;

	while (strncmp(path, "./", 2) == 0)
		path += 2;
	len = strlen(path);
	while (len > 1 && path[len - 1] == '/')
		len--;
	return mem_strndup(path, len);
}

static bool is_directory(git_tree *tree, const char *path)
{
	git_tree_entry *e = NULL;
	bool is = strcmp(path, ".") == 0 ||
		  (git_tree_entry_bypath(&e, tree, path) == 0 &&
		   git_tree_entry_type(e) == GIT_OBJECT_TREE);

	git_tree_entry_free(e);
	return is;
}

int create_check_sparse(const struct create *c, struct err *err)
{
	_git_tree_ git_tree *tree = NULL;

	if (!c->req->sparse->n)
		return 0;
	if (git_tree_lookup(&tree, c->repo.main, &c->base.tree) < 0)
		return repo_err(err, ERR_FAILED, "list the files of %s",
				c->base.name);
	for (size_t i = 0; i < c->req->sparse->n; i++) {
		_free_ char *path = tidy(c->req->sparse->v[i]);

		if (is_directory(tree, path))
			continue;
		err_set(err, ERR_USAGE, "%s has no directory \"%.200s\"",
			c->base.name, path);
		return err_hint(err,
				"--sparse takes paths from the top of the "
				"repository; `git ls-tree -d --name-only "
				"%s` lists those there",
				c->base.name);
	}
	return 0;
}

int create_set_sparse(const struct create *c, struct err *err)
{
	const char *const confined[] = {GIT_PROGRAM_CONFINED, NULL};
	const struct strv *dirs = c->req->sparse;
	_strv_ struct strv args = {0};

	for (size_t i = 0; confined[i]; i++)
		strv_add(&args, confined[i]);
	strv_addf(&args, "--work-tree=%s", c->place.path);
	strv_add(&args, "sparse-checkout");
	strv_add(&args, c->req->no_sparse ? "disable" : "set");
	if (dirs->n) {
		strv_add(&args, "--cone");
		strv_add(&args, "--skip-checks"); /* create_check_sparse() */
		strv_add(&args, "--");
	}
	for (size_t i = 0; i < dirs->n; i++) {
		_free_ char *path = tidy(dirs->v[i]);

		if (strcmp(path, ".") != 0)
			strv_add(&args, path);
	}
	return git_program_read(c->admin, (const char *const *)args.v, NULL,
				err);
}
