/*
 * trash_save.c - all that is in a worktree as a commit, which a reference
 * keeps.
 *
 * Read back from the disk and compared with the files before the reference
 * is made: what is not so is as if nothing had been done. Nothing of the
 * worktree is touched.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "worktrees/ref.h"
#include "worktrees/trash.h"

#define REFS_MAX  100
#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static void add_parent(struct trash *t, const git_oid *oid)
{
	for (size_t i = 0; i < t->n_parents; i++)
		if (git_oid_equal(&t->parents[i], oid))
			return;
	if (t->n_parents < TRASH_PARENTS)
		t->parents[t->n_parents++] = *oid;
}

static int make_commit(struct trash *t, const git_oid *tree_id,
		       const char *what, git_oid *out, struct err *err)
{
	const git_commit *parents[TRASH_PARENTS];
	git_commit *held[TRASH_PARENTS] = {NULL};
	git_signature *who = NULL;
	git_tree *tree = NULL;
	char *text = mem_printf("afw trash: %s\n\n%s\n", t->w.base, what);
	int r = 0;

	if (git_tree_lookup(&tree, t->repo.main, tree_id) < 0 ||
	    git_signature_now(&who, "afw", "afw@localhost") < 0)
		r = -1;
	for (size_t i = 0; r == 0 && i < t->n_parents; i++) {
		r = git_commit_lookup(&held[i], t->repo.main, &t->parents[i]);
		parents[i] = held[i];
	}
	if (r == 0)
		r = git_commit_create(out, t->repo.main, NULL, who, who, NULL,
				      text, tree, t->n_parents,
				      t->n_parents ? parents : NULL);
	if (r < 0)
		repo_err(err, ERR_FAILED, "commit what is in %s", t->w.path);
	for (size_t i = 0; i < t->n_parents; i++)
		git_commit_free(held[i]);
	git_signature_free(who);
	git_tree_free(tree);
	free(text);
	return r < 0 ? -1 : 0;
}

/* What is staged may be neither in HEAD nor in a file. With conflicts there
 * is no tree of it: trash_keep.c. */
static int add_staged(struct trash *t, struct err *err)
{
	git_index *index = NULL;
	git_oid tree, commit;
	int r = 0;

	if (git_repository_index(&index, t->w.git) == 0 &&
	    !git_index_has_conflicts(index) &&
	    git_index_write_tree(&tree, index) == 0) {
		r = make_commit(t, &tree, "What was staged.", &commit, err);
		if (r == 0)
			add_parent(t, &commit);
	}
	git_index_free(index);
	return r;
}

static int add_named(struct trash *t, struct err *err)
{
	git_oid commit;
	bool any;

	if (trash_keep(t, &commit, &any, err) < 0)
		return -1;
	if (any)
		add_parent(t, &commit);
	return 0;
}

static int make_ref(struct trash *t, struct err *err)
{
	int r = GIT_EEXISTS;

	/* One of a run that died keeps what it has. */
	for (int i = 0; r == GIT_EEXISTS && i < REFS_MAX; i++) {
		snprintf(t->ref, sizeof t->ref,
			 i ? TRASH_REFS "%s-%d" : TRASH_REFS "%s", t->id, i);
		r = ref_create(t->repo.main, t->ref, &t->commit, "afw rm");
	}
	return r < 0 ? repo_err(err, ERR_FAILED, "write %s", t->ref) : 0;
}

/* All that was written is on the disk. */
static int sync_git(struct trash *t, struct err *err)
{
	int fd = open(t->w.git_dir, DIR_FLAGS);
	int r = fd >= 0 ? syncfs(fd) : -1;

	if (r < 0)
		err_errno(err, "write %s to the disk", t->w.git_dir);
	if (fd >= 0)
		close(fd);
	return r;
}

static int verify(struct trash *t, int tree, struct err *err)
{
	git_repository *fresh = NULL;
	int r;

	if (git_repository_open(&fresh, t->w.git_dir) < 0)
		return repo_err(err, ERR_FAILED, "open %s", t->w.git_dir);
	r = snapshot_verify(&t->shot, fresh, tree, t->out, err);
	git_repository_free(fresh);
	return r;
}

int trash_save(struct trash *t, struct err *err)
{
	int tree = openat(t->w.parent, t->w.base, DIR_FLAGS), r = -1;

	if (tree < 0)
		return err_errno(err, "open %s", t->w.path);
	t->has_head = git_reference_name_to_id(&t->head, t->w.git, "HEAD") == 0;
	if (t->has_head)
		add_parent(t, &t->head);
	if (snapshot_write(&t->shot, t->repo.main, tree, t->out, err) == 0 &&
	    add_staged(t, err) == 0) {
		if (t->has_tip)
			add_parent(t, &t->tip);
		r = add_named(t, err);
	}
	if (r == 0)
		r = make_commit(t, &t->shot.tree,
				"All files, ignored ones too, as they were.",
				&t->commit, err);
	if (r == 0 && (sync_git(t, err) < 0 || verify(t, tree, err) < 0 ||
		       make_ref(t, err) < 0 || sync_git(t, err) < 0))
		r = -1;
	close(tree);
	return r;
}

void trash_delete_refs(git_repository *git, const char *id)
{
	char name[128];
	git_oid oid;

	for (int i = 0; i < REFS_MAX; i++) {
		snprintf(name, sizeof name,
			 i ? TRASH_REFS "%s-%d" : TRASH_REFS "%s", id, i);
		if (git_reference_name_to_id(&oid, git, name) == 0)
			ref_delete(git, name, &oid);
		else if (i > 0)
			break;
	}
}
