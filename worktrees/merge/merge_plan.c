/*
 * merge_plan.c - makes the result of a merge, squash or rebase, as objects that
 * nothing refers to yet.
 */
#include <stdlib.h>
#include <string.h>

#include <git2/sys/merge.h>

#include "base/mem.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/identity.h"
#include "worktrees/git/sign.h"
#include "worktrees/git/tree_merge.h"
#include "worktrees/merge/merge.h"

#define MAX_LISTED 200

struct plan {
	git_merge_driver driver; /* first, for refuse_driver() */
	struct err *err;	 /* for it */
	struct merge *m;
	git_repository *git;
	git_commit *ours, *theirs;
	struct identity who;
	struct sign sign;
	struct buf subjects; /* "* subject" lines, oldest last */
	size_t commits;
};

static void add_commit(struct plan *p, cJSON *list, const git_oid *oid)
{
	_git_commit_ git_commit *c = NULL;
	cJSON *o;

	if (git_commit_lookup(&c, p->git, oid) < 0)
		return;
	o = cJSON_CreateObject();
	json_set_str(o, "commit", git_oid_tostr_s(oid));
	json_set_str(o, "subject", git_commit_summary(c));
	json_set_str(o, "author", git_commit_author(c)->name);
	cJSON_AddItemToArray(list, o);
	buf_addf(&p->subjects, "* %s\n", git_commit_summary(c));
}

/* Lists the commits to merge, newest first. */
static int list_commits(struct plan *p, struct err *err)
{
	cJSON *list = json_set_array(p->m->answer, "commits");
	_git_revwalk_ git_revwalk *walk = NULL;
	git_oid oid;

	if (git_revwalk_new(&walk, p->git) < 0 ||
	    git_revwalk_sorting(walk, GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME) <
		0 ||
	    git_revwalk_push(walk, &p->m->from) < 0 ||
	    git_revwalk_hide(walk, &p->m->old) < 0)
		return repo_err(err, ERR_FAILED, "list the commits of %s",
				p->m->branch);
	while (git_revwalk_next(&oid, walk) == 0)
		if (p->commits++ < MAX_LISTED)
			add_commit(p, list, &oid);
	json_set_int(p->m->answer, "ahead", (int64_t)p->commits);
	return 0;
}

static int refuse_conflicts(struct merge *m, git_index *index, struct err *err)
{
	int64_t n;
	cJSON *all = merge_conflicts(m->repo.main, index, &n, err);

	if (!all)
		return -1;
	cJSON_AddItemToObject(m->answer, "conflicts", all);
	json_set_str(m->answer, "refused", "conflicts");
	json_set_int(m->answer, "files_in_conflict", n);
	m->refused = true;
	return 0;
}

/* -- one commit -------------------------------------------------------------
 */

/* Returns git's message: "Merge branch 'af/x' into main". */
static char *message(const struct plan *p)
{
	const struct merge *m = p->m;

	if (m->message)
		return mem_strdup(m->message);
	if (!m->squash)
		return strcmp(m->into, "master") == 0
			   ? mem_printf("Merge branch '%s'\n", m->branch)
			   : mem_printf("Merge branch '%s' into %s\n",
					m->branch, m->into);
	if (p->commits == 1)
		return mem_strdup(git_commit_message(p->theirs));
	return mem_printf("Squash branch '%s'\n\n%s", m->branch,
			  p->subjects.data ? p->subjects.data : "");
}

static int commit_tree(struct plan *p, const git_oid *oid, struct err *err)
{
	const git_commit *parents[] = {p->ours, p->theirs};
	_git_tree_ git_tree *tree = NULL;
	_free_ char *text = message(p);
	int rc = git_tree_lookup(&tree, p->git, oid);

	json_set_str(p->m->answer, "message", text);
	if (rc == 0)
		rc = sign_commit(&p->m->result, p->who.author, p->who.committer,
				 NULL, text, tree, p->m->squash ? 1 : 2,
				 parents, &p->sign);
	if (rc == 0 || rc == GIT_EUSER)
		return rc;
	return repo_err(err, ERR_FAILED, "write the commit");
}

/* Refuses a merge driver that git would run and afw does not: libgit2 calls it
 * for a file that both sides have changed and whose driver it does not have. */
static int refuse_driver(git_merge_driver *self, const char **path,
			 uint32_t *mode, git_buf *merged, const char *name,
			 const git_merge_driver_source *src)
{
	const struct plan *p = (const struct plan *)self;
	_free_ char *key = mem_printf("merge.%s.driver", name);
	_git_config_ git_config *config = NULL;
	const char *value;

	if (git_repository_config_snapshot(&config, p->git) < 0 ||
	    git_config_get_string(&value, config, key) < 0)
		return GIT_PASSTHROUGH; /* git merges it as text, too */
	err_set(p->err, ERR_REFUSED,
		"%s has the merge driver %s, which afw does not run",
		git_merge_driver_source_ours(src)->path, name);
	err_hint(p->err, "merge with git itself, where %s is checked out",
		 p->m->into);
	return GIT_EUSER;
}

/* Most often the branches have changed different files since one commit. */
static bool merge_apart(const struct plan *p, git_oid *tree)
{
	_git_tree_ git_tree *ours = repo_tree(p->git, &p->m->old, NULL);
	_git_tree_ git_tree *theirs = repo_tree(p->git, &p->m->from, NULL);
	_git_tree_ git_tree *base = NULL;
	git_oidarray bases = {0};
	bool done =
	    ours && theirs &&
	    git_merge_bases(&bases, p->git, &p->m->old, &p->m->from) == 0 &&
	    bases.count == 1 && (base = repo_tree(p->git, bases.ids, NULL)) &&
	    tree_merge(tree, p->git, base, ours, theirs);

	git_oidarray_dispose(&bases);
	return done;
}

/* Sets *tree, unless it refuses. */
static int merge_trees(struct plan *p, git_oid *tree, struct err *err)
{
	struct merge *m = p->m;
	git_merge_options opt;
	_git_index_ git_index *index = NULL;
	int rc;

	if (merge_apart(p, tree))
		return 0;
	git_merge_options_init(&opt, GIT_MERGE_OPTIONS_VERSION);
	rc = git_merge_commits(&index, p->git, p->ours, p->theirs, &opt);
	if (rc == GIT_ENOTFOUND) {
		opt.rename_threshold = MERGE_SAME_CONTENT;
		rc =
		    git_merge_commits(&index, p->git, p->ours, p->theirs, &opt);
	}
	if (rc < 0)
		return rc == GIT_EUSER
			   ? -1
			   : repo_err(err, ERR_FAILED, "merge in memory");
	if (merge_has_conflicts(index))
		return refuse_conflicts(m, index, err);
	return repo_write_tree(tree, index, p->git) < 0
		   ? repo_err(err, ERR_FAILED, "write the tree")
		   : 0;
}

static int make_one(struct plan *p, struct err *err)
{
	struct merge *m = p->m;
	git_oid tree;

	m->how = m->squash ? "squash" : "merge";
	if (merge_trees(p, &tree, err) < 0 || m->refused)
		return m->refused ? 0 : -1;
	/* Otherwise the branch has everything already: result is still old. */
	return !m->squash || !git_oid_equal(&tree, git_commit_tree_id(p->ours))
		   ? commit_tree(p, &tree, err)
		   : 0;
}

/* -- one by one -------------------------------------------------------------
 */

static int replay(struct plan *p, git_rebase *rebase, struct err *err)
{
	git_rebase_operation *op;
	int rc;

	while ((rc = git_rebase_next(&op, rebase)) == 0) {
		_git_index_ git_index *index = NULL;

		if (git_rebase_inmemory_index(&index, rebase) < 0)
			return repo_err(err, ERR_FAILED, "rebase in memory");
		if (merge_has_conflicts(index)) {
			/* "at" of the answer: the commit with the conflict. */
			add_commit(p, json_set_array(p->m->answer, "at"),
				   &op->id);
			return refuse_conflicts(p->m, index, err);
		}
		rc = git_rebase_commit(&p->m->result, rebase, NULL,
				       p->who.committer, NULL, NULL);
		if (rc == GIT_EUSER)
			return -1;
		if (rc < 0 && rc != GIT_EAPPLIED)
			return repo_err(err, ERR_FAILED, "rebase %.10s",
					git_oid_tostr_s(&op->id));
	}
	if (rc == GIT_ITEROVER)
		return 0;
	return rc == GIT_EUSER ? -1
			       : repo_err(err, ERR_FAILED, "rebase in memory");
}

static int rebase(struct plan *p, struct err *err)
{
	_git_annotated_commit_ git_annotated_commit *branch = NULL,
						    *onto = NULL;
	_git_rebase_ git_rebase *rebase = NULL;
	git_rebase_options opt;

	p->m->how = "rebase";
	git_rebase_options_init(&opt, GIT_REBASE_OPTIONS_VERSION);
	opt.inmemory = 1;
	if (repo_is_partial(p->git))
		opt.merge_options.rename_threshold = MERGE_SAME_CONTENT;
	opt.commit_create_cb = sign_commit;
	opt.payload = &p->sign;
	if (git_annotated_commit_lookup(&branch, p->git, &p->m->from) < 0 ||
	    git_annotated_commit_lookup(&onto, p->git, &p->m->old) < 0 ||
	    git_rebase_init(&rebase, p->git, branch, onto, NULL, &opt) < 0)
		return repo_err(err, ERR_FAILED, "rebase in memory");
	return replay(p, rebase, err);
}

/* ------------------------------------------------------------------------- */

static int refuse_shallow(const struct merge *m, struct err *err)
{
	err_set(err, ERR_REFUSED,
		"%s is a shallow clone, in which afw cannot merge",
		m->repo.path);
	return err_hint(err,
			"`git fetch --unshallow` makes it a full one; or `git "
			"merge %s`, there",
			m->branch);
}

static int plan(struct plan *p, struct err *err)
{
	const struct strv none = {0};
	struct merge *m = p->m;
	git_oid common;
	int rc;

	if (git_commit_lookup(&p->ours, p->git, &m->old) < 0 ||
	    git_commit_lookup(&p->theirs, p->git, &m->from) < 0)
		return repo_err(err, ERR_FAILED, "read the branches");
	rc = git_merge_base(&common, p->git, &m->old, &m->from);
	if (rc == GIT_ENOTFOUND)
		return err_set(err, ERR_CONFLICT,
			       "%s and %s have no commit in common", m->branch,
			       m->into);
	/* libgit2 1.5 looks for parents that such a clone lacks. */
	if (rc < 0 && git_repository_is_shallow(p->git) == 1)
		return refuse_shallow(m, err);
	if (rc < 0 || list_commits(p, err) < 0)
		return rc < 0 ? repo_err(err, ERR_FAILED, "compare %s and %s",
					 m->branch, m->into)
			      : -1;
	m->result = m->old;
	m->how = "up-to-date";
	if (git_oid_equal(&common, &m->from))
		return 0;
	if (merge_config_load(m, err) < 0)
		return -1;
	if (git_oid_equal(&common, &m->old) && !m->squash &&
	    (m->rebase || m->ff != MERGE_FF_NO)) {
		m->how = "fast-forward";
		m->result = m->from;
		return 0;
	}
	if (!m->squash && !m->rebase && m->ff == MERGE_FF_ONLY) {
		merge_refuse(m, "not_fast_forward", &none);
		return 0;
	}
	if ((m->two_identities ? identity_load
			       : identity_load_one)(&p->who, p->git, err) < 0 ||
	    sign_use(&p->sign, p->git, &m->req->sign, m->req->place.private,
		     &m->config, err) < 0)
		return -1;
	p->sign.on = p->sign.on && !m->req->dry_run;
	if (git_merge_driver_register("*", &p->driver) < 0)
		return repo_err(err, ERR_FAILED, "set up libgit2");
	return m->rebase ? rebase(p, err) : make_one(p, err);
}

static void plan_finish(struct plan *p)
{
	identity_finish(&p->who);
	git_commit_free(p->ours);
	git_commit_free(p->theirs);
	buf_finish(&p->subjects);
	git_merge_driver_unregister("*");
}

int merge_plan(struct merge *m, struct err *err)
{
	CLEANUP(plan_finish)
	struct plan p = {.driver = {.version = GIT_MERGE_DRIVER_VERSION,
				    .apply = refuse_driver},
			 .err = err,
			 .m = m,
			 .git = m->repo.main};
	int rc = plan(&p, err);

	if (rc < 0 && repo_lacks_object(p.git, err))
		err_hint(
		    err,
		    "to fetch it: `git -C %s merge-tree --write-tree %s %s`",
		    m->repo.path, m->into, m->branch);
	if (rc == 0 && !m->refused && git_oid_equal(&m->result, &m->old))
		m->how = "up-to-date";
	return rc;
}
