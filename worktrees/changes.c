/*
 * changes.c - what is different in a worktree.
 *
 * One walk of the files (index against worktree) serves both questions: put
 * on top of base-against-index it is what the agent did, on top of
 * HEAD-against-index what is not committed.
 */
#include "worktrees/changes.h"

#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/mem.h"
#include "worktrees/copied.h"
#include "worktrees/limits.h"

/* Beyond these the figures are lower bounds. */
#define MAX_FILE_BYTES	(1024 * 1024)
#define MAX_TOTAL_BYTES (64 * 1024 * 1024)
#define MAX_DELTAS	20000
#define MAX_MS		20000

int changes_base(const cJSON *req, git_oid *base, struct err *err)
{
	const char *hex = json_str(req, "base_commit");

	if (!hex || strlen(hex) != GIT_OID_HEXSZ ||
	    git_oid_fromstr(base, hex) < 0)
		return err_set(err, ERR_USAGE,
			       "bad request: base_commit is no commit");
	return 0;
}

void changes_diff_options(git_diff_options *opt)
{
	git_diff_options_init(opt, GIT_DIFF_OPTIONS_VERSION);
	opt->flags = GIT_DIFF_INCLUDE_UNTRACKED |
		     GIT_DIFF_RECURSE_UNTRACKED_DIRS |
		     GIT_DIFF_SHOW_UNTRACKED_CONTENT |
		     GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_IGNORE_SUBMODULES;
	opt->ignore_submodules = GIT_SUBMODULE_IGNORE_ALL;
	opt->max_size = MAX_FILE_BYTES;
}

git_tree *changes_tree(git_repository *git, const git_oid *oid, struct err *err)
{
	git_commit *commit = NULL;
	git_tree *tree = NULL;

	if (git_commit_lookup(&commit, git, oid) < 0 ||
	    git_commit_tree(&tree, commit) < 0)
		repo_err(err, ERR_FAILED, "read the commit %s",
			 git_oid_tostr_s(oid));
	git_commit_free(commit);
	return tree;
}

/* commit may be NULL: against nothing at all. */
static git_diff *tree_to_index(git_repository *git, const git_oid *commit,
			       git_index *index, struct err *err)
{
	git_diff_options opt;
	git_diff *diff = NULL;
	git_tree *tree = commit ? changes_tree(git, commit, err) : NULL;

	if (commit && !tree)
		return NULL;
	changes_diff_options(&opt);
	if (git_diff_tree_to_index(&diff, git, tree, index, &opt) < 0)
		repo_err(err, ERR_FAILED, "compare the index");
	git_tree_free(tree);
	return diff;
}

static git_diff *index_to_files(git_repository *git, git_index *index,
				struct err *err)
{
	git_diff_options opt;
	git_diff *diff = NULL;

	changes_diff_options(&opt);
	if (git_diff_index_to_workdir(&diff, git, index, &opt) < 0)
		repo_err(err, ERR_FAILED, "compare the files");
	return diff;
}

/* libgit2 reads .gitattributes there too, and out of memory it may hang. */
static int check_attributes(const struct repo_worktree *w, git_index *index,
			    struct err *err)
{
	size_t n = git_index_entrycount(index), size;
	git_odb *odb = NULL;
	git_object_t type;
	int r = 0;

	for (size_t i = 0; r == 0 && i < n; i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);

		if (strcmp(repo_basename(e->path), ".gitattributes") != 0 ||
		    (!odb && git_repository_odb(&odb, w->git) < 0) ||
		    git_odb_read_header(&size, &type, odb, &e->id) < 0)
			continue;
		r = limits_check_size(e->path, (off_t)size);
	}
	git_odb_free(odb);
	return r < 0 ? limits_check(err) : 0;
}

static git_index *open_index(const struct repo_worktree *w, struct err *err)
{
	git_index *index = NULL;

	if (git_repository_index(&index, w->git) < 0) {
		repo_err(err, ERR_FAILED, "read the index of %s", w->path);
	} else if (check_attributes(w, index, err) < 0) {
		git_index_free(index);
		index = NULL;
	}
	return index;
}

git_diff *changes_since(const struct repo_worktree *w, const git_oid *base,
			struct err *err)
{
	git_index *index = open_index(w, err);
	git_diff *diff = NULL, *files = NULL;

	if (!index)
		return NULL;
	diff = tree_to_index(w->git, base, index, err);
	if (diff)
		files = index_to_files(w->git, index, err);
	if (diff && (!files || git_diff_merge(diff, files) < 0)) {
		if (files)
			repo_err(err, ERR_FAILED, "compare %s", w->path);
		git_diff_free(diff);
		diff = NULL;
	}
	git_diff_free(files);
	git_index_free(index);
	return diff;
}

static const char *path_of(const git_diff_delta *d)
{
	return d->new_file.path ? d->new_file.path : d->old_file.path;
}

struct counting {
	struct changes *ch;
	const struct repo_worktree *w;
	struct copied copied;
	struct output *out;
	int64_t bytes, until;
};

static void count_files(struct counting *c, git_diff *files)
{
	for (size_t i = 0; i < git_diff_num_deltas(files); i++) {
		const git_diff_delta *d = git_diff_get_delta(files, i);

		if (d->status == GIT_DELTA_UNTRACKED &&
		    !copied_has(&c->copied, c->w, path_of(d)))
			c->ch->untracked++;
		if (d->status == GIT_DELTA_CONFLICTED)
			c->ch->conflicted++;
	}
}

/*
 * What is staged as new and no file any more: it is in the index alone. To
 * git_diff_merge(), as to `git diff HEAD`, it is no difference.
 */
static void count_staged_only(struct counting *c, git_diff *head,
			      git_diff *files)
{
	int (*compare)(const char *a, const char *b) =
	    git_diff_is_sorted_icase(head) ? strcasecmp : strcmp;
	size_t n = git_diff_num_deltas(files), j = 0;

	for (size_t i = 0; i < git_diff_num_deltas(head); i++) {
		const git_diff_delta *d = git_diff_get_delta(head, i), *f;

		while (j < n && compare(path_of(git_diff_get_delta(files, j)),
					path_of(d)) < 0)
			j++;
		f = j < n ? git_diff_get_delta(files, j) : NULL;
		if (d->status == GIT_DELTA_ADDED && f &&
		    f->status == GIT_DELTA_DELETED &&
		    compare(path_of(f), path_of(d)) == 0)
			c->ch->uncommitted++;
	}
}

static void count_uncommitted(struct counting *c, git_diff *head)
{
	for (size_t i = 0; i < git_diff_num_deltas(head); i++) {
		const git_diff_delta *d = git_diff_get_delta(head, i);

		if (d->status != GIT_DELTA_UNTRACKED &&
		    d->status != GIT_DELTA_UNMODIFIED &&
		    d->status != GIT_DELTA_IGNORED)
			c->ch->uncommitted++;
	}
}

static int count_lines(struct counting *c, git_diff *diff, size_t i,
		       struct err *err)
{
	const git_diff_delta *d = git_diff_get_delta(diff, i);
	size_t added = 0, removed = 0;
	git_patch *patch = NULL;

	c->bytes += (int64_t)(d->old_file.size + d->new_file.size);
	if (c->bytes > MAX_TOTAL_BYTES || clock_mono_ms() > c->until) {
		c->ch->truncated = true;
		return 0;
	}
	if (output_go_on(c->out, err) < 0)
		return -1;
	/* a file that vanished meanwhile, or may not be read: changed, 0 */
	if (git_patch_from_diff(&patch, diff, i) < 0 || !patch)
		return 0;
	git_patch_line_stats(NULL, &added, &removed, patch);
	git_patch_free(patch);
	c->ch->lines_added += (int64_t)added;
	c->ch->lines_removed += (int64_t)removed;
	return 0;
}

static int count_since(struct counting *c, git_diff *diff, bool lines,
		       struct err *err)
{
	size_t n = git_diff_num_deltas(diff);

	for (size_t i = 0; i < n; i++) {
		const git_diff_delta *d = git_diff_get_delta(diff, i);

		if (d->status == GIT_DELTA_UNMODIFIED ||
		    d->status == GIT_DELTA_IGNORED ||
		    (d->status == GIT_DELTA_UNTRACKED &&
		     copied_has(&c->copied, c->w, path_of(d))))
			continue;
		c->ch->files_changed++;
		if (i >= MAX_DELTAS)
			c->ch->truncated = true;
		else if (lines && !c->ch->truncated &&
			 count_lines(c, diff, i, err) < 0)
			return -1;
	}
	return 0;
}

static const char *state_word(git_repository *git)
{
	switch (git_repository_state(git)) {
	case GIT_REPOSITORY_STATE_NONE:
		return NULL;
	case GIT_REPOSITORY_STATE_MERGE:
		return "merge";
	case GIT_REPOSITORY_STATE_REVERT:
	case GIT_REPOSITORY_STATE_REVERT_SEQUENCE:
		return "revert";
	case GIT_REPOSITORY_STATE_CHERRYPICK:
	case GIT_REPOSITORY_STATE_CHERRYPICK_SEQUENCE:
		return "cherry-pick";
	case GIT_REPOSITORY_STATE_BISECT:
		return "bisect";
	case GIT_REPOSITORY_STATE_APPLY_MAILBOX:
		return "am";
	default:
		return "rebase";
	}
}

static int read_head(struct changes *ch, const struct repo_worktree *w,
		     const git_oid *base, struct err *err)
{
	size_t ahead = 0, behind = 0;

	ch->in_progress = state_word(w->git);
	ch->head_known =
	    git_reference_name_to_id(&ch->head, w->git, "HEAD") == 0;
	if (!base || !ch->head_known || git_oid_equal(base, &ch->head))
		return 0;
	if (git_graph_ahead_behind(&ahead, &behind, w->git, &ch->head, base) <
	    0)
		return repo_err(err, ERR_FAILED, "count the commits of %s",
				w->path);
	ch->ahead = (int64_t)ahead;
	ch->behind = (int64_t)behind;
	return 0;
}

static int compare(struct counting *c, const git_oid *base, bool lines,
		   git_index *index, struct err *err)
{
	git_repository *git = c->w->git;
	git_diff *files = NULL, *head = NULL, *since = NULL;
	int r = -1;

	files = index_to_files(git, index, err);
	if (!files)
		goto out;
	count_files(c, files);
	/* On a branch without a commit all that is staged is uncommitted. */
	head = tree_to_index(git, c->ch->head_known ? &c->ch->head : NULL,
			     index, err);
	if (!head)
		goto out;
	count_staged_only(c, head, files);
	if (git_diff_merge(head, files) < 0) {
		repo_err(err, ERR_FAILED, "compare %s", c->w->path);
		goto out;
	}
	count_uncommitted(c, head);
	if (base &&
	    (!c->ch->head_known || !git_oid_equal(base, &c->ch->head))) {
		since = tree_to_index(git, base, index, err);
		if (!since)
			goto out;
		if (git_diff_merge(since, files) < 0) {
			repo_err(err, ERR_FAILED, "compare %s", c->w->path);
			goto out;
		}
	}
	r = count_since(c, since ? since : head, lines, err);
out:
	git_diff_free(files);
	git_diff_free(head);
	git_diff_free(since);
	return r;
}

int changes_read(struct changes *ch, const struct repo_worktree *w,
		 const git_oid *base, bool lines, struct output *out,
		 struct err *err)
{
	struct counting c = {
	    .ch = ch, .w = w, .out = out, .until = clock_mono_ms() + MAX_MS};
	git_index *index;
	int r;

	memset(ch, 0, sizeof *ch);
	if (read_head(ch, w, base, err) < 0)
		return -1;
	index = open_index(w, err);
	if (!index)
		return -1;
	copied_read(&c.copied, w);
	r = compare(&c, base, lines, index, err);
	copied_finish(&c.copied);
	git_index_free(index);
	return r;
}
