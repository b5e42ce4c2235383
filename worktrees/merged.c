/* merged.c - whether commits would be lost with a branch. */
#include "worktrees/merged.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "worktrees/repo.h"

#define MAX_TIPS 20000 /* a repository with more gets "not merged" */

static bool keeps(const char *name)
{
	return strncmp(name, "refs/heads/", 11) == 0 ||
	       strncmp(name, "refs/remotes/", 13) == 0 ||
	       strncmp(name, "refs/tags/", 10) == 0;
}

static int tips(git_repository *git, const char *except, git_oid **out,
		size_t *n, struct err *err)
{
	git_reference_iterator *it = NULL;
	git_reference *ref = NULL;
	git_object *commit = NULL;
	size_t cap = 0;

	*out = NULL;
	*n = 0;
	if (git_reference_iterator_new(&it, git) < 0)
		return repo_err(err, ERR_FAILED, "read the branches");
	while (*n < MAX_TIPS && git_reference_next(&ref, it) == 0) {
		const char *name = git_reference_name(ref);

		if (keeps(name) && (!except || strcmp(name, except) != 0) &&
		    git_reference_peel(&commit, ref, GIT_OBJECT_COMMIT) == 0) {
			if (*n == cap) {
				cap = cap ? cap * 2 : 64;
				*out = mem_realloc(*out, cap * sizeof **out);
			}
			(*out)[(*n)++] = *git_object_id(commit);
			git_object_free(commit);
		}
		git_reference_free(ref);
	}
	git_reference_iterator_free(it);
	return 0;
}

int merged_into_any(git_repository *git, const git_oid *commit,
		    const char *except, bool *merged, struct err *err)
{
	git_oid *list;
	size_t n;
	int r = 0;

	*merged = false;
	if (tips(git, except, &list, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n && !*merged; i++)
		*merged = git_oid_equal(&list[i], commit);
	if (!*merged && n > 0) {
		r = git_graph_reachable_from_any(git, commit, list, n);
		if (r < 0)
			repo_err(err, ERR_FAILED, "look for commit %.10s",
				 git_oid_tostr_s(commit));
		*merged = r > 0;
	}
	free(list);
	return r < 0 ? -1 : 0;
}

bool merged_checked_out(git_repository *main, const char *ref)
{
	git_reference *branch = NULL;
	bool out = false;

	if (git_reference_lookup(&branch, main, ref) == 0)
		out = git_branch_is_checked_out(branch) > 0;
	git_reference_free(branch);
	return out;
}
