/*
 * comment_mail.c - a review as a text to edit.
 *
 * A quoted line is searched for below the quoted line before it. If lines
 * between them were deleted, as in a mail, the diff may have it several times
 * there: the place is used after which most of the next quoted lines follow.
 */
#include "session/review/comment_mail.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "session/review/comment_place.h"
#include "session/review/diff_walk.h"
#include "session/typable.h"

#define QUOTE	  "> "
#define RUN_LINES 50

struct lines {
	struct line {
		const char *at;
		size_t len; /* without blanks at its end, which editors drop */
	} * v;
	size_t n;
};

static void add_line(struct lines *l, const char *at, size_t len)
{
	while (len && isspace((unsigned char)at[len - 1]))
		len--;
	l->v = mem_grow(l->v, l->n, sizeof *l->v);
	l->v[l->n++] = (struct line){at, len};
}

static const char *line_after(const char *at)
{
	at += strcspn(at, "\n");
	return at + (*at == '\n');
}

/* Returns the end of what is shown of the diff. */
static const char *bound(const char *diff)
{
	const char *at = diff;

	for (size_t i = 0; *at && i < COMMENT_MAIL_LINES; i++) {
		const char *next = line_after(at);

		if (next - diff > COMMENT_MAIL_BYTES)
			break;
		at = next;
	}
	return at;
}

/* -- printing -------------------------------------------------------------- */

static void add_quoted(struct buf *out, const char *text, size_t len)
{
	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t n = end ? (size_t)(end - text) : len;

		buf_addf(out, QUOTE "%.*s\n", (int)n, text);
		n += end != NULL;
		text += n;
		len -= n;
	}
}

static void add_comment(struct buf *out, const struct comment *c, bool found)
{
	_buf_ struct buf says = {0};

	if (comment_is_unsent(c)) {
		buf_addf(out, "\n[%" PRId64 "] %s\n\n", c->id, c->text);
		return;
	}
	comment_describe(c, &says);
	buf_addf(out, QUOTE "| [%" PRId64 "] %s%s\n", c->id, says.data,
		 found ? "" : "; its lines have changed since");
	add_quoted(out, c->text, strlen(c->text));
}

/* Adds the comments below a row; row -1: above the first row. A stale comment
 * is added where its file begins, below the lines that it was about. */
static void add_those(struct buf *out, const struct comments *c,
		      const struct comment_place *places, long row)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct comment *one = &c->v[i];
		const struct comment_place *p = &places[i];
		long below = !p->found	  ? p->file_row
			     : *one->file ? (long)p->row
					  : -1;

		if (below != row || one->resolved)
			continue;
		for (size_t l = 0; !p->found && l < one->lines.n; l++)
			buf_addf(out, QUOTE "(changed since) %s\n",
				 one->lines.v[l]);
		add_comment(out, one, p->found);
	}
}

void comments_print_mail(const struct comments *c, const char *name,
			 const char *diff, struct buf *out)
{
	const char *end = bound(diff);
	_free_ char *shown = mem_strndup(diff, (size_t)(end - diff));
	_free_ struct comment_place *places =
	    mem_alloc((c->n + 1) * sizeof *places);
	_diff_walk_ struct diff_walk w = {.next = shown};

	comments_place(c, diff, places);
	buf_addf(out,
		 QUOTE "What %s has changed. Write below the lines that you "
		       "mean, and save.\n" QUOTE
		       "Nothing is sent before `afw review %s --send`.\n",
		 name, name);
	if (*end)
		buf_addf(out,
			 QUOTE "These are only the first lines of the diff, "
			       "at most %d.\n",
			 COMMENT_MAIL_LINES);
	add_those(out, c, places, -1);
	buf_addc(out, '\n');
	while (diff_walk_next(&w)) {
		buf_addf(out, QUOTE "%.*s\n", (int)w.len, w.line);
		add_those(out, c, places, (long)w.row);
	}
	/* Those on lines that are not shown. */
	for (size_t i = 0; i < c->n; i++)
		if (places[i].found && places[i].row >= w.rows && w.rows)
			add_comment(out, &c->v[i], true);
	if (*end)
		buf_adds(out, QUOTE "(cut here: there is more)\n");
}

/* -- reading --------------------------------------------------------------- */

static bool same(const struct line *a, const struct line *b)
{
	return a->len == b->len && memcmp(a->at, b->at, a->len) == 0;
}

static size_t run_length(const struct lines *quoted, size_t q,
			 const struct lines *raw, size_t at)
{
	size_t n = 0;

	while (n < RUN_LINES && q + n < quoted->n && at + n < raw->n &&
	       same(&quoted->v[q + n], &raw->v[at + n]))
		n++;
	return n;
}

/* Returns the row of quoted line q, from row on; raw->n: it is not there. */
static size_t find_row(const struct lines *quoted, size_t q,
		       const struct lines *raw, size_t from)
{
	size_t best = raw->n, most = 0;

	if (from < raw->n && same(&quoted->v[q], &raw->v[from]))
		return from;
	for (size_t at = from; at < raw->n && most < RUN_LINES; at++) {
		size_t n = run_length(quoted, q, raw, at);

		if (n > most) {
			most = n;
			best = at;
		}
	}
	return best;
}

/* Returns the number at the beginning of a line, "[3] ", if shown has it and it
 * is not sent yet, and where its text begins. */
static int64_t number_at(const struct comments *shown, const char *line,
			 const char **text)
{
	char *end;
	int64_t id = *line == '[' ? strtoll(line + 1, &end, 10) : 0;
	const struct comment *c =
	    id > 0 && *end == ']' ? comments_find(shown, id, NULL) : NULL;

	if (!c || !comment_is_unsent(c))
		return 0;
	*text = end + 1 + (end[1] == ' ');
	return id;
}

struct reading {
	const struct comments *shown;
	const char *diff;
	struct comments *read;
	struct lines raw, quoted;
	size_t q;	 /* quoted lines that were read */
	size_t from;	 /* the row after the last one that was found */
	int64_t id;	 /* of the comment that is being read */
	struct buf text; /* of it */
};

/* Ends a comment: text without blank lines around it. */
static int end_comment(struct reading *r, struct err *err)
{
	const char *text = r->text.len ? r->text.data : "";
	_comment_ struct comment c = {.id = r->id};
	struct comment *was = comments_find(r->shown, r->id, NULL);
	int rc = 0;

	r->id = 0;
	if (typable_blank(text, strlen(text)))
		goto out;
	if (r->read->n == COMMENTS_MAX) {
		rc = err_set(err, ERR_LIMIT, "a review has at most %d comments",
			     COMMENTS_MAX);
		goto out;
	}
	while (*text == '\n')
		text++;
	rc = comment_set_text(&c, text, err);
	if (rc == 0 && was) {
		c.file = mem_strdup(was->file);
		c.line = was->line;
		strv_copy(&c.lines, &was->lines);
	} else if (rc == 0) {
		rc = r->from ? comment_quote(&c, r->diff, r->from - 1,
					     r->from - 1, err)
			     : comment_quote(&c, "", 0, 0, err);
	}
	if (rc == 0) {
		r->read->v =
		    mem_grow(r->read->v, r->read->n, sizeof *r->read->v);
		r->read->v[r->read->n++] = c;
		c = (struct comment){0};
	}
out:
	buf_clear(&r->text);
	return rc;
}

static int read_line(struct reading *r, const char *line, size_t len,
		     struct err *err)
{
	const char *text = line;
	int64_t id;
	int rc = 0;

	if (*line == '>') {
		size_t row = find_row(&r->quoted, r->q++, &r->raw, r->from);

		rc = end_comment(r, err);
		if (row < r->raw.n)
			r->from = row + 1;
		return rc;
	}
	id = number_at(r->shown, line, &text);
	if (id) {
		rc = end_comment(r, err);
		r->id = id;
	}
	buf_addf(&r->text, "%.*s\n", (int)(len - (size_t)(text - line)), text);
	return rc;
}

int comments_read_mail(const struct comments *shown, const char *diff,
		       const char *text, struct comments *read, struct err *err)
{
	struct reading r = {.shown = shown, .diff = diff, .read = read};
	const char *end = bound(diff);
	int rc = 0;

	for (const char *at = diff; at < end; at = line_after(at))
		add_line(&r.raw, at, strcspn(at, "\n"));
	for (const char *at = text; *at; at = line_after(at))
		if (*at == '>') {
			size_t skip = 1 + (at[1] == ' ');

			add_line(&r.quoted, at + skip,
				 strcspn(at, "\n") - (at[1] == ' ') - 1);
		}
	for (const char *at = text; rc == 0 && *at; at = line_after(at))
		rc = read_line(&r, at, strcspn(at, "\n"), err);
	if (rc == 0)
		rc = end_comment(&r, err);
	free(r.raw.v);
	free(r.quoted.v);
	buf_finish(&r.text);
	return rc;
}

/* -- storing --------------------------------------------------------------- */

/* Returns the present comment, unless another process has changed it. */
static struct comment *unchanged(const struct comments *c,
				 const struct comment *was)
{
	struct comment *now = comments_find(c, was->id, NULL);

	return now && comment_is_unsent(now) &&
		       strcmp(now->text, was->text) == 0
		   ? now
		   : NULL;
}

static int apply_one(struct comments *c, const struct comments *shown,
		     const struct comment *one, struct comment_changes *out,
		     struct err *err)
{
	const struct comment *was = comments_find(shown, one->id, NULL);
	struct comment *now = was ? unchanged(c, was) : NULL;

	if (was && strcmp(was->text, one->text) == 0)
		return 0;
	if (now) {
		out->changed++;
		return comment_set_text(now, one->text, err);
	}
	out->added++;
	return comments_add(c, one, err);
}

int comments_apply(struct comments *c, const struct comments *shown,
		   const struct comments *read, struct comment_changes *out,
		   struct err *err)
{
	for (size_t i = 0; i < shown->n; i++) {
		const struct comment *was = &shown->v[i];

		if (comment_is_unsent(was) &&
		    !comments_find(read, was->id, NULL) && unchanged(c, was)) {
			comments_delete(c, was->id);
			out->deleted++;
		}
	}
	for (size_t i = 0; i < read->n; i++)
		if (apply_one(c, shown, &read->v[i], out, err) < 0)
			return -1;
	return 0;
}
