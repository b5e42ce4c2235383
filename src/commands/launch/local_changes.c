/*
 * local_changes.c - makes a commit of the uncommitted changes here, with an
 * index of its own.
 */
#include "commands/launch/local_changes.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/gitenv.h"
#include "base/spawn.h"
#include "commands/cli/output.h"

#define INDEX_MAX  ((size_t)1 << 30)
#define SAID_MAX   ((size_t)64 * 1024)
#define TIMEOUT_MS 600000

struct work {
	char *top;	 /* of the worktree */
	char *index;	 /* a copy */
	struct strv env; /* with that */
};

static void work_finish(struct work *w)
{
	if (w->index)
		unlink(w->index);
	free(w->index);
	free(w->top);
	strv_finish(&w->env);
}

/* Runs git in the worktree, and returns the first line that it prints, to be
 * freed; NULL with err. */
static char *read_git(const struct work *w, const char *const *argv,
		      struct err *err)
{
	const struct spawn sp = {.argv = (char *const *)(size_t)argv,
				 .envp = w->env.n ? w->env.v : NULL,
				 .dir = w->top,
				 .fd = {-1, -1, -1}};
	_buf_ struct buf out = {0}, said = {0};
	int status;

	if (spawn_run(&sp, NULL, &out, &said, SAID_MAX, TIMEOUT_MS, &status,
		      err) < 0)
		return NULL;
	buf_adds(&out, "");
	buf_adds(&said, "");
	if (status == 0)
		return mem_strndup(out.data, strcspn(out.data, "\n"));
	output_lines(stderr, said.data);
	err_set(err, ERR_FAILED, "git %s failed", argv[1]);
	return NULL;
}
#define GIT(w, err, ...)                                                       \
	read_git(w, (const char *const[]){"git", __VA_ARGS__, NULL}, err)

/* An agent may have written what git would run there. */
static int check_here(struct err *err)
{
	_free_ char *here = realpath(gitenv_here(), NULL);

	if (!here || !strstr(here, "/.af_worktrees/"))
		return 0;
	err_set(err, ERR_REFUSED,
		"--with-changes: this is a session's "
		"worktree");
	return err_hint(err, "--from NAME begins with that session's files");
}

static int check_merged(const struct work *w, struct err *err)
{
	_free_ char *unmerged = GIT(w, err, "ls-files", "--unmerged");

	if (!unmerged)
		return -1;
	return !*unmerged
		   ? 0
		   : err_set(err, ERR_CONFLICT,
			     "--with-changes: a merge here has conflicts that "
			     "are not resolved");
}

static int copy_index(struct work *w, struct err *err)
{
	_free_ char *name = GIT(w, err, "rev-parse", "--git-path", "index");
	_free_ char *path = NULL;
	_buf_ struct buf text = {0};

	if (!name)
		return -1;
	path = *name == '/' ? mem_strdup(name) : file_join(w->top, name);
	if (file_read(AT_FDCWD, path, INDEX_MAX, &text, err) < 0)
		return -1;
	w->index = file_temporary(text.data, text.len, "", err);
	if (!w->index)
		return -1;
	for (char **e = environ; *e; e++)
		if (strncmp(*e, "GIT_INDEX_FILE=", 15) != 0) /* in a hook */
			strv_add(&w->env, *e);
	strv_addf(&w->env, "GIT_INDEX_FILE=%s", w->index);
	return 0;
}

static char *commit(const struct work *w, struct err *err)
{
	_free_ char *added = GIT(w, err, "-c", "core.safecrlf=false", "-c",
				 "advice.addEmbeddedRepo=false", "add", "-A");
	_free_ char *tree = added ? GIT(w, err, "write-tree") : NULL;
	_free_ char *before =
	    tree ? GIT(w, err, "rev-parse", "HEAD^{tree}") : NULL;

	if (!before)
		return NULL;
	return strcmp(tree, before) == 0
		   ? mem_strdup("")
		   : GIT(w, err, "-c", "user.name=afw", "-c",
			 "user.email=afw@localhost", "commit-tree", "-p",
			 "HEAD", "-m", "uncommitted changes", tree);
}

char *local_changes_commit(struct err *err)
{
	CLEANUP(work_finish) struct work w = {0};

	if (check_here(err) < 0)
		return NULL;
	w.top = GIT(&w, err, "rev-parse", "--show-toplevel");
	if (!w.top || check_merged(&w, err) < 0 || copy_index(&w, err) < 0)
		return NULL;
	return commit(&w, err);
}
