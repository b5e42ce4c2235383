/* spare_make.c - makes spares, and removes those that are of no use any more.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/delete_tree.h"
#include "base/random.h"
#include "worktrees/create/create.h"
#include "worktrees/operations.h"
#include "worktrees/wait_lock.h"

struct count {
	int64_t wanted, usable, changed;
};

/* Removes one that is as it was made. reconcile deletes a directory of this
 * name. */
static void remove_spare(const struct create *c, const char *id,
			 const char *base, int tree)
{
	CLEANUP(spare_finish) struct spare s = SPARE_NONE;
	_free_ char *why = NULL;
	char name[48], hex[33];
	struct err err;

	random_hex(hex, 32);
	snprintf(name, sizeof name, ".purged-%s", hex);
	if (!spare_open(&s, c->admins, id, true) ||
	    !spare_is_as_made(&s, tree, -1, &why) ||
	    file_rename_new(c->dir, base, c->dir, name) < 0)
		return;
	mark_remove_entry(c->admins, id, &err);
	delete_tree(c->dir, name, &err);
}

/* Without its lock: a `new` may take it meanwhile. */
static void count_one(struct create *c, const char *id, const char *as,
		      struct count *n)
{
	CLEANUP(spare_finish) struct spare s = SPARE_NONE;
	_free_ char *path = NULL, *why = NULL;
	_close_ int tree = -1;

	if (!spare_open(&s, c->admins, id, false) ||
	    !(path = spare_directory(&s)) || !file_is_below(path, c->place.dir))
		return;
	tree = openat(c->dir, repo_basename(path), FILE_DIR_FLAGS);
	if (tree < 0)
		return;
	if (!spare_is_as_made(&s, tree, -1, &why))
		n->changed++;
	else if (n->usable < n->wanted && spare_fits(c, &s, as, tree))
		n->usable++;
	else
		remove_spare(c, id, repo_basename(path), tree);
}

/* Counts those that can be used, and removes those that cannot, and are as they
 * were made. */
static int count_all(struct create *c, struct count *n, struct err *err)
{
	_strv_ struct strv found = {0};
	_free_ char *as = spare_made_with(c, &found, err);
	_dir_ DIR *d = file_list(c->admins, ".");
	const char *id;

	if (!as)
		return -1;
	spare_sweep(c->admins, true, NULL);
	while ((id = file_list_next(d)))
		if (random_is_named(id, SPARE_ENTRY, SPARE_HEX))
			count_one(c, id, as, n);
	return 0;
}

static int count(struct output *out, const struct create_request *req,
		 struct count *n, int *lock, struct err *err)
{
	struct create c = {.out = out, .req = req, .admins = -1};
	_free_ char *admins = NULL;
	int rc;

	if (repo_open(&c.repo, req->path, err) < 0)
		return -1;
	c.like = c.repo.here;
	if (base_commit_find(&c.base, &c.repo, req->base, err) < 0) {
		repo_finish(&c.repo);
		return -1;
	}
	c.place.dir =
	    file_join(req->location ? req->location : c.repo.parent, PLACE_DIR);
	admins = file_join(c.repo.git_dir, "worktrees");
	c.admins = open(admins, FILE_DIR_FLAGS);
	c.dir = *lock = open(c.place.dir, FILE_DIR_FLAGS);
	if (c.dir < 0)
		rc = err_errno(err, "open %s", c.place.dir);
	else /* One run makes spares at a time. */
		rc = wait_lock(c.dir, c.place.dir, out, err) < 0
			 ? -1
			 : count_all(&c, n, err);
	file_reset(&c.admins);
	base_commit_finish(&c.base);
	place_finish(&c.place);
	repo_finish(&c.repo);
	return rc;
}

int worktree_spare(struct output *out, const struct spare_request *req,
		   cJSON *answer, struct err *err)
{
	struct strv none = {0};
	struct create_request rq = {.path = req->path,
				    .repository = req->repository,
				    .location = req->location,
				    .base = req->base,
				    .copy = req->copy,
				    .link = req->link,
				    .setup_spare = req->setup_spare,
				    .sparse = &none,
				    .render = &none,
				    .vars = &none,
				    .setup = &none,
				    .setup_timeout_ms = req->setup_timeout_ms,
				    .foreign = req->foreign};
	struct spare_made made = {.free_percent = req->free_percent};
	struct count n = {.wanted = req->count};
	_close_ int lock = -1;
	int rc = count(out, &rq, &n, &lock, err);
	/* What changes them may change each: there are never many. */
	bool more = rc == 0 && n.usable < n.wanted && n.changed <= n.wanted;

	if (more)
		rc = create_run(out, &rq, &made, answer, err);
	free(made.as);
	buf_finish(&made.list.rows);
	json_set_bool(answer, "made", more);
	json_set_int(answer, "spares", n.usable + more);
	json_set_int(answer, "changed", n.changed);
	return rc;
}
