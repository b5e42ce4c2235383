/* editor.c - runs the user's editor on the user's terminal. */
#include "commands/editor.h"

#include <stdlib.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/git_program.h"
#include "base/words.h"
#include "commands/cli/foreground.h"
#include "commands/launch/settings.h"

/* Finds the editor. A configuration that cannot be loaded may be the file to
 * edit: the environment's editor is used then. */
static int find_editor(struct strv *argv, char **line, struct err *err)
{
	struct config *c = NULL;
	const struct strv *option;
	int rc = 0;

	settings_load(&c, NULL, NULL);
	option = c ? config_list(c, OPTION_EDITOR) : NULL;
	if (line && (!option || !option->n)) {
		*line = git_program_var("GIT_EDITOR", err);
		rc = *line ? 0 : -1;
		/* A newer git prints an empty line instead of an error. */
		if (rc == 0 && !**line)
			rc = err_set(err, ERR_USAGE,
				     "Terminal is dumb, but EDITOR unset");
		if (rc < 0)
			err->kind = ERR_USAGE; /* the terminal is dumb */
		strv_add(argv, "sh");
		strv_add(argv, "-c");
		strv_addf(argv, "%s \"$@\"", *line ? *line : "");
		strv_add(argv, *line ? *line : "");
	} else {
		rc = config_editor(option, argv, err);
	}
	config_destroy(c);
	return rc;
}

int editor_run(const char *const *files, bool commit, struct err *err)
{
	struct strv argv = {0};
	struct spawn sp = {.fd = {0, 1, 2}};
	char *line = NULL; /* from git */
	int status = 0, rc = find_editor(&argv, commit ? &line : NULL, err);

	for (; rc == 0 && *files; files++)
		strv_add(&argv, *files);
	if (rc == 0) {
		sp.argv = argv.v;
		rc = foreground_lend(&sp, &status, err);
	}
	if (rc < 0)
		err_hint(err,
			 "the option editor%s, $VISUAL or $EDITOR names the "
			 "editor",
			 commit ? ", $GIT_EDITOR, core.editor" : "");
	else if (!WIFEXITED(status) || WEXITSTATUS(status))
		rc = err_set(
		    err, ERR_FAILED, "the editor %s has failed (%s %d)",
		    line ? line : argv.v[0],
		    WIFEXITED(status) ? "exit code" : "signal",
		    WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	strv_finish(&argv);
	free(line);
	return rc;
}

void editor_set_env(struct strv *env)
{
	struct config *c = NULL;
	const struct strv *option;
	_buf_ struct buf line = {0};

	settings_load(&c, NULL, NULL);
	option = c ? config_list(c, OPTION_EDITOR) : NULL;
	for (size_t i = 0; option && i < option->n; i++) {
		buf_adds(&line, i ? " " : "");
		words_quote(option->v[i], &line);
	}
	if (line.len)
		env_set(env, "GIT_EDITOR", line.data);
	config_destroy(c);
}
