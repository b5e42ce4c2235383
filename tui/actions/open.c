/* open.c - hands the terminal to the user's editor in a session's worktree. The
 * dashboard itself does not read what the agent wrote. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/spawn.h"
#include "config/config.h"
#include "tui/actions/action.h"
#include "tui/actions/command.h"
#include "tui/tui.h"
#include "tui/widgets/diff_files.h"

#define FILES_MAX 50 /* that an editor gets at once */

static void on_back(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;

	tui_reclaim_terminal(t);
	if (r->exit_code != 0)
		tui_set_message(t, LOOK_ERROR, "the editor ended with code %d",
				r->exit_code);
}

static void open_in(struct tui *t, const struct session *s, struct strv *argv)
{
	struct job_request rq = {
	    .argv = argv->v, .speaks = true, .done = on_back};
	struct err err = {0};

	if (s->host ||
	    (!spec_has_checkout(&s->spec) && !spec_is_scratch(&s->spec))) {
		tui_set_message(t, LOOK_PLAIN, "%s %s%s", s->spec.name,
				s->host ? "has its worktree on "
					: "has no worktree",
				s->host ? s->host : "");
		return;
	}
	rq.dir_fd = spec_open_worktree(&s->spec, &err);
	if (rq.dir_fd < 0) {
		tui_set_message(t, LOOK_ERROR, "%s", err.what);
		return;
	}
	tui_run_program(t, &rq);
	file_close(rq.dir_fd);
}

/* -- the editor ------------------------------------------------------------ */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Returns whether a program, or what its name is a link to, is one of those
 * names. */
static bool is_one_of(const char *program, const char *const *names)
{
	_free_ char *path = spawn_find(program);
	_free_ char *real = path ? realpath(path, NULL) : NULL;

	for (; *names; names++)
		if (strcmp(base_name(program), *names) == 0 ||
		    (real && strcmp(base_name(real), *names) == 0))
			return true;
	return false;
}

/* Adds a file of the worktree, and for a line of it what the editor wants. The
 * agent has chosen the name: it must not look like an option. */
static void add_file(struct strv *argv, const char *name, size_t line)
{
	static const char *const code[] = {"code", "code-insiders", "codium",
					   "cursor", NULL};
	static const char *const colon[] = {"hx",	    "helix", "subl",
					    "sublime_text", "zed",   NULL};
	const char *program = argv->v[0];
	bool is_code = line && is_one_of(program, code);

	if (is_code)
		strv_add(argv, "--goto");
	if (is_code || (line && is_one_of(program, colon))) {
		strv_addf(argv, "./%s:%zu", name, line);
		return;
	}
	if (line)
		strv_addf(argv, "+%zu", line);
	strv_addf(argv, "./%s", name);
}

static bool find_editor(struct tui *t, struct strv *argv)
{
	struct err err = {0};

	if (config_editor(&t->editor, argv, &err) == 0)
		return true;
	tui_set_message(t, LOOK_ERROR, "%s", err.what);
	return false;
}

void action_edit_at(struct tui *t, const struct session *s, const char *name,
		    size_t line)
{
	_strv_ struct strv argv = {0};

	if (!find_editor(t, &argv))
		return;
	add_file(&argv, name, line);
	open_in(t, s, &argv);
}

/* Opens the files that have changed, or a shell if there are none. */
static void on_changed(struct tui *t, struct command *c,
		       const struct job_result *r)
{
	const struct session *s = roster_by_id(&t->roster, c->id);
	_strv_ struct strv argv = {0}, names = {0};

	if (r->exit_code != 0 || !s || !command_is_awaited(t, c)) {
		command_report(t, c, r, NULL);
		return;
	}
	tui_set_message(t, LOOK_PLAIN, "%s", "");
	diff_files_names(r->out, &names);
	if (!names.n) {
		action_shell(t, s);
		return;
	}
	if (!find_editor(t, &argv))
		return;
	for (size_t i = 0; i < names.n && i < FILES_MAX; i++)
		add_file(&argv, names.v[i], 0);
	open_in(t, s, &argv);
}

void action_edit(struct tui *t, const struct session *s)
{
	static const char *const no_directory[] = {
	    "nano", "rnano", "pico", "micro", "joe", "ne", "ee", "ed", NULL};
	_strv_ struct strv argv = {0};
	struct command *c;

	if (!find_editor(t, &argv))
		return;
	if (!spec_has_checkout(&s->spec) ||
	    !is_one_of(argv.v[0], no_directory)) {
		strv_add(&argv, ".");
		open_in(t, s, &argv);
		return;
	}
	c = command_create(mem_strdup("looking which files have changed"),
			   s->spec.id, "diff", s->spec.id, NULL);
	c->done = on_changed;
	c->reads = true;
	command_run(t, c);
}
