/* checkpoints.c - the operations checkpoint and checkpoints. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "worktrees/checkpoint/checkpoint.h"
#include "worktrees/checkpoint/checkpoint_diff.h"
#include "worktrees/checkpoint/undo_recover.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/operations.h"

#define TEXT_MAX 200

/* -- checkpoint ------------------------------------------------------------
 */

static char *first_line(const char *text)
{
	size_t len = text ? strcspn(text, "\n") : 0;

	if (len > TEXT_MAX)
		len = utf8_whole(text, TEXT_MAX);
	return len ? mem_strndup(text, len) : NULL;
}

/*
 * Adds it, unless the newest one has the same state and it is an automatic one.
 * A turn that begins with the state in which the last one ended, or began,
 * takes its place. Permissions count: the next one takes those of what was not
 * touched from the newest.
 */
static int add(struct checkpoint_log *log, struct checkpoint *c,
	       const struct checkpoint *newest, const struct repo_worktree *w,
	       int64_t keep, struct err *err)
{
	bool begins = strcmp(c->kind, "turn-begin") == 0;
	bool user = strcmp(c->kind, "user") == 0;

	if (user || !newest->number || !checkpoint_equal_modes(c, newest))
		return checkpoint_add(log, c, w, keep, 0, err);
	c->number = newest->number;
	if (!begins)
		return 0;
	if (strncmp(newest->kind, "turn-", 5) != 0)
		return checkpoint_add(log, c, w, keep, 0, err);
	return checkpoint_store(c, w->git, &log->v[log->n - 1], err) < 0
		   ? -1
		   : checkpoint_log_write(log, w, err);
}

static int count_files(const struct repo_worktree *w,
		       const struct checkpoint *before,
		       const struct checkpoint *c, cJSON *answer,
		       struct err *err)
{
	_git_diff_ git_diff *diff = checkpoint_compare(
	    w->git, before->number ? &before->files : &c->files, &c->files,
	    err);

	if (!diff)
		return -1;
	json_set_int(answer, "files", (int64_t)git_diff_num_deltas(diff));
	return 0;
}

int worktree_checkpoint(struct output *out,
			const struct checkpoint_request *req, cJSON *answer,
			struct err *err)
{
	_repo_worktree_ struct repo_worktree w = REPO_WORKTREE_NONE;
	_checkpoint_log_ struct checkpoint_log log = {0};
	_checkpoint_ struct checkpoint c = {0}, newest = {0};
	_git_odb_ git_odb *odb = NULL;
	_close_ int lock = -1;
	_scan_ struct scan s = {.w = &w,
				.out = out,
				.file_max = req->file_max,
				.touched = req->touched};

	if (repo_worktree_open(&w, &req->place, err) < 0 ||
	    (lock = checkpoint_lock(&w, out, err)) < 0)
		return -1;
	s.umask = repo_share(w.git);
	if (undo_recover(&w, s.umask, &req->place, out, err) < 0 ||
	    checkpoint_log_read(&log, &w, err) < 0)
		return -1;
	if (git_repository_odb(&odb, w.git) < 0)
		return repo_err(err, ERR_FAILED, "open the object store");
	s.odb = odb;
	checkpoint_newest(&newest, &log, w.git);
	c.kind = mem_strdup(req->kind);
	c.after_gap = req->after_gap;
	c.text = first_line(req->text);
	if (checkpoint_take(&c, &s, req->place.private, &newest, err) < 0 ||
	    add(&log, &c, &newest, &w, req->keep, err) < 0 ||
	    (strcmp(req->kind, "user") == 0 &&
	     count_files(&w, &newest, &c, answer, err) < 0))
		return -1;
	if (!s.touched)
		scan_remember(&s);
	json_set_int(answer, "number", c.number);
	json_set_strv(answer, "left_out", &c.left_out);
	return 0;
}

/* -- checkpoints -----------------------------------------------------------
 */

static int count_lines(cJSON *o, git_diff *diff)
{
	git_diff_stats *stats = NULL;

	if (git_diff_get_stats(&stats, diff) < 0)
		return -1;
	json_set_int(o, "files", (int64_t)git_diff_stats_files_changed(stats));
	json_set_int(o, "lines_added",
		     (int64_t)git_diff_stats_insertions(stats));
	json_set_int(o, "lines_removed",
		     (int64_t)git_diff_stats_deletions(stats));
	git_diff_stats_free(stats);
	return 0;
}

/* before is the one before it, or itself. */
static int describe(cJSON *o, git_repository *git, const struct checkpoint *c,
		    const struct checkpoint *before, struct err *err)
{
	static const char heads[] = "refs/heads/";
	const char *branch = c->head;
	_git_diff_ git_diff *diff =
	    checkpoint_compare(git, &before->files, &c->files, err);

	if (!diff)
		return -1;
	if (branch && strncmp(branch, heads, sizeof heads - 1) == 0)
		branch += sizeof heads - 1;
	json_set_int(o, "number", c->number);
	json_set_int(o, "at", c->at);
	json_set_str(o, "kind", c->kind);
	json_set_str(o, "text", c->text);
	json_set_str(o, "branch", branch);
	if (!git_oid_is_zero(&c->commit))
		json_set_str(o, "head", git_oid_tostr_s(&c->commit));
	if (c->undone_to)
		json_set_int(o, "undone_to", c->undone_to);
	if (c->left_out.n)
		json_set_strv(o, "left_out", &c->left_out);
	return count_lines(o, diff) < 0
		   ? repo_err(err, ERR_FAILED, "count the lines")
		   : 0;
}

int worktree_checkpoints(struct output *out,
			 const struct checkpoints_request *req, cJSON *answer,
			 struct err *err)
{
	_repo_worktree_ struct repo_worktree w = REPO_WORKTREE_NONE;
	_checkpoint_log_ struct checkpoint_log log = {0};
	_checkpoint_ struct checkpoint before = {0};
	cJSON *list = json_set_array(answer, "checkpoints");

	if (repo_worktree_open(&w, &req->place, err) < 0 ||
	    checkpoint_log_read(&log, &w, err) < 0)
		return -1;
	for (size_t i = 0; i < log.n; i++) {
		cJSON *o = cJSON_CreateObject();
		struct checkpoint c;

		cJSON_AddItemToArray(list, o);
		if (output_check(out, err) < 0 ||
		    checkpoint_load(&c, w.git, &log.v[i], err) < 0)
			return -1;
		if (describe(o, w.git, &c, i ? &before : &c, err) < 0) {
			checkpoint_finish(&c);
			return -1;
		}
		checkpoint_finish(&before);
		before = c;
	}
	return 0;
}
