/*
 * turns.c - the checkpoints of a session, as lines. The number at the beginning
 * of a line is all that a key needs to know about it.
 */
#include "tui/preview/turns.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"

#define COUNT_SIZE 48

static bool is_turn(const cJSON *c)
{
	return strcmp(json_str_or(c, "kind", ""), "turn-begin") == 0;
}

/* The columns whose widths depend on the list. */
struct cells {
	char at[CLOCK_LOCAL_SIZE], lines[COUNT_SIZE];
};

static void read_cells(const cJSON *c, struct cells *out)
{
	long long added = json_int(c, "lines_added", 0);
	long long removed = json_int(c, "lines_removed", 0);

	clock_format_local(clock_parse(json_str_or(c, "at", "")), out->at);
	snprintf(out->lines, sizeof out->lines,
		 json_int(c, "files", 0) ? "+%lld -%lld" : "-", added, removed);
}

static void widen(int *width, const char *text)
{
	int len = (int)strlen(text);

	*width = len > *width ? len : *width;
}

/* Widths of the columns. */
struct widths {
	int no, at, lines;
};

static void print_line(const cJSON *c, const struct widths *w, struct buf *out)
{
	const char *kind = json_str_or(c, "kind", "");
	const char *text = json_str_or(c, "text", "");
	struct cells cells;

	read_cells(c, &cells);
	buf_addf(out, "  %*" PRId64 "  %-*s  %-*s  %-6s  ", w->no,
		 json_int(c, "number", 0), w->at, cells.at, w->lines,
		 cells.lines, json_str_or(c, "check", "-"));
	if (!is_turn(c))
		buf_addf(out, "(%s) ", kind);
	/* The end of a turn has the message of its beginning. */
	if (strcmp(kind, "turn-end") != 0)
		buf_add(out, text, strcspn(text, "\n"));
	buf_addc(out, '\n');
}

/* Sets the titles, and where the changes are. */
static struct widths set_columns(struct scroll *s, const cJSON *all)
{
	struct widths w = {.no = 2, .at = 4, .lines = 7};
	struct cells cells;
	char number[24];
	const cJSON *c;

	cJSON_ArrayForEach (c, all) {
		read_cells(c, &cells);
		snprintf(number, sizeof number, "%" PRId64,
			 json_int(c, "number", 0));
		widen(&w.no, number);
		widen(&w.at, cells.at);
		widen(&w.lines, cells.lines);
	}
	s->changes_col = 2 + w.no + 2 + w.at + 2;
	s->changes_cols = w.lines;
	s->titles = mem_printf("  %-*s  %-*s  %-*s  %-6s  MESSAGE", w.no, "NO",
			       w.at, "TIME", w.lines, "CHANGES", "CHECK");
	return w;
}

/* Prints all lines; returns the one to choose. */
static size_t print_lines(const cJSON *all, const struct widths *w,
			  struct buf *out)
{
	size_t n = 0, best = 0;
	bool found = false;
	const cJSON *c;

	cJSON_ArrayForEach (c, all) {
		bool turn = is_turn(c) && json_int(c, "files", 0) > 0;

		print_line(c, w, out);
		if (turn || !found)
			best = n;
		found |= turn;
		n++;
	}
	return best;
}

static int64_t number_in(const struct scroll *s, size_t line)
{
	return line < s->n ? strtoll(s->lines[line], NULL, 10) : 0;
}

bool turns_set(struct scroll *s, const char *json, bool choose)
{
	_free_ char *text = mem_printf("{\"all\":%s}", json);
	_json_ cJSON *o = json_parse_object(text, strlen(text), NULL);
	int64_t was = s->chooses ? number_in(s, s->chosen) : 0;
	const cJSON *all = json_get(o, "all");
	_buf_ struct buf lines = {0};
	struct widths w;
	size_t best;

	free(s->titles);
	s->titles = NULL;
	s->chooses = choose && cJSON_GetArraySize(all);
	if (!cJSON_GetArraySize(all))
		return false;
	w = set_columns(s, all);
	best = print_lines(all, &w, &lines);
	s->chosen = best;
	scroll_set(s, lines.data);
	for (size_t i = 0; was && i < s->n; i++)
		if (number_in(s, i) == was)
			scroll_choose(s, i);
	return true;
}

void turns_choose(struct scroll *s, bool choose)
{
	s->chooses = choose && number_in(s, 0);
	if (s->chooses)
		scroll_choose(s, s->chosen);
}

int64_t turns_chosen(const struct scroll *s, size_t next)
{
	return s && s->chooses ? number_in(s, s->chosen + next) : 0;
}
