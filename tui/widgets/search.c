/* search.c - searches the text of the top view, or of the one below the prompt
 * into which the user types what to find. */
#include "tui/widgets/search.h"

#include "tui/term/keys.h"
#include "tui/tui.h"
#include "tui/widgets/scroll.h"

static struct scroll *text_of(const struct tui *t, const struct view *v)
{
	return v->ops->text ? v->ops->text(t, v) : NULL;
}

static bool search_text(struct tui *t, const char *text)
{
	const struct view *v = t->view;
	struct scroll *s;

	if (!v->ops->text)
		v = v->below;
	s = text_of(t, v);
	return !s || scroll_find(s, text);
}

bool search_is_on(const struct tui *t, const struct view *v)
{
	const struct scroll *s = text_of(t, v);

	return s && s->find;
}

bool search_key(struct tui *t, struct view *v, struct key k)
{
	struct scroll *s = text_of(t, v);

	if (s && keys_act(k) == ACT_FILTER) {
		view_push(t, prompt_view(NULL, search_text));
		return true;
	}
	if (!s || k.kind != KEY_KIND_CHAR || (k.cp != 'n' && k.cp != 'N'))
		return false;
	if (!s->find)
		tui_set_message(t, LOOK_PLAIN, "%s searches for a text first",
				keys_name(ACT_FILTER));
	else if (!scroll_find_next(s, k.cp == 'n'))
		tui_set_message(t, LOOK_PLAIN, "there is no '%s'", s->find);
	return true;
}
