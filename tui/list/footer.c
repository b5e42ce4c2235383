/* footer.c - the keys of the list, in its last row: those that do something
 * with the selected session, as many as the window holds. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tui/term/keys.h"
#include "tui/actions/action.h"
#include "tui/tui.h"

/* The order of the keys: first what the session waits for. In a narrow window
 * the last ones are left out; those for help and for quitting stay. */
static const enum act shown[] = {
    ACT_APPROVE,  ACT_DENY,    ACT_ALWAYS, ACT_FOLD,   ACT_UNFOLD, ACT_RESUME,
    ACT_MERGE,	  ACT_COMMIT,  ACT_UNDO,   ACT_ATTACH, ACT_SEND,   ACT_NEW,
    ACT_START,	  ACT_COMPARE, ACT_NEXT,   ACT_DIFF,   ACT_STOP,   ACT_INBOX,
    ACT_TAB_NEXT, ACT_FILTER,  ACT_REMOVE, ACT_SLEEP,  ACT_HELP,   ACT_QUIT,
};

#define SHOWN (sizeof shown / sizeof shown[0])
#define LAST  2 /* help and quit */

/* Returns whether its work can be used: no turn is under way. */
static bool is_idle(const struct session *s)
{
	enum word word = session_urgency(s);

	return (s->host ? s->spec.worktree != NULL
			: spec_has_worktree(&s->spec)) &&
	       (word == WORD_DONE || word == WORD_FAILED || word == WORD_IDLE ||
		word == WORD_SUSPENDED || word == WORD_STOPPED);
}

/* Returns whether it has work that can be merged; a count of -1 is not known
 * yet. */
static bool has_work(const struct counts *c)
{
	return c->merged <= 0 && (c->ahead || c->files_changed);
}

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
	case ACT_ALWAYS:
		return s && s->alive && s->state.question_whole;
	case ACT_RESUME:
	case ACT_START:
		return s && !s->alive;
	case ACT_MERGE:
		return s && is_idle(s) && has_work(&s->state.counts);
	case ACT_COMMIT:
		return s && is_idle(s) && s->state.counts.uncommitted;
	case ACT_UNDO:
		return s && is_idle(s) && has_work(&s->state.counts) &&
		       s->state.turn_at > 0;
	case ACT_DIFF:
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
		return roster->counts[WORD_WAITING] + roster->nmissed > 0 &&
		       !roster->inbox;
	default:
		return true;
	}
}

/* Sets the first keys to show, and the last two; returns their width. attach:
 * the text for it. */
static int fill_keys(const struct tui *t, struct view_key *h, size_t first,
		     const char *attach)
{
	const struct session *s = roster_selected(&t->roster);
	int width = -2;

	for (size_t i = 0; i < SHOWN; i++) {
		enum act act = shown[i];

		if ((i >= first && i < SHOWN - LAST) || !keys_has(act) ||
		    !is_useful(t, act, s))
			continue;
		/* If an action has several keys, show the first. */
		h->key = keys_name(act);
		h->word = act == ACT_ATTACH ? attach
			  : act == ACT_QUIT && t->roster.inbox
			      ? "back"
			      : keys_label(act);
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
	size_t first = SHOWN - LAST;
	/* Shown to new users until they have done it once. */
	_free_ char *hint =
	    t->detach_key && !t->came_back
		? mem_printf("%s (back: %s)", word, t->detach_key)
		: NULL;
	const char *attach = hint ? hint : word;

	while (fill_keys(t, keys, first, attach) > r->cols && first > 0) {
		first--;
		/* The hint gives way to the keys up to this one. */
		if (shown[first] == ACT_NEW && attach != word) {
			attach = word;
			first = SHOWN - LAST;
		}
	}
	help_draw_keys(t, v, r, keys);
}
