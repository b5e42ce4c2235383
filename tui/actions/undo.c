/*
 * undo.c - undoes a session's work to a checkpoint or its last turn, or
 * reverses the last undo: shows what `afw undo --dry-run` prints, asks, and
 * runs `afw undo`. If the agent is working, it offers to interrupt it first.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tui/actions/action.h"
#include "tui/actions/command.h"
#include "tui/tui.h"

#define IDLE_WAIT "30s" /* as long as afw undo --interrupt waits */
#define RESTING	  "idle,done,stopped,failed"
#define LAST_TURN -1 /* instead of a checkpoint's number */

static struct command *make_undo(const char *doing, const char *id,
				 int64_t number, const char *option)
{
	struct command *c =
	    command_create(mem_strdup(doing), id, "undo", option, NULL);

	strv_add(&c->words, number ? "--" : "--redo");
	strv_add(&c->words, id);
	if (number > 0)
		strv_addf(&c->words, "%" PRId64, number);
	c->number = number;
	c->minutes = 5;
	return c;
}

/* Shows the line "verified". The lines after it are about the message to the
 * agent. */
static void on_undone(struct tui *t, struct command *c,
		      const struct job_result *r)
{
	const char *line = strstr(r->out, "verified: ");
	_free_ char *says =
	    line ? mem_strndup(line, strcspn(line, "\n")) : NULL;

	command_report(t, c, r, says);
}

static void on_plan(struct tui *t, struct command *c,
		    const struct job_result *r);

static void ask_undo(struct tui *t, const char *id, int64_t number)
{
	struct command *c =
	    make_undo("looking what would change", id, number, "--dry-run");

	c->reads = true;
	c->done = on_plan;
	command_run(t, c);
}

static void on_idle(struct tui *t, struct command *c,
		    const struct job_result *r)
{
	if (r->exit_code == 0 && command_is_awaited(t, c))
		ask_undo(t, c->id, c->number);
	else
		command_report(t, c, r, NULL);
}

static void on_interrupted(struct tui *t, struct command *c,
			   const struct job_result *r)
{
	struct command *next;

	if (r->exit_code != 0 || !command_is_awaited(t, c)) {
		command_report(t, c, r, NULL);
		return;
	}
	next = command_create(mem_strdup("interrupting"), c->id, "wait",
			      "--for", RESTING, "-t", IDLE_WAIT, c->id, NULL);
	next->number = c->number;
	next->reads = true;
	next->done = on_idle;
	command_run(t, next);
}

/* Returns the number of the checkpoint in "NAME: back to 12:00 (checkpoint 3)":
 * a turn that ends before the answer must not change what is undone. */
static int64_t find_number(const char *plan)
{
	static const char before[] = " (checkpoint ";
	const char *at = strstr(plan, before);

	return at ? strtoll(at + sizeof before - 1, NULL, 10) : LAST_TURN;
}

static void on_plan(struct tui *t, struct command *c,
		    const struct job_result *r)
{
	_free_ char *why = job_reason(r);
	int64_t number = c->number;
	struct command *next;

	if (strstr(r->out, ": nothing has changed since ") ||
	    (r->exit_code && r->exit_code != ERR_REFUSED)) {
		command_report(t, c, r, NULL);
		return;
	}
	tui_set_message(t, LOOK_PLAIN, "%s", "");
	if (!command_is_awaited(t, c))
		return;
	if (r->exit_code == ERR_REFUSED) {
		next = command_create(mem_strdup("interrupting"), c->id,
				      "interrupt", c->id, NULL);
		next->number = c->number;
		next->done = on_interrupted;
		command_confirm(t, mem_printf("%s. Interrupt it?", why), next);
		return;
	}
	if (number == LAST_TURN)
		number = find_number(r->out);
	next =
	    make_undo(number ? "undoing" : "redoing", c->id, number, "--yes");
	next->done = on_undone;
	command_confirm(t, mem_strdup("Restore this?"), next);
	confirm_show(t->view, c->number ? "undo" : "redo", r->out);
}

void action_undo(struct tui *t, const struct session *s, int64_t number)
{
	ask_undo(t, s->spec.id, number);
}

void action_undo_turn(struct tui *t, const struct session *s)
{
	ask_undo(t, s->spec.id, LAST_TURN);
}
