/* git_program.c - asks the git program about its configuration. */
#include "base/git_program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/gitenv.h"
#include "base/spawn.h"
#include "base/utf8.h"

#define DEADLINE_MS 30000
#define MAX	    ((size_t)1024 * 1024)

int git_program_ask(const char *git_dir, const char *const *args,
		    struct buf *out, struct err *err)
{
	struct strv argv = {0}, env = {0};
	struct buf said = {0};
	struct spawn sp = {.dir = "/"};
	char line[256];
	const char *why = line;
	int status = 0, rc;

	strv_add(&argv, "git");
	strv_addf(&argv, "--git-dir=%s", git_dir ? git_dir : "/dev/null");
	for (size_t i = 0; args[i]; i++)
		strv_add(&argv, args[i]);
	gitenv_copy(&env);
	strv_add(&env, "LC_ALL=C"); /* "fatal: " is cut off below */
	sp.argv = argv.v;
	sp.envp = env.v;
	rc = spawn_run(&sp, NULL, out, &said, MAX, DEADLINE_MS, &status, err);
	if (rc == 0 && (!WIFEXITED(status) || WEXITSTATUS(status) > 1)) {
		utf8_last_line(line, sizeof line, said.data, said.len);
		if (strncmp(line, "fatal: ", 7) == 0)
			why += 7;
		rc = err_set(err, ERR_FAILED, "git %s: %s", args[0],
			     *why ? why : "it failed");
	}
	strv_finish(&argv);
	strv_finish(&env);
	buf_finish(&said);
	return rc;
}

/* The first line of what it prints. */
static char *ask_line(const char *git_dir, const char *const *args,
		      struct err *err)
{
	struct buf text = {0};
	char *line = NULL;

	buf_adds(&text, "");
	if (git_program_ask(git_dir, args, &text, err) == 0)
		line = mem_strndup(text.data, strcspn(text.data, "\n"));
	buf_finish(&text);
	return line;
}

char *git_program_var(const char *name, struct err *err)
{
	const char *const args[] = {"var", name, NULL};

	return ask_line(NULL, args, err);
}

char *git_program_config(const char *git_dir, const char *type, const char *key)
{
	const char *const args[] = {"config", type, "--get", key, NULL};
	char *value = ask_line(git_dir, args, NULL);

	if (value && *value)
		return value;
	free(value);
	return NULL;
}
