/* always.c - adds a rule that allows what the agent asks: shows what `afw send
 * --always --dry-run` prints, asks, and adds it. */
#include "tui/actions/action.h"

#include "tui/actions/command.h"
#include "tui/tui.h"

/* question: the question that was shown; the rule must not be for another. */
static struct command *make_always(const char *doing, const char *id,
				   const char *question, const char *option)
{
	return command_create(mem_strdup(doing), id, "send", id, "--always",
			      "--question", question, option, NULL);
}

static void on_rule(struct tui *t, struct command *c,
		    const struct job_result *r)
{
	struct command *next;

	if (r->exit_code || !command_is_awaited(t, c)) {
		command_report(t, c, r, NULL);
		return;
	}
	tui_set_message(t, LOOK_PLAIN, "%s", "");
	next = make_always("adding the rule", c->id, c->words.v[4], "--yes");
	command_confirm(t, mem_strdup("Add this rule to your afw.ini?"), next);
	confirm_show(t->view, "always allow", r->out);
}

void action_always(struct tui *t, const struct session *s)
{
	struct command *c;

	if (!s->alive || !s->state.question_id) {
		tui_set_message(t, LOOK_PLAIN, "%s asks nothing", s->spec.name);
		return;
	}
	c = make_always("looking for a rule", s->spec.id, s->state.question_id,
			"--dry-run");
	c->reads = true;
	c->done = on_rule;
	command_run(t, c);
}
