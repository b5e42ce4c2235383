/*
 * editor.c - a message to an agent, written below its screen.
 *
 * The typed text is kept until it has been sent, so that a refused message (the
 * agent asks something first) need not be typed again.
 */
#include <stdlib.h>
#include <string.h>

#include "session/typable.h"
#include "tui/actions/action.h"
#include "tui/actions/targets.h"
#include "tui/term/keys.h"
#include "tui/tui.h"
#include "tui/widgets/text_field.h"
#include "wire/protocol.h"

struct editor {
	struct view view;
	struct text text;
	char id[SPEC_ID_LEN + 1];
	char *name;
	char *mine;  /* the typed text, while a sent message is shown */
	size_t back; /* this many messages back; 0: the typed text */
};

#define SENT_MAX 50

static void editor_draw(struct tui *t, struct view *v, const struct rect *body)
{
	struct editor *e = (struct editor *)v;
	int rows = body->rows > 24 ? 8 : body->rows / 3;
	int top = body->row + body->rows - rows - 1;
	struct rect in = {top + 1, body->col + 1, rows, body->cols - 2};
	const struct session *s = roster_by_id(&t->roster, e->id);
	const char *dot = term_utf8() ? " · " : ", ";
	int row, col;

	for (int i = 0; i < rows; i++)
		paint_fill(top + 1 + i, body->col, body->cols,
			   (struct style){0});
	paint_heading(&(struct rect){top, body->col, 1, body->cols}, LOOK_KEY,
		      "message to %s%s%s", e->name, s ? dot : "",
		      s ? session_status_word(s) : "");
	text_draw(&e->text, &in, paint_style(LOOK_PLAIN), &row, &col);
	tui_cursor(t, row, col);
}

/* Checks that the session has not ended while the message was written. */
static bool check_running(struct tui *t, const struct editor *e)
{
	const struct session *s = roster_by_id(&t->roster, e->id);

	if ((s && s->alive) || strcmp(e->id, DRAFT_MARKED) == 0)
		return true;
	if (s)
		tui_set_message(t, LOOK_ERROR,
				"%s is not running: Esc, then %s starts it; "
				"the text is kept",
				e->name, keys_name(ACT_RESUME));
	else
		tui_set_message(t, LOOK_ERROR, "%s is gone", e->name);
	return false;
}

/* Shows the messages that were sent, to any session, like a shell's history. */
static bool show_sent(struct tui *t, struct editor *e, struct key k)
{
	bool older = k.cp == 'P' - '@';

	if (k.kind != KEY_KIND_CHAR || (!older && k.cp != 'N' - '@'))
		return false;
	if (older ? e->back == t->sent.n : e->back == 0)
		return true;
	if (e->back == 0) {
		free(e->mine);
		e->mine = mem_strdup(text_get(&e->text));
	}
	e->back += older ? 1 : (size_t)-1;
	text_set(&e->text, e->back ? t->sent.v[t->sent.n - e->back] : e->mine);
	return true;
}

static void add_sent(struct tui *t, const char *text)
{
	if (t->sent.n && strcmp(t->sent.v[t->sent.n - 1], text) == 0)
		return;
	if (t->sent.n == SENT_MAX) {
		free(t->sent.v[0]);
		memmove(t->sent.v, t->sent.v + 1,
			--t->sent.n * sizeof *t->sent.v);
	}
	strv_add(&t->sent, text);
}

/* Keeps the text that was typed before a sent message replaced it. */
static void keep_typed(struct tui *t, struct editor *e)
{
	if (e->back)
		drafts_add(&t->drafts, draft_create(e->id, e->mine));
}

static void cancel(struct tui *t, struct editor *e)
{
	const char *text = text_get(&e->text);

	if (!e->back || strcmp(text, t->sent.v[t->sent.n - e->back]) != 0)
		drafts_add(&t->drafts, draft_create(e->id, text));
	keep_typed(t, e);
	view_pop(t);
}

static void submit(struct tui *t, struct editor *e)
{
	bool marked = strcmp(e->id, DRAFT_MARKED) == 0;
	struct draft *d = draft_create(e->id, text_get(&e->text));

	keep_typed(t, e);
	e->back = 0;
	add_sent(t, d->text);
	if (!marked) {
		action_send(t, d);
		return;
	}
	view_pop(t);
	drafts_add(&t->drafts, d);
	ask_send_marked(t);
}

static void editor_key(struct tui *t, struct view *v, struct key k)
{
	struct editor *e = (struct editor *)v;
	const char *text = text_get(&e->text);

	if (key_is_cancel(k)) {
		cancel(t, e);
	} else if (k.kind == KEY_KIND_CHAR && k.cp == '\r') {
		if (typable_blank(text, strlen(text)))
			tui_set_message(t, LOOK_ERROR, "the message is empty");
		else if (check_running(t, e))
			submit(t, e);
	} else if (k.kind == KEY_KIND_CHAR && k.cp == COMPOSE_KEY) {
		compose_in_editor(t, &e->text);
	} else if (!show_sent(t, e, k)) {
		text_key(&e->text, k);
		if (e->text.full)
			tui_set_message(t, LOOK_ERROR,
					"a message holds at most %d KiB",
					PROTOCOL_TEXT_MAX / 1024);
	}
}

static void editor_destroy(struct view *v)
{
	struct editor *e = (struct editor *)v;

	text_finish(&e->text);
	free(e->name);
	free(e->mine);
	free(e);
}

static const struct view_key keys[] = {
    {"Enter", "send", NULL, NULL},
    {"Ctrl-J", "new line", NULL, NULL},
    {"Esc", "back (the text is kept)", NULL, NULL},
    {"Ctrl-G", "in your editor", NULL, NULL},
    {"Ctrl-P", "the last one", NULL, NULL},
    {0},
};

static const struct view_ops editor_ops = {
    .holds = true,
    .draw = editor_draw,
    .key = editor_key,
    .keys = keys,
    .destroy = editor_destroy,
};

static struct view *editor_view(struct tui *t, const char *id, const char *name)
{
	struct editor *e = mem_alloc(sizeof *e);
	struct draft *kept = drafts_pop(&t->drafts, id);

	e->view.ops = &editor_ops;
	e->text.many = true;
	e->text.max = PROTOCOL_TEXT_MAX;
	e->name = mem_strdup(name);
	memcpy(e->id, id, strlen(id) + 1);
	text_set(&e->text, kept ? kept->text : NULL);
	draft_destroy(kept);
	return &e->view;
}

void action_message(struct tui *t, const struct session *s)
{
	/* Only a running session can receive it. */
	_strv_ struct strv to = targets_find(t, s, true);
	_free_ char *whom = targets_name(t, &to);
	bool many = t->roster.marked.n > 0;

	if (!to.n) {
		targets_report_none(t, s);
	} else if (!many && ask_is_in_dialog(s)) {
		ask_report_dialog(t, s);
	} else {
		view_push(
		    t, editor_view(t, many ? DRAFT_MARKED : s->spec.id, whom));
	}
}
