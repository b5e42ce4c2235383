/*
 * inbox.c - all that waits for the user's word, over all sessions, the oldest
 * first: approvals with the very command, and questions.
 *
 * What is chosen is a session's id, and an answer is bound to the question's,
 * so that nothing that comes or goes meanwhile is answered in its place.
 */
#include <stdlib.h>
#include <string.h>

#include "tui/widgets/listing.h"

static bool waits(const struct session *s)
{
	return s->alive && (s->state.question_id || session_urgency(s) == WORD_WAITING);
}

static int by_age(const void *a, const void *b)
{
	const struct session *x = *(const struct session *const *)a;
	const struct session *y = *(const struct session *const *)b;
	int64_t at = session_since(x), other = session_since(y);

	return at != other ? (at < other ? -1 : 1)
			   : strcmp(x->spec.id, y->spec.id);
}

/* What is asked, whole; to be freed. */
static char *text_of(const struct session *s)
{
	struct buf b = {0};

	if (s->state.question_id)
		return mem_strdup(s->state.question ? s->state.question : "");
	session_says(s, &b);
	buf_adds(&b, "");
	return buf_steal(&b);
}

static void add(struct listing *l, const struct session *s)
{
	struct row_text *w = listing_add(l, s->spec.id);
	const char *approval = s->state.question_id;

	w->name = session_label(s, &l->t->model.list);
	w->note = mem_strdup(approval ? "!" : "?");
	w->text = text_of(s);
	w->title = approval ? mem_printf("%s asks, approval %s", w->name,
					 approval)
			    : mem_printf("%s asks", w->name);
	w->since = session_since(s);
}

static void fill(struct listing *l)
{
	const struct session_list *all = &l->t->model.list;
	const struct session **v = mem_alloc((all->n + 1) * sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		if (waits(&all->v[i]))
			v[n++] = &all->v[i];
	if (n)
		qsort(v, n, sizeof *v, by_age);
	for (size_t i = 0; i < n; i++)
		add(l, v[i]);
	free(v);
}

static void act_on(struct listing *l, const struct row_text *w, uint32_t key)
{
	struct tui *t = l->t;
	const struct session *s = model_by_id(&t->model, w->key);

	if (!s)
		return;
	switch (key) {
	case '\r':
		model_select(&t->model, s->spec.id);
		action_attach(t, s);
		break;
	case 'a':
		ask_approve(t, s);
		break;
	case 'd':
		ask_deny(t, s);
		break;
	case 'r':
		view_push(t, editor_view(t, s->spec.id, s->spec.name));
		break;
	default:
		break;
	}
}

static const struct hint hints[] = {
    {"a", "approve"}, {"d", "deny"},	  {"r", "answer"},     {"{quit}", "back"},
    {"n", "next"},    {"v", "all of it"}, {"Enter", "attach"}, {NULL, NULL},
};

static const struct listing_kind kind = {
    .fill = fill,
    .nothing = "Nobody waits for you.",
    .hints = hints,
    .act = ACT_INBOX,
    .act_on = act_on,
};

struct view *inbox_view(struct tui *t)
{
	return listing_view(t, &kind);
}
