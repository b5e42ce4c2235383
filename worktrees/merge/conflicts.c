/*
 * conflicts.c - finds which worktrees change the same files and lines: each
 * pair is merged in memory, with uncommitted work, and then all in turn into
 * the branch that they are for. Nothing is written.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "worktrees/changes/snapshot.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/tree_diff.h"
#include "worktrees/git/tree_merge.h"
#include "worktrees/limits.h"
#include "worktrees/merge/merge.h"
#include "worktrees/operations.h"

#define MAX_SIDES 50
#define MAX_FILES 200

/* One of the compared sides; the branch is the last. */
struct side {
	const char *name; /* borrowed from the request */
	git_oid commit, tree;
	git_oid base;	   /* base of paths */
	struct strv paths; /* changed since, in git's order */
	bool has_paths;
	size_t conflicts; /* number of other sides with which it conflicts */
};

struct conflicts {
	struct repo repo;
	git_odb *odb;
	struct side sides[MAX_SIDES + 1];
	size_t n; /* without the branch */
	cJSON *answer, *pairs;
};

/* Most sides have the same base, so the last result is kept. */
static int find_paths(const struct conflicts *c, struct side *s,
		      const git_oid *base, struct err *err)
{
	_git_tree_ git_tree *from = NULL, *to = NULL;
	_git_diff_ git_diff *diff = NULL;

	if (s->has_paths && git_oid_equal(&s->base, base))
		return 0;
	strv_finish(&s->paths);
	s->has_paths = false;
	from = repo_tree(c->repo.main, base, NULL);
	if (!from || git_tree_lookup(&to, c->repo.main, &s->tree) < 0 ||
	    tree_diff_git(&diff, c->repo.main, from, to, 0) < 0)
		return repo_err(err, ERR_FAILED, "compare %s", s->name);
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++)
		strv_add(&s->paths, git_diff_get_delta(diff, i)->new_file.path);
	s->base = *base;
	s->has_paths = true;
	return 0;
}

/* Both are in git's order. */
static void find_common(const struct strv *a, const struct strv *b,
			struct strv *out)
{
	for (size_t i = 0, j = 0; i < a->n && j < b->n;) {
		int order = strcmp(a->v[i], b->v[j]);

		if (order == 0 && out->n < MAX_FILES)
			strv_add(out, a->v[i]);
		i += order <= 0;
		j += order >= 0;
	}
}

/* Merges both in memory, to be freed; NULL with err. */
static git_index *merge_two(const struct conflicts *c, const git_oid *base,
			    const git_oid *ours, const git_oid *theirs,
			    struct err *err)
{
	_git_tree_ git_tree *from = repo_tree(c->repo.main, base, NULL);
	_git_tree_ git_tree *a = NULL, *b = NULL;
	git_merge_options opt;
	git_index *index = NULL;
	int rc = -1;

	git_merge_options_init(&opt, GIT_MERGE_OPTIONS_VERSION);
	if (from && git_tree_lookup(&a, c->repo.main, ours) == 0 &&
	    git_tree_lookup(&b, c->repo.main, theirs) == 0)
		rc = git_merge_trees(&index, c->repo.main, from, a, b, &opt);
	if (rc == GIT_ENOTFOUND) {
		opt.rename_threshold = MERGE_SAME_CONTENT;
		rc = git_merge_trees(&index, c->repo.main, from, a, b, &opt);
	}
	if (rc < 0)
		repo_err(err, ERR_FAILED, "merge in memory");
	return index;
}

static int add_pair(struct conflicts *c, struct side *a, struct side *b,
		    const git_oid *base, const struct strv *common,
		    struct err *err)
{
	_git_index_ git_index *index =
	    merge_two(c, base, &a->tree, &b->tree, err);
	int64_t n = 0;
	cJSON *found =
	    index ? merge_conflicts(c->repo.main, index, &n, err) : NULL;
	cJSON *o;

	if (!found)
		return -1;
	a->conflicts += n > 0;
	b->conflicts += n > 0;
	o = cJSON_CreateObject();
	json_set_str(o, "a", a->name);
	json_set_str(o, "b", b->name);
	json_set_bool(o, "base", b == &c->sides[c->n]);
	json_set_strv(o, "files", common);
	cJSON_AddItemToObject(o, "conflicts", found);
	cJSON_AddItemToArray(c->pairs, o);
	return 0;
}

static int compare(struct conflicts *c, struct side *a, struct side *b,
		   struct err *err)
{
	_strv_ struct strv common = {0};
	git_oid base;
	int rc = git_merge_base(&base, c->repo.main, &a->commit, &b->commit);

	if (rc < 0)
		return rc == GIT_ENOTFOUND
			   ? 0
			   : repo_err(err, ERR_FAILED, "compare %s and %s",
				      a->name, b->name);
	if (find_paths(c, a, &base, err) < 0 ||
	    find_paths(c, b, &base, err) < 0)
		return -1;
	find_common(&a->paths, &b->paths, &common);
	return common.n ? add_pair(c, a, b, &base, &common, err) : 0;
}

/* -- one after the other -----------------------------------------------------
 */

static int by_conflicts(const void *a, const void *b)
{
	const struct side *const *x = a, *const *y = b;

	if ((*x)->conflicts != (*y)->conflicts)
		return (*x)->conflicts < (*y)->conflicts ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

/* Adds theirs to *ours; false: that is not as simple. */
static bool merge_apart(const struct conflicts *c, const git_oid *base,
			git_oid *ours, const git_oid *theirs)
{
	_git_tree_ git_tree *from = repo_tree(c->repo.main, base, NULL);
	_git_tree_ git_tree *a = NULL, *b = NULL;

	return from && git_tree_lookup(&a, c->repo.main, ours) == 0 &&
	       git_tree_lookup(&b, c->repo.main, theirs) == 0 &&
	       tree_merge(ours, c->repo.main, from, a, b);
}

/* Merges s into *tree and returns 1 if that has no conflict. */
static int merge_side(const struct conflicts *c, const struct side *s,
		      git_oid *tree, struct err *err)
{
	_git_index_ git_index *index = NULL;
	git_oid base;

	if (git_merge_base(&base, c->repo.main, &c->sides[c->n].commit,
			   &s->commit) < 0)
		return 0;
	if (merge_apart(c, &base, tree, &s->tree))
		return 1;
	index = merge_two(c, &base, tree, &s->tree, err);
	if (!index)
		return -1;
	if (merge_has_conflicts(index))
		return 0;
	return repo_write_tree(tree, index, c->repo.main) < 0
		   ? repo_err(err, ERR_FAILED, "merge in memory")
		   : 1;
}

/* Tries the sides with the fewest conflicts first, so that most are merged. */
static int find_order(struct conflicts *c, struct err *err)
{
	struct side *list[MAX_SIDES];
	_strv_ struct strv order = {0}, rest = {0};
	git_oid tree = c->sides[c->n].tree;
	size_t n = 0;
	int goes = 0;

	/* paths are now those against the branch, the last pair */
	for (size_t i = 0; i < c->n; i++)
		if (c->sides[i].paths.n)
			list[n++] = &c->sides[i];
	qsort(list, n, sizeof *list, by_conflicts);
	for (size_t i = 0; i < n && goes >= 0; i++) {
		goes = merge_side(c, list[i], &tree, err);
		strv_add(goes > 0 ? &order : &rest, list[i]->name);
	}
	json_set_strv(c->answer, "order", &order);
	json_set_strv(c->answer, "in_the_way", &rest);
	return goes < 0 ? -1 : 0;
}

/* -- who is compared ---------------------------------------------------------
 */

static int open_branch(struct conflicts *c, const char *into, struct err *err)
{
	struct side *s = &c->sides[c->n];
	_git_object_ git_object *found = NULL, *commit = NULL;

	s->name = into;
	if (git_revparse_single(&found, c->repo.main, into) < 0 ||
	    git_object_peel(&commit, found, GIT_OBJECT_COMMIT) < 0) {
		err_set(err, ERR_FAILED, "there is no branch %.200s in %s",
			into, c->repo.path);
		return err_hint(err, "--into BRANCH names another");
	}
	s->commit = *git_object_id(commit);
	s->tree = *git_commit_tree_id((git_commit *)commit);
	return 0;
}

/* The session's work is a commit; or its worktree as it is. */
static int find_work(struct conflicts *c, struct side *s,
		     const struct conflicts_side *from, struct err *err)
{
	_git_tree_ git_tree *tree = NULL;

	if (!from->work)
		return snapshot_take(&from->place, c->odb, &s->commit, &s->tree,
				     err);
	if (git_oid_fromstr(&s->commit, from->work) < 0 ||
	    !(tree = repo_tree(c->repo.main, &s->commit, err)))
		return -1;
	s->tree = *git_tree_id(tree);
	return 0;
}

/* A session whose worktree is gone or broken does not hide the others. */
static void add_sides(struct conflicts *c, const struct conflicts_request *req)
{
	cJSON *list = json_set_array(c->answer, "sessions");
	cJSON *left_out = json_set_array(c->answer, "left_out");
	const struct conflicts_side *sides = req->sessions.v;

	for (size_t i = 0; i < req->sessions.n; i++) {
		struct side *s = &c->sides[c->n];
		cJSON *o = cJSON_CreateObject();
		struct err why = {0};

		*s = (struct side){.name = sides[i].name};
		json_set_str(o, "name", s->name);
		if (find_work(c, s, &sides[i], &why) == 0 &&
		    limits_check(&why) == 0) {
			cJSON_AddItemToArray(list, o);
			c->n++;
		} else {
			json_set_str(o, "why", why.what);
			cJSON_AddItemToArray(left_out, o);
			limits_drop_file();
		}
	}
}

static int conflicts(struct conflicts *c, const struct conflicts_request *req,
		     struct output *out, struct err *err)
{
	if (req->sessions.n > MAX_SIDES)
		return err_set(err, ERR_LIMIT, "more than %d sessions at once",
			       MAX_SIDES);
	if (snapshot_begin(&c->odb, c->repo.main, err) < 0)
		return -1;
	add_sides(c, req);
	if (open_branch(c, req->into, err) < 0)
		return -1;
	for (size_t i = 0; i < c->n; i++)
		for (size_t j = i + 1; j <= c->n; j++)
			if (output_check(out, err) < 0 ||
			    compare(c, &c->sides[i], &c->sides[j], err) < 0)
				return -1;
	return find_order(c, err);
}

static void conflicts_free(struct conflicts *c)
{
	for (size_t i = 0; i <= c->n; i++)
		strv_finish(&c->sides[i].paths);
	git_odb_free(c->odb);
	repo_finish(&c->repo);
	free(c);
}

CLEANUP_POINTER(struct conflicts, conflicts_free)

int worktree_conflicts(struct output *out, const struct conflicts_request *req,
		       cJSON *answer, struct err *err)
{
	CLEANUP(conflicts_free_at) struct conflicts *c = mem_alloc(sizeof *c);

	c->answer = answer;
	json_set_str(answer, "into", req->into);
	c->pairs = json_set_array(answer, "pairs");
	if (repo_open(&c->repo, req->repository, err) < 0)
		return -1;
	return conflicts(c, req, out, err);
}
