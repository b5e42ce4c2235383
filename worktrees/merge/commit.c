/*
 * commit.c - commits the uncommitted files of a session's worktree on its
 * branch. Objects first, then git's index, then the branch, each in one step.
 *
 * In a sandbox, index and branch are in the agent's private git directory: the
 * commit is made in the repository, copied there, and imported as the agent's
 * own commits are (harvest.c), even if this ends half-way.
 *
 * Hooks are not run here. They get a copy of the index with all files, beside
 * git's index ("stage"); the result that they leave there is committed
 * ("staged").
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/git_program.h"
#include "worktrees/changes/submodule.h"
#include "worktrees/changes/work.h"
#include "worktrees/checkpoint/checkpoint.h"
#include "worktrees/checkpoint/undo_recover.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/identity.h"
#include "worktrees/git/index_lock.h"
#include "worktrees/git/sign.h"
#include "worktrees/limits.h"
#include "worktrees/git/hooks.h"
#include "worktrees/private/git_lock.h"
#include "worktrees/private/import_objects.h"
#include "worktrees/private/harvest.h"
#include "worktrees/merge/commit_index.h"
#include "worktrees/operations.h"

#define MAX_LISTED 1000
#define STAGED	   "afw-commit.index"

/* The hooks that git commit runs. */
static const char *const hooks[] = {"pre-commit", "prepare-commit-msg",
				    "commit-msg", "post-commit", NULL};

struct commit {
	struct repo_worktree w;
	const char *branch, *private;
	bool stage;	/* only makes the index staged */
	bool is_staged; /* the index staged has the files to commit */
	char *ref, *message, *staged;
	git_oid head, oid; /* before, and the new one */
	struct strv files;
	struct identity who;
	struct sign sign;
	struct git_lock git; /* git's locks; its copy of the index is the old */
	struct index_lock lock;
	git_index *index;
};

/* Lists the files of the commit, which the agent or a hook may have changed
 * meanwhile. */
static int list_files(struct commit *c, git_tree *new, struct err *err)
{
	_git_tree_ git_tree *old = repo_tree(c->w.git, &c->head, err);
	_git_diff_ git_diff *diff = NULL;

	if (!old)
		return -1;
	if (git_diff_tree_to_tree(&diff, c->w.git, old, new, NULL) < 0)
		return repo_err(err, ERR_FAILED, "list its files");
	strv_finish(&c->files);
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++)
		strv_add(&c->files, git_diff_get_delta(diff, i)->new_file.path);
	/* After `git rm --cached` of a file that is added again. */
	return c->files.n
		   ? 0
		   : err_set(err, ERR_FAILED, "all of its work is committed");
}

static int write_commit(struct commit *c, struct output *out, struct err *err)
{
	_git_commit_ git_commit *head = NULL;
	_git_tree_ git_tree *tree = NULL;
	git_oid oid;
	int rc;

	if ((c->private || c->is_staged
		 ? commit_index_write_tree(&oid, c->index, c->w.git)
		 : git_index_write_tree(&oid, c->index)) < 0 ||
	    git_tree_lookup(&tree, c->w.git, &oid) < 0 ||
	    git_commit_lookup(&head, c->w.git, &c->head) < 0)
		return repo_err(err, ERR_FAILED, "write the tree");
	rc = sign_commit(&c->oid, c->who.author, c->who.committer, NULL,
			 c->message, tree, 1, (const git_commit *[]){head},
			 &c->sign);
	if (rc < 0)
		return rc == GIT_EUSER
			   ? -1
			   : repo_err(err, ERR_FAILED, "write the commit");
	/* Ctrl-C at a passphrase */
	if (output_check(out, err) < 0)
		return -1;
	return list_files(c, tree, err);
}

static char *index_file(const struct commit *c)
{
	return file_join(c->private ? c->private : c->w.admin, "index");
}

/* Makes the new index in lock's copy, in file. */
static int make_index(struct commit *c, const char *file, struct output *out,
		      struct err *err)
{
	_free_ char *index = index_file(c);

	if (index_lock_acquire(&c->lock, c->stage ? c->staged : index, file,
			       c->is_staged ? c->staged : index, err) < 0 ||
	    index_lock_open(c->lock.lock, c->w.git, &c->index, err) < 0)
		return -1;
	/* Files that the agent or a hook has staged are objects there. */
	if (c->private &&
	    import_objects(&c->w, c->private, NULL, c->index, err) < 0)
		return -1;
	if (c->is_staged)
		return 0;
	return commit_index_add(c->index, &c->w, &c->head, &c->files, out, err);
}

static int make_commit(struct commit *c, const char *file, struct output *out,
		       struct err *err)
{
	int rc = make_index(c, file, out, err);

	return rc == 0 ? write_commit(c, out, err) : -1;
}

/* Changes both or neither: the index, then the branch. */
static int commit_both(struct commit *c, git_transaction *tx, struct err *err)
{
	_free_ char *log = mem_printf(
	    "commit: %.*s", (int)strcspn(c->message, "\n"), c->message);
	git_oid now;

	if (index_lock_end(&c->lock, c->index, err) < 0)
		return -1;
	if (git_transaction_set_target(tx, c->ref, &c->oid, c->who.committer,
				       log) == 0 &&
	    git_transaction_commit(tx) == 0)
		return 0;
	repo_err(err, ERR_FAILED, "move the branch %s", c->branch);
	/* An error may be reported after the branch was moved. */
	if ((git_reference_name_to_id(&now, c->w.git, c->ref) < 0 ||
	     !git_oid_equal(&now, &c->oid)) &&
	    index_lock_revert(&c->git.index, NULL) < 0)
		err_hint(err,
			 "the index could not be restored: `git -C %s reset`",
			 c->w.path);
	return -1;
}

static int commit_here(struct commit *c, const cJSON *req, struct output *out,
		       struct err *err)
{
	_git_transaction_ git_transaction *tx = NULL;
	_free_ char *file = mem_printf("%s.new", c->staged);
	git_oid now;

	if (git_transaction_new(&tx, c->w.git) < 0 ||
	    git_transaction_lock_ref(tx, c->ref) < 0)
		return repo_err(err, ERR_FAILED, "lock the branch %s",
				c->branch);
	if (git_reference_name_to_id(&now, c->w.git, c->ref) < 0 ||
	    !git_oid_equal(&now, &c->head))
		return err_set(err, ERR_CONFLICT,
			       "the branch %s was moved meanwhile", c->branch);
	if (git_lock_take(&c->git, &c->w, req, NULL, err) < 0 ||
	    make_commit(c, file, out, err) < 0)
		return -1;
	return commit_both(c, tx, err);
}

static int commit_private(struct commit *c, const cJSON *req,
			  struct output *out, cJSON *answer, struct err *err)
{
	_free_ char *file = mem_printf("%s.index", c->private);

	if (git_lock_take(&c->git, &c->w, req, &c->head, err) < 0 ||
	    make_commit(c, file, out, err) < 0)
		return -1;
	if (git_index_write(c->index) < 0)
		return repo_err(err, ERR_FAILED, "write the index %s", file);
	if (private_commit_end(&c->git.private, file, &c->oid, err) < 0)
		return -1;
	git_lock_release(&c->git);
	return harvest(req, answer, err);
}

/* Makes the index for hooks. It is made beside the agent's directory and
 * renamed into it: a link there is replaced, not followed. */
static int stage(struct commit *c, struct output *out, cJSON *answer,
		 struct err *err)
{
	_free_ char *file =
	    mem_printf("%s.new", c->private ? c->private : c->staged);

	c->stage = true;
	if (identity_load(&c->who, c->w.git, err) < 0 ||
	    make_index(c, file, out, err) < 0 ||
	    index_lock_end(&c->lock, c->index, err) < 0)
		return -1;
	json_set_str(answer, "staged", c->staged);
	json_set_str(answer, "head", git_oid_tostr_s(&c->head));
	json_set_str(answer, "author_name", c->who.author->name);
	json_set_str(answer, "author_email", c->who.author->email);
	return 0;
}

/* Answers a request without a message: what afw commit must know first. */
static int look_up(struct commit *c, struct output *out, const cJSON *req,
		   cJSON *answer, struct err *err)
{
	_strv_ struct strv found = {0}, ignored = {0};
	_free_ char *dir = hooks_find(c->w.git, c->w.path, hooks, &found,
				      &ignored),
		    *template =
			git_program_config(git_repository_path(c->w.git),
					   "--type=path", "commit.template");

	if (!json_bool(req, "verify", true)) {
		strv_drop(&found, "pre-commit");
		strv_drop(&found, "commit-msg");
	}
	json_set_str(answer, "template", template);
	json_set_str(answer, "hooks_dir", dir);
	json_set_strv(answer, "hooks", &found);
	if (repo_config_bool(c->w.git, "advice.ignoredhook", true))
		json_set_strv(answer, "hooks_ignored", &ignored);
	if (json_bool(req, "to_push", false) && !c->files.n)
		return submodule_check_saved(&c->w, req, err);
	return found.n && c->files.n ? stage(c, out, answer, err) : 0;
}

static void fill(const struct commit *c, cJSON *answer)
{
	_strv_ struct strv some = {0};

	for (size_t i = 0; i < c->files.n && i < MAX_LISTED; i++)
		strv_add(&some, c->files.v[i]);
	json_set_strv(answer, "files", &some);
	json_set_int(answer, "files_committed", (int64_t)c->files.n);
	json_set_str(answer, "branch", c->branch);
}

/* Compares with the index that the agent uses. */
static int use_private_index(struct commit *c, struct err *err)
{
	_free_ char *file = index_file(c);
	_git_index_ git_index *index = NULL;
	int rc;

	if (access(c->private, F_OK) < 0 && errno == ENOENT) {
		err_set(err, ERR_FAILED, "its sandbox was never started");
		return err_hint(err,
				"`git -C %s add -A && git -C %s commit` "
				"commits what was changed meanwhile",
				c->w.path, c->w.path);
	}
	limits_no_links(c->private);
	rc = index_lock_open(file, c->w.git, &index, err);
	limits_no_links(NULL);
	return rc;
}

static int list_uncommitted(struct commit *c, const char *head, struct err *err)
{
	if (work_on_branch(&c->w, c->branch, err) < 0 ||
	    (c->private && use_private_index(c, err) < 0) ||
	    work_uncommitted(&c->w, &c->files, err) < 0)
		return -1;
	if (limits_check_dirs(err) < 0)
		return err_hint(err, "its files would not be in the commit: "
				     "make it readable, or name it in "
				     ".gitignore");
	if (git_reference_name_to_id(&c->head, c->w.git, c->ref) < 0)
		return repo_err(err, ERR_FAILED, "read its branch %s",
				c->branch);
	if (head && strcmp(head, git_oid_tostr_s(&c->head)) != 0)
		return err_set(err, ERR_CONFLICT,
			       "the branch %s was moved meanwhile", c->branch);
	return 0;
}

/* Checks, as git does, that the message was edited. */
static int check_template(const struct commit *c, const char *template,
			  struct err *err)
{
	_free_ char *clean =
	    template ? work_message(template, true, NULL) : NULL;

	return clean && strcmp(clean, c->message) == 0
		   ? err_set(err, ERR_USAGE, "the message was not edited")
		   : 0;
}

/* Commits in the worktree, or in its sandbox. */
static int commit(struct commit *c, struct output *out, const cJSON *req,
		  cJSON *answer, struct err *err)
{
	const char *message = json_str(req, "message");

	if (!message)
		return look_up(c, out, req, answer, err);
	if (!c->files.n && !c->is_staged)
		return 0;
	c->message =
	    work_message(message, json_bool(req, "comments", false), err);
	if (!c->message ||
	    check_template(c, json_str(req, "template"), err) < 0 ||
	    identity_load(&c->who, c->w.git, err) < 0 ||
	    sign_load(&c->sign, c->w.git, req, err) < 0)
		return -1;
	if ((c->private ? commit_private(c, req, out, answer, err)
			: commit_here(c, req, out, err)) < 0)
		return -1;
	json_set_str(answer, "commit", git_oid_tostr_s(&c->oid));
	return 0;
}

static void commit_finish(struct commit *c)
{
	git_index_free(c->index);
	index_lock_finish(&c->lock);
	git_lock_release(&c->git);
	identity_finish(&c->who);
	strv_finish(&c->files);
	free(c->ref);
	free(c->message);
	free(c->staged);
	repo_worktree_finish(&c->w);
}

int worktree_commit(struct output *out, const cJSON *req, cJSON *answer,
		    struct err *err)
{
	CLEANUP(commit_finish)
	struct commit c = {.w = REPO_WORKTREE_NONE,
			   .branch = json_str_or(req, "branch", ""),
			   .private = json_str(req, "private"),
			   .is_staged = json_bool(req, "staged", false),
			   .git = GIT_LOCK_NONE};
	_close_ int lock = -1;
	int rc;

	if (repo_worktree_open(&c.w, req, err) < 0 ||
	    (lock = checkpoint_lock(&c.w, out, err)) < 0 ||
	    undo_recover(&c.w, repo_share(c.w.git), req, out, err) < 0)
		return -1;
	c.ref = mem_printf("refs/heads/%s", c.branch);
	c.staged = file_join(c.private ? c.private : c.w.admin, STAGED);
	rc = list_uncommitted(&c, json_str(req, "head"), err);
	if (rc == 0)
		rc = commit(&c, out, req, answer, err);
	fill(&c, answer);
	return rc;
}
