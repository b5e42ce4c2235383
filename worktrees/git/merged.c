/* merged.c - finds which branches have the commits of another one. */
#include "worktrees/git/merged.h"

#include <stdlib.h>
#include <string.h>

#include "base/gitfile.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/repo.h"
#include "worktrees/git/tree_diff.h"

#define MAX_TIPS 20000 /* a repository with more gets "not merged" */

static bool is_kept_ref(const char *name)
{
	return strncmp(name, "refs/heads/", 11) == 0 ||
	       strncmp(name, "refs/remotes/", 13) == 0 ||
	       strncmp(name, "refs/tags/", 10) == 0;
}

static int list_tips(git_repository *git, const char *except, git_oid **out,
		     size_t *n, struct err *err)
{
	git_reference_iterator *it = NULL;
	git_reference *ref = NULL;
	git_object *commit = NULL;

	*out = NULL;
	*n = 0;
	if (git_reference_iterator_new(&it, git) < 0)
		return repo_err(err, ERR_FAILED, "read the branches");
	while (*n < MAX_TIPS && git_reference_next(&ref, it) == 0) {
		const char *name = git_reference_name(ref);

		if (is_kept_ref(name) &&
		    (!except || strcmp(name, except) != 0) &&
		    git_reference_peel(&commit, ref, GIT_OBJECT_COMMIT) == 0) {
			*out = mem_grow(*out, *n, sizeof **out);
			(*out)[(*n)++] = *git_object_id(commit);
			git_object_free(commit);
		}
		git_reference_free(ref);
	}
	git_reference_iterator_free(it);
	return 0;
}

static int in_tips(git_repository *git, const git_oid *commit,
		   const git_oid *list, size_t n, struct err *err)
{
	int r;

	for (size_t i = 0; i < n; i++)
		if (git_oid_equal(&list[i], commit))
			return 1;
	r = n ? git_graph_reachable_from_any(git, commit, list, n) : 0;
	if (r < 0)
		repo_err(err, ERR_FAILED, "look for commit %.10s",
			 git_oid_tostr_s(commit));
	return r;
}

int merged_all(git_repository *git, const git_oid *commits, size_t n,
	       const char *except, bool *merged, struct err *err)
{
	_free_ git_oid *list = NULL;
	size_t n_tips;
	int r = 1;

	*merged = false;
	if (list_tips(git, except, &list, &n_tips, err) < 0)
		return -1;
	for (size_t i = 0; i < n && r > 0; i++)
		r = in_tips(git, &commits[i], list, n_tips, err);
	*merged = r > 0;
	return r < 0 ? -1 : 0;
}

/* True if both trees have the same file, or no file, at path. */
static bool same_at(const git_tree *a, const git_tree *b, const char *path)
{
	git_tree_entry *x = NULL, *y = NULL;
	bool same;

	git_tree_entry_bypath(&x, a, path);
	git_tree_entry_bypath(&y, b, path);
	same =
	    x && y
		? git_tree_entry_filemode(x) == git_tree_entry_filemode(y) &&
		      git_oid_equal(git_tree_entry_id(x), git_tree_entry_id(y))
		: !x && !y;
	git_tree_entry_free(x);
	git_tree_entry_free(y);
	return same;
}

static bool has_files(git_repository *git, const git_oid *tip,
		      const git_oid *since, const git_oid *head)
{
	_git_tree_ git_tree *in = repo_tree(git, tip, NULL);
	_git_tree_ git_tree *from = repo_tree(git, since, NULL);
	_git_tree_ git_tree *to = repo_tree(git, head, NULL);
	_git_diff_ git_diff *diff = NULL;
	bool has = in && from && to &&
		   tree_diff_git(&diff, git, from, to, 0) == 0 &&
		   git_diff_num_deltas(diff) > 0;

	for (size_t i = 0; has && i < git_diff_num_deltas(diff); i++)
		has =
		    same_at(to, in, git_diff_get_delta(diff, i)->new_file.path);
	return has;
}

static bool is_in(git_repository *git, const char *remote, const char *branch,
		  const git_oid *since, const git_oid *head)
{
	_free_ char *ref =
	    remote ? mem_printf("refs/remotes/%s/%s", remote, branch)
		   : mem_printf("refs/heads/%s", branch);
	git_oid tip;

	return git_reference_name_to_id(&tip, git, ref) == 0 &&
	       (git_oid_equal(&tip, head) ||
		git_graph_descendant_of(git, &tip, head) > 0 ||
		has_files(git, &tip, since, head));
}

/* Lists the remotes, and that which is not configured. */
static void list_remotes(git_repository *git, struct strv *out)
{
	git_strarray remotes = {0};

	git_remote_list(&remotes, git);
	for (size_t i = 0; i < remotes.count; i++)
		strv_add(out, remotes.strings[i]);
	git_strarray_dispose(&remotes);
	strv_add(out, GITFILE_HERE);
}

const char *merged_branch(git_repository *git, const char *base)
{
	_strv_ struct strv remotes = {0};
	const char *branch = base;

	list_remotes(git, &remotes);
	for (size_t i = 0; i < remotes.n; i++) {
		size_t len = strlen(remotes.v[i]);

		if (strncmp(base, remotes.v[i], len) == 0 && base[len] == '/')
			branch = base + len + 1;
	}
	return branch;
}

bool merged_into(git_repository *git, const char *branch, const git_oid *since,
		 const git_oid *head)
{
	_strv_ struct strv remotes = {0};
	bool is = is_in(git, NULL, branch, since, head);

	list_remotes(git, &remotes);
	for (size_t i = 0; !is && i < remotes.n; i++)
		is = is_in(git, remotes.v[i], branch, since, head);
	return is;
}

static bool makes_commit(const char *message)
{
	static const char *const makers[] = {"commit", "cherry-pick",  "revert",
					     "am:",    "afw: commits", NULL};
	bool makes = strstr(message, ": Merge made by") != NULL;

	for (size_t i = 0; !makes && makers[i]; i++)
		makes = strncmp(message, makers[i], strlen(makers[i])) == 0;
	return makes;
}

bool merged_has_own(git_repository *git, const char *branch,
		    const git_oid *since)
{
	_free_ char *ref = mem_printf("refs/heads/%s", branch);
	git_reflog *log = NULL;
	size_t n = git_reflog_read(&log, git, ref) == 0
		       ? git_reflog_entrycount(log)
		       : 0;
	bool has = n == 0;

	for (size_t i = 0; !has && i < n; i++) {
		const git_reflog_entry *e = git_reflog_entry_byindex(log, i);
		const char *message = git_reflog_entry_message(e);

		if (git_oid_equal(git_reflog_entry_id_new(e), since))
			break;
		has = message && makes_commit(message);
	}
	git_reflog_free(log);
	return has;
}
