/* comment_weave.c - shows comments below the lines of a diff. */
#include "session/review/comment_weave.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "session/review/comment_place.h"
#include "session/review/diff_walk.h"

#define HEAD  "| ["
#define TEXT  "|   "
#define QUOTE "| > "

static void add_rows(struct buf *out, const char *before, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		buf_addf(out, "%s%.*s\n", before, (int)len, text);
		text += len;
		text += *text == '\n';
	}
}

static void add_comment(struct buf *out, const struct comment *c, bool stale)
{
	buf_addf(out, HEAD "%" PRId64 "] ", c->id);
	comment_describe(c, out);
	if (stale)
		buf_addf(out, "; its lines have changed since%s%s",
			 *c->file ? ": " : "", c->file);
	buf_addc(out, '\n');
	for (size_t i = 0; stale && i < c->lines.n; i++)
		add_rows(out, QUOTE, c->lines.v[i]);
	add_rows(out, TEXT, c->text);
}

/* Adds the comments below a row; row -1: above the first row. */
static void add_those(struct buf *out, const struct comments *c,
		      const struct comment_place *places, long row, bool whole)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct comment_place *p = &places[i];
		long below = !p->found	     ? p->file_row
			     : *c->v[i].file ? (long)p->row
					     : -1;

		if (below == row && !c->v[i].resolved && (whole || p->found))
			add_comment(out, &c->v[i], !p->found);
	}
}

void comments_weave(const struct comments *c, const char *diff, bool whole,
		    struct buf *out)
{
	_free_ struct comment_place *places =
	    mem_alloc((c->n + 1) * sizeof *places);
	_diff_walk_ struct diff_walk w = {.next = diff};

	comments_place(c, diff, places);
	add_those(out, c, places, -1, whole);
	while (diff_walk_next(&w)) {
		buf_addf(out, "%.*s\n", (int)w.len, w.line);
		add_those(out, c, places, (long)w.row, whole);
	}
}

static bool begins(const char *at, const char *with)
{
	return strncmp(at, with, strlen(with)) == 0;
}

/* Appends the text of the comment whose head is before at. */
static void add_text(const char *at, struct buf *out)
{
	const char *between = "";

	for (; *at == COMMENT_ROW && !begins(at, HEAD);
	     at += strcspn(at, "\n"), at += *at == '\n')
		if (begins(at, TEXT)) {
			buf_addf(out, "%s%.*s", between,
				 (int)(strcspn(at, "\n") - strlen(TEXT)),
				 at + strlen(TEXT));
			between = "\n";
		}
}

int64_t comment_at_row(const char *woven, size_t row, struct buf *out)
{
	const char *at = woven, *head = NULL;

	for (size_t i = 0; *at && i <= row; i++) {
		if (*at != COMMENT_ROW)
			head = NULL;
		else if (begins(at, HEAD))
			head = at;
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	if (!head)
		return 0;
	if (out) {
		at = head + strcspn(head, "\n");
		add_text(at + (*at == '\n'), out);
	}
	return strtoll(head + strlen(HEAD), NULL, 10);
}
