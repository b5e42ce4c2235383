/* command.c - one call of afw, from the question before it to its end. */
#include "tui/actions/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tui/tui.h"

#define MINUTE_MS 60000

struct command *command_make(char *doing, const char *id,
			     const char *const *words)
{
	struct command *c = mem_alloc(sizeof *c);

	c->doing = doing;
	c->minutes = 2;
	memcpy(c->id, id, strlen(id) + 1);
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
	strv_finish(&c->words);
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

static void on_end(void *ctx, void *arg, const struct job_result *r)
{
	struct command *c = arg;
	struct tui *t = ctx;

	t->done += !c->reads;
	if (c->done)
		c->done(t, c, r);
	else
		command_report(t, c, r, NULL);
	command_free(c);
	views_changed(t);
}

bool command_run(struct tui *t, struct command *c)
{
	struct job_request rq = {.input = c->input,
				 .dir = c->dir,
				 .reads = c->reads,
				 .timeout_ms = (int64_t)c->minutes * MINUTE_MS,
				 .done = on_end,
				 .arg = c,
				 .drop = command_free};
	_strv_ struct strv argv = {0};
	struct err err;
	bool started;

	strv_add(&argv, t->afw);
	for (size_t i = 0; i < c->words.n; i++)
		strv_add(&argv, c->words.v[i]);
	rq.argv = argv.v;
	started = jobs_start(t->jobs, &rq, &err) == 0;
	if (!started) {
		tui_set_message(t, LOOK_ERROR, "%s", err.what);
		if (!t->view->ops->holds)
			restore_draft(t, c);
		command_free(c);
		return false;
	}
	c->view = view_hold(t);
	c->over = t->view->serial;
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
