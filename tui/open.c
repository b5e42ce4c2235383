/*
 * open.c - the terminal handed to a program of the user's own in a session's
 * worktree: the editor, a shell. None of ours looks at what the agent wrote.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/words.h"
#include "tui/tui.h"

static const char *first_of(const char *a, const char *b, const char *other)
{
	return a && *a ? a : b && *b ? b : other;
}

static void on_back(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	const char *what = arg;

	tui_take_back(t);
	/* A shell ends with the code of what was last typed. */
	if (what && r->exit_code != 0)
		tui_say(t, LOOK_ERROR, "%s ended with code %d", what,
			r->exit_code);
}

/* what: to be told of where it fails; NULL: never. */
static void open_in(struct tui *t, const struct session *s, struct strv *argv,
		    char *what)
{
	struct job_request rq = {.argv = argv->v,
				 .foreground = true,
				 .speaks = true,
				 .done = on_back,
				 .arg = what};
	struct err err = {0};

	if (!spec_has_worktree(&s->spec)) {
		tui_say(t, LOOK_PLAIN, "%s has no worktree", s->spec.name);
		return;
	}
	rq.dir_fd = spec_open_worktree(&s->spec, &err);
	if (rq.dir_fd < 0) {
		tui_say(t, LOOK_ERROR, "%s", err.what);
		return;
	}
	tui_hand_over(t);
	if (!what) {
		printf("the worktree of %s; exit comes back to afw\r\n",
		       s->spec.name);
		fflush(stdout);
	}
	if (jobs_start(t->jobs, &rq, &err) < 0) {
		tui_take_back(t);
		tui_say(t, LOOK_ERROR, "%s", err.what);
	}
	file_close(rq.dir_fd);
}

int open_editor(struct strv *argv, struct err *err)
{
	const char *editor = first_of(getenv("VISUAL"), getenv("EDITOR"), "vi");

	if (words_split(editor, argv, err) == 0 && argv->n > 0)
		return 0;
	return err_set(err, ERR_FAILED, "$VISUAL or $EDITOR names no editor");
}

void action_edit(struct tui *t, const struct session *s)
{
	static char what[] = "the editor";
	struct strv argv = {0};
	struct err err = {0};

	if (open_editor(&argv, &err) < 0) {
		tui_say(t, LOOK_ERROR, "%s", err.what);
	} else {
		strv_add(&argv, ".");
		open_in(t, s, &argv, what);
	}
	strv_finish(&argv);
}

void action_shell(struct tui *t, const struct session *s)
{
	struct strv argv = {0};

	strv_add(&argv, first_of(getenv("SHELL"), NULL, "/bin/sh"));
	open_in(t, s, &argv, NULL);
	strv_finish(&argv);
}
