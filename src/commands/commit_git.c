/*
 * commit_git.c - runs git for afw commit.
 *
 * Without a sandbox the agent could do all that the user can, so git, its
 * configuration, and the .git file of the worktree are trusted as they are when
 * the user runs git commit there. In a sandbox git, its hooks, and what they
 * run, are run inside, on the agent's own git directory; it gets the user's
 * identity and some other settings by its environment, and no terminal.
 */
#include "commands/commit_git.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/git_program.h"
#include "base/gitenv.h"
#include "base/gitfile.h"
#include "commands/cli/foreground.h"
#include "commands/editor.h"
#include "commands/git_run.h"
#include "commands/launch/session_command.h"
#include "sandbox/sandbox.h"
#include "wire/protocol.h"

#define TEMPLATE "afw-template" /* in the agent's git directory */
#define ABOVE	 10		/* a descriptor above SANDBOX_FD */

/* -- a sandbox ------------------------------------------------------------- */

static int check_running(const struct session *s, struct err *err)
{
	const struct sandbox *tier = sandbox_find(s->spec.sandbox);

	if (!tier || !tier->holds || s->alive)
		return 0;
	err_set(err, ERR_NOT_RUNNING,
		"git runs in its container, which is not running");
	return err_hint(err, "`afw start %s` starts it", s->spec.name);
}

/* Sets GIT_AUTHOR_NAME and the like to what git uses here. */
static int add_person(struct commit_git *g, const char *role, struct err *err)
{
	_free_ char *var = mem_printf("GIT_%s_IDENT", role),
		    *name = mem_printf("GIT_%s_NAME", role),
		    *email = mem_printf("GIT_%s_EMAIL", role),
		    *date = mem_printf("GIT_%s_DATE", role), *when = NULL;
	const char *const args[] = {"var", var, NULL};
	_buf_ struct buf text = {0};
	char *lt, *gt;

	buf_adds(&text, "");
	if (git_program_read(g->git_dir, args, &text, err) < 0)
		return err_hint(err,
				"`git config --global user.name NAME` and `git "
				"config --global user.email ADDRESS` set it");
	text.data[strcspn(text.data, "\n")] = '\0';
	lt = strchr(text.data, '<');
	gt = lt ? strchr(lt, '>') : NULL;
	if (!gt || lt == text.data || !gt[1])
		return err_set(err, ERR_FAILED, "git var %s failed", var);
	lt[-1] = *gt = '\0';
	when = mem_printf("@%s", gt + 2);
	env_set(&g->env, name, text.data);
	env_set(&g->env, email, lt + 1);
	env_set(&g->env, date, when);
	return 0;
}

static void add_setting(struct commit_git *g, int *n, const char *key,
			const char *value)
{
	_free_ char *k = mem_printf("GIT_CONFIG_KEY_%d", *n),
		    *v = mem_printf("GIT_CONFIG_VALUE_%d", *n),
		    *count = mem_printf("%d", ++*n);

	env_set(&g->env, k, key);
	env_set(&g->env, v, value);
	env_set(&g->env, "GIT_CONFIG_COUNT", count);
}

/* Adds the settings that change what is committed. Others may be secret, or
 * name programs that are not there. */
static int add_settings(struct commit_git *g, const struct strv *places,
			struct err *err)
{
	static const char *const args[] = {
	    "config", "--null", "--get-regexp",
	    "^(core\\.(autocrlf|eol|safecrlf|commentchar)|commit\\.(cleanup|"
	    "status|verbose)|i18n\\.commitencoding|advice\\.ignoredhook)$",
	    NULL};
	_free_ char *hooks = file_map(g->hooks, places);
	_buf_ struct buf text = {0};
	int n = 0;

	buf_adds(&text, "");
	if (git_program_read(g->git_dir, args, &text, err) < 0)
		return -1;
	for (char *key = text.data, *end = text.data + text.len; key < end;) {
		char *next = key + strlen(key) + 1, *value = strchr(key, '\n');

		if (value)
			*value++ = '\0';
		add_setting(g, &n, key, value ? value : "true");
		key = next;
	}
	add_setting(g, &n, "core.hooksPath", hooks);
	return 0;
}

/* Finds the hooks, and lets them be read: their directory and the targets of
 * links in it. A link in the worktree is not followed: the agent could have
 * made it. */
static void find_hooks(struct commit_git *g)
{
	static const char *const names[] = {"pre-commit", "prepare-commit-msg",
					    "commit-msg", "post-commit"};
	const struct spec *spec = &g->s->spec;
	_free_ char *set = git_program_config(g->git_dir, "--type=path",
					      "core.hooksPath"),
		    *git = gitfile_dir(spec->repository);

	g->hooks = !set		   ? file_join(git ? git : "", "hooks")
		   : set[0] == '/' ? mem_strdup(set)
				   : file_join(spec->worktree, set);
	if (file_is_below(g->hooks, spec->worktree))
		return;
	strv_add(&g->read, g->hooks);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		_free_ char *path = file_join(g->hooks, names[i]),
			    *real = realpath(path, NULL);

		if (real)
			strv_add(&g->read, real);
	}
}

/* Copies commit.template into the sandbox. A relative path is in the main
 * worktree, because the agent can write in the session's. */
static int copy_template(struct commit_git *g, struct err *err)
{
	const struct spec *spec = &g->s->spec;
	_free_ char *set = git_program_config(g->git_dir, "--type=path",
					      "commit.template"),
		    *path = NULL;
	_buf_ struct buf text = {0};

	if (!set || !spec->private_git)
		return 0;
	path =
	    set[0] == '/' ? mem_strdup(set) : file_join(spec->repository, set);
	g->template = file_join(spec->private_git, TEMPLATE);
	buf_adds(&text, "");
	if (file_read(AT_FDCWD, path, PROTOCOL_TEXT_MAX, &text, err) < 0)
		return err_hint(err, "it is commit.template; with -m TEXT it "
				     "is not needed");
	return file_replace(AT_FDCWD, g->template, text.data, text.len, false,
			    err);
}

static int begin_boxed(struct commit_git *g, struct err *err)
{
	_strv_ struct strv places = {0};

	session_command_env(g->s, &g->env);
	env_set(&g->env, "PWD", g->s->spec.worktree);
	if (g->edited)
		env_set(&g->env, "GIT_EDITOR", GIT_RUN_EDITOR);
	sandbox_places(&g->in->spec, NULL, &places);
	find_hooks(g);
	return check_running(g->s, err) < 0 ||
		       add_person(g, "AUTHOR", err) < 0 ||
		       add_person(g, "COMMITTER", err) < 0 ||
		       add_settings(g, &places, err) < 0 ||
		       (g->edited && copy_template(g, err) < 0)
		   ? -1
		   : 0;
}

/* -------------------------------------------------------------------------- */

/* If we have no terminal, GPG_TTY names the dashboard's, and pinentry would
 * draw on it. */
static void begin_unboxed(struct commit_git *g)
{
	int tty = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);

	g->attended = tty >= 0;
	gitenv_copy(&g->env);
	if (tty < 0)
		env_apply(&g->env, "GPG_TTY");
	file_close(tty);
	editor_set_env(&g->env);
}

int commit_git_begin(struct commit_git *g, const struct session *s,
		     const struct session *in, const char *git_dir, bool edited,
		     struct err *err)
{
	*g = (struct commit_git){.s = s,
				 .in = in,
				 .git_dir = git_dir,
				 .edited = edited,
				 .boxed = strcmp(s->spec.sandbox, "none") != 0};
	if (g->boxed)
		return begin_boxed(g, err);
	begin_unboxed(g);
	return 0;
}

void commit_git_finish(struct commit_git *g)
{
	if (g->template)
		unlink(g->template);
	free(g->template);
	free(g->hooks);
	strv_finish(&g->read);
	strv_finish(&g->env);
}

static int check_status(const struct commit_git *g, int status,
			const char *last, struct err *err)
{
	if (status == 0)
		return 0;
	if (WIFSIGNALED(status))
		err_set(err, ERR_FAILED, "git was ended by signal %d",
			WTERMSIG(status));
	else
		err_set(err, ERR_FAILED, "git has failed (exit code %d)%s%s",
			WEXITSTATUS(status), *last ? ": " : "", last);
	if (g->boxed)
		return err_hint(err,
				"nothing is committed; git and its hooks ran "
				"in the sandbox (sandbox_read in afw.ini(5))");
	if (g->edited)
		return err_hint(err,
				"nothing is committed; git keeps a message in "
				"%s/COMMIT_EDITMSG",
				g->git_dir);
	return err_hint(err, "nothing is committed");
}

/* A sandbox starts in the session's first worktree. */
static void go_to_worktree(const struct commit_git *g, struct strv *argv)
{
	_strv_ struct strv places = {0};
	struct strv there = {0};

	sandbox_places(&g->in->spec, NULL, &places);
	strv_add(&there, "sh");
	strv_add(&there, "-c");
	strv_add(&there, "cd \"$1\" && shift && exec \"$@\"");
	strv_add(&there, "sh");
	strv_take(&there, file_map(g->s->spec.worktree, &places));
	strv_copy(&there, argv);
	strv_finish(argv);
	*argv = there;
}

/* Runs argv, which it changes, with input (-1: none). attended: on the user's
 * terminal. */
static int run_git(struct commit_git *g, struct strv *argv, int input,
		   bool attended, bool edits, struct err *err)
{
	const struct sandbox *tier = sandbox_find(g->s->spec.sandbox);
	struct git_run r = {.contained = tier && tier->holds, .edits = edits};
	const struct session *at = g->boxed ? g->in : g->s;
	struct spawn sp = {.dir = at->spec.worktree};
	_strv_ struct strv env = {0};
	_close_ int dir = -1, fd = -1;
	int rc = 0;

	strv_copy(&env, &g->env);
	if (g->boxed && strcmp(g->s->spec.worktree, at->spec.worktree) != 0)
		go_to_worktree(g, argv);
	if (g->boxed) {
		rc = session_command_enter(g->in, &g->read, true, argv, &env,
					   &fd, err);
		if (rc == 0 && fd >= 0 && dup2(fd, SANDBOX_FD) < 0)
			rc = err_errno(err, "run git");
		sp.keep[0] = fd >= 0 ? SANDBOX_FD : 0;
	}
	sp.argv = argv->v;
	sp.envp = env.v;
	if (rc < 0 ||
	    (sp.dir_fd = dir = spec_open_worktree(&at->spec, err)) < 0)
		return -1;
	sp.fd[0] = input;
	if (attended) {
		/* Standard output may be the user's pipe for --json. */
		sp.fd[1] =
		    isatty(STDOUT_FILENO) ? STDOUT_FILENO : STDERR_FILENO;
		sp.fd[2] = STDERR_FILENO;
		rc = foreground_lend(&sp, &r.status, err);
	} else {
		rc = git_run(&r, &sp, g->s->spec.check_timeout_ms, err);
	}
	return rc < 0 ? err_prefix(err, "git")
		      : check_status(g, r.status, r.last, err);
}

/* Keeps SANDBOX_FD free. */
static int open_input(const char *path, struct err *err)
{
	_close_ int fd = file_open(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, err);
	int above;

	if (fd < 0)
		return -1;
	above = fcntl(fd, F_DUPFD_CLOEXEC, ABOVE);
	return above < 0 ? err_errno(err, "open %s", path) : above;
}

static int run_script(struct commit_git *g, const char *script,
		      const char *head, struct err *err)
{
	_strv_ struct strv argv = {0};

	strv_add(&argv, "sh");
	strv_add(&argv, "-c");
	strv_add(&argv, script);
	strv_add(&argv, "sh");
	strv_add(&argv, head);
	return run_git(g, &argv, -1, false, false, err);
}

/* how: an option of git update-index. */
static int update_index(struct commit_git *g, const char *list, const char *how,
			struct err *err)
{
	_strv_ struct strv argv = {0};
	_close_ int fd = open_input(list, err);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && st.st_size == 0)
		return 0;
	strv_add(&argv, "git");
	strv_add(&argv, "update-index");
	strv_add(&argv, "--replace"); /* a directory, or a file above it */
	strv_add(&argv, "-z");
	strv_add(&argv, how);
	if (strcmp(how, "--index-info") != 0)
		strv_add(&argv, "--stdin");
	return run_git(g, &argv, fd, false, false, err);
}

int commit_git_stage(struct commit_git *g, const char *add, const char *gone,
		     const char *stored, struct err *err)
{
	static const char keep[] =
	    "i=$(git rev-parse --git-path index) && rm -f \"$i.afw\" && "
	    "cp -p \"$i\" \"$i.afw\"";

	return run_script(g, keep, "", err) < 0 ||
		       update_index(g, gone, "--force-remove", err) < 0 ||
		       update_index(g, add, "--add", err) < 0 ||
		       update_index(g, stored, "--index-info", err) < 0
		   ? -1
		   : 0;
}

static int open_message(const struct buf *text, struct err *err)
{
	_free_ char *path = file_temporary(text->data, text->len, ".txt", err);
	int fd = path ? open_input(path, err) : -1;

	if (path)
		unlink(path);
	return fd;
}

int commit_git_commit(struct commit_git *g, struct strv *options,
		      const struct buf *text, struct err *err)
{
	_strv_ struct strv argv = {0}, places = {0};
	_close_ int fd = g->edited ? -1 : open_message(text, err);

	if (!g->edited && fd < 0)
		return -1;
	strv_add(&argv, "git");
	if (!g->attended) {
		/* It would run on, and be ended with git. */
		strv_add(&argv, "-c");
		strv_add(&argv, "maintenance.auto=false");
	}
	strv_add(&argv, "commit");
	strv_add(&argv, "--quiet");
	strv_copy(&argv, options);
	if (g->boxed)
		strv_add(&argv, "--no-gpg-sign"); /* it is signed outside */
	if (!g->edited) {
		strv_add(&argv, "--file=-");
	} else if (g->template) {
		_free_ char *inside = NULL;

		sandbox_places(&g->in->spec, NULL, &places);
		inside = file_map(g->template, &places);
		strv_addf(&argv, "--template=%s", inside);
	}
	return run_git(g, &argv, g->edited && g->attended ? STDIN_FILENO : fd,
		       g->attended, g->boxed && g->edited, err);
}

void commit_git_end(struct commit_git *g, const char *head)
{
	static const char restore[] =
	    "i=$(git rev-parse --git-path index) || exit\n"
	    "if [ \"$(git rev-parse HEAD)\" = \"$1\" ]; then\n"
	    "	ln \"$i.afw\" \"$i.lock\" 2>/dev/null && mv -f \"$i.lock\" "
	    "\"$i\"\n"
	    "fi\n"
	    "rm -f \"$i.afw\"";

	run_script(g, restore, head, NULL);
}
