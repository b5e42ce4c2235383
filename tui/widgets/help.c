/* help.c - the keys of a view, in its last row and in the help, which also
 * explains the words and signs of the list. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "session/live/changes.h"
#include "tui/term/keys.h"
#include "tui/tui.h"
#include "tui/widgets/search.h"

/* The keys of the list, so that the help has 40 lines at most; a test checks
 * that all actions of keys.def are here. Those of one row belong together. */
static const struct view_key list_keys[] = {
    {"{approve}/{deny} {always}", "",
     "allow what the agent asks, once; deny it; allow it always", NULL},
    {"{send}/{queue}", "", "send the agent a message; show all queued messages",
     NULL},
    {"Sessions", NULL, NULL, NULL},
    {"{new}/{rename}", "", "create a session; rename it", NULL},
    {"{resume}/{start}", "",
     "start the agent with its conversation; with a new one", NULL},
    {"{stop}/{suspend}", "", "stop the agent; suspend it: {resume} continues",
     NULL},
    {"{remove}/{trash}", "",
     "remove the session; show the trash, which keeps unsaved work", NULL},
    {"{pin} {archive}/{snooze} {note}", "",
     "pin it; archive, snooze it: hidden; note; {archived}: show the hidden",
     NULL},
    {"{mark}/{mark-all}", "",
     "mark the session, all: {send} {resume} {stop} {suspend} {remove} {pin} "
     "{archive} apply to the marked",
     NULL},
    {"Its work", NULL, NULL, NULL},
    {"{diff}/{undo}", "", "show what the agent has changed; undo its last turn",
     NULL},
    {"{merge}/{commit} {land}", "",
     "preview a merge, pull request; commit; land all that are done", NULL},
    {"{compare}/{conflicts}", "",
     "compare the group or the marked; show the conflicts", NULL},
    {"{edit}/{shell}", "",
     "open the worktree in your editor; a shell beside the agent", NULL},
    {"The dashboard", NULL, NULL, NULL},
    {"{help}/{quit}", "",
     "show the keys of this view; leave: the agents keep running", NULL},
    {"{next}/{inbox}", "",
     "go to the next waiting session; show only waiting ones", NULL},
    {"{down}/{up} {first}/{last}", "",
     "down, up; first, last; {page-down}, {page-up}: a page", NULL},
    {"{filter} {search}", "",
     "show only sessions with a text; search all logs for one", NULL},
    {"{palette}", "", "find an action by its name and run it", NULL},
    {"{order} {group} {fold}/{unfold}", "",
     "next order; next grouping; fold the group, unfold it", NULL},
    {"{redraw}/{suspend-dashboard}", "", "draw it again; suspend it", NULL},
    {"The preview", NULL, NULL, NULL},
    {"{screen} {changes} {log} {info} {turns}", "",
     "screen; diff; log; info; turns; {tab-next}, {tab-last}: next, last",
     NULL},
    {"{scroll-up}/{scroll-down}", "",
     "scroll it: the keys move in it; {preview}: show or hide it", NULL},
    {0},
};

static void explain(struct buf *b, const char *key, const char *text)
{
	_free_ char *keys = keys_fill(key), *filled = keys_fill(text);

	buf_addf(b, "  %-17s %s\n", keys, filled);
}

static void add_keys(struct buf *b, const struct view_key *keys)
{
	for (; keys->key; keys++)
		if (keys->word)
			explain(b, keys->key,
				keys->help ? keys->help : keys->word);
		else
			buf_addf(b, "%s\n", keys->key);
}

static void add_commands(struct buf *b, const cJSON *all)
{
	const cJSON *o;

	if (cJSON_GetArraySize(all) > 0)
		buf_adds(b, "Your commands\n");
	cJSON_ArrayForEach (o, all) {
		_free_ char *text = mem_printf("open %s beside the agent",
					       json_str_or(o, "name", ""));

		explain(b, json_str_or(o, "key", ""), text);
	}
}

static void add_list(struct buf *b, const struct tui *t)
{
	buf_adds(b, "Talk to the agent\n");
	explain(b, "{attach}/{type}",
		"open the agent's own screen; type into it in the preview");
	if (t->detach_key)
		explain(b, t->detach_key, "there: returns here");
	add_keys(b, list_keys);
	add_commands(b, t->commands);
	buf_adds(b, "States and columns\n");
	for (int w = 0; w < WORD_COUNT; w++)
		explain(b, word_name((enum word)w), word_help((enum word)w));
	explain(b, "* ! CHANGES",
		"waiting; failed; lines added, removed since the base branch");
	if (!term_utf8())
		explain(b, "LANG, LC_ALL",
			"the locale is not UTF-8: '?' is another character");
	if (!term_colours())
		explain(
		    b, "NO_COLOR",
		    "No colours: NO_COLOR is set, or the terminal has none");
	if (changes_is_blind(t->watch))
		explain(
		    b, "sysctl fs.inotify",
		    "used up: changes are seen within a second, not at once");
}

struct view *help_view(const struct tui *t, const struct view *of)
{
	const struct view_key *keys = view_keys(of);
	_buf_ struct buf b = {0};

	if (keys)
		add_keys(&b, keys);
	else
		add_list(&b, t);
	return pager_view("help", b.data, true);
}

static bool works(const struct tui *t, const struct view *v, const char *key)
{
	if (strcmp(key, SEARCH_NEXT) == 0)
		return search_is_on(t, v);
	return !v->ops->works || v->ops->works(t, v, key);
}

void help_draw_keys(const struct tui *t, const struct view *v,
		    const struct rect *r, const struct view_key *keys)
{
	int col = r->col, end = r->col + r->cols;

	for (; keys->key; keys++) {
		_free_ char *key = keys_fill(keys->key);
		int need = paint_width(key) + 1 + paint_width(keys->word);

		if (!keys->word || !keys->word[0] || !works(t, v, keys->key))
			continue;
		if (col + need <= end) {
			paint_look(r->row, col, r->cols, key, LOOK_KEY);
			paint_look(r->row, col + paint_width(key) + 1, r->cols,
				   keys->word, LOOK_PLAIN);
		}
		col += need + 2;
	}
}
