/* start_commit.c - finds the commit that a new worktree begins with. */
#include <stdlib.h>
#include <string.h>

#include "base/gitfile.h"
#include "base/nearest.h"
#include "worktrees/create/create.h"
#include "worktrees/git/cleanup.h"

/* Returns the branch with the nearest name, to be freed, or NULL. */
static char *nearest_branch(git_repository *git, const char *what)
{
	git_strarray refs = {0};
	_strv_ struct strv names = {0};
	char *near = NULL;

	if (git_reference_list(&refs, git) == 0)
		for (size_t i = 0; i < refs.count; i++)
			if (strncmp(refs.strings[i], "refs/heads/", 11) == 0)
				strv_add(&names, refs.strings[i] + 11);
	if (names.n)
		near =
		    mem_strdup(nearest_of(what, (const char *const *)names.v));
	git_strarray_dispose(&refs);
	return near;
}

/* The branches of the machine that afw -H came from would be mixed with those
 * of the remote. */
static int check_here(const struct create *c, const char *base, struct err *err)
{
	static const char prefix[] = "refs/remotes/" GITFILE_HERE "/";
	git_remote *remote = NULL;
	bool taken =
	    base && strncmp(base, prefix, strlen(prefix)) == 0 &&
	    git_remote_lookup(&remote, c->repo.main, GITFILE_HERE) == 0;

	git_remote_free(remote);
	if (!taken)
		return 0;
	err_set(err, ERR_CONFLICT,
		"%s has a remote named " GITFILE_HERE
		", the name under which afw keeps the branches of the machine "
		"that you are at",
		c->repo.path);
	return err_hint(err, "`git remote rename here NAME` there renames it");
}

/* Finds the new branch's base. If a commit is given, too, that is used: the
 * base may have moved since. */
static int find_base(struct create *c, const char *base, struct err *err)
{
	const char *at = c->req->base_commit;
	char *name;

	if (check_here(c, base, err) < 0 ||
	    base_commit_find(&c->base, &c->repo, base, err) < 0)
		return -1;
	if (!at)
		return 0;
	name = TAKE_PTR(c->base.name);
	base_commit_finish(&c->base);
	if (base_commit_find(&c->base, &c->repo, at, err) < 0) {
		free(name);
		return -1;
	}
	free(c->base.name);
	c->base.name = name;
	return 0;
}

/* Returns the reference of the only remote branch of that name, or of the one
 * at checkout.defaultRemote, to be freed; NULL if there is none. */
static char *remote_branch(git_repository *git, const char *name)
{
	_git_config_ git_config *config = NULL;
	git_strarray all = {0};
	const char *first = NULL;
	char *found = NULL;
	bool done = false;
	git_oid at;
	int n = 0;

	if (git_repository_config_snapshot(&config, git) == 0)
		git_config_get_string(&first, config, "checkout.defaultremote");
	git_remote_list(&all, git);
	for (size_t i = 0; !done && i < all.count; i++) {
		_free_ char *ref =
		    mem_printf("refs/remotes/%s/%s", all.strings[i], name);

		if (git_reference_name_to_id(&at, git, ref) < 0)
			continue;
		done = first && strcmp(all.strings[i], first) == 0;
		n = done ? 1 : n + 1;
		mem_set(&found, n == 1 ? ref : NULL);
	}
	git_strarray_dispose(&all);
	return found;
}

int create_find_commit(struct create *c, struct err *err)
{
	const char *given = c->req->branch, *base = c->req->base;
	_free_ char *near = NULL;
	git_oid at;

	if (given) {
		free(c->place.branch);
		c->place.branch = mem_strdup(given);
		c->given = !base && !c->from;
	}
	c->ref = mem_printf("refs/heads/%s", c->place.branch);
	if (c->from)
		return create_find_checkpoint(c, err);
	if (!c->given)
		return find_base(c, base, err);
	if (git_reference_name_to_id(&at, c->repo.main, c->ref) == 0)
		return base_commit_find(&c->base, &c->repo, c->ref, err);
	c->upstream = remote_branch(c->repo.main, given);
	c->given = !c->upstream;
	if (c->upstream)
		return base_commit_find(&c->base, &c->repo, c->upstream, err);
	err_set(err, ERR_FAILED, "there is no branch \"%.200s\" in %s", given,
		c->repo.path);
	near = nearest_branch(c->repo.main, given);
	if (near)
		return err_hint(err, "did you mean %s?", near);
	return err_hint(err, "`git branch` lists them; without --branch a new "
			     "one is made");
}

/* Returns whether a reference is a branch or tag, and not a session's branch,
 * here or at a remote. */
static bool is_users(const char *ref, const struct strv *theirs)
{
	bool is = strncmp(ref, "refs/heads/", 11) == 0 ||
		  strncmp(ref, "refs/remotes/", 13) == 0 ||
		  strncmp(ref, "refs/tags/", 10) == 0;

	for (size_t i = 0; is && i < theirs->n; i++) {
		size_t len = strlen(ref), n = strlen(theirs->v[i]);

		is = len <= n || ref[len - n - 1] != '/' ||
		     strcmp(ref + len - n, theirs->v[i]) != 0;
	}
	return is;
}

/* Returns whether one of the branches has the commit with the changes. */
static bool has_changes(const struct create *c, const struct strv *branches)
{
	git_oid changes, at;
	bool has = false;

	if (!c->req->changes || git_oid_fromstr(&changes, c->req->changes) < 0)
		return false;
	for (size_t i = 0; !has && i < branches->n; i++) {
		_free_ char *ref = mem_printf("refs/heads/%s", branches->v[i]);

		has =
		    git_reference_name_to_id(&at, c->repo.main, ref) == 0 &&
		    (git_oid_equal(&at, &changes) ||
		     git_graph_descendant_of(c->repo.main, &at, &changes) != 0);
	}
	return has;
}

bool create_is_foreign(const struct create *c)
{
	const struct strv *theirs = c->req->foreign;
	git_reference_iterator *it = NULL;
	git_revwalk *walk = NULL;
	const char *name;
	git_oid left;
	bool is = true;

	if (c->from || theirs->n == 0)
		return c->from && c->from->foreign;
	if (has_changes(c, theirs))
		return true;
	if (git_revwalk_new(&walk, c->repo.main) == 0 &&
	    git_revwalk_push(walk, &c->base.commit) == 0 &&
	    git_reference_iterator_new(&it, c->repo.main) == 0) {
		while (git_reference_next_name(&name, it) == 0)
			if (is_users(name, theirs))
				git_revwalk_hide_ref(walk, name);
		is = git_revwalk_next(&left, walk) != GIT_ITEROVER;
	}
	git_reference_iterator_free(it);
	git_revwalk_free(walk);
	return is;
}
