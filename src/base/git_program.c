/* git_program.c - runs git for what it reads of a repository. */
#include "base/git_program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/gitenv.h"
#include "base/spawn.h"
#include "base/utf8.h"

#define DEADLINE_MS 30000
#define MAX	    ((size_t)1024 * 1024)

/* Returns the name of git's command, after options. */
static const char *command_of(const char *const *args)
{
	while (args[0] && args[0][0] == '-')
		args += strcmp(args[0], "-c") == 0 && args[1] ? 2 : 1;
	return args[0] ? args[0] : "";
}

static int run(const char *git_dir, const char *index, const char *const *args,
	       struct buf *out, struct err *err)
{
	_strv_ struct strv argv = {0}, env = {0};
	_buf_ struct buf said = {0};
	struct spawn sp = {.dir = "/"};
	char line[256];
	const char *why = line;
	int status = 0;

	strv_add(&argv, "git");
	strv_addf(&argv, "--git-dir=%s", git_dir ? git_dir : "/dev/null");
	for (size_t i = 0; args[i]; i++)
		strv_add(&argv, args[i]);
	gitenv_copy(&env);
	if (index)
		strv_addf(&env, "GIT_INDEX_FILE=%s", index);
	strv_add(&env, "LC_ALL=C"); /* "fatal: " is removed below */
	sp.argv = argv.v;
	sp.envp = env.v;
	if (spawn_run(&sp, NULL, out, &said, MAX, DEADLINE_MS, &status, err) <
	    0)
		return -1;
	if (WIFEXITED(status) && WEXITSTATUS(status) <= 1)
		return 0;
	utf8_last_line(line, sizeof line, said.data, said.len);
	if (strncmp(line, "fatal: ", 7) == 0)
		why += 7;
	return err_set(err, ERR_FAILED, "git %s: %s", command_of(args),
		       *why ? why : "it failed");
}

int git_program_read(const char *git_dir, const char *const *args,
		     struct buf *out, struct err *err)
{
	return run(git_dir, NULL, args, out, err);
}

/* Without core.sparseCheckout, it looks for no file outside the patterns. */
int git_program_expand_index(const char *git_dir, const char *index,
			     struct err *err)
{
	const char *const args[] = {GIT_PROGRAM_CONFINED,	 "-c",
				    "index.sparse=false",	 "-c",
				    "core.sparseCheckout=false", "update-index",
				    "--force-write-index",	 NULL};

	return run(git_dir, index, args, NULL, err);
}

/* Returns the first line that it prints, to be freed. */
static char *ask_line(const char *git_dir, const char *const *args,
		      struct err *err)
{
	_buf_ struct buf text = {0};

	buf_adds(&text, "");
	return git_program_read(git_dir, args, &text, err) < 0
		   ? NULL
		   : mem_strndup(text.data, strcspn(text.data, "\n"));
}

char *git_program_var(const char *name, struct err *err)
{
	const char *const args[] = {"var", name, NULL};

	return ask_line(NULL, args, err);
}

char *git_program_config(const char *git_dir, const char *type, const char *key)
{
	const char *const args[] = {"config", type, "--get", key, NULL};
	_free_ char *value = ask_line(git_dir, args, NULL);

	return value && *value ? TAKE_PTR(value) : NULL;
}
