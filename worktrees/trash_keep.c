/*
 * trash_keep.c - what git's entry for a worktree names and nothing else may.
 *
 * In its place git keeps what the entry's log of HEAD, its references and
 * its index name. In the trash git does not see the entry, and gc would
 * prune that: commits that were reset or rebased away, the sides of a
 * conflict, an autostash. So a commit gets them all: commits as its parents,
 * trees and blobs in its tree.
 *
 * Which file names an object is not asked: every text that is an object's
 * name counts. Whoever can write there has the worktree's rights, so there
 * are limits.
 */
#include <dirent.h>
#include <fcntl.h>
#include <git2/sys/commit.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "worktrees/trash.h"

#define OIDS_MAX  ((size_t)65536)
#define BYTES_MAX ((size_t)64 * 1024 * 1024)
#define DEPTH_MAX 16
#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

struct keep {
	git_repository *git;
	git_odb *odb;
	git_oid *oids, *commits, *below; /* all; of those; their parents */
	size_t n, n_commits, n_below, bytes;
	bool full;
	git_treebuilder *tree;
};

static int by_oid(const void *a, const void *b)
{
	return git_oid_cmp(a, b);
}

static void sort(git_oid *v, size_t *n)
{
	size_t kept = 0;

	if (*n)
		qsort(v, *n, sizeof *v, by_oid);
	for (size_t i = 0; i < *n; i++)
		if (i == 0 || !git_oid_equal(&v[i], &v[kept - 1]))
			v[kept++] = v[i];
	*n = kept;
}

static void add(struct keep *k, const git_oid *oid)
{
	/* A log has each twice. Sorted only where that makes much room. */
	if (k->n == 2 * OIDS_MAX && !k->full) {
		sort(k->oids, &k->n);
		k->full = k->n > OIDS_MAX;
	}
	if (!k->full)
		k->oids[k->n++] = *oid;
}

static void scan(struct keep *k, const char *text, size_t len)
{
	static const char hex[] = "0123456789abcdef";
	git_oid oid;

	for (size_t at = 0; at < len;) {
		size_t n = 0;

		while (at + n < len && text[at + n] &&
		       strchr(hex, text[at + n]))
			n++;
		if (n == GIT_OID_HEXSZ &&
		    git_oid_fromstrn(&oid, text + at, n) == 0 &&
		    !git_oid_is_zero(&oid))
			add(k, &oid);
		at += n + 1;
	}
}

/* Closes dir. */
static void scan_dir(struct keep *k, int dir, int depth)
{
	DIR *d = dir < 0 ? NULL : fdopendir(dir);
	struct dirent *e;

	if (!d && dir >= 0)
		close(dir);
	while (d && (e = readdir(d))) {
		struct buf text = {0};

		/* modules: repositories of their own, moved along whole */
		if (e->d_name[0] == '.' || strcmp(e->d_name, "index") == 0 ||
		    strcmp(e->d_name, "modules") == 0)
			continue;
		if (file_read(dirfd(d), e->d_name, BYTES_MAX - k->bytes, &text,
			      NULL) == 0) {
			k->bytes += text.len;
			scan(k, text.data, text.len);
		} else if (depth < DEPTH_MAX) {
			scan_dir(k, openat(dirfd(d), e->d_name, DIR_FLAGS),
				 depth + 1);
		}
		buf_finish(&text);
	}
	if (d)
		closedir(d);
}

/* The tree of what has no conflict. */
static int add_rest(struct keep *k, git_index *index)
{
	git_index *rest = NULL;
	git_oid oid;
	int r = git_index_new(&rest);

	for (size_t i = 0; r == 0 && i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);

		if (!git_index_entry_is_conflict(e))
			r = git_index_add(rest, e);
	}
	if (r == 0)
		r = git_index_write_tree_to(&oid, rest, k->git);
	if (r == 0)
		add(k, &oid);
	git_index_free(rest);
	return r;
}

/* No tree can be made of an index with conflicts: their sides come on their
 * own, and all else where an entry is such that it makes no tree either. */
static void add_conflicts(struct keep *k, git_repository *worktree)
{
	git_index *index = NULL;
	bool all;

	if (git_repository_index(&index, worktree) == 0 &&
	    git_index_has_conflicts(index)) {
		all = add_rest(k, index) < 0;
		for (size_t i = 0; i < git_index_entrycount(index); i++) {
			const git_index_entry *e =
			    git_index_get_byindex(index, i);

			if (all || git_index_entry_is_conflict(e))
				add(k, &e->id);
		}
	}
	git_index_free(index);
}

/* A commit, where what it is made of is there too. */
static void keep_commit(struct keep *k, const git_oid *oid)
{
	git_commit *c = NULL;

	if (git_commit_lookup(&c, k->git, oid) == 0 &&
	    git_odb_exists(k->odb, git_commit_tree_id(c))) {
		k->commits[k->n_commits++] = *oid;
		for (unsigned i = 0; i < git_commit_parentcount(c); i++)
			if (k->n_below < 2 * OIDS_MAX)
				k->below[k->n_below++] =
				    *git_commit_parent_id(c, i);
	}
	git_commit_free(c);
}

static int keep_one(struct keep *k, const git_oid *oid)
{
	git_object_t type;
	size_t len;

	/* Logs name what gc has pruned long ago. */
	if (git_odb_read_header(&len, &type, k->odb, oid) < 0)
		return 0;
	if (type == GIT_OBJECT_COMMIT)
		keep_commit(k, oid);
	else if (type == GIT_OBJECT_TREE || type == GIT_OBJECT_BLOB)
		return git_treebuilder_insert(
		    NULL, k->tree, git_oid_tostr_s(oid), oid,
		    type == GIT_OBJECT_TREE ? GIT_FILEMODE_TREE
					    : GIT_FILEMODE_BLOB);
	return 0;
}

/* One that another has as its parent is kept by that. */
static void keep_tops(struct keep *k)
{
	size_t n = 0;

	sort(k->below, &k->n_below);
	for (size_t i = 0; i < k->n_commits; i++)
		if (!k->n_below ||
		    !bsearch(&k->commits[i], k->below, k->n_below,
			     sizeof *k->below, by_oid))
			k->commits[n++] = k->commits[i];
	k->n_commits = n;
}

static int make_commit(struct keep *k, const char *base, git_oid *out)
{
	const git_oid **tips = mem_alloc((k->n_commits + 1) * sizeof *tips);
	git_signature *who = NULL;
	char *text = mem_printf(
	    "afw trash: %s\n\nWhat git's entry for it names.\n", base);
	git_oid tree;
	int r = git_treebuilder_write(&tree, k->tree);

	for (size_t i = 0; i < k->n_commits; i++)
		tips[i] = &k->commits[i];
	if (r == 0)
		r = git_signature_now(&who, "afw", "afw@localhost");
	if (r == 0)
		r = git_commit_create_from_ids(out, k->git, NULL, who, who,
					       NULL, text, &tree, k->n_commits,
					       tips);
	git_signature_free(who);
	free(text);
	free(tips);
	return r;
}

/* Whether there is nothing but what is checked out. */
static bool is_head(const struct keep *k, const struct trash *t)
{
	return git_treebuilder_entrycount(k->tree) == 0 &&
	       (k->n_commits == 0 || (k->n_commits == 1 && t->has_head &&
				      git_oid_equal(&k->commits[0], &t->head)));
}

int trash_keep(struct trash *t, git_oid *commit, bool *any, struct err *err)
{
	struct keep k = {.git = t->repo.main};
	int r;

	*any = false;
	k.oids = mem_alloc(2 * OIDS_MAX * sizeof *k.oids);
	k.commits = mem_alloc(2 * OIDS_MAX * sizeof *k.commits);
	k.below = mem_alloc(2 * OIDS_MAX * sizeof *k.below);
	r = git_repository_odb(&k.odb, k.git);
	if (r == 0)
		r = git_treebuilder_new(&k.tree, k.git, NULL);
	if (r == 0) {
		add_conflicts(&k, t->w.git);
		scan_dir(
		    &k,
		    openat(t->w.admins, repo_basename(t->w.admin), DIR_FLAGS),
		    0);
		sort(k.oids, &k.n);
		for (size_t i = 0; r == 0 && i < k.n; i++)
			r = keep_one(&k, &k.oids[i]);
	}
	keep_tops(&k);
	*any = r == 0 && !is_head(&k, t);
	if (*any)
		r = make_commit(&k, t->w.base, commit);
	if (r < 0)
		repo_err(err, ERR_FAILED, "keep what %s names", t->w.admin);
	git_treebuilder_free(k.tree);
	git_odb_free(k.odb);
	free(k.below);
	free(k.commits);
	free(k.oids);
	return r < 0 ? -1 : 0;
}
