/*
 * action.c - what keys set going: afw's own commands, run as children.
 *
 * The dashboard does nothing to a session by itself, so that a key and a
 * command cannot differ. Sessions are named by their id; texts go over
 * standard input, not through argv, where every user of the machine could
 * read them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/words.h"
#include "session/typable.h"
#include "tui/term/keys.h"
#include "tui/tui.h"

#define MINUTE_MS 60000

/* What a finished action needs to know. */
struct note {
	char *what; /* "sending to fix-login"; of a text, its title */
	char id[SPEC_ID_LEN + 1];
	struct draft *draft; /* what is sent, or made, or NULL */
	unsigned view;	     /* view_hold() */
};

static const char *name_of(struct tui *t, const char *id)
{
	const struct session *s = model_by_id(&t->model, id);

	return s ? s->spec.name : "the session";
}

static struct note *note_create(char *what, const char *id)
{
	struct note *n = mem_alloc(sizeof *n);

	n->what = what;
	memcpy(n->id, id, strlen(id) + 1);
	return n;
}

static struct note *note_of(struct tui *t, const char *doing, const char *id)
{
	return note_create(mem_printf("%s %s", doing, name_of(t, id)), id);
}

static void note_destroy(void *note)
{
	struct note *n = note;

	free(n->what);
	draft_destroy(n->draft);
	free(n);
}

/* What it was to do was not done: what the user typed is not lost. */
static void put_back(struct tui *t, struct note *n)
{
	if (n->draft)
		drafts_keep(&t->drafts, n->draft);
	n->draft = NULL;
}

/* What was typed stays where it was, or is put back. */
static void fail(struct tui *t, struct note *n, const struct job_result *r,
		 const char *hint)
{
	/* It may be there: Ctrl-P has it, should it not. */
	bool unsure = r->exit_code == ERR_UNCONFIRMED;
	bool there = view_release(t, n->view, unsure);
	char *why = job_reason(r);

	tui_say(t, LOOK_ERROR, "%s%s", why, there ? "" : hint);
	free(why);
	if (!there && !unsure)
		put_back(t, n);
}

/* The view that it was held in goes. */
static void succeed(struct tui *t, struct note *n, const char *says)
{
	view_release(t, n->view, true);
	tui_say(t, LOOK_PLAIN, "%s", says);
}

/* Done: its last line, or only that it is done. */
static void on_done(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	struct note *n = arg;
	char *line = job_last_line(r->out);

	if (r->exit_code != 0)
		fail(t, n, r, "");
	else
		succeed(t, n, *line ? line : n->what);
	free(line);
	note_destroy(n);
	t->done++;
	views_changed(t);
}

static void on_text(void *ctx, void *arg, const struct job_result *r);

/* In the background, while the top view is held; n->draft's text is its input.
 * False, with that said: it could not be started. */
static bool start(struct tui *t, struct strv *argv, const char *dir,
		  int64_t timeout_ms, job_fn done, struct note *n)
{
	struct job_request rq = {.argv = argv->v,
				 .input = n->draft ? n->draft->text : NULL,
				 .dir = dir,
				 .reads = done == on_text,
				 .timeout_ms = timeout_ms,
				 .done = done,
				 .arg = n,
				 .drop = note_destroy};
	struct err err;
	bool started = jobs_start(t->jobs, &rq, &err) == 0;

	strv_finish(argv);
	if (started) {
		n->view = view_hold(t);
		tui_say(t, LOOK_QUIET, "%s …%s", n->what,
			n->view ? " (Esc: do not wait for it)" : "");
		return true;
	}
	tui_say(t, LOOK_ERROR, "%s", err.what);
	if (!t->view->ops->holds)
		put_back(t, n);
	note_destroy(n);
	return false;
}

static void add(struct strv *argv, const char *const *words)
{
	for (; *words; words++)
		strv_add(argv, *words);
}

/* afw and these words; its last line is the message. */
static bool run(struct tui *t, struct note *n, int minutes, job_fn done,
		const char *const *words)
{
	struct strv argv = {0};

	strv_add(&argv, t->afw);
	add(&argv, words);
	return start(t, &argv, NULL, (int64_t)minutes * MINUTE_MS, done, n);
}

/* "stopping fix-login", "stopping 3 sessions" */
static struct note *note_of_targets(struct tui *t, const char *doing)
{
	const struct strv *to = &t->targets;

	return to->n == 1
		   ? note_of(t, doing, to->v[0])
		   : note_create(mem_printf("%s %zu sessions", doing, to->n),
				 "");
}

/* Of several each says a line: what was done says it shorter. */
static void on_all_done(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	struct note *n = arg;

	if (n->id[0] || r->exit_code != 0) {
		on_done(ctx, arg, r);
		return;
	}
	view_release(t, n->view, true);
	tui_say(t, LOOK_PLAIN, "done: %s", n->what);
	note_destroy(n);
}

static void add_all(struct strv *argv, const struct strv *ids)
{
	for (size_t i = 0; i < ids->n; i++)
		strv_add(argv, ids->v[i]);
}

void action_deed(struct tui *t, const struct deed *d)
{
	struct strv argv = {0};

	strv_add(&argv, t->afw);
	add(&argv, deed_words(d));
	add_all(&argv, &t->targets);
	start(t, &argv, NULL, (int64_t)5 * MINUTE_MS, on_all_done,
	      note_of_targets(t, deed_doing(d)));
}

void action_run(struct tui *t, const char *what, const char *const *words)
{
	run(t, note_create(mem_strdup(what), ""), 5, on_done, words);
}

void action_approve(struct tui *t, const char *id)
{
	run(t, note_of(t, "approving in", id), 1, on_done,
	    (const char *[]){"send", id, "--approve", "--question",
			     t->question_id, NULL});
}

void action_deny(struct tui *t, const char *id)
{
	run(t, note_of(t, "denying in", id), 1, on_done,
	    (const char *[]){"send", id, "--deny", "--question", t->question_id,
			     NULL});
}

static void resume_or_begin(struct tui *t, const char *id)
{
	run(t, note_of(t, "resuming", id), 2, on_done,
	    (const char *[]){"resume", "--fresh", id, NULL});
}

/* A conversation that cannot be resumed is left with the user's word alone. */
static void on_resumed(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	struct note *n = arg;
	char *why;

	if (r->exit_code != ERR_CONFLICT || t->view->below) {
		on_done(ctx, arg, r);
		return;
	}
	why = job_reason(r);
	tui_say(t, LOOK_PLAIN, "%s", "");
	view_push(t,
		  confirm_view(mem_printf("%s. Begin a new conversation?", why),
			       n->id, resume_or_begin));
	free(why);
	note_destroy(n);
}

bool action_rename(struct tui *t, const char *id, const char *name)
{
	return !*name || strcmp(name, name_of(t, id)) == 0 ||
	       run(t, note_of(t, "renaming", id), 1, on_done,
		   (const char *[]){"rename", "--", id, name, NULL});
}

void action_resume(struct tui *t, const struct session *s)
{
	run(t, note_of(t, "resuming", s->spec.id), 2, on_resumed,
	    (const char *[]){"resume", s->spec.id, NULL});
}

void action_start(struct tui *t, const struct session *s)
{
	run(t, note_of(t, "starting afresh:", s->spec.id), 2, on_done,
	    (const char *[]){"start", "--fresh", s->spec.id, NULL});
}

static void on_detached(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	struct note *n = arg;

	tui_take_back(t);
	if (r->exit_code == 0)
		t->came_back = true;
	else if (*r->err)
		fail(t, n, r, "");
	else
		tui_say(t, LOOK_ERROR, "attach to %s ended with code %d",
			n->what, r->exit_code);
	note_destroy(n);
}

void action_attach(struct tui *t, const struct session *s)
{
	char *argv[] = {t->afw, (char[]){"attach"}, (char *)s->spec.id, NULL};
	struct job_request rq = {
	    .argv = argv,
	    .done = on_detached,
	    .arg = note_create(mem_strdup(s->spec.name), s->spec.id),
	    .drop = note_destroy};

	tui_run_program(t, &rq, NULL);
}

static void on_text(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	struct note *n = arg;

	if (r->exit_code != 0) {
		fail(t, n, r, "");
	} else if (!r->out_len) {
		tui_say(t, LOOK_PLAIN, "%s has changed nothing yet",
			name_of(t, n->id));
	} else if (!t->view->below) { /* not over what has been opened since */
		tui_say(t, LOOK_PLAIN, "%s", "");
		view_push(t, pager_view(n->what, r->out, true));
	}
	note_destroy(n);
}

void action_diff(struct tui *t, const struct session *s)
{
	run(t,
	    note_create(mem_printf("what %s has changed", s->spec.name),
			s->spec.id),
	    2, on_text, (const char *[]){"diff", s->spec.id, NULL});
}

/* All of its repository, whatever directory this is. */
void action_conflicts(struct tui *t, const struct session *s)
{
	struct strv words = {0};

	add(&words, (const char *[]){"conflicts", s->spec.id, NULL});
	for (size_t i = 0; i < t->model.list.n; i++) {
		const struct session *one = &t->model.list.v[i];

		if (spec_has_worktree(&one->spec) && one != s &&
		    session_is_here(one, s->spec.repository))
			strv_add(&words, one->spec.id);
	}
	run(t, note_create(mem_strdup("who changes the same"), s->spec.id), 2,
	    on_text, (const char *const *)words.v);
	strv_finish(&words);
}

void action_send(struct tui *t, struct draft *d)
{
	bool many = strcmp(d->id, DRAFT_MARKED) == 0;
	struct note *n = many ? note_of_targets(t, "sending to")
			      : note_of(t, "sending to", d->id);
	struct strv argv = {0};

	n->draft = d;
	strv_add(&argv, t->afw);
	strv_add(&argv, "send");
	if (many)
		add_all(&argv, &t->targets);
	else
		strv_add(&argv, d->id);
	add(&argv, (const char *[]){"-F", "-", NULL});
	start(t, &argv, NULL, (int64_t)2 * MINUTE_MS, on_all_done, n);
}

static void on_new(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	struct note *n = arg;
	char *line = job_last_line(r->out);
	cJSON *o = json_parse_object(line, strlen(line), NULL);
	const char *id = o ? json_str_or(o, "id", "") : "";

	char *hint = mem_printf(" (%s: try again)", keys_name(ACT_NEW));

	if (r->exit_code != 0)
		fail(t, n, r, hint);
	else
		succeed(t, n, "started");
	free(hint);
	/* Even one that failed to start stands in the list, if it is there. */
	if (strlen(id) == SPEC_ID_LEN) {
		memcpy(t->wanted, id, SPEC_ID_LEN + 1);
		tui_selection_changed(t);
	}
	cJSON_Delete(o);
	free(line);
	note_destroy(n);
}

void action_new(struct tui *t, struct draft *d)
{
	bool generic = strcmp(d->harness, "generic") == 0;
	/* Here it is the branch of this very worktree that it starts from. */
	bool here = t->repository && strcmp(d->repository, t->repository) == 0;
	struct note *n = note_create(mem_printf("starting %s", d->name), "");
	struct strv argv = {0};
	struct err err = {0};

	n->draft = d;
	strv_add(&argv, t->afw);
	add(&argv, (const char *[]){"new", d->name, "--json", NULL});
	if (!generic)
		add(&argv, (const char *[]){"-a", d->harness, NULL});
	if (d->template && *d->template)
		add(&argv, (const char *[]){"-t", d->template, NULL});
	if (d->base && *d->base)
		add(&argv, (const char *[]){"-b", d->base, NULL});
	if (!typable_blank(d->text, strlen(d->text)))
		add(&argv, (const char *[]){"-F", "-", NULL});
	if (generic) {
		strv_add(&argv, "--");
		if (words_split(d->command, &argv, &err) < 0) {
			tui_say(t, LOOK_ERROR, "%s", err.what);
			strv_finish(&argv);
			note_destroy(n);
			return;
		}
	}
	start(t, &argv, here ? NULL : d->repository, (int64_t)30 * MINUTE_MS, on_new, n);
}
