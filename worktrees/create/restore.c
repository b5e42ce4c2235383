/*
 * restore.c - makes a new worktree like another one, as that is in one of its
 * checkpoints: the commit, the files as they were on disk, the index.
 *
 * The result is read back and must be the same. It is the new worktree's first
 * checkpoint: so `new` knows, when it rolls back, that nothing was added.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "worktrees/checkpoint/checkpoint.h"
#include "worktrees/checkpoint/modes.h"
#include "worktrees/create/create.h"
#include "worktrees/git/checkout.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/sparse_index.h"

/* -- the checkpoint -------------------------------------------------------- */

/* Without a number, which only a dry run lacks: the present commit. */
static int find_checkpoint(struct create *c, struct err *err)
{
	_checkpoint_log_ struct checkpoint_log log = {0};

	if (!c->from->number)
		return git_reference_name_to_id(&c->to.commit, c->model.git,
						"HEAD") == 0 ||
			       git_repository_head_unborn(c->model.git) == 1
			   ? 0
			   : repo_err(err, ERR_FAILED, "read its HEAD");
	if (checkpoint_log_read(&log, &c->model, err) < 0 ||
	    checkpoint_find(&c->to, &log, c->model.git, c->from->number, err) <
		0)
		return -1;
	return !c->to.unfinished
		   ? 0
		   : err_set(err, ERR_CONFLICT,
			     "at checkpoint %" PRId64
			     " a merge, rebase or the like was unfinished",
			     c->from->number);
}

int create_find_checkpoint(struct create *c, struct err *err)
{
	_git_tree_ git_tree *tree = NULL;

	if (repo_worktree_open(&c->model, &c->from->place, err) < 0 ||
	    find_checkpoint(c, err) < 0)
		return err_prefix(err, "%s", c->from->name);
	if (git_oid_is_zero(&c->to.commit))
		return err_set(err, ERR_FAILED, "%s has no commit yet",
			       c->from->name);
	tree = repo_tree(c->repo.main, &c->to.commit, err);
	if (!tree)
		return -1;
	c->base.commit = c->to.commit;
	c->base.tree = *git_tree_id(tree);
	c->base.name = mem_strdup(c->from->place.branch);
	c->like = c->model.git;
	return 0;
}

/* -- the files ------------------------------------------------------------- */

static int make_dir(const struct create *c, const char *path, struct err *err)
{
	const char *last;
	_close_ int dir = file_open_parent(c->tree, ".", path, 0777, &last);

	if (dir < 0 || (mkdirat(dir, last, 0777) < 0 && errno != EEXIST))
		return err_errno(err, "make directory %s", path);
	return 0;
}

static int set_modes(const struct create *c, struct err *err)
{
	const struct modes m = {.umask = c->to.umask, .at = c->tree};
	_strv_ struct strv left = {0};

	modes_restore(&m, &left, &c->to.modes, NULL);
	modes_restore(&m, &(struct strv){0}, &c->to.modes, &left);
	return left.n ? err_set(err, ERR_FAILED, "set the permissions of %s",
				left.v[0])
		      : 0;
}

/* Fills files with those of the checkpoint, and their stat data. */
static int write_files(struct create *c, git_index *files, struct err *err)
{
	struct checkout co = {.admin = c->admin,
			      .path = c->place.path,
			      .dir = c->tree,
			      .index = files,
			      .source = -1,
			      .raw = true,
			      .symlinks = true,
			      .out = c->out};
	_git_tree_ git_tree *tree = NULL;
	int rc = 0;

	if (git_tree_lookup(&tree, c->repo.main, &c->to.files) < 0 ||
	    git_index_read_tree(files, tree) < 0)
		return repo_err(err, ERR_FAILED, "read the checkpoint");
	if (checkout_run(&co, err) < 0)
		return -1;
	c->files = git_index_entrycount(files);
	for (size_t i = 0; rc == 0 && i < c->to.empty.n; i++)
		rc = make_dir(c, c->to.empty.v[i], err);
	return rc == 0 ? set_modes(c, err) : -1;
}

/* -- the index ------------------------------------------------------------- */

/* A file that is as the index has it gets its new stat data: git need not read
 * it. A submodule, which is left out, gets its directory. */
static int adapt_entry(const struct create *c, git_index_entry *e,
		       git_index *files, struct err *err)
{
	const git_index_entry *f = git_index_get_bypath(files, e->path, 0);
	_free_ char *nested = mem_printf("%s/", e->path);

	if (f && f->mode == e->mode && git_oid_equal(&f->id, &e->id))
		index_entry_take_stat(e, f);
	return e->mode == GIT_FILEMODE_COMMIT &&
		       strv_has(&c->to.left_out, nested)
		   ? make_dir(c, e->path, err)
		   : 0;
}

static int write_index(struct create *c, git_index *files, struct err *err)
{
	_free_ char *path = file_join(c->admin, "index");
	_git_blob_ git_blob *blob = NULL;
	_git_index_ git_index *index = NULL;

	if (git_blob_lookup(&blob, c->repo.main, &c->to.index) < 0)
		return repo_err(err, ERR_FAILED, "read the checkpoint");
	if (file_replace(c->entry, "index", git_blob_rawcontent(blob),
			 (size_t)git_blob_rawsize(blob), false, err) < 0)
		return -1;
	if (sparse_index_replace(&index, path, c->repo.main) < 0)
		return repo_err(err, ERR_FAILED, "read %s", path);
	for (size_t i = 0; i < git_index_entrycount(index); i++)
		if (adapt_entry(
			c, (git_index_entry *)git_index_get_byindex(index, i),
			files, err) < 0)
			return -1;
	return git_index_write(index) < 0
		   ? repo_err(err, ERR_FAILED, "write %s", path)
		   : 0;
}

/* -- the proof ------------------------------------------------------------- */

static int check(const struct create *c, const struct checkpoint *now,
		 struct err *err)
{
	return git_oid_equal(&now->files, &c->to.files) &&
		       git_oid_equal(&now->commit, &c->to.commit) &&
		       strcmp(now->index_is, c->to.index_is) == 0
		   ? 0
		   : err_set(err, ERR_FAILED,
			     "%s is not as in checkpoint %" PRId64 " of %s",
			     c->place.path, c->from->number, c->from->name);
}

int create_add_checkpoint(struct create *c, const char *text, struct err *err)
{
	_repo_worktree_ struct repo_worktree w = REPO_WORKTREE_NONE;
	_checkpoint_log_ struct checkpoint_log log = {0};
	_checkpoint_ struct checkpoint now = {0};
	_git_odb_ git_odb *odb = NULL;
	_git_tree_ git_tree *files = NULL;
	const struct repo_place made = {.repository = c->repo.path,
					.worktree = c->place.path,
					.worktree_id = c->place.id};
	_scan_ struct scan s = {.w = &w,
				.umask = c->to.umask,
				.file_max = c->from ? c->from->file_max
						    : CHECKPOINT_FILE_MAX};

	if (repo_worktree_open(&w, &made, err) < 0)
		return -1;
	repo_share(w.git);
	if (git_repository_odb(&odb, w.git) < 0 ||
	    git_tree_lookup(&files, w.git, &c->to.files) < 0)
		return repo_err(err, ERR_FAILED, "open the object store");
	s.odb = odb;
	s.also = files;
	now.kind = mem_strdup(CHECKPOINT_NEW);
	now.text = mem_strdup(text);
	if (checkpoint_take(&now, &s, NULL, NULL, err) < 0 ||
	    (c->from && check(c, &now, err) < 0) ||
	    checkpoint_add(&log, &now, &w, CHECKPOINT_KEEP, 0, err) < 0)
		return -1;
	scan_remember(&s);
	return 0;
}

static void warn_left_out(struct create *c)
{
	_buf_ struct buf text = {0};

	for (size_t i = 0; i < c->to.left_out.n; i++)
		buf_addf(&text, "%s%s", i ? ", " : "", c->to.left_out.v[i]);
	if (text.len)
		strv_addf(&c->warnings, "left out: %s", text.data);
}

int create_restore(struct create *c, struct err *err)
{
	_git_index_ git_index *files = NULL;
	_free_ char *text =
	    mem_printf("from %s@%" PRId64, c->from->name, c->from->number);
	mode_t users = umask(0);
	int rc;

	umask(users);
	if (create_take_over(c, err) < 0)
		return -1;
	if (git_index_new(&files) < 0)
		return repo_err(err, ERR_FAILED, "list the files");
	umask(users | c->to.umask); /* what was private stays so */
	if (write_files(c, files, err) < 0 || write_index(c, files, err) < 0 ||
	    create_write_file(c->tree, ".git", err, "gitdir: %s\n", c->admin) <
		0)
		return -1;
	umask(users);
	rc = create_add_checkpoint(c, text, err);
	umask(users);
	warn_left_out(c);
	return rc;
}
