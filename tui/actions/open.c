/* open.c - hands the terminal to a program of the user in a session's worktree:
 * the editor, a shell. The dashboard itself does not read what the agent
 * wrote. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "config/config.h"
#include "tui/child/job.h"
#include "tui/actions/action.h"
#include "tui/tui.h"

static void on_back(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	const char *what = arg;

	tui_reclaim_terminal(t);
	/* A shell's exit code is that of its last command. */
	if (what && r->exit_code != 0)
		tui_set_message(t, LOOK_ERROR, "%s ended with code %d", what,
				r->exit_code);
}

/* what: reported if it fails; NULL: not reported. */
static void open_in(struct tui *t, const struct session *s, struct strv *argv,
		    char *what)
{
	struct job_request rq = {
	    .argv = argv->v, .speaks = true, .done = on_back, .arg = what};
	_free_ char *text =
	    what ? NULL
		 : mem_printf("the worktree of %s; exit returns to afw",
			      s->spec.name);
	struct err err = {0};

	if (!spec_has_worktree(&s->spec)) {
		tui_set_message(t, LOOK_PLAIN, "%s has no worktree",
				s->spec.name);
		return;
	}
	rq.dir_fd = spec_open_worktree(&s->spec, &err);
	if (rq.dir_fd < 0) {
		tui_set_message(t, LOOK_ERROR, "%s", err.what);
		return;
	}
	tui_run_program(t, &rq, text);
	file_close(rq.dir_fd);
}

void action_edit(struct tui *t, const struct session *s)
{
	static char what[] = "the editor";
	_strv_ struct strv argv = {0};
	struct err err = {0};

	if (config_editor(&t->editor, &argv, &err) < 0) {
		tui_set_message(t, LOOK_ERROR, "%s", err.what);
	} else {
		strv_add(&argv, ".");
		open_in(t, s, &argv, what);
	}
}

void action_shell(struct tui *t, const struct session *s)
{
	const char *shell = getenv("SHELL");
	_strv_ struct strv argv = {0};

	strv_add(&argv, shell && *shell ? shell : "/bin/sh");
	open_in(t, s, &argv, NULL);
}
