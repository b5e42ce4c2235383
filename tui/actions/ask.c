/* ask.c - the questions before something is done. */
#include "tui/actions/ask.h"

#include <stdlib.h>
#include <string.h>

#include "tui/term/keys.h"
#include "tui/tui.h"

#define NAMES_MAX 6 /* of the marked, in a question */

/* With what it says of one and of several. */
struct deed {
	const char *verb, *doing, *one, *many;
	const char *words[3];
};

static const struct deed stop = {
    "Stop",
    "stopping",
    "? Its worktree and branch stay.",
    "? Their worktrees and branches stay.",
    {"stop"},
};
static const struct deed sleep_deed = {
    "Suspend",
    "suspending",
    "? It can be resumed with its conversation.",
    "? Each can be resumed with its conversation.",
    {"suspend"},
};
static const struct deed resume_deed = {
    "Resume",
    "resuming",
    "?",
    "? Each goes on with its conversation.",
    {"resume"},
};
static const struct deed restart = {
    "Restart",
    "restarting",
    "? It goes on with its conversation, if its agent can.",
    "? Each goes on with its conversation, if its agent can.",
    {"restart", "--resume"},
};
#define TO_TRASH "? Work that is nowhere else goes to the trash."
static const struct deed remove_deed = {
    "Remove",
    "removing",
    " and its worktree" TO_TRASH,
    " and their worktrees" TO_TRASH,
    {"rm"},
};
static const struct deed stop_and_remove = {
    "Stop and remove",
    "stopping and removing",
    " and its worktree" TO_TRASH,
    " and their worktrees" TO_TRASH,
    {"rm", "--stop"},
};

const char *deed_doing(const struct deed *d)
{
	return d->doing;
}

const char *const *deed_words(const struct deed *d)
{
	return d->words;
}

/* Whom it is done to stands in the question, and is not changed by marks that
 * come or go until it is answered. running: of these those that run. False
 * where none is left. */
static bool set_targets(struct tui *t, const struct session *s, bool running)
{
	const struct strv *marked = &t->model.marked;

	strv_finish(&t->targets);
	for (size_t i = 0; i < marked->n; i++) {
		const struct session *one = model_by_id(&t->model, marked->v[i]);

		if (one && (one->alive || !running))
			strv_add(&t->targets, one->spec.id);
	}
	if (!marked->n && s && (s->alive || !running))
		strv_add(&t->targets, s->spec.id);
	return t->targets.n > 0;
}

/* "3 marked sessions (a, b, c)", or the one's name; to be freed. */
static char *name_targets(struct tui *t)
{
	size_t n = t->targets.n;
	struct buf b = {0};

	if (t->model.marked.n)
		buf_addf(&b, "%zu marked session%s (", n, n == 1 ? "" : "s");
	for (size_t i = 0; i < n && i < NAMES_MAX; i++) {
		const struct session *s =
		    model_by_id(&t->model, t->targets.v[i]);
		char *label = s ? session_label(s, &t->model.list) : NULL;

		buf_addf(&b, "%s%s", i ? ", " : "", label ? label : "?");
		free(label);
	}
	if (t->model.marked.n)
		buf_adds(&b, n > NAMES_MAX ? ", …)" : ")");
	return buf_steal(&b);
}

static void say_none_runs(struct tui *t, const struct session *s)
{
	if (t->model.marked.n)
		tui_say(t, LOOK_PLAIN, "none of the marked is running");
	else
		tui_say(t, LOOK_PLAIN, "%s is not running: %s starts it again",
			s->spec.name, keys_name(ACT_RESUME));
}

static void do_it(struct tui *t, const char *id)
{
	action_deed(t, t->deed);
	if (!*id)
		strv_finish(&t->model.marked);
}

static void ask(struct tui *t, const struct session *s, const struct deed *d)
{
	bool many = t->model.marked.n > 0;
	char *whom;

	if (!set_targets(t, s, d == &stop || d == &sleep_deed)) {
		say_none_runs(t, s);
		return;
	}
	whom = name_targets(t);
	t->deed = d;
	view_push(t, confirm_view(mem_printf("%s %s%s", d->verb, whom,
					     many ? d->many : d->one),
				  "", do_it));
	free(whom);
}

void ask_stop(struct tui *t, const struct session *s)
{
	ask(t, s, &stop);
}

void ask_suspend(struct tui *t, const struct session *s)
{
	ask(t, s, &sleep_deed);
}

void ask_remove(struct tui *t, const struct session *s)
{
	ask(t, s, set_targets(t, s, true) ? &stop_and_remove : &remove_deed);
}

void ask_remove_merged(struct tui *t, const struct session *s)
{
	/* This one, whatever is marked. */
	strv_finish(&t->targets);
	strv_add(&t->targets, s->spec.id);
	t->deed = s->alive ? &stop_and_remove : &remove_deed;
	view_push(t,
		  confirm_view(mem_printf("It is merged. %s %s and its "
					  "worktree?",
					  t->deed->verb, s->spec.name),
			       s->spec.id, do_it));
}

/* A dialog is up: afw types no message into it. What the agent asks by its
 * tools is answered with one. */
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
	char *whom;

	if (!t->model.marked.n && s->alive && ask_is_in_dialog(s)) {
		say_asks_first(t, s);
		return;
	}

	/* Nobody else would read it. */
	if (!set_targets(t, s, true)) {
		say_none_runs(t, s);
		return;
	}
	whom = name_targets(t);
	view_push(t, editor_view(t, t->model.marked.n ? DRAFT_MARKED : s->spec.id,
				 whom));
	free(whom);
}

static void send_to_targets(struct tui *t, const char *id)
{
	struct draft *d = drafts_take(&t->drafts, DRAFT_MARKED);

	(void)id;
	if (d)
		action_send(t, d);
}

void ask_send_marked(struct tui *t)
{
	char *whom;

	if (!set_targets(t, NULL, true)) {
		tui_say(t, LOOK_ERROR,
			"no marked session runs any more; the text is kept");
		return;
	}
	whom = name_targets(t);
	view_push(t, confirm_view(mem_printf("Send it to %s?", whom), "",
				  send_to_targets));
	free(whom);
}

static void ask_answer(struct tui *t, const struct session *s, bool approve)
{
	const struct state *st = &s->state;
	char *label;

	if (!s->alive || !st->question_id ||
	    strlen(st->question_id) >= sizeof t->question_id) {
		if (s->alive && ask_is_in_dialog(s))
			say_asks_first(t, s);
		else
			tui_say(t, LOOK_PLAIN, "%s asks nothing", s->spec.name);
		return;
	}
	memcpy(t->question_id, st->question_id, strlen(st->question_id) + 1);
	label = session_label(s, &t->model.list);
	view_push(t, confirm_view(mem_printf("%s in %s: %s",
					     approve ? "Approve" : "Deny", label,
					     st->question ? st->question : ""),
				  s->spec.id,
				  approve ? action_approve : action_deny));
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

static void resume(struct tui *t, const char *id)
{
	const struct session *s = model_by_id(&t->model, id);

	t->resumes = true;
	if (s)
		action_resume(t, s);
}

void ask_resume(struct tui *t, const struct session *s)
{
	if (set_targets(t, s, true))
		ask(t, s, &restart);
	else if (t->model.marked.n)
		ask(t, s, &resume_deed);
	else if (t->resumes)
		action_resume(t, s);
	else
		view_push(t, confirm_view(mem_printf("Resume %s? (%s resumes, "
						     "%s removes; not asked "
						     "again.)",
						     s->spec.name,
						     keys_name(ACT_RESUME),
						     keys_name(ACT_REMOVE)),
					  s->spec.id, resume));
}

void ask_rename(struct tui *t, const struct session *s)
{
	view_push(t, prompt_enter_view(mem_printf("rename %s to:", s->spec.name),
				       s->spec.id, s->spec.name,
				       action_rename));
}

static void quit(struct tui *t, const char *id)
{
	(void)id;
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
				  "", quit));
}
