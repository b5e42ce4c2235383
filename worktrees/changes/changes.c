/*
 * changes.c - finds what has changed in a worktree, and counts it.
 *
 * One walk of the files (index against worktree) serves both: merged with
 * base-against-index it is the agent's work, with HEAD-against-index the
 * uncommitted work.
 */
#include "worktrees/changes/changes.h"

#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "worktrees/changes/copied.h"
#include "worktrees/changes/patch.h"
#include "worktrees/changes/submodule.h"
#include "worktrees/changes/suspects.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/index_lock.h"
#include "worktrees/git/index_tree.h"
#include "worktrees/git/merged.h"
#include "worktrees/git/sparse.h"
#include "worktrees/git/sparse_index.h"
#include "worktrees/limits.h"
#include "worktrees/operations.h"

#define MAX_FILE_BYTES	(1024 * 1024)
#define MAX_TOTAL_BYTES (64 * 1024 * 1024)
#define MAX_DELTAS	20000
#define MAX_MS		20000
#define MAX_LISTED	256
#define MAX_LIST_BYTES	8192

/* only: relative paths, as they are, with all below them; NULL: all paths. */
static void diff_options(git_diff_options *opt, const struct strv *only)
{
	git_diff_options_init(opt, GIT_DIFF_OPTIONS_VERSION);
	opt->flags =
	    GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS |
	    GIT_DIFF_SHOW_UNTRACKED_CONTENT | GIT_DIFF_INCLUDE_TYPECHANGE;
	opt->ignore_submodules = GIT_SUBMODULE_IGNORE_ALL;
	opt->max_size = MAX_FILE_BYTES;
	if (only) {
		opt->flags |= GIT_DIFF_DISABLE_PATHSPEC_MATCH;
		opt->pathspec = (git_strarray){only->v, only->n};
	}
}

/* commit may be NULL: against an empty tree. under: changes_shown(). */
static git_diff *tree_to_index(git_repository *git, const git_oid *commit,
			       git_index *index, const struct strv *only,
			       const char *under, struct err *err)
{
	_free_ char *old = under ? mem_printf("a/%s", under) : NULL,
		    *new = under ? mem_printf("b/%s", under) : NULL;
	git_diff_options opt;
	git_diff *diff = NULL;
	_strv_ struct strv paths = {0};
	_git_tree_ git_tree *tree = commit ? repo_tree(git, commit, err) : NULL;

	if (commit && !tree)
		return NULL;
	if (!only && tree && index_tree_differs(&paths, git, tree, index))
		only = &paths;
	diff_options(&opt, only);
	opt.old_prefix = old; /* libgit2 copies them */
	opt.new_prefix = new;
	if (git_diff_tree_to_index(&diff, git, tree, index, &opt) < 0)
		repo_err(err, ERR_FAILED, "compare the index");
	return diff;
}

struct left_out {
	struct copied copied;
	git_index *index;
};

/* Returns 1 to leave the file out. */
static int leave_out(const git_diff *so_far, const git_diff_delta *d,
		     const char *pathspec, void *ctx)
{
	const struct left_out *l = ctx;
	const git_index_entry *e;

	if (d->status == GIT_DELTA_UNTRACKED)
		return copied_has(&l->copied, d->new_file.path);
	e = d->status == GIT_DELTA_DELETED
		? git_index_get_bypath(l->index, d->old_file.path, 0)
		: NULL;
	return e && index_entry_skipped(e);
}

static struct timespec index_time(const struct repo_worktree *w)
{
	_free_ char *file = file_join(w->admin, "index");
	struct stat st;

	return stat(file, &st) == 0 ? st.st_mtim : (struct timespec){0};
}

/* Lists what may differ. written: of git's index, if that is the one. */
static bool find_suspects(const struct repo_worktree *w, git_index *index,
			  const struct timespec *written, struct strv *out)
{
	_free_ char *file = mem_printf("%sindex", git_repository_path(w->git));
	_close_ int dir = open(w->path, FILE_DIR_FLAGS);
	const char *path = git_index_path(index);

	return dir >= 0 && path && strcmp(path, file) == 0 &&
	       suspects_find(out, dir, index, written);
}

/* Leaves out files that create copied or linked, and skipped ones. */
static git_diff *index_to_files(const struct repo_worktree *w, git_index *index,
				const struct timespec *written,
				const struct strv *only, struct err *err)
{
	struct left_out l = {.index = index};
	_strv_ struct strv paths = {0};
	git_diff_options opt;
	git_diff *diff = NULL;

	if (repo_config_bool(w->git, "core.sparsecheckout", false))
		sparse_unmark_present(w->path, index);
	if (!only && find_suspects(w, index, written, &paths))
		only = &paths;
	copied_read(&l.copied, w);
	diff_options(&opt, only);
	opt.flags |= GIT_DIFF_IGNORE_SUBMODULES; /* submodule_update() */
	opt.notify_cb = leave_out;
	opt.payload = &l;
	if (git_diff_index_to_workdir(&diff, w->git, index, &opt) < 0)
		repo_err(err, ERR_FAILED, "compare the files");
	copied_finish(&l.copied);
	return diff;
}

static int merge(const struct repo_worktree *w, git_diff *diff,
		 const git_diff *files, struct err *err)
{
	return git_diff_merge(diff, files) < 0
		   ? repo_err(err, ERR_FAILED, "compare %s", w->path)
		   : 0;
}

/* libgit2 reads .gitattributes there too, and may hang if memory runs out. */
static int check_attributes(const struct repo_worktree *w, git_index *index,
			    struct err *err)
{
	_git_odb_ git_odb *odb = NULL;
	git_object_t type;
	size_t size;

	for (size_t i = 0; i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);

		if (strcmp(repo_basename(e->path), ".gitattributes") != 0 ||
		    (!odb && git_repository_odb(&odb, w->git) < 0) ||
		    git_odb_read_header(&size, &type, odb, &e->id) < 0)
			continue;
		if (limits_check_size(e->path, (off_t)size) < 0)
			return limits_check(err);
	}
	return 0;
}

static git_index *open_index(const struct repo_worktree *w, struct err *err)
{
	_git_index_ git_index *index = NULL;

	if (sparse_index_of(&index, w->git) < 0 ||
	    index_lock_heed_case(index) < 0 || git_index_read(index, 0) < 0)
		index_lock_unreadable(w->git, err);
	else if (check_attributes(w, index, err) == 0)
		return TAKE_PTR(index);
	return NULL;
}

git_diff *changes_since(const struct repo_worktree *w, const git_oid *base,
			bool staged, struct err *err)
{
	return changes_shown(w, base, staged, NULL, err);
}

git_diff *changes_shown(const struct repo_worktree *w, const git_oid *base,
			bool staged, const char *under, struct err *err)
{
	const struct timespec written = index_time(w);
	_git_index_ git_index *index = open_index(w, err);
	_git_diff_ git_diff *diff = NULL, *files = NULL;

	if (!index)
		return NULL;
	if (!staged)
		submodule_update(w, index, NULL);
	diff = tree_to_index(w->git, base, index, NULL, under, err);
	if (!diff || staged)
		return TAKE_PTR(diff);
	files = index_to_files(w, index, &written, NULL, err);
	return files && merge(w, diff, files, err) == 0 ? TAKE_PTR(diff) : NULL;
}

static const char *path_of(const git_diff_delta *d)
{
	return d->new_file.path ? d->new_file.path : d->old_file.path;
}

struct counts {
	const struct repo_worktree *w;
	const struct repo_place *place;
	struct output *out;
	struct strv *only;  /* these paths; NULL: all */
	git_index *files;   /* changes_count(), or NULL */
	struct strv *maybe; /* with files: what may have changed since */
	int64_t files_changed, untracked, uncommitted, lines_added,
	    lines_removed;
	struct strv paths; /* that are counted in any of these; some twice */
};

static void add_paths(struct strv *to, const git_diff *diff)
{
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
		const git_diff_delta *d = git_diff_get_delta(diff, i);
		const char *path = path_of(d);
		size_t len = strlen(path);

		/* A nested repository ends with a slash. */
		if (d->status != GIT_DELTA_UNMODIFIED)
			strv_take(to, mem_strndup(
					  path, len - (path[len - 1] == '/')));
	}
}

/* Counts paths that are staged, or differ from the index, or both:
 * git_diff_merge() drops a path that is staged as new and deleted since. */
static void count_uncommitted(struct counts *c, git_diff *staged,
			      git_diff *files)
{
	int (*compare)(const char *a, const char *b) =
	    git_diff_is_sorted_icase(staged) ? strcasecmp : strcmp;
	size_t n = git_diff_num_deltas(files), j = 0, both = 0;

	for (size_t i = 0; i < git_diff_num_deltas(staged); i++) {
		const char *path = path_of(git_diff_get_delta(staged, i));
		int order = -1;

		while (j < n &&
		       (order = compare(path_of(git_diff_get_delta(files, j)),
					path)) < 0)
			j++;
		both +=
		    j < n && order == 0 &&
		    git_diff_get_delta(files, j)->status != GIT_DELTA_UNTRACKED;
	}
	c->uncommitted =
	    (int64_t)(git_diff_num_deltas(staged) + n - both) - c->untracked;
}

/* Counts up to a limit: beyond it the figures are lower bounds. */
static int count_since(struct counts *c, git_diff *diff, struct err *err)
{
	int64_t until = clock_mono_ms() + MAX_MS, bytes = 0;

	for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
		const git_diff_delta *d = git_diff_get_delta(diff, i);
		size_t added = 0, removed = 0;
		_git_patch_ git_patch *patch = NULL;

		if (d->status == GIT_DELTA_UNMODIFIED)
			continue;
		c->files_changed++;
		bytes += (int64_t)(d->old_file.size + d->new_file.size);
		if (i >= MAX_DELTAS || bytes > MAX_TOTAL_BYTES ||
		    clock_mono_ms() > until)
			continue;
		if (output_check(c->out, err) < 0)
			return -1;
		/* 0 for a file that vanished meanwhile, or may not be read */
		patch = patch_make(c->w->git, diff, i);
		if (!patch)
			continue;
		git_patch_line_stats(NULL, &added, &removed, patch);
		c->lines_added += (int64_t)added;
		c->lines_removed += (int64_t)removed;
	}
	return 0;
}

/* Adds the files that may not be as in the index, which was written then. */
static void add_unequal(struct strv *to, git_index *index, git_index *files,
			const struct timespec *written)
{
	for (size_t i = 0, j = 0;;) {
		const git_index_entry *a = git_index_get_byindex(index, i),
				      *b = git_index_get_byindex(files, j);
		int order = !a ? 1 : !b ? -1 : strcmp(a->path, b->path);

		if (!a && !b)
			return;
		if (order < 0 ? !index_entry_skipped(a)
			      : order > 0 || a->mode != b->mode ||
				    !index_entry_equal(a, written, b))
			strv_add(to, order < 0 ? a->path : b->path);
		i += order <= 0;
		j += order >= 0;
	}
}

static git_diff *compare_files(struct counts *c, git_index *index,
			       const struct timespec *written, struct err *err)
{
	if (c->files)
		add_unequal(c->maybe, index, c->files, written);
	return index_to_files(c->w, index, written,
			      c->files ? c->maybe : c->only, err);
}

/* head: NULL on a branch without a commit, where all staged files are
 * uncommitted. */
static int count(struct counts *c, const git_oid *base, const git_oid *head,
		 struct err *err)
{
	const struct timespec written = index_time(c->w);
	_git_index_ git_index *index = open_index(c->w, err);
	_git_diff_ git_diff *files = NULL, *staged = NULL, *since = NULL;
	git_repository *git = c->w->git;

	if (index)
		submodule_update(c->w, index, c->only);
	if (!index || !(files = compare_files(c, index, &written, err)) ||
	    !(staged = tree_to_index(git, head, index, c->only, NULL, err)))
		return -1;
	add_paths(&c->paths, files);
	add_paths(&c->paths, staged);
	c->untracked =
	    (int64_t)git_diff_num_deltas_of_type(files, GIT_DELTA_UNTRACKED);
	count_uncommitted(c, staged, files);
	since = head && git_oid_equal(base, head)
		    ? TAKE_PTR(staged)
		    : tree_to_index(git, base, index, c->only, NULL, err);
	if (!since || merge(c->w, since, files, err) < 0)
		return -1;
	add_paths(&c->paths, since);
	return count_since(c, since, err);
}

/* True if merged into the branch that it was made from; or, if it was made from
 * a commit, existed before, or is that branch at a remote, into the
 * repository's present branch. A push of the branch itself merges nothing. */
static bool is_merged(const struct repo_worktree *w,
		      const struct repo_place *place, const git_oid *since,
		      const git_oid *head)
{
	const char *own = place->branch, *base;
	_git_repository_ git_repository *main = NULL;
	_free_ char *on = NULL;

	base = merged_branch(w->git, place->base ? place->base : "");
	if ((strcmp(base, own) == 0 || strcmp(base, place->base_commit) == 0) &&
	    repo_open_git(&main, w->git_dir) == 0)
		base = on = repo_branch(main);
	return base && strcmp(base, own) != 0 &&
	       merged_has_own(w->git, own, since) &&
	       merged_into(w->git, base, since, head);
}

/* Sets "changed", unless there are too many or one is not text. */
static void list_changed(struct strv *paths, cJSON *answer)
{
	_strv_ struct strv list = {0};
	size_t bytes = 0;

	strv_sort(paths);
	for (size_t i = 0; i < paths->n; i++) {
		const char *path = paths->v[i];

		if (list.n && strcmp(path, list.v[list.n - 1]) == 0)
			continue;
		bytes += strlen(path);
		if (list.n == MAX_LISTED || bytes > MAX_LIST_BYTES ||
		    !utf8_valid(path, strlen(path)))
			return;
		strv_add(&list, path);
	}
	json_set_strv(answer, "changed", &list);
}

static void counts_finish(struct counts *c)
{
	strv_finish(&c->paths);
}

static int status(struct counts *c, bool list, cJSON *answer, struct err *err)
{
	git_repository *git = c->w->git;
	size_t ahead = 0, behind = 0;
	git_oid base, head;
	bool born = git_reference_name_to_id(&head, git, "HEAD") == 0;

	git_oid_fromstr(&base, c->place->base_commit);
	if (born &&
	    git_graph_ahead_behind(&ahead, &behind, git, &head, &base) < 0)
		return repo_err(err, ERR_FAILED, "count the commits of %s",
				c->w->path);
	if (count(c, &base, born ? &head : NULL, err) < 0)
		return -1;
	if (list)
		list_changed(&c->paths, answer);
	json_set_int(answer, "files_changed", c->files_changed);
	json_set_int(answer, "untracked", c->untracked);
	json_set_int(answer, "uncommitted", c->uncommitted);
	json_set_int(answer, "ahead", (int64_t)ahead);
	json_set_int(answer, "lines_added", c->lines_added);
	json_set_int(answer, "lines_removed", c->lines_removed);
	json_set_bool(answer, "merged",
		      ahead > 0 && c->uncommitted + c->untracked == 0 &&
			  is_merged(c->w, c->place, &base, &head));
	return 0;
}

int changes_status(const struct repo_place *place, const struct strv *only,
		   bool list, struct output *out, cJSON *answer,
		   struct err *err)
{
	_repo_worktree_ struct repo_worktree w = REPO_WORKTREE_NONE;
	_strv_ struct strv paths = {0};
	CLEANUP(counts_finish)
	struct counts c = {
	    .w = &w, .place = place, .out = out, .only = only ? &paths : NULL};

	if (repo_worktree_open(&w, place, err) < 0)
		return -1;
	if (only)
		strv_copy(&paths, only);
	strv_add(&paths, ".git"); /* no path at all would be all paths */
	return status(&c, list, answer, err);
}

int changes_count(const struct repo_worktree *w, const struct repo_place *place,
		  git_index *files, struct strv *maybe, struct output *out,
		  cJSON *answer, struct err *err)
{
	CLEANUP(counts_finish)
	struct counts c = {
	    .w = w, .place = place, .out = out, .files = files, .maybe = maybe};

	strv_add(maybe, ".git");
	return status(&c, false, answer, err);
}
