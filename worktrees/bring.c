/*
 * bring.c - objects of a private git directory that the repository has not.
 *
 * What is read there is objects alone, by their own names: each is hashed and
 * parsed, and all that it names has to be there or in the repository. No
 * reference, configuration or alternate store of the agent's leads anywhere.
 * They arrive as one pack.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>

#include "base/file.h"
#include "base/mem.h"
#include "worktrees/private_git.h"

/* -- what is new -------------------------------------------------------------
 */

struct object {
	git_oid oid;
	git_object_t type;
};

/* Each object once, in the order that it was found; slots: 1 + its place. */
struct fresh {
	struct object *list;
	size_t n, *slots, n_slots;
	git_odb *home; /* what is there need not be brought */
	git_odb *both;
};

static size_t slot_of(const struct fresh *f, const git_oid *oid)
{
	size_t at;

	memcpy(&at, oid->id, sizeof at);
	for (at %= f->n_slots; f->slots[at]; at = (at + 1) % f->n_slots)
		if (git_oid_equal(&f->list[f->slots[at] - 1].oid, oid))
			break;
	return at;
}

static void make_room(struct fresh *f)
{
	if (f->n * 2 < f->n_slots)
		return;
	f->n_slots = f->n_slots ? f->n_slots * 2 : 1024;
	free(f->slots);
	f->slots = mem_alloc(f->n_slots * sizeof *f->slots);
	for (size_t i = 0; i < f->n; i++)
		f->slots[slot_of(f, &f->list[i].oid)] = i + 1;
}

static void add(struct fresh *f, const git_oid *oid, git_object_t type)
{
	size_t at;

	make_room(f);
	at = slot_of(f, oid);
	if (f->slots[at] || git_odb_exists(f->home, oid))
		return;
	f->list = mem_grow(f->list, f->n, sizeof *f->list);
	f->list[f->n++] = (struct object){.oid = *oid, .type = type};
	f->slots[at] = f->n;
}

/* As git fsck has it: no path that leads out of a tree, or into .git. */
static bool is_name(const char *name)
{
	return name[0] && !strchr(name, '/') && strcmp(name, ".") != 0 &&
	       strcmp(name, "..") != 0 && strcasecmp(name, ".git") != 0;
}

static int look_at_tree(struct fresh *f, git_repository *git,
			const git_oid *oid, struct err *err)
{
	git_tree *tree;

	if (git_tree_lookup(&tree, git, oid) < 0)
		return repo_err(err, ERR_FAILED, "read its tree %s",
				git_oid_tostr_s(oid));
	for (size_t i = 0; i < git_tree_entrycount(tree); i++) {
		const git_tree_entry *e = git_tree_entry_byindex(tree, i);
		git_object_t type = git_tree_entry_type(e);

		if (!is_name(git_tree_entry_name(e))) {
			git_tree_free(tree);
			return err_set(err, ERR_FAILED,
				       "its tree %s has a file that git "
				       "forbids",
				       git_oid_tostr_s(oid));
		}
		if (type != GIT_OBJECT_COMMIT) /* a submodule's */
			add(f, git_tree_entry_id(e), type);
	}
	git_tree_free(tree);
	return 0;
}

static int look_at_commit(struct fresh *f, git_repository *git,
			  const git_oid *oid, struct err *err)
{
	git_commit *commit;

	if (git_commit_lookup(&commit, git, oid) < 0)
		return repo_err(err, ERR_FAILED, "read its commit %s",
				git_oid_tostr_s(oid));
	add(f, git_commit_tree_id(commit), GIT_OBJECT_TREE);
	for (unsigned i = 0; i < git_commit_parentcount(commit); i++)
		add(f, git_commit_parent_id(commit, i), GIT_OBJECT_COMMIT);
	git_commit_free(commit);
	return 0;
}

static int look_at_file(const struct fresh *f, const git_oid *oid,
			struct err *err)
{
	git_object_t type;
	size_t size;

	if (git_odb_read_header(&size, &type, f->both, oid) < 0)
		return repo_err(err, ERR_FAILED, "read its file %s",
				git_oid_tostr_s(oid));
	return type == GIT_OBJECT_BLOB
		   ? 0
		   : err_set(err, ERR_FAILED, "its object %s is no file",
			     git_oid_tostr_s(oid));
}

static int find(struct fresh *f, git_repository *git, const git_oid *tip,
		struct err *err)
{
	int rc = 0;

	add(f, tip, GIT_OBJECT_COMMIT);
	for (size_t i = 0; rc == 0 && i < f->n; i++) {
		git_oid oid = f->list[i].oid; /* the list moves */

		if (f->list[i].type == GIT_OBJECT_COMMIT)
			rc = look_at_commit(f, git, &oid, err);
		else if (f->list[i].type == GIT_OBJECT_TREE)
			rc = look_at_tree(f, git, &oid, err);
		else
			rc = look_at_file(f, &oid, err);
	}
	return rc;
}

/* -- bringing it -------------------------------------------------------------
 */

/* Its own objects, not those of an alternate store that it names. */
static int open_both(git_odb **out, const char *private_dir,
		     const struct repo_worktree *w)
{
	char *own = file_join(private_dir, "objects"),
	     *home = file_join(w->git_dir, "objects");
	git_odb_backend *loose = NULL, *packs = NULL;
	int rc = git_odb_open(out, home);

	if (rc == 0)
		rc = git_odb_backend_loose(&loose, own, -1, 0, 0, 0);
	if (rc == 0)
		rc = git_odb_add_backend(*out, loose, 1);
	if (rc == 0)
		rc = git_odb_backend_pack(&packs, own);
	if (rc == 0)
		rc = git_odb_add_backend(*out, packs, 1);
	free(own);
	free(home);
	return rc;
}

static int write_pack(const struct fresh *f, git_repository *both,
		      const char *git_dir, struct err *err)
{
	char *dir = mem_printf("%s/objects/pack", git_dir);
	git_packbuilder *pack = NULL;
	int rc = git_packbuilder_new(&pack, both);

	for (size_t i = 0; rc == 0 && i < f->n; i++)
		rc = git_packbuilder_insert(pack, &f->list[i].oid, NULL);
	if (rc == 0)
		rc = git_packbuilder_write(pack, dir, 0444, NULL, NULL);
	git_packbuilder_free(pack);
	free(dir);
	return rc < 0 ? repo_err(err, ERR_FAILED, "bring its commits") : 0;
}

int private_git_bring(const struct repo_worktree *w, const char *private_dir,
		      const git_oid *tip, struct err *err)
{
	struct fresh f = {0};
	git_repository *both = NULL;
	int rc = 0;

	if (git_repository_odb(&f.home, w->git) < 0 ||
	    open_both(&f.both, private_dir, w) < 0 ||
	    git_repository_wrap_odb(&both, f.both) < 0)
		rc = repo_err(err, ERR_FAILED, "open %s", private_dir);
	if (rc == 0)
		rc = find(&f, both, tip, err);
	if (rc == 0 && f.n > 0)
		rc = write_pack(&f, both, w->git_dir, err);
	git_repository_free(both);
	git_odb_free(f.both);
	git_odb_refresh(f.home);
	git_odb_free(f.home);
	free(f.list);
	free(f.slots);
	return rc;
}
