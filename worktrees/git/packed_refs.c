/* packed_refs.c - lists the references of a repository. */
#include "worktrees/git/packed_refs.h"

#include "worktrees/git/repo.h"

int packed_refs_list(git_repository *git, struct buf *out, struct err *err)
{
	git_reference_iterator *it = NULL;
	git_reference *ref = NULL;

	if (git_reference_iterator_new(&it, git) < 0)
		return repo_err(err, ERR_FAILED, "read the branches");
	while (git_reference_next(&ref, it) == 0) {
		const git_oid *oid = git_reference_target(ref);

		if (oid)
			buf_addf(out, "%s %s\n", git_oid_tostr_s(oid),
				 git_reference_name(ref));
		git_reference_free(ref);
	}
	git_reference_iterator_free(it);
	return 0;
}
