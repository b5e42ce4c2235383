/* action.c - actions of keys that run at once, without a view. */
#include "tui/actions/action.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/words.h"
#include "session/typable.h"
#include "tui/actions/command.h"
#include "tui/model/machine.h"
#include "tui/term/keys.h"
#include "tui/tui.h"

/* A conversation that cannot be resumed is abandoned only if the user says
 * so. */
static void on_resumed(struct tui *t, struct command *c,
		       const struct job_result *r)
{
	_free_ char *why = job_reason(r);

	if (r->exit_code != ERR_CONFLICT || t->view->below) {
		command_report(t, c, r, NULL);
		return;
	}
	tui_set_message(t, LOOK_PLAIN, "%s", "");
	command_confirm(t, mem_printf("%s. Begin a new conversation?", why),
			command_create(mem_strdup(c->doing), c->id, "resume",
				       "--fresh", c->id, NULL));
}

void action_resume(struct tui *t, const struct session *s)
{
	struct command *c =
	    command_create(mem_printf("resuming %s", s->spec.name), s->spec.id,
			   "resume", s->spec.id, NULL);

	c->done = on_resumed;
	command_run(t, c);
}

void action_start(struct tui *t, const struct session *s)
{
	command_run(t, command_create(
			   mem_printf("starting with a new conversation: %s",
				      s->spec.name),
			   s->spec.id, "start", "--fresh", s->spec.id, NULL));
}

bool action_rename(struct tui *t, const char *id, const char *name)
{
	const struct session *s = roster_by_id(&t->roster, id);

	if (!*name || (s && strcmp(name, s->spec.name) == 0))
		return true;
	return command_run(t,
			   command_create(mem_printf("renaming to %s", name),
					  id, "rename", "--", id, name, NULL));
}

static void on_detached(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	struct command *c = arg;

	tui_reclaim_terminal(t);
	if (r->exit_code == 0)
		t->came_back = true;
	else if (*r->err)
		command_report(t, c, r, NULL);
	else
		tui_set_message(t, LOOK_ERROR, "%s ended with code %d",
				c->doing, r->exit_code);
	command_free(c);
}

/* Hands the terminal to a command of afw, and frees it. */
static void run_in_front(struct tui *t, struct command *c)
{
	struct job_request rq = {
	    .done = on_detached, .arg = c, .drop = command_free};
	_strv_ struct strv argv = {0};

	strv_add(&argv, t->afw);
	machine_words(NULL, machine_of(&t->roster, c->id), &c->words, &argv);
	rq.argv = argv.v;
	tui_run_program(t, &rq);
}

void action_attach(struct tui *t, const struct session *s)
{
	run_in_front(t, command_create(mem_printf("attach to %s", s->spec.name),
				       s->spec.id, "attach", s->spec.id, NULL));
}

void action_beside(struct tui *t, const struct session *s, const cJSON *command)
{
	_strv_ struct strv run = {0};
	struct command *c;

	if (!s) {
		tui_set_message(t, LOOK_PLAIN,
				"there is no session; %s makes one",
				keys_name(ACT_NEW));
		return;
	}
	c = command_create(mem_printf("a terminal beside %s", s->spec.name),
			   s->spec.id, "exec", "--attach", s->spec.id, NULL);
	if (command) {
		strv_add(&c->words, "--name");
		strv_add(&c->words, json_str_or(command, "name", ""));
		strv_add(&c->words, "--");
		json_strv(command, "run", &run);
		for (size_t i = 0; i < run.n; i++)
			strv_add(&c->words, run.v[i]);
	}
	run_in_front(t, c);
}

void action_shell(struct tui *t, const struct session *s)
{
	action_beside(t, s, NULL);
}

/* The lines after the first name the files. */
static void on_committed(struct tui *t, struct command *c,
			 const struct job_result *r)
{
	_free_ char *says =
	    mem_printf("committed: %.*s", (int)strcspn(r->out, "\n"), r->out);

	command_report(t, c, r, says);
}

/* Called by the prompt. */
static bool commit(struct tui *t, const char *id, const char *message)
{
	const struct session *s = roster_by_id(&t->roster, id);
	struct command *c = command_create(
	    mem_printf("committing %s", s ? s->spec.name : "the session"), id,
	    "commit", "-F", "-", id, NULL);

	c->input = mem_strdup(message);
	c->done = on_committed;
	c->minutes = 5;
	return command_run(t, c);
}

void action_commit(struct tui *t, const struct session *s)
{
	if (s->state.counts.uncommitted == 0)
		tui_set_message(t, LOOK_PLAIN, "%s has nothing to commit",
				s->spec.name);
	else
		view_push(t, prompt_commit_view(
				 mem_printf("commit all of %s, message:",
					    s->spec.name),
				 s->spec.id, s->spec.name, NULL, commit));
}

void action_send(struct tui *t, struct draft *d)
{
	const struct session *s = roster_by_id(&t->roster, d->id);
	struct command *c = command_create(
	    mem_printf("sending to %s", s ? s->spec.name : "the session"),
	    d->id, "send", d->id, "-F", "-", NULL);

	command_set_draft(c, d);
	command_run(t, c);
}

static void on_new(struct tui *t, struct command *c, const struct job_result *r)
{
	_free_ char *line = job_last_line(r->out), *why = NULL;
	const char *end;
	_json_ cJSON *o = json_parse_object(line, strlen(line), NULL);
	const char *id = json_str_or(o, "id", "");

	/* If it failed only to start, it is in the list too, and has the
	 * task. */
	if (strlen(id) == SPEC_ID_LEN) {
		draft_destroy(c->draft);
		c->draft = NULL;
		if (t->wanted_since)
			memcpy(t->wanted, id, SPEC_ID_LEN + 1);
	}
	t->wanted_since = 0;
	command_report(t, c, r, "started");
	why = job_reason(r);
	end = r->exit_code == ERR_REFUSED ? strstr(why, " (`afw trust") : NULL;
	if (end)
		tui_set_message(t, LOOK_ERROR,
				"%.*s (in the form, Ctrl-T shows and trusts "
				"it)",
				(int)(end - why), why);
}

static void add_option(struct command *c, const char *option, const char *value)
{
	if (!value || !*value)
		return;
	strv_add(&c->words, option);
	strv_add(&c->words, value);
}

void action_new(struct tui *t, struct draft *d)
{
	bool generic = strcmp(d->harness, "generic") == 0;
	bool blank = typable_blank(d->text, strlen(d->text));
	struct command *c = command_create(
	    mem_printf("starting %s", *d->name ? d->name : "a session"), "",
	    "new", *d->name ? d->name : "--json", *d->name ? "--json" : NULL,
	    NULL);

	command_set_draft(c, d);
	c->done = on_new;
	c->minutes = 30;
	if (*d->host) { /* a place may be queued */
		c->machine = mem_strdup(d->host);
		c->minutes = 24 * 60;
	}
	/* The base in this repository is the branch of the current worktree. */
	if (!t->repository || strcmp(d->repository, t->repository) != 0)
		c->dir = mem_strdup(d->repository);
	add_option(c, "-a", generic ? NULL : d->harness);
	add_option(c, "-t", d->template);
	add_option(c, "--sandbox", d->sandbox);
	add_option(c, "--from", d->from);
	add_option(c, "-b", *d->from ? NULL : d->base);
	add_option(c, "-F", blank ? NULL : "-");
	if (generic) {
		strv_add(&c->words, "--");
		words_split(d->command, &c->words, NULL);
	}
	t->wanted_since = clock_wall_ms();
	command_run(t, c);
}
