/*
 * probe_git.c - checks what git has of the worktrees of each repository:
 * entries, spares and branches.
 */
#include "session/repair/probes.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/words.h"
#include "wire/worktree_client.h"

#define GIT_MS 60000

static void add_entries(struct survey *v, const cJSON *answer)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, json_get(answer, "entries")) {
		const char *path = json_str_or(o, "worktree", "?");
		struct finding *f = finding_add(
		    v, "git_entry", NULL, path,
		    "git has an entry for the worktree %s, which is gone",
		    path);

		f->hint = mem_strdup(
		    "if it was moved: `git worktree repair PATH`; if it is "
		    "gone for good, with its commits: `git worktree prune`");
	}
}

/* Adds entries in git's worktrees directory that a killed run has left. */
static void add_unfinished(struct survey *v, const char *repository,
			   const cJSON *answer)
{
	long long n = json_int(answer, "half_removed", 0);
	struct finding *f;
	const cJSON *o;

	cJSON_ArrayForEach (o, json_get(answer, "half_made")) {
		f = finding_add(v, "new_unfinished", NULL, repository,
				"the worktree %s in %s was being made by an "
				"`afw new` or `afw land` that was interrupted",
				json_str_or(o, "id", "?"), repository);
		f->safe = true;
		f->repaired = json_bool(o, "cleared", false);
	}
	if (n == 0)
		return;
	f = finding_add(v, "removal_unfinished", NULL, repository,
			"%lld entr%s of git in %s %s left by a run that "
			"was interrupted; the next one deletes %s",
			n, n == 1 ? "y" : "ies", repository,
			n == 1 ? "was" : "were", n == 1 ? "it" : "them");
	f->safe = true;
	f->repaired = v->apply;
}

static void add_spares(struct survey *v, const cJSON *answer)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, json_get(answer, "spares")) {
		const char *path = json_str_or(o, "worktree", "?");
		_free_ char *quoted = words_quoted(path);
		struct finding *f = finding_add(
		    v, "spare_changed", NULL, path,
		    "the spare worktree %s was changed (%s), so it is not used",
		    path, json_str_or(o, "changed", "its list"));

		f->hint =
		    mem_printf("`git -C %s status` shows it; make a branch of "
			       "commits that were made there; `git -C %s "
			       "worktree remove --force %s` removes it, with "
			       "what was changed",
			       quoted, quoted, quoted);
	}
}

static void add_locks(struct survey *v, const cJSON *answer)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, json_get(answer, "locks")) {
		_free_ char *quoted = words_quoted(o->valuestring);
		struct finding *f = finding_add(
		    v, "git_lock", NULL, o->valuestring,
		    "git's lock %s is older than ten minutes", o->valuestring);

		f->hint = mem_printf("if no git is running there, a killed one "
				     "has left it: `rm %s`",
				     quoted);
	}
}

static void add_branches(struct survey *v, const char *repository,
			 const cJSON *answer)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, json_get(answer, "branches")) {
		const char *branch = json_str_or(o, "branch", "?");
		bool merged = json_bool(o, "merged", false);
		_free_ char *dir = words_quoted(repository),
			    *name = words_quoted(branch);
		struct finding *f = finding_add(
		    v, "branch_without_session", NULL, repository,
		    "the branch %s in %s has no session: %s", branch,
		    repository,
		    merged ? "another branch has all of its commits"
			   : "it has commits that no other branch has");

		if (merged)
			f->hint = mem_printf(
			    "`git -C %s branch -d %s` deletes it", dir, name);
	}
}

/* Adds the worktree and the branch of s, if it is in that repository. */
static void add_one_recorded(const struct spec *s, const char *repository,
			     struct strv *ids, struct strv *names)
{
	if (!s->repository || strcmp(s->repository, repository) != 0)
		return;
	if (s->worktree_id) {
		strv_add(ids, s->worktree_id);
		strv_addf(ids, "afw-trash-%s", s->id);
	}
	if (s->branch)
		strv_add(names, s->branch);
}

static void add_recorded(const struct spec *s, const char *repository,
			 struct strv *ids, struct strv *names)
{
	for (size_t i = 0; i < spec_count(s); i++) {
		struct spec one = spec_of(s, i);

		add_one_recorded(&one, repository, ids, names);
	}
}

/* n: how many sessions of it there are that probe_moved() has not found. */
static void add_missing(struct survey *v, const char *repository, size_t n)
{
	struct finding *f;

	if (n == 0)
		return;
	f = finding_add(v, "repository_gone", NULL, repository,
			"the repository of %zu session%s is not at %s", n,
			n == 1 ? "" : "s", repository);
	f->hint = mem_strdup(REPOSITORY_MOVED);
}

static int check_repository(struct survey *v, const char *repository,
			    struct err *err)
{
	_strv_ struct strv ids = {0}, names = {0};
	struct reconcile_request rq = {.path = repository,
				       .branch_prefix = v->branch_prefix,
				       .keep_ids = &ids,
				       .keep_branches = &names,
				       .apply = v->apply};
	_json_ cJSON *answer = NULL;

	for (size_t i = 0; i < v->sessions.n; i++)
		add_recorded(&v->sessions.v[i].spec, repository, &ids, &names);
	/* Sessions in the trash may be restored. */
	for (size_t i = 0; i < v->trash.n; i++)
		add_recorded(&v->trash.v[i].spec, repository, &ids, &names);
	if (access(repository, F_OK) < 0 && errno == ENOENT) {
		add_missing(v, repository, names.n);
		return 0;
	}
	answer = worktree_client_run(reconcile_request(&rq), NULL, NULL, GIT_MS,
				     err);
	if (!answer)
		return err_prefix(err, "%s", repository);
	add_unfinished(v, repository, answer);
	add_entries(v, answer);
	add_spares(v, answer);
	add_locks(v, answer);
	add_branches(v, repository, answer);
	return 0;
}

int probe_git(struct survey *v, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < v->repositories.n; i++)
		rc |= check_repository(v, v->repositories.v[i], err);
	return rc;
}
