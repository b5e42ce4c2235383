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

static void print_line(const cJSON *c, int at, int lines, struct buf *out)
{
	const char *kind = json_str_or(c, "kind", "");
	const char *text = json_str_or(c, "text", "");
	struct cells cells;

	read_cells(c, &cells);
	buf_addf(out, "  %2" PRId64 "  %-*s  %-*s  %-6s  ",
		 json_int(c, "number", 0), at, cells.at, lines, cells.lines,
		 json_str_or(c, "check", "-"));
	if (!is_turn(c))
		buf_addf(out, "(%s) ", kind);
	/* The end of a turn has the message of its beginning. */
	if (strcmp(kind, "turn-end") != 0)
		buf_add(out, text, strcspn(text, "\n"));
	buf_addc(out, '\n');
}

/* Prints all lines; returns the one to choose. */
static size_t print_lines(const cJSON *all, struct buf *out)
{
	size_t n = 0, best = 0;
	int at = 0, lines = 0;
	struct cells cells;
	bool found = false;
	const cJSON *c;

	cJSON_ArrayForEach (c, all) {
		read_cells(c, &cells);
		widen(&at, cells.at);
		widen(&lines, cells.lines);
	}
	cJSON_ArrayForEach (c, all) {
		bool turn = is_turn(c) && json_int(c, "files", 0) > 0;

		print_line(c, at, lines, out);
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
	_buf_ struct buf lines = {0};
	size_t best =
	    print_lines(cJSON_GetObjectItemCaseSensitive(o, "all"), &lines);

	s->chooses = choose && lines.len;
	if (!lines.len)
		return false;
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
