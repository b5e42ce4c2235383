/* footer.c - the keys of the list, in its last row: those that do something
 * with the selected session, as many as the window holds. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tui/term/keys.h"
#include "tui/actions/action.h"
#include "tui/tui.h"

/* Returns whether the footer should name a key, because it does something
 * now. */
static bool is_useful(const struct tui *t, enum act act,
		      const struct session *s)
{
	const struct roster *roster = &t->roster;
	const struct roster_group *g = roster_heading(roster, roster->cursor);

	switch (act) {
	case ACT_SEND:
		return s && s->alive && !ask_is_in_dialog(s);
	case ACT_ATTACH:
	case ACT_STOP:
	case ACT_SLEEP:
		return s && s->alive;
	case ACT_APPROVE:
	case ACT_DENY:
		return s && s->alive && s->state.question_id;
	case ACT_RESUME:
	case ACT_START:
		return s && !s->alive;
	case ACT_DIFF:
	case ACT_MERGE:
	case ACT_TAB_NEXT:
	case ACT_REMOVE:
		return s != NULL;
	case ACT_FILTER:
		return roster->nshown > 0;
	case ACT_COMPARE:
		return action_may_compare(t);
	case ACT_FOLD:
		return g && !g->folded;
	case ACT_UNFOLD:
		return g && g->folded;
	case ACT_NEXT: /* to another session than this one */
		return roster->counts[WORD_WAITING] +
			   roster->counts[WORD_FAILED] +
			   roster->counts[WORD_DONE] >
		       (s && session_urgency(s) <= WORD_DONE);
	case ACT_INBOX:
		return roster->counts[WORD_WAITING] > 0 && !roster->inbox;
	default:
		return true;
	}
}

/* The keys that the footer leaves out in a window too narrow for all, the first
 * one first. The keys for help and for quitting stay; for ACT_ATTACH only the
 * hint how to return is left out. */
static const enum act gives_way[] = {
    ACT_SLEEP,	 ACT_MERGE, ACT_REMOVE, ACT_FILTER, ACT_TAB_NEXT,
    ACT_COMPARE, ACT_INBOX, ACT_STOP,	ACT_DIFF,   ACT_NEXT,
    ACT_ATTACH,	 ACT_START, ACT_SEND,	ACT_NEW,    ACT_DENY,
};

#define GIVES_WAY (sizeof gives_way / sizeof gives_way[0])

/* Returns whether act is one of the first n that are left out. */
static bool is_left_out(enum act act, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (gives_way[i] == act)
			return true;
	return false;
}

/* Sets the keys to show, without the first that are left out; returns their
 * width. attach: the text for it if there is room. */
static int fill_keys(const struct tui *t, struct view_key *h, size_t without,
		     const char *attach)
{
	const struct session *s = roster_selected(&t->roster);
	int width = -2;

	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
		const char *says = keys_label((enum act)a);
		bool left_out = is_left_out((enum act)a, without);

		if (!says[0] || !keys_has((enum act)a) ||
		    !is_useful(t, (enum act)a, s) ||
		    (left_out && a != ACT_ATTACH))
			continue;
		/* If an action has several keys, show the first. */
		h->key = keys_name((enum act)a);
		h->word = a == ACT_ATTACH && !left_out	     ? attach
			  : a == ACT_QUIT && t->roster.inbox ? "back"
							     : says;
		width += paint_width(h->key) + 1 + paint_width(h->word) + 2;
		h++;
	}
	*h = (struct view_key){0};
	return width;
}

void footer_draw(struct tui *t, struct view *v, const struct rect *r)
{
	struct view_key keys[ACT_COUNT] = {0};
	const char *word = keys_label(ACT_ATTACH);
	size_t without = 0;
	/* Shown to new users until they have done it once. */
	_free_ char *attach =
	    t->detach_key && !t->came_back
		? mem_printf("%s (back: %s)", word, t->detach_key)
		: mem_strdup(word);

	while (fill_keys(t, keys, without, attach) > r->cols &&
	       without < GIVES_WAY)
		without++;
	help_draw_keys(r, keys);
}
