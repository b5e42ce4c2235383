/* session_find.c - which session a user means. */
#include "session/session.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"

#include <fcntl.h>

/* The one line of a git file ("gitdir: /path", "../.."), or NULL. */
static char *one_line(const char *dir, const char *name, const char *prefix)
{
	char *path = file_join(dir, name), *line = NULL;
	struct buf text = {0};
	size_t skip = strlen(prefix);

	if (file_read(AT_FDCWD, path, PATH_MAX + 64, &text, NULL) == 0 &&
	    strncmp(text.data, prefix, skip) == 0)
		line = mem_strndup(text.data + skip,
				   strcspn(text.data + skip, "\n"));
	free(path);
	buf_finish(&text);
	return line;
}

static char *resolved(const char *dir, const char *path)
{
	char *full = path[0] == '/' ? mem_strdup(path) : file_join(dir, path);
	char *real = realpath(full, NULL);

	free(full);
	return real;
}

static bool is_dir(const char *dir, const char *name)
{
	char *path = file_join(dir, name);
	struct stat st;
	bool yes = stat(path, &st) == 0 && S_ISDIR(st.st_mode);

	free(path);
	return yes;
}

static bool is_git_dir(const char *dir)
{
	char *head = file_join(dir, "HEAD");
	bool yes = access(head, F_OK) == 0 && is_dir(dir, "objects") &&
		   is_dir(dir, "refs");

	free(head);
	return yes;
}

/* The main worktree of a common git directory, or itself where it is bare. */
static char *main_of(char *common)
{
	size_t len = common ? strlen(common) : 0;

	if (len > 5 && strcmp(common + len - 5, "/.git") == 0)
		common[len - 5] = '\0';
	return common;
}

/* dir has a .git file: follow it to the repository that it belongs to. */
static char *by_git_file(const char *dir)
{
	char *link = one_line(dir, ".git", "gitdir: "), *git, *up, *common;

	if (!link)
		return NULL;
	git = resolved(dir, link);
	free(link);
	if (!git)
		return NULL;
	up = one_line(git, "commondir", "");
	common = up ? resolved(git, up) : mem_strdup(git);
	free(up);
	free(git);
	return main_of(common);
}

char *session_repository_of(const char *path)
{
	char *dir = realpath(path, NULL), *found = NULL;

	while (dir && !found) {
		char *slash;

		if (is_dir(dir, ".git"))
			found = mem_strdup(dir);
		else if (is_git_dir(dir))
			found = main_of(mem_strdup(dir));
		else
			found = by_git_file(dir);
		slash = strrchr(dir, '/');
		if (!slash || slash == dir)
			break;
		*slash = '\0';
	}
	free(dir);
	return found;
}

enum fit { FIT_NONE, FIT_ID, FIT_ELSEWHERE, FIT_HERE };

static enum fit fits(const struct session *s, const char *what,
		     const char *here)
{
	const struct spec *spec = &s->spec;
	const char *slash = strrchr(what, '/');
	size_t len = strlen(what);

	if (slash) {
		size_t n = (size_t)(slash - what);

		return spec->repository_name &&
			       strlen(spec->repository_name) == n &&
			       strncmp(spec->repository_name, what, n) == 0 &&
			       strcmp(spec->name, slash + 1) == 0
			   ? FIT_HERE
			   : FIT_NONE;
	}
	if (strcmp(spec->name, what) == 0)
		return here && spec->repository &&
			       strcmp(here, spec->repository) == 0
			   ? FIT_HERE
			   : FIT_ELSEWHERE;
	if (len >= 6 && strncmp(spec->id, what, len) == 0)
		return FIT_ID;
	return FIT_NONE;
}

static void hint_names(struct err *err, const struct session_list *l)
{
	struct buf names = {0};

	for (size_t i = 0; i < l->n && i < 8; i++) {
		char *label = session_label(&l->v[i], l);

		buf_addf(&names, "%s%s", i ? ", " : "", label);
		free(label);
	}
	if (l->n)
		err_hint(err, "there %s: %s%s", l->n == 1 ? "is" : "are",
			 names.data, l->n > 8 ? ", …" : "");
	else
		err_hint(err, "there are no sessions yet; "
			      "`afw new NAME` makes one");
	buf_finish(&names);
}

int session_find(struct session *s, const char *what, struct err *err)
{
	char *here = session_repository_of(".");
	struct session_list l;
	enum fit best = FIT_NONE;
	size_t at = 0, count = 0;
	int rc = -1;

	if (session_list_glance(&l, err) < 0)
		goto out;
	for (size_t i = 0; i < l.n; i++) {
		enum fit f = fits(&l.v[i], what, here);

		if (f == FIT_NONE || f < best)
			continue;
		count = f == best ? count + 1 : 1;
		best = f;
		at = i;
	}
	if (count == 0) {
		err_set(err, ERR_NO_SESSION, "no session '%.80s'", what);
		hint_names(err, &l);
	} else if (count > 1) {
		err_set(err, ERR_CONFLICT,
			"'%.80s' may be any of %zu sessions", what, count);
		err_hint(err, "say it as repository/NAME, or by its id "
			      "(afw ls --json)");
	} else {
		rc = session_load(s, l.v[at].spec.id, err);
	}
	session_list_finish(&l);
out:
	free(here);
	return rc;
}
