/*
 * submodule.c - reads the submodules of a worktree.
 *
 * git keeps the repository of each worktree's submodule apart, in "modules" of
 * its entry: it is removed with the worktree. A commit that was made there may
 * be nowhere else, even if the branch that names it is merged.
 */
#include "worktrees/changes/submodule.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/git_program.h"
#include "base/gitfile.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/tree_diff.h"
#include "worktrees/private/private_ref.h"

#define DEPTH_MAX   16
#define COMMITS_MAX 10000

/* Returns the directory in a session's private git directory that the line of a
 * .git names, by the path that it has in the sandbox; to be freed, or NULL. The
 * agent may have made a link of it. */
static char *private_git_dir(const char *private, const char *line)
{
	const char *dir = strrchr(private, '/'); /* named the same there */
	_free_ char *modules = mem_printf("%s/modules/", dir);
	const char *name = line ? strstr(line, modules) : NULL;
	_free_ char *path =
			name ? mem_printf("%s%s", private, name + strlen(dir))
			     : NULL,
		    *at = path ? realpath(path, NULL) : NULL,
		    *root = at ? realpath(private, NULL) : NULL;

	return root && file_is_below(at, root)
		   ? mem_printf("%s%s", private, at + strlen(root))
		   : NULL;
}

char *submodule_git_dir(const struct repo_worktree *w, const char *path)
{
	_free_ char *dir = file_join(w->path, path),
		    *file = file_join(dir, ".git"),
		    *line = repo_line(AT_FDCWD, file), *git = NULL;
	const char *entry = line ? strstr(line, "/worktrees/") : NULL;
	const char *name = entry ? strstr(entry, "/modules/") : NULL;

	git = w->private ? private_git_dir(w->private, line) : NULL;
	if (git)
		return TAKE_PTR(git);
	if (name && !strstr(name, "/../"))
		return mem_printf("%s%s", w->admin, name);
	git = access(file, F_OK) == 0 ? gitfile_dir(dir) : NULL;
	return TAKE_PTR(git);
}

bool submodule_head(const struct repo_worktree *w, const char *path,
		    git_oid *out)
{
	_free_ char *git = submodule_git_dir(w, path);

	return git && private_ref_head(git, out);
}

bool submodule_add(const struct repo_worktree *w, git_index *index,
		   const char *path)
{
	const git_index_entry *old = git_index_get_bypath(index, path, 0);
	git_index_entry e;

	if (!old || old->mode != GIT_FILEMODE_COMMIT)
		return false;
	e = *old;
	if (submodule_head(w, path, &e.id) && !git_oid_equal(&e.id, &old->id))
		git_index_add(index, &e);
	return true;
}

void submodule_update(const struct repo_worktree *w, git_index *index,
		      struct strv *changed)
{
	for (size_t i = 0; i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);
		git_oid before = e->id;

		if (submodule_add(w, index, e->path) && changed &&
		    !git_oid_equal(&before,
				   &git_index_get_byindex(index, i)->id))
			strv_add(changed, e->path);
	}
}

/* -- commits that are nowhere else ---------------------------------------- */

/* True if each commit of the list is in the repository there. */
static bool has_all(const char *there, const char *list)
{
	_free_ char *objects = file_join(there, "objects");
	_git_odb_ git_odb *odb = NULL;
	git_oid oid;

	if (!*list)
		return true;
	if (git_odb_open(&odb, objects) < 0)
		return false;
	for (; git_oid_fromstrn(&oid, list, GIT_OID_HEXSZ) == 0;
	     list += GIT_OID_HEXSZ + 1)
		if (!git_odb_exists(odb, &oid))
			return false;
	return !*list;
}

/* True if a remote-tracking branch of that repository has it. A tag may have
 * been made here. */
static bool at_remote(const char *git_dir, const char *commit)
{
	const char *const args[] = {"--work-tree=/", /* else it must exist */
				    "rev-list",	     "--max-count=1", commit,
				    "--not",	     "--remotes",     NULL};
	_buf_ struct buf list = {0};

	return git_program_read(git_dir, args, &list, NULL) == 0 &&
	       list.len == 0;
}

/*
 * True if the commits of all references and reflogs are at a remote or in the
 * main worktree's repository of the submodule. If there are too many, it is
 * unknown of the oldest. A tag may have been made here.
 * private: the agent has written its configuration, so git is not asked.
 */
static bool is_saved(const char *dir, const char *there, bool private)
{
	const char *const args[] = {
	    "--work-tree=/", "rev-list",  "--max-count=10000",
	    "--all",	     "--reflog",  "HEAD",
	    "--not",	     "--remotes", NULL};
	_buf_ struct buf list = {0};
	_free_ git_oid *refs = NULL;
	size_t n = 0;
	git_oid head;

	buf_adds(&list, "");
	if (!private)
		return git_program_read(dir, args, &list, NULL) == 0 &&
		       list.len < COMMITS_MAX * (GIT_OID_HEXSZ + 1) &&
		       has_all(there, list.data);
	if (private_ref_list(dir, &refs, &n, NULL) < 0)
		return !private_ref_head(dir, &head);
	for (size_t i = 0; i < n; i++)
		buf_addf(&list, "%s\n", git_oid_tostr_s(&refs[i]));
	return has_all(there, list.data);
}

/* Returns the repository of the main worktree's submodule, to be freed, if git
 * is that of the same one below root; else the main repository. */
static char *main_git_dir(const struct repo_worktree *w, const char *root,
			  const char *git)
{
	bool below = file_is_below(git, root);

	return mem_printf("%s%s", w->git_dir, below ? git + strlen(root) : "");
}

static int err_unsaved(const struct repo_worktree *w,
		       const struct repo_place *place, const char *path,
		       struct err *err)
{
	err_set(err, ERR_CONFLICT,
		"the commit of the submodule %s is only in %s/%s", path,
		w->path, path);
	if (place->private)
		return err_hint(
		    err,
		    "`afw exec NAME -- git -C %s push origin HEAD:%s` pushes "
		    "it; then `git -C %s fetch` in the repository",
		    path, place->branch, path);
	return err_hint(err,
			"`git -C %s/%s push origin HEAD:refs/heads/%s` saves "
			"it",
			w->path, path, place->branch);
}

char *submodule_main_git_dir(const struct repo_worktree *w,
			     const struct repo_place *place, const char *git)
{
	bool own = place->private && file_is_below(git, place->private);
	const char *root = own ? place->private : w->admin;
	_free_ char *modules = file_join(root, "modules");

	return file_is_below(git, modules) ? main_git_dir(w, root, git) : NULL;
}

int submodule_check_one(const struct repo_worktree *w,
			const struct repo_place *place, const char *path,
			bool take, struct err *err)
{
	_free_ char *git = submodule_git_dir(w, path),
		    *there = git ? submodule_main_git_dir(w, place, git) : NULL,
		    *file = file_join(there ? there : "", "HEAD");
	bool exists = there && access(file, F_OK) == 0;
	/* No agent in a sandbox can write git's entry. */
	bool asked = git && (!place->private || file_is_below(git, w->admin));
	char hex[GIT_OID_HEXSZ + 1];
	git_oid head;

	if (!git || (take && exists) || !private_ref_head(git, &head))
		return 0;
	git_oid_tostr(hex, sizeof hex, &head);
	return (asked && at_remote(git, hex)) ||
		       (exists && at_remote(there, hex))
		   ? 0
		   : err_unsaved(w, place, path, err);
}

int submodule_check_saved(const struct repo_worktree *w,
			  const struct repo_place *place, bool take,
			  struct err *err)
{
	_git_tree_ git_tree *old = NULL, *new = NULL;
	_git_diff_ git_diff *diff = NULL;
	git_oid base, head;

	if (git_oid_fromstr(&base, place->base_commit) < 0 ||
	    !(old = repo_tree(w->git, &base, NULL)) ||
	    git_reference_name_to_id(&head, w->git, "HEAD") < 0 ||
	    !(new = repo_tree(w->git, &head, NULL)) ||
	    tree_diff_git(&diff, w->git, old, new, 0) < 0)
		return repo_err(err, ERR_FAILED, "compare its submodules");
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
		const git_diff_file *f = &git_diff_get_delta(diff, i)->new_file;

		if (f->mode == GIT_FILEMODE_COMMIT &&
		    submodule_check_one(w, place, f->path, take, err) < 0)
			return -1;
	}
	return 0;
}

static char *find_unsaved(const struct repo_worktree *w, const char *root,
			  const char *dir, bool private, int depth)
{
	_free_ char *head = file_join(dir, "HEAD"),
		    *there = main_git_dir(w, root, dir), *found = NULL;
	/* git may have made a link of it, to a branch that is packed. */
	bool is_git = faccessat(AT_FDCWD, head, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
	_dir_ DIR *d = depth < DEPTH_MAX ? file_list(AT_FDCWD, dir) : NULL;
	const char *name;

	if (is_git && !is_saved(dir, there, private))
		return mem_strdup(dir + strlen(root) + strlen("/modules/"));
	while (d && !found && (name = file_list_next(d))) {
		_free_ char *sub = file_join(dir, name);

		if (!is_git || strcmp(name, "modules") == 0)
			found = find_unsaved(w, root, sub, private, depth + 1);
	}
	return TAKE_PTR(found);
}

char *submodule_unsaved(const struct repo_worktree *w, const char *private)
{
	const char *root = private ? private : w->admin;
	_free_ char *modules = file_join(root, "modules");

	return find_unsaved(w, root, modules, private, 0);
}
