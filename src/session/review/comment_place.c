/*
 * comment_place.c - from lines of a diff to a comment, and back.
 *
 * A comment follows its lines: work above them moves them. But lines that are
 * in the diff more than once, such as a brace, do not show where they were
 * before: then only the old place is used.
 */
#include "session/review/comment_place.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "session/review/diff_walk.h"

static size_t number_of(const struct diff_walk *w)
{
	return *w->line == '-' ? w->old_line : w->new_line;
}

static void set_file(struct comment *c, const struct diff_walk *w)
{
	free(c->file);
	c->file = comment_file(w->name.len ? w->name.data : "");
}

int comment_quote(struct comment *c, const char *diff, size_t first,
		  size_t last, struct err *err)
{
	_diff_walk_ struct diff_walk w = {.next = diff};
	bool ended = false;

	c->line = 0;
	strv_finish(&c->lines);
	while (diff_walk_next(&w) && w.row <= last) {
		if (w.row < first)
			continue;
		if (w.body && ended)
			return err_set(err, ERR_USAGE,
				       "the marked lines are of several hunks");
		if (!w.body) {
			ended = c->lines.n && *w.line != '|';
			continue;
		}
		if (c->lines.n == COMMENT_LINES_MAX)
			return err_set(err, ERR_USAGE,
				       "a comment is about at most %d lines",
				       COMMENT_LINES_MAX);
		if (!c->lines.n) {
			c->line = number_of(&w);
			set_file(c, &w);
		}
		strv_take(&c->lines, mem_strndup(w.line, w.len));
	}
	if (!c->lines.n)
		set_file(c, &w);
	return 0;
}

/* Compares as much of a line of the diff as is stored. */
static bool is_line(const char *at, const char *line)
{
	size_t len = strcspn(at, "\n");

	if (len > COMMENT_LINE_BYTES)
		len = utf8_whole(at, COMMENT_LINE_BYTES);
	return strlen(line) == len && memcmp(at, line, len) == 0;
}

static bool are_lines(const char *at, const struct strv *lines)
{
	for (size_t i = 0; i < lines->n; i++) {
		if (!is_line(at, lines->v[i]))
			return false;
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	return true;
}

/* Looks for the comment's lines from the current one on. */
static void look_at(const struct comment *c, struct comment_place *p,
		    const struct diff_walk *w, size_t *times)
{
	bool exact = number_of(w) == c->line;

	if (*times == SIZE_MAX || !are_lines(w->line, &c->lines))
		return;
	*times = exact ? SIZE_MAX : *times + 1;
	p->row = w->row + c->lines.n - 1;
	p->line = number_of(w);
}

void comments_place(const struct comments *c, const char *diff,
		    struct comment_place *out)
{
	_diff_walk_ struct diff_walk w = {.next = diff};
	_free_ size_t *times = mem_alloc((c->n + 1) * sizeof *times);
	_free_ bool *here = mem_alloc(c->n + 1);

	for (size_t i = 0; i < c->n; i++)
		out[i] = (struct comment_place){.line = c->v[i].line,
						.file_row = -1,
						.found = !*c->v[i].file};
	while (diff_walk_next(&w)) {
		_free_ char *name =
		    w.starts ? comment_file(w.name.len ? w.name.data : "")
			     : NULL;

		for (size_t i = 0; i < c->n; i++) {
			const struct comment *one = &c->v[i];

			if (name)
				here[i] =
				    *one->file && strcmp(one->file, name) == 0;
			if (!here[i])
				continue;
			if (name) {
				out[i].file_row = (long)w.row;
				out[i].row = one->lines.n ? 0 : w.row;
				out[i].found = !one->lines.n;
			} else if (w.body && one->lines.n) {
				look_at(one, &out[i], &w, &times[i]);
			}
		}
	}
	for (size_t i = 0; i < c->n; i++)
		if (times[i])
			out[i].found = times[i] == 1 || times[i] == SIZE_MAX;
	for (size_t i = 0; i < c->n; i++)
		if (!out[i].found)
			out[i].line = c->v[i].line;
}
