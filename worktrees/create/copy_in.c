/*
 * copy_in.c - copies or links untracked files of the main worktree.
 *
 * No symlink in the main worktree makes it read outside, and no tracked symlink
 * in the new one makes it write outside: copy_tree.c.
 */
#include "worktrees/create/copy_in.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "worktrees/create/copy_tree.h"

#define MAX_DEPTH   128
#define MAX_MATCHES 10000

struct work {
	struct copy_in *b;
	struct strv found;
	size_t made;
	bool unusual; /* a socket, a device: left out */
	struct err *err;
};

static int check_pattern(const char *p, struct err *err)
{
	const char *why = NULL;

	if (!p[0])
		why = "it is empty";
	else if (p[0] == '/')
		why = "it is absolute";
	else
		for (const char *s = p; s; s = strchr(s, '/')) {
			s += *s == '/';
			if (strncmp(s, "..", 2) == 0 && (!s[2] || s[2] == '/'))
				why = "it has .. in it";
		}
	if (!why)
		return 0;
	err_set(err, ERR_USAGE, "copy or link \"%.200s\": %s", p, why);
	return err_hint(err, "patterns are relative to the main worktree, "
			     "like .env or config/*.local");
}

static int find(struct work *w, int dir, const char *name, const char *prefix,
		const char *p, int depth);

/* Matches one name of a directory with the first part of the pattern. */
static int find_name(struct work *w, int dir, const char *prefix,
		     const char *name, const char *p, int depth)
{
	size_t len = strcspn(p, "/");
	bool deep = len == 2 && memcmp(p, "**", 2) == 0;
	const char *rest = p + len + (p[len] == '/');
	_free_ char *part = mem_strndup(p, len),
		    *path = mem_printf("%s%s/", prefix, name);

	if (!deep && fnmatch(part, name, FNM_PERIOD) != 0)
		return 0;
	if (w->found.n >= MAX_MATCHES)
		return err_set(w->err, ERR_LIMIT,
			       "copy or link: more than %d files match",
			       MAX_MATCHES);
	if (*rest)
		return find(w, dir, name, path, deep ? p : rest, depth + 1);
	/* a last "**" matches everything */
	strv_addf(&w->found, "%s%s", prefix, name);
	return 0;
}

/* Finds the paths below the directory name in dir that match p. */
static int find(struct work *w, int dir, const char *name, const char *prefix,
		const char *p, int depth)
{
	_dir_ DIR *d = NULL;
	int r = 0;

	while (*p == '/')
		p++;
	if (*p && depth < MAX_DEPTH)
		d = file_list(dir, name);
	while (r == 0 && (name = file_list_next(d))) {
		if (strcmp(name, ".git") == 0)
			continue;
		r = output_check(w->b->out, w->err);
		if (r == 0)
			r = find_name(w, dirfd(d), prefix, name, p, depth);
		/* "**" also matches no directory at all */
		if (r == 0 && strncmp(p, "**/", 3) == 0)
			r = find_name(w, dirfd(d), prefix, name, p + 3, depth);
	}
	return r;
}

/* Returns an entry of the linked directory dir that is a link out of it to
 * another place of the main worktree, as a workspace of npm has in node_modules
 * and node_modules/@scope; to be freed, or NULL. */
static char *find_link_back(const struct work *w, const char *dir, int depth)
{
	_dir_ DIR *d = file_list(AT_FDCWD, dir);
	const char *name;
	char *found = NULL, c;

	while (!found && (name = file_list_next(d))) {
		bool link = readlinkat(dirfd(d), name, &c, 1) > 0;
		_free_ char *path = file_join(dir, name),
			    *to = link ? realpath(path, NULL) : NULL;

		if (to && file_is_below(to, w->b->from_path) &&
		    !file_is_below(to, dir))
			found = TAKE_PTR(path);
		else if (!link && *name == '@' && depth == 0)
			found = find_link_back(w, path, depth + 1);
	}
	return found;
}

/* What is run through such a link is not this worktree's. */
static void warn_link_back(const struct work *w, const char *path,
			   const char *target)
{
	_free_ char *dir = realpath(target, NULL),
		    *found = dir ? find_link_back(w, dir, 0) : NULL;

	if (found)
		strv_addf(w->b->warnings,
			  "the linked %s leads back into the main worktree "
			  "(%s): a test here would run what is there; copy = "
			  "%s copies it instead",
			  path, found, path);
}

static int copy_in_one(struct work *w, int main, const char *path, bool link,
		       struct strv *done)
{
	const char *name;
	_free_ char *target = file_join(w->b->from_path, path);
	_close_ int from = file_open_parent(main, ".", path, 0, &name);
	_close_ int to = file_open_parent(w->b->to, ".", path, 0777, &name);
	size_t made = w->made;
	int ignored = 1;
	struct stat st;

	if (from < 0 || to < 0) {
		strv_addf(w->b->warnings, "%s was not copied: %s", path,
			  strerror(errno));
		return 0;
	}
	/* tracked, or copied by another pattern: left alone */
	if (fstatat(to, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    (link || !S_ISDIR(st.st_mode)))
		return 0;
	/* Before it is made: libgit2 takes a link to a directory for one. */
	if (link && w->b->git &&
	    git_ignore_path_is_ignored(&ignored, w->b->git, path) == 0 &&
	    !ignored)
		strv_addf(w->b->warnings,
			  "git does not ignore the link %s, so an agent may "
			  "commit it: name it in .gitignore without a / at the "
			  "end",
			  path);
	if (link && symlinkat(target, to, name) < 0)
		return err_errno(w->err, "link %s", path);
	if (link)
		warn_link_back(w, path, target);
	if (!link && copy_tree(w->b->out, from, to, name, &w->made, &w->unusual,
			       w->err) < 0)
		return err_prefix(w->err, "copy %s", path);
	if (link || w->made > made)
		strv_add(done, path);
	return 0;
}

static void work_finish(struct work *w)
{
	strv_finish(&w->found);
}

/* Opens the main worktree; -1 with err. */
static int find_all(struct work *w, const struct strv *patterns)
{
	int r = 0, main;

	for (size_t i = 0; i < patterns->n; i++)
		if (check_pattern(patterns->v[i], w->err) < 0)
			return -1;
	main = open(w->b->from_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (main < 0)
		return err_errno(w->err, "open %s", w->b->from_path);
	for (size_t i = 0; r == 0 && i < patterns->n; i++)
		r = find(w, main, ".", "", patterns->v[i], 0);
	if (r < 0)
		file_reset(&main);
	return main;
}

int copy_in_find(struct copy_in *b, const struct strv *patterns,
		 struct strv *found, struct err *err)
{
	CLEANUP(work_finish) struct work w = {.b = b, .err = err};
	_close_ int main = -1;

	if (patterns->n == 0)
		return 0;
	main = find_all(&w, patterns);
	strv_copy(found, &w.found);
	return main < 0 ? -1 : 0;
}

int copy_in_run(struct copy_in *b, const struct strv *patterns, bool link,
		struct strv *done, struct err *err)
{
	CLEANUP(work_finish) struct work w = {.b = b, .err = err};
	_close_ int main = -1;
	int r = 0;

	if (patterns->n == 0)
		return 0;
	main = find_all(&w, patterns);
	if (main < 0)
		return -1;
	for (size_t i = 0; r == 0 && i < w.found.n; i++)
		r = copy_in_one(&w, main, w.found.v[i], link, done);
	if (w.unusual)
		strv_add(b->warnings, "sockets, pipes and devices were not "
				      "copied");
	return r;
}
