/* adopt.c - finds the worktree of a session that makes none. What is recorded
 * in the specification (place) keeps every later command from removing it. */
#include "commands/launch/adopt.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/gitenv.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "session/disk/dirs.h"
#include "wire/worktree_client.h"

#define CHECK_MS 120000 /* the time limit of afw-worktree itself */

/* Returns the directory that was named, to be freed; NULL with err. */
static char *find_directory(const char *path, struct err *err)
{
	struct stat st;
	char *real = realpath(path ? path : gitenv_here(), NULL);

	if (path && !*path) {
		err_set(err, ERR_USAGE, "--worktree: the path is empty");
	} else if (!real) {
		err_errno(err, "%s", path ? path : ".");
	} else if (path && lstat(path, &st) == 0 && S_ISLNK(st.st_mode)) {
		err_set(err, ERR_REFUSED, "%s is a symbolic link", path);
		err_hint(err, "it leads to %s", real);
		mem_set(&real, NULL);
	}
	return real;
}

/* A path below it would be another directory than the user has named. */
static int check_named(const struct spec *s, const char *path, struct err *err)
{
	if (strcmp(s->worktree_id, ".") == 0) {
		err_set(err, ERR_REFUSED, "%s is in the main worktree", path);
		return err_hint(err, "--here, there, works in it");
	}
	if (strcmp(s->worktree, path) == 0)
		return 0;
	return err_set(err, ERR_REFUSED,
		       "%s is not the top of a worktree: %s is", path,
		       s->worktree);
}

static int adopt(struct new_session *n, const char *path, struct err *err)
{
	_free_ char *dir = find_directory(path, err);
	struct adopt_request rq = {.path = dir, .repository = n->repository};
	struct spec *s = &n->spec;
	_json_ cJSON *o = dir ? worktree_client_run(adopt_request(&rq), NULL,
						    NULL, CHECK_MS, err)
			      : NULL;

	if (!o)
		return -1;
	s->place = mem_strdup(path ? "adopted" : "here");
	s->worktree = mem_strdup(json_str(o, "worktree"));
	s->worktree_id = mem_strdup(json_str(o, "worktree_id"));
	s->worktree_ino = json_u64(o, "ino", 0);
	s->branch = mem_strdup(json_str(o, "branch"));
	s->branch_given = true;
	s->base = mem_strdup(json_str(o, "base"));
	s->base_commit = mem_strdup(json_str(o, "base_commit"));
	return path ? check_named(s, dir, err) : 0;
}

int adopt_scratch(struct new_session *n, struct err *err)
{
	_free_ char *data = dirs_data(err);

	if (!data)
		return -1;
	n->repository = file_join(data, SPEC_SCRATCH);
	n->spec.repository = mem_strdup(n->repository);
	n->spec.place = mem_strdup(SPEC_SCRATCH);
	return 0;
}

/* In the session's directory, so that one rename moves both to the trash, and
 * restores both. */
int adopt_make_scratch(struct new_session *n, struct err *err)
{
	struct spec *s = &n->spec;
	struct stat st;

	s->worktree = file_join(n->dir, SPEC_SCRATCH);
	if (mkdir(s->worktree, 0700) < 0 || lstat(s->worktree, &st) < 0)
		return err_errno(err, "make %s", s->worktree);
	s->worktree_ino = st.st_ino;
	return 0;
}

int adopt_choose(struct new_session *n, struct err *err)
{
	const char *path = args_value(n->plan.args, "worktree");

	if (!path && !args_has(n->plan.args, "here"))
		return 0;
	return adopt(n, path, err) < 0
		   ? err_prefix(err, "new '%s'", n->spec.name)
		   : 0;
}

int adopt_check_free(const struct new_session *n, const struct session_list *l,
		     struct err *err)
{
	const struct spec *s = &n->spec;
	const struct session *other =
	    s->worktree ? session_list_at(l, s->worktree, "") : NULL;

	if (!other)
		return 0;
	if (strcmp(s->place, "adopted") == 0) {
		err_set(err, ERR_CONFLICT,
			"new '%s': %s is the worktree of session '%s'", s->name,
			s->worktree, other->spec.name);
		return err_hint(err, "`afw rm %s` leaves it as it is",
				other->spec.name);
	}
	output_warn("%s: session '%s' (%s) works in %s, too", s->name,
		    other->spec.name, session_status_word(other), s->worktree);
	return 0;
}
