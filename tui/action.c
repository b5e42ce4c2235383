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
#include "tui/tui.h"

#define MINUTE_MS 60000

/* What a finished action needs to know. */
struct note {
	char *what; /* "send to fix-login" */
	char id[SPEC_ID_LEN + 1];
	char *message;	     /* that is sent, or NULL */
	struct draft *draft; /* of the session that is made, or NULL */
};

static struct note *note_create(const char *what, const char *id)
{
	struct note *n = mem_alloc(sizeof *n);

	n->what = mem_strdup(what);
	if (id)
		memcpy(n->id, id, SPEC_ID_LEN + 1);
	return n;
}

static void note_destroy(void *note)
{
	struct note *n = note;

	free(n->what);
	free(n->message);
	draft_destroy(n->draft);
	free(n);
}

/* What it was to do was not done: what the user typed is not lost. */
static void put_back(struct tui *t, struct note *n)
{
	if (n->message)
		drafts_keep_message(&t->drafts, n->id, n->message);
	if (n->draft)
		drafts_keep(&t->drafts, n->draft);
	n->draft = NULL;
}

static const char *name_of(struct tui *t, const char *id)
{
	const struct session *s = model_by_id(&t->model, id);

	return s ? s->spec.name : "the session";
}

/* The last line of text that says something; to be freed. */
static char *last_line(const char *text)
{
	const char *at = text, *line = text;
	size_t len = 0;

	while (*at) {
		size_t n = strcspn(at, "\n");

		if (n)
			line = at, len = n;
		at += n + (at[n] == '\n');
	}
	return mem_strndup(line, len);
}

/* "afw: why" and "hint: how" -> "why (how)"; to be freed. */
static char *reason(const struct job_result *r)
{
	const char *why = strstr(r->err, "afw: ");
	const char *hint = strstr(r->err, "\nhint: ");
	size_t len;

	if (r->timed_out)
		return mem_strdup("it took too long and was ended");
	if (!why && !*r->err)
		return mem_printf("it ended with code %d", r->exit_code);
	if (!why)
		return last_line(r->err);
	why += 5;
	len = strcspn(why, "\n");
	if (!hint)
		return mem_strndup(why, len);
	hint += 7;
	return mem_printf("%.*s (%.*s)", (int)len, why,
			  (int)strcspn(hint, "\n"), hint);
}

static void fail(struct tui *t, const struct job_result *r)
{
	char *why = reason(r);

	tui_say(t, LOOK_ERROR, "%s", why);
	free(why);
}

/* Done: its last line, or only that it is done. */
static void on_done(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	struct note *n = arg;
	char *line = last_line(r->out);

	if (r->exit_code != 0)
		fail(t, r);
	else
		tui_say(t, LOOK_PLAIN, "%s", *line ? line : n->what);
	free(line);
	note_destroy(n);
}

static void start(struct tui *t, struct strv *argv, const char *input,
		  const char *dir, int64_t timeout_ms, job_fn done,
		  struct note *n)
{
	struct job_request rq = {.argv = argv->v,
				 .input = input,
				 .dir = dir,
				 .timeout_ms = timeout_ms,
				 .done = done,
				 .arg = n,
				 .drop = note_destroy};
	struct err err;

	if (jobs_start(t->jobs, &rq, &err) < 0) {
		tui_say(t, LOOK_ERROR, "%s", err.what);
		put_back(t, n);
		note_destroy(n);
	} else {
		tui_say(t, LOOK_QUIET, "%s …", n->what);
	}
	strv_finish(argv);
}

/* afw COMMAND [OPTION] ID, in the background; its last line is the message. */
static void with_option(struct tui *t, const char *command, const char *option,
			const char *doing, const char *id, int64_t timeout_ms)
{
	struct strv argv = {0};
	char *what = mem_printf("%s %s", doing, name_of(t, id));

	strv_add(&argv, t->afw);
	strv_add(&argv, command);
	if (option)
		strv_add(&argv, option);
	strv_add(&argv, id);
	start(t, &argv, NULL, NULL, timeout_ms, on_done, note_create(what, id));
	free(what);
}

static void simple(struct tui *t, const char *command, const char *doing,
		   const char *id, int64_t timeout_ms)
{
	with_option(t, command, NULL, doing, id, timeout_ms);
}

void action_stop(struct tui *t, const char *id)
{
	simple(t, "stop", "stopping", id, 5 * MINUTE_MS);
}

void action_remove(struct tui *t, const char *id)
{
	simple(t, "rm", "removing", id, 5 * MINUTE_MS);
}

void action_stop_and_remove(struct tui *t, const char *id)
{
	with_option(t, "rm", "--stop", "stopping and removing", id,
		    5 * MINUTE_MS);
}

static void answer(struct tui *t, const char *id, const char *option,
		   const char *doing)
{
	struct strv argv = {0};
	char *what = mem_printf("%s %s", doing, name_of(t, id));

	strv_add(&argv, t->afw);
	strv_add(&argv, "send");
	strv_add(&argv, id);
	strv_add(&argv, option);
	strv_add(&argv, "--question");
	strv_add(&argv, t->question_id);
	start(t, &argv, NULL, NULL, MINUTE_MS, on_done, note_create(what, id));
	free(what);
}

void action_approve(struct tui *t, const char *id)
{
	answer(t, id, "--approve", "approving in");
}

void action_deny(struct tui *t, const char *id)
{
	answer(t, id, "--deny", "denying in");
}

static void again(struct tui *t, const struct session *s, const char *command,
		  const char *doing)
{
	if (s->alive)
		tui_say(t, LOOK_PLAIN, "%s runs already", s->spec.name);
	else
		simple(t, command, doing, s->spec.id, 2 * MINUTE_MS);
}

void action_resume(struct tui *t, const struct session *s)
{
	again(t, s, "resume", "resuming");
}

void action_start(struct tui *t, const struct session *s)
{
	again(t, s, "start", "starting afresh:");
}

static void on_detached(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	struct note *n = arg;

	tui_take_back(t);
	if (r->exit_code == 0)
		t->came_back = true;
	else if (*r->err)
		fail(t, r);
	else
		tui_say(t, LOOK_ERROR, "attach to %s ended with code %d",
			n->what, r->exit_code);
	note_destroy(n);
}

void action_attach(struct tui *t, const struct session *s)
{
	char *argv[] = {t->afw, (char[]){"attach"}, (char *)s->spec.id, NULL};
	struct job_request rq = {.argv = argv,
				 .foreground = true,
				 .done = on_detached,
				 .drop = note_destroy};
	struct note *n;
	struct err err;

	if (!s->alive) {
		tui_say(t, LOOK_PLAIN, "%s is not running: R starts it again",
			s->spec.name);
		return;
	}
	n = note_create(s->spec.name, s->spec.id);
	rq.arg = n;
	tui_hand_over(t);
	if (jobs_start(t->jobs, &rq, &err) < 0) {
		tui_take_back(t);
		tui_say(t, LOOK_ERROR, "%s", err.what);
		note_destroy(n);
	}
}

static void on_diff(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	struct note *n = arg;
	char *title;

	if (r->exit_code != 0) {
		fail(t, r);
	} else if (!r->out_len) {
		tui_say(t, LOOK_PLAIN, "%s has changed nothing yet",
			name_of(t, n->id));
	} else {
		title = mem_printf("what %s has changed", name_of(t, n->id));
		tui_say(t, LOOK_PLAIN, "%s", "");
		view_push(t, pager_view(title, mem_strdup(r->out), true));
		free(title);
	}
	note_destroy(n);
}

void action_diff(struct tui *t, const struct session *s)
{
	struct strv argv = {0};

	strv_add(&argv, t->afw);
	strv_add(&argv, "diff");
	strv_add(&argv, s->spec.id);
	start(t, &argv, NULL, NULL, MINUTE_MS, on_diff,
	      note_create("reading the changes", s->spec.id));
}

static void on_sent(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	struct note *n = arg;

	if (r->exit_code != 0)
		put_back(t, n);
	on_done(ctx, arg, r);
}

void action_send(struct tui *t, const char *id, const char *text)
{
	struct strv argv = {0};
	char *what = mem_printf("sending to %s", name_of(t, id));
	struct note *n = note_create(what, id);

	n->message = mem_strdup(text);
	strv_add(&argv, t->afw);
	strv_add(&argv, "send");
	strv_add(&argv, id);
	strv_add(&argv, "-F");
	strv_add(&argv, "-");
	start(t, &argv, n->message, NULL, 2 * MINUTE_MS, on_sent, n);
	free(what);
}

static void on_new(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	struct note *n = arg;
	char *line = last_line(r->out);
	cJSON *o = json_parse_object(line, strlen(line), NULL);
	const char *id = o ? json_str_or(o, "id", "") : "";

	if (r->exit_code != 0) {
		char *why = reason(r);

		tui_say(t, LOOK_ERROR, "%s (n: try again)", why);
		free(why);
		put_back(t, n);
	} else {
		tui_say(t, LOOK_PLAIN, "started");
	}
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
	const struct session *s = model_selected(&t->model);
	bool generic = strcmp(d->harness, "generic") == 0;
	bool task = d->task && d->task[strspn(d->task, " \t\n")];
	const char *dir = t->repository ? NULL : s ? s->spec.repository : NULL;
	struct strv argv = {0};
	struct err err = {0};
	char *what = mem_printf("starting %s", d->name);
	struct note *n = note_create(what, NULL);

	n->draft = d;
	free(what);
	strv_add(&argv, t->afw);
	strv_add(&argv, "new");
	strv_add(&argv, d->name);
	strv_add(&argv, "--json");
	if (!generic) {
		strv_add(&argv, "-a");
		strv_add(&argv, d->harness);
	}
	if (d->base && *d->base) {
		strv_add(&argv, "-b");
		strv_add(&argv, d->base);
	}
	if (task) {
		strv_add(&argv, "-F");
		strv_add(&argv, "-");
	}
	if (generic) {
		strv_add(&argv, "--");
		if (words_split(d->command, &argv, &err) < 0) {
			tui_say(t, LOOK_ERROR, "%s", err.what);
			strv_finish(&argv);
			put_back(t, n);
			note_destroy(n);
			return;
		}
	}
	start(t, &argv, task ? d->task : NULL, dir, 30 * MINUTE_MS, on_new, n);
}
