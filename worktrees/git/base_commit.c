/* base_commit.c - the commit that a new worktree starts from. */
#include "worktrees/git/base_commit.h"

#include <stdlib.h>
#include <string.h>

#include "wire/tried.h"
#include "worktrees/git/cleanup.h"

static int no_commit(const struct repo *r, struct err *err)
{
	err_set(err, ERR_FAILED, "the repository %s has no commit yet",
		r->path);
	if (r->bare)
		return err_hint(err,
				"it is bare: go to a repository with "
				"commits, and `git push %s HEAD`",
				r->path);
	return err_hint(err, "make one: `git commit --allow-empty -m start`");
}

static bool has_branches(const struct repo *r)
{
	git_strarray all = {0};
	bool has = git_reference_list(&all, r->main) == 0 && all.count > 0;

	git_strarray_dispose(&all);
	return has;
}

/* Refuses a branch without a commit (`git checkout --orphan`), in a repository
 * that has others. */
static int unborn(const struct repo *r, struct err *err)
{
	_free_ char *on = repo_branch(r->here);

	err_set(err, ERR_FAILED, "the branch %s has no commit yet",
		on ? on : "here");
	return err_hint(err, "-b BRANCH starts from another one, and `git "
			     "branch -a` lists them; or commit first");
}

static int not_found(const struct repo *r, const char *base, struct err *err)
{
	const git_error *e = git_error_last();

	if (e && e->message && strstr(e->message, "ambiguous")) {
		err_set(err, ERR_FAILED, "the base \"%.200s\" is ambiguous",
			base);
		return err_hint(err, "give more digits of the commit");
	}
	err_set(err, ERR_FAILED, "there is no base \"%.200s\" in %s", base,
		r->path);
	return err_hint(err, "a branch, a tag, a remote branch "
			     "(origin/main) or a commit; `git branch -a` "
			     "lists branches");
}

static int no_base(const struct repo *r, const char *base, struct err *err)
{
	bool head = !base || !base[0];

	if (head && git_repository_head_unborn(r->here) == 1)
		return has_branches(r) ? unborn(r, err) : no_commit(r, err);
	if (head)
		return repo_err(err, ERR_FAILED, "read HEAD of %s", r->path);
	return git_repository_is_empty(r->main) == 1 ? no_commit(r, err)
						     : not_found(r, base, err);
}

/* Returns the branch or the commit that was here before afw try, whose commit
 * of a session's files is HEAD now; to be freed. NULL: HEAD is the user's. */
static char *before_try(const struct repo *r)
{
	_tried_ struct tried t = {0};
	git_oid head, tried;

	if (tried_load(&t, r->git_dir, NULL) < 0 || !t.commit ||
	    git_reference_name_to_id(&head, r->here, "HEAD") < 0 ||
	    git_oid_fromstr(&tried, t.commit) < 0 ||
	    !git_oid_equal(&head, &tried))
		return NULL;
	return mem_strdup(t.head ? t.head : t.from);
}

int base_commit_find(struct base_commit *b, const struct repo *r,
		     const char *base, struct err *err)
{
	_git_object_ git_object *object = NULL, *commit = NULL;
	_git_reference_ git_reference *ref = NULL;
	bool head = !base || !base[0];
	_free_ char *before = head ? before_try(r) : NULL;

	memset(b, 0, sizeof *b);
	if (before) {
		base = before;
		head = false;
	}
	if (git_revparse_ext(&object, &ref, r->here, head ? "HEAD" : base) < 0)
		return no_base(r, base, err);
	if (git_object_peel(&commit, object, GIT_OBJECT_COMMIT) < 0)
		return err_set(err, ERR_FAILED,
			       "the base \"%.200s\" is not a commit",
			       head ? "HEAD" : base);
	b->commit = *git_object_id(commit);
	b->tree = *git_commit_tree_id((git_commit *)commit);
	if (head)
		b->name = repo_branch(r->here);
	else if (ref)
		b->name = mem_strdup(git_reference_shorthand(ref));
	if (!b->name)
		b->name = mem_strdup(git_oid_tostr_s(&b->commit));
	return 0;
}

void base_commit_finish(struct base_commit *b)
{
	if (!b)
		return;
	free(b->name);
	memset(b, 0, sizeof *b);
}
