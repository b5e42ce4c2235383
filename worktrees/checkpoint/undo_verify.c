/* undo_verify.c - proves an undo: reads back what it has changed. */
#include "worktrees/checkpoint/undo.h"

#include <string.h>

#include "worktrees/git/cleanup.h"

#define TOUCHED_MAX 1000 /* paths: more are not searched for one by one */

/* True if the directory is above a file that is removed, or was empty. */
static bool is_ours(const struct undo_run *r, const char *dir)
{
	const struct swap *s = &r->plan->swap;
	size_t len = strlen(dir);
	bool is = strv_has(&r->now->empty, dir);

	for (size_t i = 0; !is && i < r->now->empty.n; i++)
		is = strncmp(r->now->empty.v[i], dir, len) == 0 &&
		     r->now->empty.v[i][len] == '/';
	for (size_t i = 0; !is && i < s->n; i++)
		is = !s->v[i].mode && strncmp(s->v[i].path, dir, len) == 0 &&
		     s->v[i].path[len] == '/';
	return is;
}

/* Finds a directory that was to be removed. */
static int verify_dirs(struct undo_run *r, const struct scan *s,
		       struct err *err)
{
	for (size_t i = 0; i < s->empty.n; i++) {
		const char *dir = s->empty.v[i];

		if (strv_has(&r->to->empty, dir) ||
		    !undo_plan_has(r->plan, dir))
			continue;
		if (is_ours(r, dir))
			return err_set(err, ERR_FAILED,
				       "directory %s cannot be removed", dir);
		strv_add(&r->found, dir);
	}
	return 0;
}

/* Adds what to read where a file was removed: the file, or the highest
 * directory above it that is gone, so that the one above that is seen if it is
 * empty. */
static void add_removed(const struct swap *s, const char *path, struct strv *to)
{
	_free_ char *p = mem_strdup(path);
	char *slash;

	while ((slash = strrchr(p, '/'))) {
		const char *last;
		_close_ int dir =
		    file_open_parent(s->worktree, ".", p, 0, &last);

		if (dir >= 0)
			break;
		*slash = '\0';
	}
	strv_add(to, p);
}

/* Reads back what was changed, and the directories that were empty: their
 * paths, or all files if one of them has rules for others. */
static int read_back(struct undo_run *r, struct scan *s, struct err *err)
{
	_strv_ struct strv touched = {0}, paths = {0};
	const struct swap *changed = &r->plan->swap;

	strv_copy(&touched, &r->now->empty);
	for (size_t i = 0; i < changed->n; i++)
		if (changed->v[i].skip)
			continue;
		else if (changed->v[i].mode)
			strv_add(&touched, changed->v[i].path);
		else
			add_removed(changed, changed->v[i].path, &touched);
	return touched.n <= TOUCHED_MAX &&
		       checkpoint_touched_paths(&paths, &touched,
						&(struct strv){0})
		   ? scan_paths(s, &paths, err)
		   : scan_run(s, err);
}

/* Returns the first path that is not as the plan made it; NULL: none. A file
 * that is in neither state is not compared: it was ignored, or was made
 * meanwhile. */
static const char *find_difference(struct undo_run *r, git_index *files)
{
	const struct swap *s = &r->plan->swap;

	for (size_t i = 0; i < git_index_entrycount(files); i++) {
		const git_index_entry *e = git_index_get_byindex(files, i);

		if (undo_plan_leaves(r->plan, e->path))
			strv_add(&r->found, e->path);
		else if (!undo_plan_makes(r->plan, e))
			return e->path;
	}
	for (size_t i = 0; i < s->n; i++)
		if (!s->v[i].skip && s->v[i].mode &&
		    !git_index_get_bypath(files, s->v[i].path, 0))
			return s->v[i].path;
	return NULL;
}

int undo_verify(struct undo_run *r, struct err *err)
{
	_scan_ struct scan s = {.w = r->w,
				.out = r->out,
				.odb = r->plan->odb,
				.also = r->plan->new,
				.file_max = r->file_max};
	const char *differs;

	if (git_index_new(&s.tracked) < 0)
		return repo_err(err, ERR_FAILED, "list the files");
	if (read_back(r, &s, err) < 0 || verify_dirs(r, &s, err) < 0)
		return -1;
	differs = find_difference(r, s.files);
	return differs ? err_set(err, ERR_CONFLICT, "%s was changed meanwhile",
				 differs)
		       : 0;
}
