/*
 * hooks.c - runs git's hooks for a commit that the user makes. The agent may
 * have written the hooks, or what they run: so they run in the session's
 * worktree and sandbox, like its check. The index and the message, which they
 * may change, are files in the session's git directory; afw-worktree reads that
 * index as data.
 */
#include "commands/hooks.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/env_list.h"
#include "commands/cli/output.h"
#include "commands/hook_run.h"
#include "commands/launch/session_command.h"
#include "sandbox/sandbox.h"
#include "wire/protocol.h"

#define MESSAGE "COMMIT_EDITMSG" /* in git's directory */

/* -- choosing the hooks ---------------------------------------------------- */

/* Returns whether git aborts the commit if the hook fails, and --no-verify
 * skips it. */
static bool can_refuse(const char *name)
{
	return strcmp(name, "pre-commit") == 0 ||
	       strcmp(name, "commit-msg") == 0;
}

/* A session in a container has a sandbox only while it is running. */
static int check_sandbox(const struct hooks *h, struct err *err)
{
	const struct sandbox *tier = sandbox_find(h->s->spec.sandbox);

	if (h->names.n == 0 || !tier || !tier->holds || h->s->alive)
		return 0;
	err_set(err, ERR_NOT_RUNNING,
		"its hook %s runs in its container, which is not running",
		h->names.v[0]);
	return err_hint(err,
			can_refuse(h->names.v[0])
			    ? "`afw start %s` starts it; --no-verify skips "
			      "pre-commit and commit-msg"
			    : "`afw start %s` starts it",
			h->s->spec.name);
}

int hooks_begin(struct hooks *h, const cJSON *found, struct err *err)
{
	const cJSON *e;

	cJSON_ArrayForEach (
	    e, cJSON_GetObjectItemCaseSensitive(found, "hooks_ignored")) {
		output_hint("The '%s' hook was ignored because it's not set "
			    "as executable.",
			    e->valuestring);
		output_hint("You can disable this warning with `git config "
			    "advice.ignoredHook false`.");
	}
	h->found = found;
	h->dir = json_str_or(found, "hooks_dir", "");
	json_strv(found, "hooks", &h->names);
	h->index = json_str(found, "staged");
	if (h->index)
		h->git_dir = mem_strndup(
		    h->index, (size_t)(strrchr(h->index, '/') - h->index));
	return check_sandbox(h, err);
}

void hooks_finish(struct hooks *h)
{
	if (h->index)
		unlink(h->index);
	strv_finish(&h->names);
	free(h->git_dir);
	*h = (struct hooks){0};
}

/* -- running one hook ------------------------------------------------------ */

static int check_result(const struct hooks *h, const struct hook_end *end,
			const char *name, struct err *err)
{
	int status = end->status;

	if (status == 0)
		return 0;
	err_set(err, ERR_FAILED, "the hook %s has refused it (%s %d)%s%s", name,
		WIFEXITED(status) ? "exit code" : "signal",
		WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status),
		end->last[0] ? ": " : "", end->last);
	return err_hint(
	    err, "nothing is committed%s%s",
	    strcmp(h->s->spec.sandbox, "none") == 0
		? ""
		: "; it ran in the sandbox (sandbox_read in afw.ini(5))",
	    can_refuse(name) ? "; --no-verify skips pre-commit and commit-msg"
			     : "");
}

static int run(const struct hooks *h, const char *name, struct strv *argv,
	       struct strv *env, int fd, struct err *err)
{
	struct spawn sp = {
	    .argv = argv->v, .envp = env->v, .dir = h->s->spec.worktree};
	const struct sandbox *tier = sandbox_find(h->s->spec.sandbox);
	struct hook_end end = {.contained = tier && tier->holds};
	int moved = fd >= 0 ? dup2(fd, SANDBOX_FD) : 0;
	_close_ int dir = -1;

	if (moved < 0)
		return err_errno(err, "run the hook %s", name);
	sp.keep[0] = fd >= 0 ? SANDBOX_FD : 0;
	sp.dir_fd = dir = spec_open_worktree(&h->s->spec, err);
	if (dir < 0)
		return -1;
	if (hook_run(&sp, name, h->s->spec.check_timeout_ms, &end, err) < 0)
		return err_prefix(err, "the hook %s", name);
	return check_result(h, &end, name, err);
}

/* Adds the directory of the hooks and the targets of links in it. A link in the
 * worktree is not followed: the agent could have made it. */
static void add_reads(const struct hooks *h, const char *path,
		      struct strv *read)
{
	_free_ char *real = realpath(path, NULL);

	if (file_is_below(path, h->s->spec.worktree))
		return;
	strv_add(read, h->dir);
	if (real)
		strv_add(read, real);
}

/* Adds the variables that git sets for its hooks. dir: git's directory as the
 * hook sees it. */
static void add_env(const struct hooks *h, const char *name, const char *dir,
		    struct strv *env)
{
	_free_ char *index = file_join(dir, strcmp(name, "post-commit") == 0
						? "index"
						: strrchr(h->index, '/') + 1);

	session_command_env(h->s, env);
	env_set(env, "PWD", h->s->spec.worktree);
	env_set(env, "GIT_DIR", dir);
	env_set(env, "GIT_INDEX_FILE", index);
	env_set(env, "GIT_PREFIX", "");
	env_set(env, "GIT_AUTHOR_NAME", json_str(h->found, "author_name"));
	env_set(env, "GIT_AUTHOR_EMAIL", json_str(h->found, "author_email"));
	if (!h->editor)
		env_set(env, "GIT_EDITOR", ":");
}

/* message: its first argument is the message's file. */
static int start(const struct hooks *h, const char *name, bool message,
		 const char *source, struct err *err)
{
	/* sh also runs a script without an interpreter line, as git does. */
	static const char *const by_sh[] = {"/bin/sh", "-c",
					    "exec \"$0\" \"$@\""};
	_strv_ struct strv argv = {0}, env = {0}, read = {0}, places = {0};
	_free_ char *path = NULL, *inside = NULL, *dir = NULL;
	_close_ int fd = -1;

	if (!strv_has(&h->names, name))
		return 0;
	path = file_join(h->dir, name);
	sandbox_places(&h->s->spec, NULL, &places);
	inside = file_map(path, &places);
	dir = file_map(h->git_dir, &places);
	for (size_t i = 0; i < sizeof by_sh / sizeof by_sh[0]; i++)
		strv_add(&argv, by_sh[i]);
	strv_add(&argv, inside);
	if (message)
		strv_addf(&argv, "%s/%s", dir, MESSAGE);
	if (source)
		strv_add(&argv, source);
	add_env(h, name, dir, &env);
	add_reads(h, path, &read);
	if (session_command_enter(h->s, &read, true, &argv, &env, &fd, err) < 0)
		return -1;
	return run(h, name, &argv, &env, fd, err);
}

int hooks_run(const struct hooks *h, const char *name, struct err *err)
{
	return start(h, name, false, NULL, err);
}

int hooks_run_message(const struct hooks *h, const char *name,
		      const char *source, struct buf *message, struct err *err)
{
	_free_ char *path = NULL;

	if (!strv_has(&h->names, name))
		return 0;
	path = file_join(h->git_dir, MESSAGE);
	if (file_replace(AT_FDCWD, path, message->data, message->len, false,
			 err) < 0 ||
	    start(h, name, true, source, err) < 0)
		return -1;
	buf_clear(message);
	return file_read(AT_FDCWD, path, PROTOCOL_TEXT_MAX, message, err);
}

/* -------------------------------------------------------------------------- */

void hooks_print_not_run(const cJSON *o, const char *hint)
{
	_strv_ struct strv names = {0};
	_buf_ struct buf text = {0};

	json_strv(o, "hooks_not_run", &names);
	for (size_t i = 0; i < names.n; i++)
		buf_addf(&text, "%s%s", i ? ", " : "", names.v[i]);
	if (text.len)
		output_hint("hooks not run: %s%s", text.data, hint);
}
