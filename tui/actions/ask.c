/* ask.c - the questions before something is done. */
#include "tui/actions/ask.h"

#include <stdlib.h>
#include <string.h>

#include "tui/actions/command.h"
#include "tui/term/keys.h"
#include "tui/tui.h"

#define NAMES_MAX 6 /* of the marked, in a question */

/* What is done to one session or to all that are marked. */
struct deed {
	const char *verb, *doing, *rest; /* of the question */
	const char *word, *option;	 /* of the command */
	bool running;			 /* only to those that run */
};

#define CONTINUES "? The conversation continues, if the agent can do that."
#define TO_TRASH  " and worktree? Unsaved work goes to the trash."

static const struct deed stop = {
    "Stop", "stopping", "? Worktree and branch stay.", "stop", NULL, true};
static const struct deed sleep_deed = {
    "Suspend", "suspending", "? Resuming continues the conversation.",
    "suspend", NULL,	     true};
static const struct deed resume = {"Resume", "resuming", CONTINUES,
				   "resume", NULL,	 false};
static const struct deed restart = {"Restart", "restarting", CONTINUES,
				    "restart", "--resume",   false};
static const struct deed remove_deed = {"Remove", "removing", TO_TRASH,
					"rm",	  NULL,	      false};
static const struct deed stop_and_remove = {
    "Stop and remove", "stopping and removing",
    TO_TRASH,	       "rm",
    "--stop",	       false};

/* The marked, or s where none is; running: of these those that run. */
static struct strv targets(const struct tui *t, const struct session *s,
			   bool running)
{
	const struct strv *marked = &t->roster.marked;
	struct strv to = {0};

	for (size_t i = 0; i < marked->n; i++) {
		const struct session *one =
		    roster_by_id(&t->roster, marked->v[i]);

		if (one && (one->alive || !running))
			strv_add(&to, one->spec.id);
	}
	if (!marked->n && s && (s->alive || !running))
		strv_add(&to, s->spec.id);
	return to;
}

/* "3 marked sessions (a, b, c)", or the one's name; to be freed. */
static char *name_targets(const struct tui *t, const struct strv *to)
{
	struct buf b = {0};

	if (t->roster.marked.n)
		buf_addf(&b, "%zu marked session%s (", to->n,
			 to->n == 1 ? "" : "s");
	for (size_t i = 0; i < to->n && i < NAMES_MAX; i++) {
		const struct session *s = roster_by_id(&t->roster, to->v[i]);
		char *label = s ? session_label(s, &t->roster.list) : NULL;

		buf_addf(&b, "%s%s", i ? ", " : "", label ? label : "?");
		free(label);
	}
	if (t->roster.marked.n)
		buf_adds(&b, to->n > NAMES_MAX ? ", …)" : ")");
	return buf_steal(&b);
}

static void say_none_runs(struct tui *t, const struct session *s)
{
	if (!s || t->roster.marked.n)
		tui_say(t, LOOK_PLAIN, "none of the marked is running");
	else
		tui_say(t, LOOK_PLAIN, "%s is not running: %s starts it again",
			s->spec.name, keys_name(ACT_RESUME));
}

/* Of several each says a line: what was done says it shorter. */
static void tell_all(struct tui *t, struct command *c,
		     const struct job_result *r)
{
	char *says = mem_printf("done: %s", c->doing);

	command_tell(t, c, r, c->id[0] ? NULL : says);
	free(says);
}

/* Whom it is done to stands in the question, and is not changed by marks that
 * come or go until it is answered. */
static struct command *command_to(const struct tui *t, const struct strv *to,
				  const char *doing, const char *word,
				  const char *option)
{
	const struct session *s = roster_by_id(&t->roster, to->v[0]);
	bool one = to->n == 1;
	struct command *c = command_create(
	    one ? mem_printf("%s %s", doing, s ? s->spec.name : "the session")
		: mem_printf("%s %zu sessions", doing, to->n),
	    one ? to->v[0] : "", word, option, NULL);

	for (size_t i = 0; i < to->n; i++)
		strv_add(&c->words, to->v[i]);
	c->minutes = 5;
	c->done = tell_all;
	return c;
}

static void ask(struct tui *t, const struct session *s, const struct deed *d)
{
	struct strv to = targets(t, s, d->running);
	struct command *c;
	char *whom;

	if (!to.n) {
		say_none_runs(t, s);
		return;
	}
	c = command_to(t, &to, d->doing, d->word, d->option);
	c->on_marked = true;
	whom = name_targets(t, &to);
	command_ask(t, mem_printf("%s %s%s", d->verb, whom, d->rest), c);
	free(whom);
	strv_finish(&to);
}

void ask_stop(struct tui *t, const struct session *s)
{
	ask(t, s, &stop);
}

void ask_suspend(struct tui *t, const struct session *s)
{
	ask(t, s, &sleep_deed);
}

static bool any_runs(const struct tui *t, const struct session *s)
{
	struct strv to = targets(t, s, true);
	bool any = to.n > 0;

	strv_finish(&to);
	return any;
}

void ask_remove(struct tui *t, const struct session *s)
{
	ask(t, s, any_runs(t, s) ? &stop_and_remove : &remove_deed);
}

/* This one, whatever is marked. */
void ask_remove_merged(struct tui *t, const struct session *s)
{
	const struct deed *d = s->alive ? &stop_and_remove : &remove_deed;
	struct strv one = {0};

	strv_add(&one, s->spec.id);
	command_ask(t,
		    mem_printf("It is merged. %s %s and its worktree?", d->verb,
			       s->spec.name),
		    command_to(t, &one, d->doing, d->word, d->option));
	strv_finish(&one);
}

bool ask_is_in_dialog(const struct session *s)
{
	const char *source = s->state.activity_source;

	return session_urgency(s) == WORD_WAITING &&
	       (!source || strcmp(source, "tool") != 0);
}

static void say_asks_first(struct tui *t, const struct session *s)
{
	const char *name = s->spec.name, *attach = keys_name(ACT_ATTACH);

	if (s->state.question_id)
		tui_say(t, LOOK_PLAIN,
			"%s asks something first: %s approves, %s denies, %s "
			"attaches",
			name, keys_name(ACT_APPROVE), keys_name(ACT_DENY),
			attach);
	else
		tui_say(t, LOOK_PLAIN,
			"%s asks something first: %s attaches, to answer it",
			name, attach);
}

void ask_message(struct tui *t, const struct session *s)
{
	/* Nobody else would read it. */
	struct strv to = targets(t, s, true);
	bool many = t->roster.marked.n > 0;
	char *whom;

	if (!to.n) {
		say_none_runs(t, s);
	} else if (!many && ask_is_in_dialog(s)) {
		say_asks_first(t, s);
	} else {
		whom = name_targets(t, &to);
		view_push(
		    t, editor_view(t, many ? DRAFT_MARKED : s->spec.id, whom));
		free(whom);
	}
	strv_finish(&to);
}

static void send_marked(struct tui *t, void *command)
{
	struct draft *d = drafts_take(&t->drafts, DRAFT_MARKED);

	if (d)
		command_give(command, d);
	command_run(t, command);
}

void ask_send_marked(struct tui *t)
{
	struct strv to = targets(t, NULL, true);
	struct command *c;
	char *whom;

	if (!to.n) {
		tui_say(t, LOOK_ERROR,
			"no marked session runs any more; the text is kept");
		return;
	}
	c = command_to(t, &to, "sending to", "send", NULL);
	strv_add(&c->words, "-F");
	strv_add(&c->words, "-");
	whom = name_targets(t, &to);
	view_push(t, confirm_view(mem_printf("Send it to %s?", whom),
				  send_marked, c, command_free));
	free(whom);
	strv_finish(&to);
}

/* The answer is bound to that very question. */
static void ask_answer(struct tui *t, const struct session *s, bool approve)
{
	const struct state *st = &s->state;
	struct command *c;
	char *label;

	if (!s->alive || !st->question_id) {
		if (s->alive && ask_is_in_dialog(s))
			say_asks_first(t, s);
		else
			tui_say(t, LOOK_PLAIN, "%s asks nothing", s->spec.name);
		return;
	}
	c = command_create(
	    mem_printf("%s in %s", approve ? "approving" : "denying",
		       s->spec.name),
	    s->spec.id, "send", s->spec.id, approve ? "--approve" : "--deny",
	    "--question", st->question_id, NULL);
	label = session_label(s, &t->roster.list);
	command_ask(t,
		    mem_printf("%s in %s: %s", approve ? "Approve" : "Deny",
			       label, st->question ? st->question : ""),
		    c);
	free(label);
}

void ask_approve(struct tui *t, const struct session *s)
{
	ask_answer(t, s, true);
}

void ask_deny(struct tui *t, const struct session *s)
{
	ask_answer(t, s, false);
}

void ask_resume(struct tui *t, const struct session *s)
{
	if (any_runs(t, s))
		ask(t, s, &restart);
	else if (t->roster.marked.n)
		ask(t, s, &resume);
	else
		action_resume(t, s);
}

void ask_rename(struct tui *t, const struct session *s)
{
	view_push(t,
		  prompt_enter_view(mem_printf("rename %s to:", s->spec.name),
				    s->spec.id, s->spec.name, action_rename));
}

static void quit(struct tui *t, void *arg)
{
	tui_quit(t);
}

void ask_quit(struct tui *t)
{
	int n = jobs_count(t->jobs);

	if (n == 0 || tui_is_cramped()) {
		tui_quit(t);
		return;
	}
	view_push(t, confirm_view(mem_printf("%d command%s at work and would "
					     "be cut off. Leave?",
					     n, n == 1 ? " is" : "s are"),
				  quit, NULL, NULL));
}
