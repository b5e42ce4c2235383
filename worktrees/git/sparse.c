/*
 * sparse.c - the files that a sparse worktree has: info/sparse-checkout.
 *
 * A pattern is one of .gitignore. The last pattern that matches a path
 * decides; if none does, the path's directory decides. git writes the
 * patterns of its cone mode such that this gives the same result.
 */
#include "worktrees/git/sparse.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/repo.h"

#define PATTERNS_MAX ((size_t)16 * 1024 * 1024)

struct sparse_rule {
	char *glob;
	int flags;     /* of fnmatch() */
	bool out;      /* "!": the worktree does not have it */
	bool dir;      /* matches directories only */
	bool anchored; /* matches whole paths only */
};

/* Cuts the spaces at the line's end, as git does: "\\ " is a space to keep. */
static void trim(char *line)
{
	size_t len = strcspn(line, "\r\n");

	while (len > 0 && line[len - 1] == ' ' &&
	       (len == 1 || line[len - 2] != '\\'))
		len--;
	line[len] = '\0';
}

static int refuse_pattern(const char *line, struct err *err)
{
	err_set(err, ERR_FAILED, "afw cannot match the sparse pattern \"%s\"",
		line);
	return err_hint(err, "replace it: `git sparse-checkout set` has "
			     "directories (--cone) and simpler patterns "
			     "(--no-cone)");
}

static int add_rule(struct sparse *s, char *line, struct err *err)
{
	char *glob = line + (line[0] == '!');
	bool any_dir = strncmp(glob, "**/", 3) == 0;
	size_t len = strlen(glob);
	struct sparse_rule r = {.flags = FNM_PATHNAME, .out = glob > line};

	if (strstr(glob + (any_dir ? 3 : 0), "**/"))
		return refuse_pattern(line, err);
	r.dir = len > 0 && glob[len - 1] == '/';
	if (r.dir)
		glob[--len] = '\0';
	r.anchored = !any_dir && strchr(glob, '/');
	glob += any_dir ? 3 : glob[0] == '/';
	len = strlen(glob);
	/* A path is below "a" if its first parts match "a/" and "*". */
	if (strcmp(glob, "**") == 0 ||
	    (len > 3 && strcmp(glob + len - 3, "/**") == 0)) {
		glob[len - 1] = '\0';
		r.flags |= FNM_LEADING_DIR;
	}
	r.glob = mem_strdup(glob);
	s->rules = mem_grow(s->rules, s->n, sizeof *s->rules);
	s->rules[s->n++] = r;
	return 0;
}

/* A missing file makes git check out all files. */
int sparse_load(struct sparse *s, git_repository *git, struct err *err)
{
	_free_ char *file =
	    file_join(git_repository_path(git), "info/sparse-checkout");
	_buf_ struct buf text = {0};
	char *line, *save = NULL;
	int rc = 0;

	*s = (struct sparse){
	    .on = repo_config_bool(git, "core.sparsecheckout", false)};
	if (s->on && file_read(AT_FDCWD, file, PATTERNS_MAX, &text, err) < 0) {
		rc = errno == ENOENT ? 0 : -1;
		s->on = false;
	}
	line = s->on && text.data ? strtok_r(text.data, "\n", &save) : NULL;
	for (; rc == 0 && line; line = strtok_r(NULL, "\n", &save)) {
		trim(line);
		if (line[0] && line[0] != '#')
			rc = add_rule(s, line, err);
	}
	return rc;
}

void sparse_finish(struct sparse *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->rules[i].glob);
	free(s->rules);
	buf_finish(&s->dir);
	*s = (struct sparse){0};
}

static bool matches(const struct sparse_rule *r, const char *path)
{
	for (;;) {
		if (fnmatch(r->glob, path, r->flags) == 0)
			return true;
		path = strchr(path, '/');
		if (!path || r->anchored)
			return false;
		path++;
	}
}

/* Returns 1: the worktree has it; 0: it does not; -1: no rule matches. */
static int find_rule(const struct sparse *s, const char *path, bool dir)
{
	for (size_t i = s->n; i-- > 0;)
		if ((dir || !s->rules[i].dir) && matches(&s->rules[i], path))
			return !s->rules[i].out;
	return -1;
}

bool sparse_has(struct sparse *s, const git_index_entry *e)
{
	const char *slash = strrchr(e->path, '/');
	size_t len = slash ? (size_t)(slash - e->path) : 0;
	int has =
	    s->on ? find_rule(s, e->path, e->mode == GIT_FILEMODE_COMMIT) : 1;
	char *dir, *end;

	if (has >= 0 || len == 0)
		return has > 0;
	/* Files of one directory follow each other. */
	if (s->dir.len == len && memcmp(s->dir.data, e->path, len) == 0)
		return s->has_dir;
	buf_clear(&s->dir);
	buf_add(&s->dir, e->path, len);
	dir = mem_strdup(s->dir.data);
	while ((has = find_rule(s, dir, true)) < 0 && (end = strrchr(dir, '/')))
		*end = '\0';
	free(dir);
	s->has_dir = has > 0;
	return s->has_dir;
}

void sparse_mark(struct sparse *s, git_index *index)
{
	for (size_t i = 0; i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);

		bool skip = !sparse_has(s, e);

		index_entry_skip(e, skip);
		s->skipped += skip;
		s->modules += !skip && e->mode == GIT_FILEMODE_COMMIT;
	}
}

/* Returns the length of the first directory of path that is absent, with its
 * '/'; 0: all are there. */
static size_t absent_directory(int dir, const char *path)
{
	_free_ char *name = mem_strdup(path);
	struct stat st;

	for (char *slash = name; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			return (size_t)(slash - name) + 1;
	}
	return 0;
}

void sparse_unmark_present(const char *worktree, git_index *index)
{
	_close_ int dir = open(worktree, FILE_DIR_FLAGS);
	const char *absent = "";
	size_t len = 0;
	struct stat st;

	for (size_t i = 0; i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);

		/* Of an absent directory no file is looked at. */
		if (!index_entry_skipped(e) || e->mode == GIT_FILEMODE_COMMIT ||
		    (len && strncmp(e->path, absent, len) == 0))
			continue;
		absent = e->path;
		len = absent_directory(dir, absent);
		if (!len && fstatat(dir, absent, &st, AT_SYMLINK_NOFOLLOW) == 0)
			index_entry_skip(e, false);
	}
}
