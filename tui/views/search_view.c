/* search_view.c - the lines that a search in all transcripts has found; one of
 * them opens its session's log there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "tui/actions/command.h"
#include "tui/widgets/rows.h"
#include "tui/widgets/scroll.h"

/* What was printed since is not searched again: the rows would move. */
static uint64_t search_version(const struct tui *t)
{
	(void)t;
	return 0;
}

/* Its object is borrowed from the list, which keeps all of them. */
static void add_row(struct rows *l, const cJSON *o)
{
	char key[ROW_KEY], when[CLOCK_LOCAL_SIZE];
	struct row *w;

	snprintf(key, sizeof key, "%zu", l->n);
	w = rows_add(l, key);
	w->of = o;
	w->name = mem_strdup(json_str_or(o, "name", "?"));
	w->note =
	    mem_strdup(json_bool(o, "trash", false) ? "in the trash" : "");
	w->text = mem_strdup(json_str_or(o, "line", ""));
	w->since = clock_parse(json_str_or(o, "at", ""));
	clock_format_local(w->since, when);
	w->title = mem_printf("%s, %s", w->name, when);
}

/* Opens the log at the line that c->input is. */
static void on_log(struct tui *t, struct command *c, const struct job_result *r)
{
	const char *line = c->input + strspn(c->input, " ");
	struct scroll *s;

	if (r->exit_code != 0 || !command_is_awaited(t, c)) {
		command_report(t, c, r, NULL);
		return;
	}
	view_push(t, pager_view("the log", r->out, false));
	s = t->view->ops->text(t, t->view);
	tui_set_message(t, LOOK_PLAIN, "%s",
			!*line || scroll_find(s, line)
			    ? ""
			    : "the line is no longer in the log");
}

static void open_log(struct tui *t, struct view *v, uint32_t pressed)
{
	const struct row *w = rows_chosen(v);
	const char *id = json_str_or(w->of, "id", "");
	struct command *c;

	(void)pressed;
	if (json_bool(w->of, "trash", false)) {
		tui_set_message(
		    t, LOOK_PLAIN,
		    "%s is in the trash: restore it to read its log", w->name);
		return;
	}
	c = command_create(mem_printf("reading the log of %s", w->name), id,
			   "logs", id, NULL);
	c->input = mem_strdup(w->text);
	c->reads = true;
	c->done = on_log;
	command_run(t, c);
}

static const struct view_key keys[] = {
    {"What a search in all logs has found", NULL, NULL, NULL},
    {"Enter", "open", "open the session's log at that line", open_log},
    {"v", "", "read the whole line", rows_read},
    ROWS_KEYS,
};

static const struct rows_kind kind = {
    .words = {"grep", "--ignore-case", "--fixed-strings", "--max-count=100",
	      "--json"},
    .searches = true,
    .nothing = "No line has that text.",
    .heading = "found",
    .titles = {"", "FOR", NULL, "LINE"},
    .keys = keys,
    .act = ACT_SEARCH,
    .version = search_version,
    .add = add_row,
};

static bool search(struct tui *t, const char *id, const char *text)
{
	struct strv words = {0};

	(void)id;
	if (!*text)
		return true;
	strv_add(&words, "--");
	strv_add(&words, text);
	/* In place of the prompt, which has the text. */
	view_pop(t);
	view_push(t, rows_view_of(t, &kind, words));
	return false;
}

struct view *search_view(void)
{
	return prompt_enter_view(mem_strdup("search all logs:"), "", NULL,
				 search);
}
