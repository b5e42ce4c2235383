/*
 * output.c - colours, widths, tables, JSON.
 *
 * A table is printed through one buffer and one write: 200 lines in 200
 * writes is most of what listing costs.
 */
#include "commands/cli/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/size.h"
#include "base/utf8.h"

#define RESET "\033[0m"
#define GAP   2

bool output_colour(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return !(no && no[0]) && term && term[0] && strcmp(term, "dumb") != 0 &&
	       isatty(STDOUT_FILENO);
}

int output_width(void)
{
	struct winsize ws;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 0)
		return ws.ws_col;
	return 80;
}

void output_json(cJSON *o)
{
	struct buf text = {0};

	json_print(o, &text);
	cJSON_Delete(o);
	buf_addc(&text, '\n');
	fwrite(text.data, 1, text.len, stdout);
	buf_finish(&text);
}

const char *output_sgr(const struct session *s)
{
	/* By the order of the words. */
	static const char *const sgr[WORD_COUNT] = {
	    "\033[1;33m", "\033[31m", "\033[32m", "\033[34m", "\033[36m",
	    "\033[36m",	  "",	      "\033[2m",  "\033[2m",  "\033[2m"};

	return sgr[session_urgency(s)];
}

/* How much of it is plain ASCII: most of all text, shown as it is. */
static size_t plain(const char *text)
{
	size_t n = 0;

	while (text[n] >= ' ' && text[n] <= '~')
		n++;
	return n;
}

int output_text(struct buf *out, const char *text, int max)
{
	size_t len = text ? strlen(text) : 0, mark = out->len;
	int cols = 0, mark_cols = 0;

	for (size_t i = 0; i < len;) {
		char u[4];
		uint32_t cp;
		int w = max < 0 ? (int)plain(text + i) : 0;

		if (w > 0) {
			buf_add(out, text + i, (size_t)w);
			i += (size_t)w;
			cols += w;
			continue;
		}
		i += utf8_safe(text + i, len - i, &cp);
		w = utf8_cp_width(cp);
		if (max >= 0 && cols + w > max) {
			out->len = mark;
			if (max > 0)
				buf_adds(out, "…");
			return max > 0 ? mark_cols + 1 : 0;
		}
		buf_add(out, u, utf8_encode(cp, u));
		cols += w;
		if (max >= 0 && cols < max) {
			mark = out->len;
			mark_cols = cols;
		}
	}
	return cols;
}

static bool json_errors;

void output_json_errors(void)
{
	json_errors = true;
}

/* what or hint may be "". code 0: a warning. */
static void say(const char *what, const char *hint, int code)
{
	struct buf text = {0};
	cJSON *o;

	fflush(stdout);
	if (!json_errors) {
		if (what[0])
			fprintf(stderr, "afw: %s\n", what);
		if (hint[0])
			fprintf(stderr, "hint: %s\n", hint);
		return;
	}
	o = cJSON_CreateObject();
	if (what[0])
		json_set_str(o, code ? "error" : "warning", what);
	if (hint[0])
		json_set_str(o, "hint", hint);
	if (code)
		json_set_int(o, "exit_code", code);
	json_print(o, &text);
	fprintf(stderr, "%s\n", text.data);
	buf_finish(&text);
	cJSON_Delete(o);
}

int output_error(const struct err *err)
{
	int code = err->kind ? (int)err->kind : ERR_FAILED;

	say(err->what, err->hint, code);
	return code;
}

void output_warning(const struct err *err)
{
	say(err->what, err->hint, 0);
}

/* To be freed. */
static char *__attribute__((format(printf, 1, 0)))
safe_text(const char *fmt, va_list ap)
{
	struct buf safe = {0};
	char *text = NULL;

	if (vasprintf(&text, fmt, ap) >= 0)
		output_text(&safe, text, -1);
	free(text);
	return buf_steal(&safe);
}

void output_warn(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = safe_text(fmt, ap);
	va_end(ap);
	say(text, "", 0);
	free(text);
}

void output_hint(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = safe_text(fmt, ap);
	va_end(ap);
	say("", text, 0);
	free(text);
}

void output_warn_each(const char *name, const struct strv *list)
{
	for (size_t i = 0; i < list->n; i++)
		output_warn("%s: %s", name, list->v[i]);
}

void output_line(FILE *to, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = safe_text(fmt, ap);
	va_end(ap);
	if (to == stderr)
		fflush(stdout);
	fprintf(to, "%s\n", text);
	free(text);
}

int output_one_failed(int rc, const struct err *why, struct err *err)
{
	if (rc < 0)
		output_error(err);
	*err = *why;
	return -1;
}

struct cell {
	char *text; /* safe already */
	const char *sgr;
	int width;
	bool spans; /* the whole row; the row's other cells are empty */
};

struct table {
	size_t columns, n;
	struct cell *cells;
	struct column {
		bool right, hidden;
		int width;
	} * column;
};

struct table *table_create(size_t columns, const char *const *titles)
{
	struct table *t = mem_alloc(sizeof *t);

	t->columns = columns;
	t->column = mem_alloc(columns * sizeof *t->column);
	for (size_t i = 0; titles && i < columns; i++) {
		t->column[i].right = titles[i][0] == '>';
		table_cell(t, titles[i] + t->column[i].right, "\033[2m");
	}
	return t;
}

void table_hide(struct table *t, size_t column)
{
	t->column[column].hidden = true;
}

void table_cell(struct table *t, const char *text, const char *sgr)
{
	struct buf safe = {0};
	struct cell *c;

	t->cells = mem_grow(t->cells, t->n, sizeof *t->cells);
	c = &t->cells[t->n++];
	c->spans = false;
	c->sgr = sgr ? sgr : "";
	c->width = output_text(&safe, text, -1);
	c->text = buf_steal(&safe);
}

void table_heading(struct table *t, const char *text, const char *sgr)
{
	table_cell(t, text, sgr);
	t->cells[t->n - 1].spans = true;
	for (size_t i = 1; i < t->columns; i++)
		table_cell(t, "", NULL);
}

void table_cellf(struct table *t, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	table_cell(t, text, NULL);
	free(text);
}

void table_age(struct table *t, int64_t ms)
{
	char text[24] = "-";

	if (ms >= 0)
		clock_age(ms, text, sizeof text);
	table_cell(t, text, NULL);
}

void table_size(struct table *t, int64_t bytes)
{
	char text[SIZE_TEXT];

	size_text(bytes, text);
	table_cell(t, text, NULL);
}

static void pad(struct buf *out, int n)
{
	for (; n > 0; n--)
		buf_addc(out, ' ');
}

static void put_cell(struct buf *out, const struct cell *c, int max,
		     bool colour)
{
	bool sgr = colour && c->sgr[0] && c->text[0];

	if (sgr)
		buf_adds(out, c->sgr);
	if (max < 0 || c->width <= max)
		buf_adds(out, c->text);
	else
		output_text(out, c->text, max);
	if (sgr)
		buf_adds(out, RESET);
}

static void put_row(struct buf *out, const struct table *t,
		    const struct cell *row, bool colour, int width)
{
	int at = 0;
	size_t last = t->columns - 1;

	for (size_t i = 0; i < t->columns; i++) {
		const struct column *c = &t->column[i];
		int w = row->spans ? width : c->width;

		if (c->hidden)
			continue;
		if (width > 0 && at >= width)
			break;
		if (width > 0 && w > width - at)
			w = width - at;
		if (c->right)
			pad(out, w - row[i].width);
		put_cell(out, &row[i], width > 0 ? w : -1, colour);
		if (i == last || row->spans)
			break;
		if (!c->right)
			pad(out, w - row[i].width);
		at += w + GAP;
		if (width <= 0 || at < width)
			pad(out, GAP);
	}
	while (out->len && out->data[out->len - 1] == ' ')
		out->len--;
	buf_addc(out, '\n');
}

static void destroy(struct table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->cells[i].text);
	free(t->cells);
	free(t->column);
	free(t);
}

void table_end(struct table *t)
{
	bool colour = output_colour();
	int width = output_width();
	struct buf out = {0};

	for (size_t i = 0; i < t->n; i++)
		if (!t->cells[i].spans &&
		    t->cells[i].width > t->column[i % t->columns].width)
			t->column[i % t->columns].width = t->cells[i].width;
	for (size_t i = 0; i + t->columns <= t->n; i += t->columns)
		put_row(&out, t, t->cells + i, colour, width);
	if (out.len)
		fwrite(out.data, 1, out.len, stdout);
	buf_finish(&out);
	destroy(t);
}
