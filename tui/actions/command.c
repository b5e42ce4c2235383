/* command.c - one call of afw, from the question before it to its end. */
#include "tui/actions/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tui/hosts.h"
#include "tui/model/machine.h"
#include "tui/tui.h"

#define MINUTE_MS 60000

struct command *command_make(char *doing, const char *id,
			     const char *const *words)
{
	struct command *c = mem_alloc(sizeof *c);

	c->doing = doing;
	c->minutes = 2;
	snprintf(c->id, sizeof c->id, "%s", id); /* a host may have sent it */
	while (*words)
		strv_add(&c->words, *words++);
	return c;
}

void command_free(void *command)
{
	struct command *c = command;

	free(c->doing);
	free(c->input);
	free(c->dir);
	free(c->machine);
	strv_finish(&c->words);
	strv_finish(&c->got);
	draft_destroy(c->draft);
	free(c);
}

void command_set_draft(struct command *c, struct draft *d)
{
	c->draft = d;
	c->input = mem_strdup(d->text);
}

static void restore_draft(struct tui *t, struct command *c)
{
	if (c->draft)
		drafts_add(&t->drafts, c->draft);
	c->draft = NULL;
}

void command_report(struct tui *t, struct command *c,
		    const struct job_result *r, const char *says)
{
	/* It may have been delivered. If not, Ctrl-P has the text. */
	bool unsure = r->exit_code == ERR_UNCONFIRMED;
	bool there = view_release(t, c->view, r->exit_code == 0 || unsure);
	bool keeps = r->exit_code && c->draft && !there && !unsure;
	_free_ char *line =
	    r->exit_code ? job_reason(r) : job_last_line(says ? says : r->out);

	tui_set_message(t, r->exit_code ? LOOK_ERROR : LOOK_PLAIN, "%s%s",
			*line ? line : c->doing,
			keeps ? "; the text is kept" : "");
	if (keeps)
		restore_draft(t, c);
}

/* One of its machines has ended; the last one frees it. */
static void drop(void *command)
{
	struct command *c = command;

	if (--c->running == 0)
		command_free(c);
}

/* With several machines, what has failed is not hidden by what has not. */
static void on_end(void *ctx, void *arg, const struct job_result *r)
{
	struct command *c = arg;
	struct tui *t = ctx;
	bool tells = r->exit_code || (c->running == 1 && !c->failed);
	bool has_text = c->draft != NULL;

	t->done += !c->reads;
	c->failed |= r->exit_code != 0;
	if (!c->reads)
		hosts_reload(t);
	if ((tells || has_text) && c->done)
		c->done(t, c, r);
	else if (tells)
		command_report(t, c, r, NULL);
	drop(c);
	views_changed(t);
}

static void on_printed(void *ctx, void *arg, const char *out)
{
	struct command *c = arg;

	c->printed(ctx, c, out);
	tui_redraw(ctx);
}

static int start_on(struct tui *t, struct command *c, const char *machine,
		    struct err *err)
{
	struct job_request rq = {.input = c->input,
				 .dir = c->dir,
				 .reads = c->reads,
				 .timeout_ms = (int64_t)c->minutes * MINUTE_MS,
				 .printed = c->printed ? on_printed : NULL,
				 .done = on_end,
				 .arg = c,
				 .drop = drop};
	_strv_ struct strv argv = {0};

	strv_add(&argv, t->afw);
	machine_words(c->machine || c->id[0] ? NULL : &t->roster, machine,
		      &c->words, &argv);
	rq.argv = argv.v;
	return jobs_start(t->jobs, &rq, err);
}

bool command_run(struct tui *t, struct command *c)
{
	const char *machine = c->machine ? c->machine
			      : c->id[0] ? machine_of(&t->roster, c->id)
					 : NULL;
	_strv_ struct strv machines = {0};
	struct err err;

	if (machine)
		strv_add(&machines, machine);
	else
		machine_find(&t->roster, &c->words, &machines);
	for (size_t i = 0; i < machines.n; i++)
		if (start_on(t, c, machines.v[i], &err) == 0)
			c->running++;
		else
			c->failed = true;
	if (!c->running) {
		tui_set_message(t, LOOK_ERROR, "%s", err.what);
		if (!t->view->ops->holds)
			restore_draft(t, c);
		command_free(c);
		return false;
	}
	c->view = view_hold(t);
	c->over = t->view->serial;
	if (c->failed)
		tui_set_message(t, LOOK_ERROR, "%s", err.what);
	else
		tui_set_message(t, LOOK_QUIET, "%s …%s", c->doing,
				c->view ? " (Esc: do not wait for it)" : "");
	if (c->on_marked)
		strv_finish(&t->roster.marked);
	return true;
}

static void run(struct tui *t, void *command)
{
	command_run(t, command);
}

void command_confirm(struct tui *t, char *question, struct command *c)
{
	view_push(t, confirm_view(question, run, c, command_free));
}

bool command_is_awaited(const struct tui *t, const struct command *c)
{
	return t->view->serial == c->over;
}
