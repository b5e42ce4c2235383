/* others.c - finds the other repositories of a new session, and checks them
 * before anything is made. */
#include "commands/launch/others.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/gitfile.h"
#include "base/utf8.h"
#include "base/words.h"
#include "commands/command.h"
#include "commands/launch/settings.h"
#include "session/session.h"

/* A worktree of a submodule is made with that of its repository. */
static bool is_submodule(const char *repository)
{
	_free_ char *git = gitfile_dir(repository);
	const char *in = git ? strstr(git, ".git/") : NULL;

	return in && strstr(in, "/modules/");
}

/* real: without symlinks; NULL: it does not exist. */
static int check_path(const char *path, const char *real,
		      const char *repository, struct err *err)
{
	if (!*path)
		return err_set(err, ERR_USAGE, "the path is empty");
	if (!real)
		return err_errno(err, "%s", path);
	if (!utf8_valid(real, strlen(real)))
		return err_set(err, ERR_FAILED, "%s: the path is not UTF-8",
			       path);
	if (!repository)
		return err_set(err, ERR_FAILED, "%s is not in a git repository",
			       real);
	if (is_submodule(repository)) {
		err_set(err, ERR_REFUSED, "%s is a submodule", real);
		return err_hint(err,
				"name the repository that it is part of, or a "
				"clone of its own");
	}
	if (strcmp(real, repository) == 0)
		return 0;
	err_set(err, ERR_REFUSED,
		"%s is not the main worktree of a repository: %s is", real,
		repository);
	return err_hint(err, "--with takes that one");
}

/* Their worktrees have the names of their repositories. */
static int check_new(const struct spec *s, const char *repository,
		     struct err *err)
{
	_free_ char *name = gitfile_repository_name(repository);

	for (size_t i = 0; i < spec_count(s); i++) {
		struct spec one = spec_of(s, i);
		_free_ char *other = gitfile_repository_name(one.repository);

		if (strcmp(one.repository, repository) == 0)
			return err_set(err, ERR_USAGE, "%s is %s", repository,
				       i ? "named twice"
					 : "the repository that it is made in");
		if (strcmp(other, name) != 0)
			continue;
		err_set(err, ERR_CONFLICT,
			"two repositories are called '%s': %s and %s", name,
			one.repository, repository);
		return err_hint(err, "each worktree is called as its "
				     "repository: move one of them");
	}
	return spec_count(s) <= SPEC_WITH_MAX
		   ? 0
		   : err_set(err, ERR_LIMIT,
			     "a session has %d repositories at "
			     "most",
			     SPEC_WITH_MAX + 1);
}

int others_config(const struct new_session *n, size_t i, struct config **out,
		  struct err *err)
{
	struct spec one = spec_of(&n->spec, i);
	_free_ char *quoted = NULL;
	const char *path;

	if (settings_load(out, one.repository, err) < 0)
		return -1;
	path = config_untrusted(*out);
	if (!path || args_has(n->plan.args, "untrusted"))
		return 0;
	err_set(err, ERR_REFUSED, "%s is not trusted, or was changed since",
		path);
	quoted = words_quoted(one.repository);
	err_hint(err,
		 "`afw trust %s` shows and trusts it, --untrusted continues "
		 "without it",
		 quoted);
	config_destroy(*out);
	*out = NULL;
	return -1;
}

static int add(struct new_session *n, const char *path, struct err *err)
{
	_free_ char *real = realpath(path, NULL),
		    *repository = real ? session_repository_of(real) : NULL;
	struct config *config = NULL;
	int rc;

	if (check_path(path, real, repository, err) < 0 ||
	    check_new(&n->spec, repository, err) < 0)
		return -1;
	spec_add_with(&n->spec, repository);
	rc = others_config(n, spec_count(&n->spec) - 1, &config, err);
	config_destroy(config);
	return rc;
}

int others_choose(struct new_session *n, struct err *err)
{
	const char *path;
	size_t i = 0;

	while ((path = args_next(n->plan.args, "with", &i)))
		if (add(n, path, err) < 0)
			return err_prefix(err, "new '%s': --with",
					  n->spec.name);
	return 0;
}

char *others_together(const struct new_session *n)
{
	_free_ char *name = gitfile_repository_name(n->repository);

	return n->spec.with ? mem_printf("%s-%s", name, n->spec.name) : NULL;
}
