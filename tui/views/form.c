/*
 * form.c - a form for a new session.
 *
 * The choices, and what else the session gets, are read for the repository that
 * is named (plan.c). Enter closes the form; the text is a draft until the
 * session exists.
 */
#include <curses.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/name.h"
#include "base/words.h"
#include "session/typable.h"
#include "tui/actions/action.h"
#include "tui/views/form_fields.h"
#include "wire/protocol.h"

static void read_plan(struct form *f)
{
	plan_read(&f->plan, text_get(&f->text[FORM_REPOSITORY]));
}

static void move_to(struct form *f, int by)
{
	int to = (int)f->field;

	if (f->field == FORM_REPOSITORY)
		read_plan(f);
	do
		to = (to + by + FORM_COUNT) % FORM_COUNT;
	while (!form_has(f, (enum form_field)to));
	f->field = (enum form_field)to;
}

static char *copy_of(const struct form *f, enum form_field field)
{
	return mem_strdup(text_get(&f->text[field]));
}

/* Returns the typed text as a draft; the choice is also the default of the next
 * form. */
static struct draft *draft_of(struct tui *t, const struct form *f)
{
	struct draft *d = draft_create("", text_get(&f->text[FORM_TASK]));
	const char *sandbox = choice_name(&f->plan.sandbox);

	d->name = copy_of(f, FORM_NAME);
	d->command = copy_of(f, FORM_COMMAND);
	d->base = copy_of(f, FORM_BASE);
	d->from = copy_of(f, FORM_FROM);
	d->harness = mem_strdup(choice_name(&f->plan.harness));
	d->template = mem_strdup(choice_name(&f->plan.template));
	d->host = mem_strdup(choice_name(&f->plan.host));
	/* The configuration's own stays its choice; that of another machine may
	 * have another one. */
	d->sandbox = mem_strdup(
	    !*d->host && strcmp(sandbox, f->plan.confined) == 0 ? "" : sandbox);
	d->repository = copy_of(f, FORM_REPOSITORY);
	free(t->new_harness);
	free(t->new_command);
	t->new_harness = mem_strdup(d->harness);
	t->new_command = mem_strdup(d->command);
	return d;
}

static int check_command(const char *text, struct err *err)
{
	_strv_ struct strv words = {0};

	if (words_split(text, &words, err) < 0)
		return -1;
	return words.n ? 0
		       : err_set(err, ERR_USAGE, "which command is to be run?");
}

/* Checks that nothing is missing; moves the cursor to the first field that
 * is. */
static int check_form(struct form *f, struct err *err)
{
	const char *name = text_get(&f->text[FORM_NAME]),
		   *task = text_get(&f->text[FORM_TASK]);
	enum form_field was = f->field;

	f->field = FORM_REPOSITORY;
	if (!f->plan.repository)
		return err_set(err, ERR_USAGE,
			       "there is no git repository at '%s'",
			       text_get(&f->text[FORM_REPOSITORY]));
	f->field = FORM_TASK;
	/* `afw new` makes the name from the task. */
	if (!*name && typable_blank(task, strlen(task)))
		return err_set(err, ERR_USAGE,
			       "it needs a task, or else a name");
	f->field = FORM_NAME;
	if (*name && name_check(name, err) < 0)
		return -1;
	f->field = FORM_COMMAND;
	if (form_takes_command(f) &&
	    check_command(text_get(&f->text[FORM_COMMAND]), err) < 0)
		return -1;
	f->field = was;
	return 0;
}

static void submit(struct tui *t, struct form *f)
{
	struct draft *d;
	struct err err;

	read_plan(f);
	if (check_form(f, &err) < 0) {
		tui_set_message(t, LOOK_ERROR, "%s", err.what);
		return;
	}
	text_set(&f->text[FORM_REPOSITORY], f->plan.repository);
	d = draft_of(t, f);
	view_pop(t);
	action_new(t, d);
}

/* Up and Down leave the task only at its beginning and its end. */
static bool handle_move(struct form *f, struct key k)
{
	bool named = k.kind == KEY_KIND_NAMED, task = f->field == FORM_TASK;
	const struct text *text = &f->text[FORM_TASK];
	bool up = named && (k.cp == KEY_BTAB ||
			    (k.cp == KEY_UP && (!task || text->at == 0)));
	bool down =
	    (k.kind == KEY_KIND_CHAR && k.cp == '\t') ||
	    (named && k.cp == KEY_DOWN && (!task || text->at == text->buf.len));

	if (up || down)
		move_to(f, up ? -1 : 1);
	return up || down;
}

static void handle_choice(struct form *f, struct choice *c, struct key k)
{
	bool named = k.kind == KEY_KIND_NAMED;
	bool right =
	    named ? k.cp == KEY_RIGHT : k.kind == KEY_KIND_CHAR && k.cp == ' ';

	if (!right && !(named && k.cp == KEY_LEFT))
		return;
	choice_move(c, right ? 1 : -1);
	if (c == &f->plan.template || c == &f->plan.host)
		read_plan(f);
}

/* Handles PgUp and PgDn, which choose the next known repository. */
static bool handle_repository_key(struct form *f, struct key k)
{
	struct text *text = &f->text[FORM_REPOSITORY];
	bool down = k.cp == KEY_NPAGE;
	size_t n = f->known.n, at;

	if (f->field != FORM_REPOSITORY || k.kind != KEY_KIND_NAMED ||
	    (!down && k.cp != KEY_PPAGE) || !n)
		return false;
	for (at = 0; at < n; at++)
		if (strcmp(f->known.v[at], text_get(text)) == 0)
			break;
	at = at == n ? 0 : (at + n + (down ? 1 : n - 1)) % n;
	text_set(text, f->known.v[at]);
	read_plan(f);
	return true;
}

static void form_key(struct tui *t, struct view *v, struct key k)
{
	struct form *f = (struct form *)v;

	if (key_is_cancel(k)) {
		drafts_add(&t->drafts, draft_of(t, f));
		view_pop(t);
	} else if (k.kind == KEY_KIND_CHAR && k.cp == '\r') {
		submit(t, f);
	} else if (handle_move(f, k) || handle_repository_key(f, k)) {
		return;
	} else if (k.kind == KEY_KIND_CHAR && k.cp == COMPOSE_KEY) {
		f->field = FORM_TASK;
		compose_in_editor(t, &f->text[FORM_TASK]);
	} else if (k.kind == KEY_KIND_CHAR && k.cp == 'T' - '@') {
		if (f->plan.untrusted)
			action_trust(t, f->plan.repository);
	} else if (form_choice(f, f->field)) {
		handle_choice(f, form_choice(f, f->field), k);
	} else {
		text_key(&f->text[f->field], k);
	}
}

/* A command may have changed which files are trusted. */
static void form_changed(struct tui *t, struct view *v)
{
	struct form *f = (struct form *)v;

	if (f->done != t->done)
		read_plan(f);
	f->done = t->done;
}

static void form_destroy(struct view *v)
{
	struct form *f = (struct form *)v;

	for (int i = 0; i < FORM_COUNT; i++)
		text_finish(&f->text[i]);
	plan_finish(&f->plan);
	strv_finish(&f->known);
	free(f);
}

static const struct view_key keys[] = {
    {"Enter", "start", NULL, NULL},
    {"Tab", "next field", NULL, NULL},
    {"Esc", "back (the text is kept)", NULL, NULL},
    {"Ctrl-G", "the task in your editor", NULL, NULL},
    {0},
};

static const struct view_ops form_ops = {
    .covers = true,
    .draw = form_draw,
    .key = form_key,
    .changed = form_changed,
    .keys = keys,
    .destroy = form_destroy,
};

/* Collects the repositories of the sessions, and that of the current directory;
 * *first is the default. */
static void collect_repositories(struct form *f, struct tui *t,
				 const char **first)
{
	const struct session *s = roster_selected(&t->roster);

	*first = t->checkout	 ? t->checkout
		 : s && !s->host ? s->spec.repository
				 : "";
	if (**first)
		strv_add(&f->known, *first);
	for (size_t i = 0; i < t->roster.list.n; i++) {
		const char *one = t->roster.list.v[i].spec.repository;

		if (one && !t->roster.list.v[i].host &&
		    !strv_has(&f->known, one))
			strv_add(&f->known, one);
	}
}

static void set_from(struct form *f, const struct session *s, int64_t number)
{
	_free_ char *text = mem_printf("%s@%" PRId64, s->spec.name, number);

	text_set(&f->text[FORM_FROM], text);
	text_set(&f->text[FORM_REPOSITORY], s->spec.repository);
}

/* Chooses what the draft has, as far as it still exists. */
static void choose_again(struct form *f, const struct draft *d)
{
	choice_set(&f->plan.template, d->template);
	choice_set(&f->plan.host, d->host);
	read_plan(f);
	choice_set(&f->plan.harness, d->harness);
	choice_set(&f->plan.sandbox, d->sandbox);
}

struct view *form_view(struct tui *t, const struct session *from,
		       int64_t number)
{
	struct form *f = mem_alloc(sizeof *f);
	struct draft *d = drafts_pop(&t->drafts, "");
	const char *here;

	f->view.ops = &form_ops;
	f->done = t->done;
	collect_repositories(f, t, &here);
	f->text[FORM_TASK].many = true;
	f->text[FORM_TASK].max = PROTOCOL_TEXT_MAX;
	text_set(&f->text[FORM_REPOSITORY], d ? d->repository : here);
	text_set(&f->text[FORM_NAME], d ? d->name : NULL);
	text_set(&f->text[FORM_COMMAND], d ? d->command : t->new_command);
	text_set(&f->text[FORM_BASE], d ? d->base : NULL);
	text_set(&f->text[FORM_FROM], d ? d->from : NULL);
	text_set(&f->text[FORM_TASK], d ? d->text : NULL);
	if (from)
		set_from(f, from, number);
	f->from = *text_get(&f->text[FORM_FROM]);
	f->field =
	    *text_get(&f->text[FORM_REPOSITORY]) ? FORM_TASK : FORM_REPOSITORY;
	read_plan(f);
	/* The last choice, otherwise the configuration's. */
	if (d)
		choose_again(f, d);
	else if (t->new_harness)
		choice_set(&f->plan.harness, t->new_harness);
	if (from && choice_set(&f->plan.host, from->host ? from->host : ""))
		read_plan(f);
	draft_destroy(d);
	return &f->view;
}
