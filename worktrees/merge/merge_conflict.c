/*
 * merge_conflict.c - explains in the answer why a branch cannot be merged: the
 * files in the way, or the conflicts of a merge in memory.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "worktrees/merge/merge.h"

#define MAX_FILES     200
#define MAX_CONFLICTS 200
#define MARKER	      61 /* longer than a marker in any file */

void merge_refuse(struct merge *m, const char *why, const struct strv *files)
{
	_strv_ struct strv some = {0};

	for (size_t i = 0; i < files->n && i < MAX_FILES; i++)
		strv_add(&some, files->v[i]);
	json_set_str(m->answer, "refused", why);
	json_set_strv(m->answer, "files", &some);
	json_set_int(m->answer, "files_refused", (int64_t)files->n);
	m->refused = true;
}

/* True if the line that begins here is a marker. */
static bool is_marker(const char *line, const char *end, char c)
{
	size_t n = 0;

	while (line + n < end && line[n] == c)
		n++;
	return n >= MARKER;
}

static void add_range(cJSON *lines, int64_t from, int64_t to)
{
	cJSON *o = cJSON_CreateObject();

	json_set_int(o, "from", from);
	json_set_int(o, "to", to);
	cJSON_AddItemToArray(lines, o);
}

/* Adds where the merged text has conflicts, as lines of our branch's file; to
 * is below from if our branch has no line there. */
static void add_lines(cJSON *o, const char *text, size_t len)
{
	const char *end = text + len, *next;
	cJSON *lines = json_set_array(o, "lines");
	int64_t at = 0, from = 0; /* at: our lines before this one */
	bool theirs = false;

	for (const char *line = text; line < end; line = next) {
		next = memchr(line, '\n', (size_t)(end - line));
		next = next ? next + 1 : end;
		if (is_marker(line, end, '<')) {
			from = at + 1;
		} else if (is_marker(line, end, '=') && from && !theirs) {
			add_range(lines, from, at);
			theirs = true;
		} else if (is_marker(line, end, '>') && theirs) {
			theirs = false;
			from = 0;
		} else if (!theirs) {
			at++;
		}
	}
}

static const char *describe(const git_index_entry *base,
			    const git_index_entry *ours,
			    const git_index_entry *theirs)
{
	if (ours && theirs)
		return base ? "both changed it" : "both added it";
	if (!base)
		return "its place is taken by the other's";
	return ours	? "changed there, deleted by the session"
	       : theirs ? "deleted there, changed by the session"
			: "moved in two ways";
}

static cJSON *conflict(git_repository *git, const git_index_entry *base,
		       const git_index_entry *ours,
		       const git_index_entry *theirs)
{
	git_merge_file_options opt;
	git_merge_file_result merged = {0};
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "path", (ours ? ours : theirs ? theirs : base)->path);
	json_set_str(o, "what", describe(base, ours, theirs));
	git_merge_file_options_init(&opt, GIT_MERGE_FILE_OPTIONS_VERSION);
	opt.marker_size = MARKER;
	if (ours && theirs && S_ISREG(ours->mode) && S_ISREG(theirs->mode) &&
	    git_merge_file_from_index(&merged, git, base, ours, theirs, &opt) ==
		0) {
		add_lines(o, merged.ptr, merged.len);
		git_merge_file_result_free(&merged);
	}
	return o;
}

/* Returns a directory above the entry that is also a file, to be freed, or
 * NULL. libgit2 misses that, and would write a tree without the file. */
static char *file_above(git_index *index, const char *path)
{
	for (const char *end = path; (end = strchr(end, '/')); end++) {
		_free_ char *dir = mem_strndup(path, (size_t)(end - path));

		if (git_index_get_bypath(index, dir, 0))
			return TAKE_PTR(dir);
	}
	return NULL;
}

/* Adds and counts those conflicts; all may be NULL. */
static int64_t add_clashes(cJSON *all, git_index *index, int64_t n)
{
	_free_ char *last = NULL;

	for (size_t i = 0; i < git_index_entrycount(index); i++) {
		const char *path = git_index_get_byindex(index, i)->path;
		_free_ char *file = file_above(index, path), *was = NULL;
		cJSON *o;

		if (!file || (last && strcmp(file, last) == 0))
			continue;
		was = last;
		last = TAKE_PTR(file);
		if (n++ >= MAX_CONFLICTS || !all)
			continue;
		o = cJSON_CreateObject();
		json_set_str(o, "path", last);
		json_set_str(o, "what",
			     "a file on one side, a directory on the other");
		cJSON_AddItemToArray(all, o);
	}
	return n;
}

bool merge_has_conflicts(git_index *index)
{
	return git_index_has_conflicts(index) || add_clashes(NULL, index, 0);
}

cJSON *merge_conflicts(git_repository *git, git_index *index, int64_t *n,
		       struct err *err)
{
	const git_index_entry *base, *ours, *theirs;
	git_index_conflict_iterator *it = NULL;
	cJSON *all;

	*n = 0;
	if (git_index_conflict_iterator_new(&it, index) < 0) {
		repo_err(err, ERR_FAILED, "read the conflicts");
		return NULL;
	}
	all = cJSON_CreateArray();
	while (git_index_conflict_next(&base, &ours, &theirs, it) == 0)
		if ((*n)++ < MAX_CONFLICTS)
			cJSON_AddItemToArray(all,
					     conflict(git, base, ours, theirs));
	git_index_conflict_iterator_free(it);
	*n = add_clashes(all, index, *n);
	return all;
}
