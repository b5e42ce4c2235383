/*
 * typing.c - a view that passes keys to the selected session's agent, whose
 * screen is beside it, except one key, which leaves the view.
 *
 * The keys are sent over the feed, which the picture comes from, and only while
 * it is live, so that the user never types into what is not shown.
 */
#include <stdlib.h>
#include <string.h>

#include "tui/term/keys.h"
#include "tui/preview/feed.h"
#include "tui/preview/preview.h"
#include "tui/preview/tabs.h"
#include "tui/actions/action.h"
#include "tui/tui.h"

struct typing {
	struct view view;
	char id[SPEC_ID_LEN + 1];
};

static void typing_footer(struct tui *t, struct view *v, const struct rect *r)
{
	const struct typing *y = (struct typing *)v;
	const struct session *s = roster_by_id(&t->roster, y->id);
	const struct view_key keys[] = {
	    {"typing into", s ? s->spec.name : "?", NULL, NULL},
	    {t->back_key, "returns", NULL, NULL},
	    {0}};

	help_draw_keys(t, v, r, keys);
}

/* Returns why keys cannot be sent; NULL: they can. */
static const char *find_obstacle(struct tui *t, const struct typing *y)
{
	const struct session *s = roster_selected(&t->roster);

	/* Another session was selected when this one was removed or filtered
	 * out. */
	if (!s || strcmp(s->spec.id, y->id) != 0)
		return "it is not in the list any more";
	if (!s->alive)
		return "it is not running";
	return feed_is_live(t->feed) ? NULL : "its screen is not seen yet";
}

static void typing_key(struct tui *t, struct view *v, struct key k)
{
	const struct typing *y = (struct typing *)v;
	const char *why = find_obstacle(t, y);
	char name[24];

	if (k.kind == KEY_KIND_CHAR && k.cp == t->back_char) {
		view_pop(t);
		return;
	}
	key_unparse(k, name, sizeof name);
	if (why)
		tui_set_message(t, LOOK_ERROR, "not typed: %s (%s returns)",
				why, t->back_key);
	else if (k.kind == KEY_KIND_PASTE)
		tui_set_message(t, LOOK_ERROR,
				"not pasted: lines would go one by one; "
				"a message (%s) takes it whole",
				keys_name(ACT_SEND));
	else if (!name[0])
		tui_set_message(t, LOOK_ERROR,
				"not typed: afw does not know this key");
	else if (!feed_press(t->feed, name))
		tui_set_message(t, LOOK_ERROR,
				"not typed: its supervisor does not "
				"read (is it stopped?)");
}

static const struct view_ops typing_ops = {
    .draw = preview_draw_alone,
    .key = typing_key,
    .footer = typing_footer,
    .destroy = view_free,
};

void action_type(struct tui *t, const struct session *s)
{
	struct typing *y;

	if (!s->alive) {
		tui_set_message(t, LOOK_PLAIN,
				"%s is not running: %s starts it again",
				s->spec.name, keys_name(ACT_RESUME));
		return;
	}
	if (s->host) {
		tui_set_message(t, LOOK_PLAIN,
				"%s is on %s: %s attaches, to type into it",
				s->spec.name, s->host, keys_name(ACT_ATTACH));
		return;
	}
	y = mem_alloc(sizeof *y);
	y->view.ops = &typing_ops;
	memcpy(y->id, s->spec.id, sizeof y->id);
	t->preview = true;
	tabs_key(t->tabs, ACT_SCREEN);
	view_push(t, &y->view);
}
