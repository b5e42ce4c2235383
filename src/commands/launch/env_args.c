/* env_args.c - the agent's variables from -e and --env-file. */
#include "commands/launch/env_args.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/file.h"
#include "commands/cli/output.h"
#include "commands/command.h"

#define ENV_FILE_MAX ((size_t)256 * 1024)

/* Adds one variable. An invalid text may be a secret without its name, so the
 * error reports only its place. */
static int add_env(struct strv *env, const char *text, const char *where,
		   int number, struct err *err)
{
	size_t len = strcspn(text, "=");
	bool ok = env_is_name(text, len);

	if (ok && text[len] == '=')
		env_apply(env, text);
	else if (ok && getenv(text))
		env_set(env, text, getenv(text));
	else
		return err_set(err, ERR_USAGE,
			       "%s:%d: this is neither NAME=VALUE nor the name "
			       "of a variable that is set here",
			       where, number);
	return 0;
}

/* Adds the lines of fd, which may be -1 with errno set. */
static int add_lines(struct strv *env, int fd, const char *path,
		     struct err *err)
{
	int line_no = 0;
	struct buf text = {0};
	int rc = fd < 0 ? -1 : file_read_fd(fd, ENV_FILE_MAX, &text);

	if (rc < 0)
		err_errno(err, "variables: read %s", path);
	else if (text.len && memchr(text.data, '\0', text.len))
		rc = err_set(err, ERR_USAGE, "variables: %s holds a NUL byte",
			     path);
	for (char *p = text.data; rc == 0 && p && *p;) {
		size_t len = strcspn(p, "\n");
		char *line = mem_strndup(p, len), *at = line;

		line_no++;
		p += len + (p[len] == '\n');
		at += strspn(at, " \t");
		if (len && at[strlen(at) - 1 + (*at == '\0')] == '\r')
			at[strlen(at) - 1] = '\0';
		if (strncmp(at, "export ", 7) == 0)
			at += 7;
		if (*at && *at != '#')
			rc = add_env(env, at, path, line_no, err);
		free(line);
	}
	buf_finish(&text);
	return rc;
}

static int add_env_file(struct strv *env, const char *path, struct err *err)
{
	/* A pipe is allowed, so that the values need not be in a file at
	 * all. */
	int fd = strcmp(path, "-") == 0
		     ? dup(STDIN_FILENO)
		     : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	int rc = add_lines(env, fd, path, err);

	file_close(fd);
	return rc;
}

/* The variables reach programs that run as the user (LD_PRELOAD), so the user
 * must first trust the repository, whichever file names env_file. */
static int skip_or_refuse(const char *path, bool go_on, struct err *err)
{
	struct err why = {0};

	err_set(&why, ERR_REFUSED,
		"env_file: %s is left out: its repository is not trusted",
		path);
	err_hint(&why, "`afw trust` trusts it%s",
		 go_on ? "" : ", --untrusted continues without the file");
	if (go_on)
		output_warning(&why);
	else
		*err = why;
	return go_on ? 0 : -1;
}

static int add_configured_file(const struct config *c, const char *repository,
			       bool go_on, struct strv *env, struct err *err)
{
	const char *name = config_str(c, OPTION_ENV_FILE), *last;
	_free_ char *path = file_join(repository, name);
	_close_ int dir = -1, fd = -1;

	if (!*name)
		return 0;
	dir = file_open_parent(AT_FDCWD, repository, name, 0, &last);
	fd = dir < 0 ? -1 : file_open(dir, last, O_RDONLY, NULL);
	if (fd >= 0 && !config_repository_trusted(c))
		return skip_or_refuse(path, go_on, err);
	if (fd >= 0)
		return add_lines(env, fd, path, err);
	if (errno != ENOENT)
		return err_set(err, ERR_FAILED,
			       "env_file: %s is not a file of your own that "
			       "no link leads to",
			       path);
	output_warn("env_file: there is no %s", path);
	return 0;
}

int env_args_configured(const struct config *c, const char *repository,
			bool go_on, struct strv *env, struct err *err)
{
	const struct strv *list = config_list(c, OPTION_ENV);
	_strv_ struct strv more = {0};

	for (size_t i = 0; i < list->n; i++)
		env_apply(&more, list->v[i]);
	if (add_configured_file(c, repository, go_on, &more, err) < 0)
		return -1;
	/* Variables of the command line override it. */
	for (size_t i = 0; i < more.n; i++) {
		_free_ char *key =
		    mem_strndup(more.v[i], strcspn(more.v[i], "="));

		if (!env_get(env, key))
			strv_add(env, more.v[i]);
	}
	return 0;
}

/* Overwrites an argument: other users can read our arguments with ps while we
 * run. */
static void overwrite_argument(const char *argument)
{
	char *value = strchr((char *)(size_t)argument, '=');

	if (value)
		memset(value + 1, '*', strlen(value + 1));
}

int env_args_read(const struct args *args, struct strv *env, struct err *err)
{
	const char *value;
	size_t i = 0;
	int number = 0;

	while ((value = args_next(args, "env-file", &i)))
		if (add_env_file(env, value, err) < 0)
			return -1;
	i = 0;
	while ((value = args_next(args, "env", &i)))
		if (add_env(env, value, "--env", ++number, err) < 0)
			return -1;
	i = 0;
	/* With --all the options are read once for each session. */
	while (!args_has(args, "all") && (value = args_next(args, "env", &i)))
		overwrite_argument(value);
	return 0;
}

bool env_args_names(const struct strv *env, struct strv *names)
{
	size_t before = names->n;

	for (size_t i = 0; i < env->n; i++) {
		char *name = mem_strndup(env->v[i], strcspn(env->v[i], "="));

		if (strv_has(names, name))
			free(name);
		else
			strv_take(names, name);
	}
	return names->n > before;
}
