/*
 * tabs.c - texts about the selected session, printed by child processes.
 *
 * There is one child at a time: selecting another session or tab kills it. If
 * the text that is shown becomes outdated, the next child starts when the text
 * has been shown for a while.
 */
#include "tui/preview/tabs.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "tui/preview/turns.h"
#include "tui/child/refresh.h"
#include "tui/tui.h"
#include "tui/widgets/diff_files.h"

#define MOST "5000"

static const struct {
	const char *name;
	const char *words[5];
	enum scroll_kind kind;
	bool from_end;
	const char *nothing; /* the text if nothing was printed */
} kinds[TAB_COUNT] = {
    [TAB_SCREEN] = {"screen",
		    {"logs", "-n", MOST},
		    SCROLL_PLAIN,
		    true,
		    "(it has printed nothing)"},
    [TAB_DIFF] = {NULL, {"diff"}, SCROLL_DIFF, false, NULL}, /* diff_sides[] */
    [TAB_LOG] = {"log",
		 {"events", "-n", MOST},
		 SCROLL_PLAIN,
		 true,
		 "(nothing has happened yet)"},
    [TAB_INFO] =
	{"info", {"status", "--explain"}, SCROLL_PLAIN, false, "(nothing)"},
    [TAB_TURNS] = {"turns",
		   {"checkpoints", "--json"},
		   SCROLL_PLAIN,
		   true,
		   "(it has no checkpoints: they are stored when a turn begins "
		   "and when it ends)"},
};

struct tabs {
	struct tui *t;
	enum tab tab;
	size_t side;		  /* the key of its tab switches to the next */
	bool back;		  /* the screen's history is shown */
	char id[SPEC_ID_LEN + 1]; /* "": none */
	char *version;		  /* the text depends on this */
	char *diff;		  /* the text of the tab of changes; or NULL */
	struct scroll scroll;
	struct refresh text;
	int names_row, names_col; /* where they were drawn */
	bool alone;		  /* only the current tab's name, or none */
	bool has_keys;
};

/* What the agent has changed. */
static char *counts_of(const struct state *st)
{
	const struct counts *c = &st->counts;

	return mem_printf(
	    "%lld %lld %lld %lld %lld %lld %lld", (long long)st->turn_at,
	    (long long)c->files_changed, (long long)c->untracked,
	    (long long)c->ahead, (long long)c->lines_added,
	    (long long)c->lines_removed, (long long)c->uncommitted);
}

/* Returns a string; if it has not changed, neither has the text. */
static char *version_of(const struct tabs *tabs, const struct session *s)
{
	const struct state *st = &s->state;
	_free_ char *counts = counts_of(st);

	if (tabs->tab == TAB_SCREEN)
		return mem_strdup(st->question_id ? st->question_id : "");
	/* A command may have stored a comment. */
	if (tabs->tab == TAB_DIFF)
		return mem_printf("%s %u", counts, tabs->t->done);
	/* If the session is not running, only "done" shows an undo. */
	if (tabs->tab == TAB_TURNS)
		return mem_printf("%lld %lld %u %s %s", (long long)st->turn_at,
				  (long long)st->checkpoint, tabs->t->done,
				  st->check ? st->check : "",
				  s->alive ? "" : counts);
	return mem_printf("%d %lld", s->alive, (long long)st->rev);
}

static bool is_text(const struct tabs *tabs)
{
	return tabs->id[0] && (tabs->tab != TAB_SCREEN || tabs->back);
}

static void tabs_store(void *owner, const struct job_result *r)
{
	struct tabs *tabs = owner;
	const char *text = r->out;
	_buf_ struct buf all = {0};
	_free_ char *why = r->exit_code ? job_reason(r) : NULL;

	if (tabs->tab == TAB_TURNS &&
	    turns_set(&tabs->scroll, text, tabs->has_keys))
		return;
	if (why) {
		buf_addf(&all, "(%s)\n", why);
	} else if (tabs->tab != TAB_TURNS) {
		buf_adds(&all, text);
		if (r->out_len >= JOB_OUTPUT_MAX)
			buf_adds(&all, "\n(cut here: there is more)\n");
	}
	if (!all.len)
		buf_adds(&all, tabs->tab == TAB_DIFF
				   ? diff_sides[tabs->side].nothing
				   : kinds[tabs->tab].nothing);
	if (tabs->tab == TAB_DIFF && !why && r->out_len) {
		/* Marked lines stay so. */
		if (tabs->diff && strcmp(tabs->diff, all.data) == 0)
			return;
		mem_set(&tabs->diff, all.data);
		diff_files_set(&tabs->scroll, "", all.data, true);
	} else {
		mem_set(&tabs->diff, NULL);
		tabs->scroll.files = 0;
		scroll_set(&tabs->scroll, all.data);
	}
}

/* A session that waits shows its question on the screen, which is drawn
 * whole. */
static const char *const *words_of(const struct tabs *tabs)
{
	static const char *const asks[] = {"capture", "-S", MOST, NULL};
	const struct session *s = roster_by_id(&tabs->t->roster, tabs->id);

	return tabs->tab == TAB_SCREEN && s &&
		       session_urgency(s) == WORD_WAITING
		   ? asks
		   : kinds[tabs->tab].words;
}

static void tabs_words(void *owner, struct strv *words)
{
	const struct tabs *tabs = owner;

	for (const char *const *w = words_of(tabs); *w; w++)
		strv_add(words, *w);
	if (tabs->tab == TAB_DIFF && diff_sides[tabs->side].option)
		strv_add(words, diff_sides[tabs->side].option);
	if (tabs->tab == TAB_DIFF)
		strv_add(words, "--comments");
	strv_add(words, tabs->id);
}

/* Clears the text of the last session or tab, and starts to read the new
 * one. */
static void switch_text(struct tabs *tabs)
{
	int page = tabs->scroll.page;

	refresh_stop(&tabs->text);
	scroll_finish(&tabs->scroll);
	tabs->scroll.page = page;
	tabs->scroll.kind = kinds[tabs->tab].kind;
	tabs->scroll.from_end = kinds[tabs->tab].from_end;
	tabs->scroll.chooses = tabs->tab == TAB_DIFF && tabs->has_keys;
	mem_set(&tabs->diff, NULL);
	if (is_text(tabs))
		refresh_now(&tabs->text);
}

struct tabs *tabs_create(struct tui *t)
{
	struct tabs *tabs = mem_alloc(sizeof *tabs);

	tabs->t = t;
	tabs->text = (struct refresh){
	    .owner = tabs,
	    .words = tabs_words,
	    .store = tabs_store,
	    .settle_ms = 40, /* moving through the list costs nothing */
	    .pause_ms = 1000,
	    .timeout_ms = 60000};
	refresh_create(&tabs->text, t);
	return tabs;
}

void tabs_destroy(struct tabs *tabs)
{
	if (!tabs)
		return;
	refresh_finish(&tabs->text);
	scroll_finish(&tabs->scroll);
	free(tabs->version);
	free(tabs->diff);
	free(tabs);
}

void tabs_select(struct tabs *tabs, const struct session *s)
{
	const char *id = s ? s->spec.id : "";
	char *version = s ? version_of(tabs, s) : NULL;
	bool same = strcmp(tabs->id, id) == 0;

	if (!same) {
		memcpy(tabs->id, id, strlen(id) + 1);
		switch_text(tabs);
	} else if (version && tabs->version &&
		   strcmp(version, tabs->version) != 0 && is_text(tabs)) {
		refresh_soon(&tabs->text);
	}
	free(tabs->version);
	tabs->version = version;
}

enum tab tabs_shown(const struct tabs *tabs)
{
	return tabs->tab;
}

static void switch_tab(struct tabs *tabs, enum tab tab)
{
	if (tab == tabs->tab)
		return;
	tabs->tab = tab;
	tabs->back = false;
	free(tabs->version);
	tabs->version = NULL;
	switch_text(tabs);
}

bool tabs_key(struct tabs *tabs, enum act act)
{
	switch (act) {
	case ACT_TAB_NEXT:
		switch_tab(tabs, (tabs->tab + 1) % TAB_COUNT);
		return true;
	case ACT_TAB_LAST:
		switch_tab(tabs, (tabs->tab + TAB_COUNT - 1) % TAB_COUNT);
		return true;
	case ACT_CHANGES:
		if (tabs->tab == TAB_DIFF) {
			tabs->side = (tabs->side + 1) % DIFF_SIDES;
			switch_text(tabs);
			return true;
		}
		switch_tab(tabs, TAB_DIFF);
		return true;
	case ACT_SCREEN:
	case ACT_LOG:
	case ACT_INFO:
	case ACT_TURNS:
		switch_tab(tabs, (enum tab)(act - ACT_SCREEN));
		return true;
	default:
		return false;
	}
}

void tabs_show_history(struct tabs *tabs, bool back)
{
	if (tabs->back == back || tabs->tab != TAB_SCREEN)
		return;
	tabs->back = back;
	switch_text(tabs);
}

void tabs_take_keys(struct tabs *tabs, bool take)
{
	tabs->has_keys = take;
	if (tabs->tab == TAB_TURNS)
		turns_choose(&tabs->scroll, take);
	if (tabs->tab == TAB_DIFF) {
		tabs->scroll.chooses = take;
		tabs->scroll.marks = false;
		tabs->scroll.chosen = tabs->scroll.top;
	}
}

const char *tabs_diff(const struct tabs *tabs)
{
	return tabs->tab == TAB_DIFF ? tabs->diff : NULL;
}

struct scroll *tabs_scroll(struct tabs *tabs)
{
	return is_text(tabs) ? &tabs->scroll : NULL;
}

static const char *name_of(const struct tabs *tabs, int tab)
{
	return tab == TAB_DIFF ? diff_sides[tabs->side].name : kinds[tab].name;
}

static int width_of(const struct tabs *tabs, int tab)
{
	return (int)strlen(name_of(tabs, tab)) + 2;
}

int tabs_draw_names(struct tabs *tabs, const struct rect *r, int cols)
{
	int all = 0, col = r->col + r->cols;

	for (int i = 0; i < TAB_COUNT; i++)
		all += width_of(tabs, i);
	tabs->alone = cols < all;
	if (tabs->alone)
		all = width_of(tabs, (int)tabs->tab);
	if (cols < all)
		return 0;
	tabs->names_row = r->row;
	tabs->names_col = col -= all;
	for (int i = 0; i < TAB_COUNT; i++) {
		bool shown = i == (int)tabs->tab;
		_free_ char *text =
		    mem_printf(shown ? "[%s]" : " %s ", name_of(tabs, i));

		if (shown || !tabs->alone)
			col += paint_look(r->row, col, width_of(tabs, i), text,
					  shown ? LOOK_STRONG : LOOK_QUIET);
	}
	return all;
}

enum act tabs_at(const struct tabs *tabs, int row, int col)
{
	int end = tabs->names_col;

	for (int i = 0; !tabs->alone && row == tabs->names_row && i < TAB_COUNT;
	     i++) {
		end += width_of(tabs, i);
		if (col >= tabs->names_col && col < end)
			return (enum act)(ACT_SCREEN + i);
	}
	return ACT_NONE;
}

bool tabs_draw(struct tabs *tabs, const struct rect *r)
{
	/* Also for the screen, whose history will have as much room. */
	tabs->scroll.page = r->rows;
	if (tabs->tab == TAB_SCREEN && !(tabs->back && tabs->scroll.text))
		return false;
	if (tabs->scroll.text)
		scroll_draw(&tabs->scroll, r);
	else
		paint_look(r->row, r->col, r->cols, "reading", LOOK_QUIET);
	return true;
}
