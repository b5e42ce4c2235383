/*
 * footer.c - the keys of the list, in its last row: those that do something
 * with the selected session, and of these as many as the window holds.
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "tui/keys.h"
#include "tui/tui.h"

/* Whether a key does something where the footer would name it. */
static bool is_of_use(const struct tui *t, enum act act,
		      const struct session *s)
{
	const struct model *m = &t->model;

	switch (act) {
	case ACT_ATTACH:
	case ACT_SEND:
	case ACT_STOP:
		return s && s->alive;
	case ACT_APPROVE:
	case ACT_DENY:
		return s && s->alive && s->state.question_id;
	case ACT_RESUME:
	case ACT_START:
		return s && !s->alive;
	case ACT_DIFF:
	case ACT_REMOVE:
	case ACT_FILTER:
		return s != NULL;
	case ACT_NEXT: /* to another than this one */
		return m->waiting + m->errors + m->done >
		       (s && session_urgency(s) <= 2);
	case ACT_NEW:
		return t->repository != NULL;
	default:
		return true;
	}
}

/* The keys that the footer does without in a window too narrow for all,
 * first to last; how to get help and how to leave stay. Of attach, it is how
 * to come back. */
static const enum act gives_way[] = {
    ACT_REMOVE, ACT_FILTER, ACT_STOP, ACT_DIFF, ACT_NEXT,
    ACT_ATTACH, ACT_START,  ACT_SEND, ACT_NEW,	ACT_DENY,
};

static int width_of(const char *s)
{
	return utf8_width(s, strlen(s));
}

static int hints_width(const struct hint *h, const enum act *acts, int n)
{
	int width = 0;

	for (int i = 0; i < n; i++)
		if (acts[i] != ACT_NONE)
			width +=
			    width_of(h[i].key) + 1 + width_of(h[i].word) + 2;
	return width - 2;
}

/* Takes out as few as let the others fit; returns how many are left. */
static int hints_fit(struct hint *h, enum act *acts, int n, int cols)
{
	int left = 0;

	for (size_t g = 0; g < sizeof gives_way / sizeof gives_way[0] &&
			   hints_width(h, acts, n) > cols;
	     g++)
		for (int i = 0; i < n; i++)
			if (acts[i] != gives_way[g])
				continue;
			else if (acts[i] == ACT_ATTACH)
				h[i].word = key_helps[ACT_ATTACH].word;
			else
				acts[i] = ACT_NONE;
	for (int i = 0; i < n; i++)
		if (acts[i] != ACT_NONE)
			h[left++] = h[i];
	return left;
}

void footer_draw(struct tui *t, struct view *v, const struct rect *r)
{
	const struct session *s = model_selected(&t->model);
	struct hint hints[ACT_COUNT];
	enum act acts[ACT_COUNT];
	char *attach = NULL;
	int n = 0;

	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
		const char *name = key_helps[a].name;

		if (!key_helps[a].word[0] || !is_of_use(t, (enum act)a, s))
			continue;
		acts[n] = (enum act)a;
		/* The first of several keys will do. */
		hints[n].key = strcmp(name, "Space, Tab") == 0 ? "Space"
			       : name[1] == ','		       ? "q"
							       : name;
		hints[n].word = key_helps[a].word;
		/* Until it has been done once, what a newcomer must know. */
		if (a == ACT_ATTACH && t->detach_key && !t->came_back)
			hints[n].word = attach = mem_printf(
			    "%s (back: %s)", key_helps[a].word, t->detach_key);
		n++;
	}
	n = hints_fit(hints, acts, n, r->cols);
	hints[n] = (struct hint){NULL, NULL};
	tui_draw_hints(r, hints);
	free(attach);
}
