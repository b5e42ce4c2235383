/*
 * hooks.c - git's hooks for a commit of the user's. The agent may have written
 * them, or what they run: they run in the session's worktree and sandbox, like
 * its check. The index and the message that they may change are files in the
 * session's git directory; afw-worktree reads that index as data.
 */
#include "commands/hooks.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/env_list.h"
#include "base/file.h"
#include "commands/hook_run.h"
#include "commands/output.h"
#include "commands/shell.h"
#include "sandbox/sandbox.h"
#include "wire/protocol.h"
#include "wire/worktree_client.h"

#define SCRIPT_MAX ((size_t)1024 * 1024)
#define MESSAGE	   "COMMIT_EDITMSG" /* in git's directory */

/* -- which -------------------------------------------------------------------
 */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool verifies(const char *name)
{
	return strcmp(name, "pre-commit") == 0 ||
	       strcmp(name, "commit-msg") == 0;
}

static const char *find(const struct hooks *h, const char *name)
{
	for (size_t i = 0; i < h->paths.n; i++)
		if (strcmp(base_name(h->paths.v[i]), name) == 0)
			return h->paths.v[i];
	return NULL;
}

static int choose(struct hooks *h, const cJSON *found, bool verify,
		  struct err *err)
{
	const struct sandbox *tier = sandbox_find(h->s->spec.sandbox);
	const char *name = h->s->spec.name;
	bool cannot = tier && tier->holds && !h->s->alive;
	const cJSON *e;

	cJSON_ArrayForEach (e,
			    cJSON_GetObjectItemCaseSensitive(found, "hooks")) {
		const char *hook = base_name(e->valuestring);

		if (!verify && verifies(hook))
			continue;
		strv_add(cannot ? &h->not_run : &h->paths,
			 cannot ? hook : e->valuestring);
	}
	if (!verify || h->not_run.n == 0)
		return 0;
	err_set(err, ERR_NOT_RUNNING,
		"its hooks run in its container, which is there only while "
		"the session runs");
	return err_hint(err,
			"`afw start %s` starts it; --no-verify commits without "
			"hooks",
			name);
}

int hooks_begin(struct hooks *h, const cJSON *found, bool verify,
		struct err *err)
{
	cJSON *request;
	const cJSON *e;

	cJSON_ArrayForEach (
	    e, cJSON_GetObjectItemCaseSensitive(found, "hooks_ignored")) {
		output_hint("The '%s' hook was ignored because it's not set "
			    "as executable.",
			    e->valuestring);
		output_hint("You can disable this warning with `git config "
			    "advice.ignoredHook false`.");
	}
	if (choose(h, found, verify, err) < 0)
		return -1;
	if (h->paths.n == 0)
		return 0;
	request = spec_worktree_request(&h->s->spec, "commit");
	json_set_bool(request, "stage", true);
	h->staged = worktree_client_run(request, NULL, NULL, 0, err);
	cJSON_Delete(request);
	if (!h->staged)
		return -1;
	h->dir = mem_strdup(json_str_or(h->staged, "staged", "/"));
	*strrchr(h->dir, '/') = '\0';
	return 0;
}

void hooks_finish(struct hooks *h)
{
	if (h->staged)
		unlink(json_str_or(h->staged, "staged", ""));
	cJSON_Delete(h->staged);
	strv_finish(&h->paths);
	strv_finish(&h->not_run);
	free(h->dir);
	*h = (struct hooks){0};
}

/* -- one of them -------------------------------------------------------------
 */

static int judge(const struct hooks *h, const struct hook_end *end,
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
	    verifies(name) ? "; --no-verify skips pre-commit and commit-msg"
			   : "");
}

static int run(const struct hooks *h, const char *name, struct strv *argv,
	       struct strv *env, int fd, struct err *err)
{
	struct spawn sp = {
	    .argv = argv->v, .envp = env->v, .dir = h->s->spec.worktree};
	struct hook_end end;
	int moved = fd >= 0 ? dup2(fd, SANDBOX_FD) : 0, rc;

	if (moved < 0)
		return err_errno(err, "run the hook %s", name);
	sp.keep[0] = fd >= 0 ? SANDBOX_FD : 0;
	sp.dir_fd = spec_open_worktree(&h->s->spec, err);
	if (sp.dir_fd < 0)
		return -1;
	rc = hook_run(&sp, name, h->s->spec.check_timeout_ms, &end, err);
	close(sp.dir_fd);
	return rc < 0 ? err_prefix(err, "the hook %s", name)
		      : judge(h, &end, name, err);
}

/* A hook outside of the worktree, and what a link there leads to. A link in
 * the worktree is the agent's. */
static void add_reads(const struct spec *spec, const char *hook,
		      struct strv *read)
{
	size_t len = strlen(spec->worktree);

	if (strncmp(hook, spec->worktree, len) == 0 && hook[len] == '/')
		return;
	strv_take(read, mem_strndup(hook, (size_t)(base_name(hook) - hook)));
	strv_take(read, realpath(hook, NULL));
}

/* What git sets for its hooks. dir: of git, as the hook sees it. */
static void add_env(const struct hooks *h, const char *name, const char *dir,
		    struct strv *env)
{
	char *index = file_join(
	    dir, strcmp(name, "post-commit") == 0
		     ? "index"
		     : base_name(json_str_or(h->staged, "staged", "")));

	exec_env(h->s, env);
	env_set(env, "GIT_DIR", dir);
	env_set(env, "GIT_INDEX_FILE", index);
	env_set(env, "GIT_PREFIX", "");
	env_set(env, "GIT_AUTHOR_NAME", json_str(h->staged, "author_name"));
	env_set(env, "GIT_AUTHOR_EMAIL", json_str(h->staged, "author_email"));
	if (!h->editor)
		env_set(env, "GIT_EDITOR", ":");
	free(index);
}

/* A script without "#!", which git runs by sh(1), as execvp(3) does. */
static bool needs_shell(const char *path)
{
	char *real = realpath(path, NULL);
	struct buf text = {0};
	bool needs = real &&
		     file_read(AT_FDCWD, real, SCRIPT_MAX, &text, NULL) == 0 &&
		     (text.len < 4 || (memcmp(text.data, "#!", 2) != 0 &&
				       memcmp(text.data, "\177ELF", 4) != 0));

	buf_finish(&text);
	free(real);
	return needs;
}

/* message: its first argument is the message's file. */
static int start(const struct hooks *h, const char *name, bool message,
		 const char *source, struct err *err)
{
	const struct sandbox *tier = sandbox_find(h->s->spec.sandbox);
	const char *path = find(h, name);
	const char *dir = tier && tier->git_at ? tier->git_at : h->dir;
	struct strv argv = {0}, env = {0}, read = {0};
	int fd = -1, rc;

	if (!path)
		return 0;
	if (needs_shell(path))
		strv_add(&argv, "/bin/sh");
	strv_add(&argv, path);
	if (message)
		strv_addf(&argv, "%s/%s", dir, MESSAGE);
	if (source)
		strv_add(&argv, source);
	add_env(h, name, dir, &env);
	add_reads(&h->s->spec, path, &read);
	rc = exec_prepare(h->s, &read, &argv, &env, &fd, err);
	if (rc == 0)
		rc = run(h, name, &argv, &env, fd, err);
	file_close(fd);
	strv_finish(&argv);
	strv_finish(&env);
	strv_finish(&read);
	return rc;
}

int hooks_run(const struct hooks *h, const char *name, struct err *err)
{
	return start(h, name, false, NULL, err);
}

int hooks_run_message(const struct hooks *h, const char *name,
		      const char *source, struct buf *message, struct err *err)
{
	char *path = h->staged ? file_join(h->dir, MESSAGE) : NULL;
	int rc = 0;

	if (find(h, name)) {
		rc = file_replace(AT_FDCWD, path, message->data, message->len,
				  false, err);
		if (rc == 0)
			rc = start(h, name, true, source, err);
		buf_clear(message);
		if (rc == 0)
			rc = file_read(AT_FDCWD, path, PROTOCOL_TEXT_MAX,
				       message, err);
	}
	free(path);
	return rc;
}

/* -- those that are not run --------------------------------------------------
 */

void hooks_set_not_run(cJSON *answer)
{
	struct strv paths = {0};
	cJSON *names = json_set_array(answer, "hooks_not_run");

	json_strv(answer, "hooks", &paths);
	for (size_t i = 0; i < paths.n; i++)
		cJSON_AddItemToArray(names,
				     cJSON_CreateString(base_name(paths.v[i])));
	strv_finish(&paths);
	cJSON_DeleteItemFromObjectCaseSensitive(answer, "hooks");
	cJSON_DeleteItemFromObjectCaseSensitive(answer, "hooks_ignored");
}

void hooks_print_not_run(const cJSON *o, const char *hint)
{
	struct strv names = {0};
	struct buf text = {0};

	json_strv(o, "hooks_not_run", &names);
	for (size_t i = 0; i < names.n; i++)
		buf_addf(&text, "%s%s", i ? ", " : "", names.v[i]);
	if (names.n)
		output_hint("hooks not run: %s%s", text.data, hint);
	buf_finish(&text);
	strv_finish(&names);
}
