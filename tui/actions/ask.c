/* ask.c - the actions that ask before they change sessions. */
#include "tui/actions/action.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "tui/actions/command.h"
#include "tui/actions/targets.h"
#include "tui/child/job.h"
#include "tui/term/keys.h"
#include "tui/tui.h"

/* A command for one session or for all marked ones. */
struct session_command {
	const char *verb, *doing, *rest; /* parts of the question */
	const char *word, *option;	 /* parts of the command */
	bool running;			 /* only for running sessions */
};

#define CONTINUES "? The conversation continues, if the agent can do that."
#define TO_TRASH  ", with worktree? Unsaved work goes to the trash."

static const struct session_command stop = {
    "Stop", "stopping", "? Worktree and branch stay.", "stop", NULL, true};
static const struct session_command sleep_deed = {
    "Suspend", "suspending", "? Resuming continues the conversation.",
    "suspend", NULL,	     true};
static const struct session_command resume = {"Resume", "resuming", CONTINUES,
					      "resume", NULL,	    false};
static const struct session_command restart = {
    "Restart", "restarting", CONTINUES, "restart", "--resume", false};
static const struct session_command remove_deed = {
    "Remove", "removing", TO_TRASH, "rm", NULL, false};
static const struct session_command stop_and_remove = {
    "Stop and remove", "stopping and removing",
    TO_TRASH,	       "rm",
    "--stop",	       false};

static void ask_for_sessions(struct tui *t, const struct session *s,
			     const struct session_command *d)
{
	_strv_ struct strv to = targets_find(t, s, d->running);
	_free_ char *whom = targets_name(t, &to);
	const char *rest = d->rest;
	const struct session *only;
	struct command *c;

	if (!to.n) {
		targets_report_none(t, s);
		return;
	}
	only = to.n == 1 ? roster_by_id(&t->roster, to.v[0]) : NULL;
	if (only && only->spec.place && !spec_is_scratch(&only->spec) &&
	    strcmp(d->word, "rm") == 0)
		rest = "? The files in its worktree stay as they are.";
	c = targets_command(t, &to, d->doing, d->word, d->option);
	c->on_marked = true;
	command_confirm(t, mem_printf("%s %s%s", d->verb, whom, rest), c);
}

void ask_stop(struct tui *t, const struct session *s)
{
	ask_for_sessions(t, s, &stop);
}

void ask_suspend(struct tui *t, const struct session *s)
{
	ask_for_sessions(t, s, &sleep_deed);
}

void ask_remove(struct tui *t, const struct session *s)
{
	ask_for_sessions(t, s,
			 targets_run(t, s) ? &stop_and_remove : &remove_deed);
}

/* Applies to this session, whatever is marked. */
void ask_remove_merged(struct tui *t, const struct session *s)
{
	const struct session_command *d =
	    s->alive ? &stop_and_remove : &remove_deed;
	_strv_ struct strv one = {0};

	strv_add(&one, s->spec.id);
	command_confirm(t,
			mem_printf("It is merged. %s %s and its worktree?",
				   d->verb, s->spec.name),
			targets_command(t, &one, d->doing, d->word, d->option));
}

bool ask_is_in_dialog(const struct session *s)
{
	const char *source = s->state.activity_source;

	return s->state.phase == PHASE_RUNNING &&
	       session_urgency(s) == WORD_WAITING &&
	       (!source || strcmp(source, "tool") != 0);
}

void ask_report_dialog(struct tui *t, const struct session *s)
{
	const char *name = s->spec.name, *attach = keys_name(ACT_ATTACH);

	if (s->state.question_id)
		tui_set_message(
		    t, LOOK_PLAIN,
		    "%s asks something first: %s approves, %s denies, %s "
		    "attaches",
		    name, keys_name(ACT_APPROVE), keys_name(ACT_DENY), attach);
	else
		tui_set_message(
		    t, LOOK_PLAIN,
		    "%s asks something first: %s attaches, to answer it", name,
		    attach);
}

/* Adds a name to those for which the same is true. */
static void add_name(struct buf *names, const cJSON *receipt)
{
	buf_addf(names, "%s%s", names->len ? ", " : "",
		 json_str_or(receipt, "name", "?"));
}

/* Keeps the text and the marks only for the sessions that did not get it, so
 * that the others do not get it twice. */
static void on_sent(struct tui *t, struct command *c,
		    const struct job_result *r)
{
	_buf_ struct buf refused = {0}, unsure = {0};
	_free_ char *why = NULL;
	size_t len;

	for (const char *at = r->out; *at; at += len + (at[len] == '\n')) {
		_json_ cJSON *o =
		    json_parse_object(at, len = strcspn(at, "\n"), NULL);
		int code = (int)json_int(o, "code", 0);

		if (code == ERR_UNCONFIRMED || code == ERR_TIMEOUT)
			add_name(&unsure, o);
		if (code && code != ERR_UNCONFIRMED && code != ERR_TIMEOUT) {
			add_name(&refused, o);
			free(why);
			why = mem_strdup(json_str_or(o, "detail", "refused"));
		} else {
			strv_add(&c->got, json_str_or(o, "id", ""));
		}
	}
	/* Also those of another machine, whichever ended first. */
	for (size_t i = 0; c->failed && i < c->got.n; i++)
		strv_drop(&t->roster.marked, c->got.v[i]);
	if (!r->exit_code && (c->failed || c->running > 1))
		return; /* the other one reports */
	if (!refused.len && !unsure.len) {
		targets_report(t, c, r);
		return;
	}
	tui_set_message(
	    t, LOOK_ERROR, "%s%s%s%s%s%s%s%s",
	    unsure.len ? "not confirmed: " : "", unsure.len ? unsure.data : "",
	    unsure.len && refused.len ? "; " : "",
	    refused.len ? "not sent to " : "", refused.len ? refused.data : "",
	    refused.len ? ": " : "", refused.len ? why : "",
	    refused.len ? "; the text is kept for them" : "");
	if (!refused.len || !c->draft)
		return;
	drafts_add(&t->drafts, c->draft);
	c->draft = NULL;
}

static void send_marked(struct tui *t, void *command)
{
	struct draft *d = drafts_pop(&t->drafts, DRAFT_MARKED);

	if (d)
		command_set_draft(command, d);
	command_run(t, command);
}

void ask_send_marked(struct tui *t)
{
	_strv_ struct strv to = targets_find(t, NULL, true);
	_free_ char *whom = targets_name(t, &to);
	struct command *c;

	if (!to.n) {
		tui_set_message(
		    t, LOOK_ERROR,
		    "no marked session is running any more; the text is kept");
		return;
	}
	c = targets_command(t, &to, "sending to", "send", "--json");
	c->done = on_sent;
	strv_add(&c->words, "-F");
	strv_add(&c->words, "-");
	view_push(t, confirm_view(mem_printf("Send it to %s?", whom),
				  send_marked, c, command_free));
}

/* The answer is only for the question that was shown. */
static void ask_answer(struct tui *t, const struct session *s, bool approve)
{
	_free_ char *label = session_label(s, &t->roster.list);
	const struct state *st = &s->state;
	struct command *c;

	if (!s->alive || !st->question_id) {
		if (s->alive && ask_is_in_dialog(s))
			ask_report_dialog(t, s);
		else
			tui_set_message(t, LOOK_PLAIN, "%s asks nothing",
					s->spec.name);
		return;
	}
	c = command_create(
	    mem_printf("%s in %s", approve ? "approving" : "denying",
		       s->spec.name),
	    s->spec.id, "send", s->spec.id, approve ? "--approve" : "--deny",
	    "--question", st->question_id, NULL);
	command_confirm(t,
			mem_printf("%s in %s: %s", approve ? "Approve" : "Deny",
				   label, st->question ? st->question : ""),
			c);
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
	if (targets_run(t, s))
		ask_for_sessions(t, s, &restart);
	else if (t->roster.marked.n)
		ask_for_sessions(t, s, &resume);
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

	if ((n == 0 && !t->drafts.first) || tui_is_cramped()) {
		tui_quit(t);
		return;
	}
	if (n == 0) {
		view_push(t, confirm_view(mem_strdup("Text that is not sent "
						     "would be lost. Leave?"),
					  quit, NULL, NULL));
		return;
	}
	view_push(t, confirm_view(mem_printf("%d command%s running and would "
					     "be interrupted. Leave?",
					     n, n == 1 ? " is" : "s are"),
				  quit, NULL, NULL));
}
