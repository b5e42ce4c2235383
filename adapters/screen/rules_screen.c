/*
 * rules_screen.c - reads a screen by patterns alone.
 *
 * A question overrides everything, because Enter would answer it; then come
 * rows that show work; then an empty composer, which alone means idle. The
 * lowest row that matches wins: harnesses draw new output at the bottom.
 */
#include "adapters/screen/rules.h"

#include <string.h>

#include "adapters/adapter.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/utf8.h"

#define WRAP_MARGIN 4 /* cells at the end of a row that has another one */

int rules_composer(const struct rules *r, const struct screen_view *v, int from)
{
	int end, top, last = (int)v->nrows;

	if (!rules_has(r, "composer_top"))
		return rules_find(r, "composer", v->solid, from, last, NULL, 0);
	end = rules_find(r, "composer_end", v->rows, from, last, NULL, 0);
	top = rules_find(r, "composer_top", v->rows, from, end - 1, NULL, 0);
	if (top < 0 ||
	    (rules_has(r, "composer") &&
	     !rules_match(r, "composer", v->solid[top + 1], NULL, 0)))
		return -1;
	return top + 1;
}

bool rules_composer_span(const struct rules *r, const char *row, size_t *from,
			 size_t *to)
{
	if (rules_has(r, "composer") || !rules_has(r, "composer_top"))
		return rules_span(r, "composer", row, false, from, to);
	*from = 0;
	*to = strlen(row);
	return true;
}

int rules_composer_end(const struct rules *r, const struct screen_view *v,
		       int row)
{
	int end = row + 1, last = (int)v->nrows;

	while (end < last &&
	       !rules_match(r, "composer_end", v->rows[end], NULL, 0))
		end++;
	return end;
}

static bool is_blank(const char *s)
{
	/* Some harnesses pad their prompt with U+00A0. */
	while (*s == ' ' || *s == '\t' || strncmp(s, "\302\240", 2) == 0)
		s += *s == '\302' ? 2 : 1;
	return *s == '\0';
}

/* Something else may have the keyboard while the composer is shown. */
static bool has_cursor(const struct rules *r, const struct screen_view *v,
		       int row)
{
	return !rules_get_bool(r, "composer_cursor", false) ||
	       (v->cursor_visible && v->cursor_row >= row &&
		v->cursor_row < rules_composer_end(r, v, row));
}

/* Stores the text of a composer's first row. */
static bool composer_text(const struct rules *r, const char *row,
			  char out[READING_TEXT])
{
	if (rules_has(r, "composer"))
		return rules_match(r, "composer", row, out, READING_TEXT);
	row += strspn(row, " ");
	utf8_printable(out, READING_TEXT, row, strlen(row));
	return true;
}

/* Returns whether the composer that starts at row is empty or has a draft. */
static enum composer composer_state(const struct rules *r,
				    const struct screen_view *v, int row,
				    const char *content)
{
	char shown[READING_TEXT];
	int end;

	/* Dim text and text that matches a placeholder pattern are not a draft.
	 */
	if (!is_blank(content) &&
	    !(composer_text(r, v->rows[row], shown) &&
	      rules_match(r, "placeholder", shown, NULL, 0)))
		return COMPOSER_DRAFT;
	if (!rules_has(r, "composer_end"))
		return COMPOSER_EMPTY;
	end = rules_composer_end(r, v, row);
	while (--end > row)
		if (!is_blank(v->solid[end]))
			return COMPOSER_DRAFT;
	return COMPOSER_EMPTY;
}

static enum composer find_composer(const struct rules *r,
				   const struct screen_view *v, int row)
{
	char content[READING_TEXT] = "";
	enum composer state;

	if (!rules_has(r, "composer") && !rules_has(r, "composer_top"))
		return COMPOSER_UNKNOWN;
	if (row < 0 || !composer_text(r, v->solid[row], content) ||
	    !has_cursor(r, v, row))
		return COMPOSER_ABSENT;
	state = composer_state(r, v, row, content);
	/* Another mode, shown below the composer or in it, but not in a draft.
	 */
	if (rules_find(r, "overlay", v->rows,
		       state == COMPOSER_EMPTY ? row : row + 1, (int)v->nrows,
		       NULL, 0) >= 0)
		return COMPOSER_ABSENT;
	return state;
}

/* Returns the digest of struct screen_state. */
static uint64_t digest(const struct rules *r, const struct screen_view *v,
		       int row)
{
	_buf_ struct buf text = {0};
	int end = rules_composer_end(r, v, row);

	for (; row < end; row++)
		row_squeeze(v->solid[row], strlen(v->solid[row]), &text);
	return hash_add(HASH_NONE, text.data, text.len);
}

static bool look_waiting(const struct rules *r, const struct screen_view *v,
			 int from, struct reading *out)
{
	char text[READING_TEXT];
	int row = rules_find(r, "waiting", v->rows, from, (int)v->nrows,
			     out->detail, sizeof out->detail),
	    top;

	if (row < 0)
		return false;
	/* A row above the dialog belongs to an older one. */
	top = rules_find(r, "approval_top", v->rows, 0, row, NULL, 0);
	row = rules_find(r, "question", v->rows, top < 0 ? 0 : top, row + 1,
			 text, sizeof text);
	if (row >= 0 && rules_match(r, "trust", v->rows[row], NULL, 0))
		memcpy(out->detail, READING_TRUST, sizeof READING_TRUST);
	else if (row >= 0 && text[0] != '\0')
		memcpy(out->detail, text, sizeof text);
	out->activity = ACTIVITY_WAITING_FOR_INPUT;
	out->question = true;
	return true;
}

/* Appends the rows into which the text in row is wrapped: the first word of the
 * next one had no room in it. A link is broken after a slash. */
static void add_wrapped(const struct screen_view *v, int row, int to,
			char out[READING_TEXT])
{
	_buf_ struct buf text = {0};

	buf_adds(&text, out);
	for (; row + 1 < to; row++) {
		const char *last = v->rows[row], *next = v->rows[row + 1];
		size_t len = strlen(last);

		next += strspn(next, " ");
		if (len == 0 || *next == '\0' ||
		    utf8_width(last, len) +
			    utf8_width(next, strcspn(next, " ")) <
			v->cols - WRAP_MARGIN)
			break;
		buf_addf(&text, "%s%s", last[len - 1] == '/' ? "" : " ", next);
	}
	utf8_printable(out, READING_TEXT, text.data, text.len);
}

/* True if a row matches key; sets the reading from it. */
static bool look_key(const struct rules *r, const struct screen_view *v,
		     int from, int to, const char *key, enum activity activity,
		     struct reading *out)
{
	int row = rules_find(r, key, v->rows, from, to, out->detail,
			     sizeof out->detail);

	if (row < 0)
		return false;
	if (activity == ACTIVITY_COMPLETED)
		add_wrapped(v, row, to, out->detail);
	out->activity = activity;
	return true;
}

/* Returns the row of the user's last message above the composer, or -1: an
 * error above it is an older turn's. */
static int last_message(const struct rules *r, const struct screen_view *v,
			int composer)
{
	if (rules_has(r, "prompt"))
		return rules_find(r, "prompt", v->rows, 0,
				  composer < 0 ? (int)v->nrows : composer, NULL,
				  0);
	return rules_find(r, "composer", v->rows, 0, composer, NULL, 0);
}

/* Returns whether the row may be part of the agent's message. */
static bool is_said(const struct rules *r, const char *row)
{
	static const char *const keys[] = {"not_said", "busy", "thinking",
					   "queued", "error"};

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (rules_match(r, keys[i], row, NULL, 0))
			return false;
	return true;
}

static bool begins_answer(const struct rules *r, const char *row)
{
	return rules_match(r, "answer", row, NULL, 0) && is_said(r, row);
}

bool rules_answer(const struct rules *r, const struct screen_view *v,
		  struct buf *out)
{
	int end = rules_composer(r, v, 0), above, row;
	size_t indent = 0, from, to;

	if (end < 0)
		end = screen_view_end(v);
	else if (rules_has(r, "composer_top") ||
		 (end > 0 &&
		  rules_match(r, "composer_end", v->rows[end - 1], NULL, 0)))
		end--; /* the border above, often the same as the one below */
	above = last_message(r, v, end);
	for (row = end - 1; row > above; row--)
		if (begins_answer(r, v->rows[row]))
			break;
	if (row <= above || !rules_has(r, "answer"))
		return false;
	while (row - 1 > above && begins_answer(r, v->rows[row - 1]))
		row--;
	for (; row < end && is_said(r, v->rows[row]); row++) {
		const char *text = v->rows[row];
		size_t blanks = strspn(text, " "), all;

		from = blanks < indent ? blanks : indent;
		to = all = strlen(text);
		if (rules_span(r, "answer", text, false, &from, &to)) {
			indent = from;
			rules_span(r, "answer", text, true, &blanks, &all);
			/* Without a group, it is the row. */
			if (from == blanks && to == all)
				to = strlen(text);
		}
		buf_addf(out, "%s%.*s", out->len ? "\n" : "", (int)(to - from),
			 text + from);
	}
	while (out->len > 0 && strchr(" \n", out->data[out->len - 1]))
		out->data[--out->len] = '\0';
	return out->len > 0;
}

/* Finds what the harness says of a limit below the user's last message. A
 * dialog may be up. */
static void look_limited(const struct rules *r, const struct screen_view *v,
			 int from, int last, struct screen_state *out)
{
	int row = rules_find(r, "limited", v->rows, from, last, out->limit,
			     sizeof out->limit);
	char key[READING_TEXT] = "";

	if (row >= 0)
		add_wrapped(v, row, last, out->limit);
	rules_find(r, "limited_option", v->rows, row < 0 ? last : row, last,
		   key, sizeof key);
	out->limit_key = key[0];
	out->continues =
	    rules_find(r, "continues", v->rows, from, last, NULL, 0) >= 0;
}

void rules_read_screen(const struct rules *r, const struct screen_view *v,
		       int composer, struct screen_state *out)
{
	int last = screen_view_end(v), from, row, message;

	*out = (struct screen_state){.reading = {.source = SOURCE_SCREEN}};
	if (r == NULL)
		return;
	from = last - rules_get_int(r, "rows", 60);
	if (from < 0)
		from = 0;

	row = rules_composer(r, v, from);
	out->composer = find_composer(r, v, row);
	if (out->composer == COMPOSER_DRAFT && rules_has(r, "composer_end"))
		out->draft = digest(r, v, row);
	out->queued =
	    rules_find(r, "queued", v->rows, from, last, NULL, 0) >= 0;
	message = last_message(r, v, composer < 0 ? row : composer);
	if (message < from)
		message = from - 1;
	look_limited(r, v, message + 1, last, out);
	if (look_waiting(r, v, composer < from ? from : composer,
			 &out->reading)) {
		/* A row that looks like a composer is part of the dialog, or a
		 * past prompt. */
		if (out->composer != COMPOSER_UNKNOWN)
			out->composer = COMPOSER_ABSENT;
		return;
	}
	if (look_key(r, v, from, last, "thinking", ACTIVITY_THINKING,
		     &out->reading) ||
	    look_key(r, v, from, last, "busy", ACTIVITY_WORKING, &out->reading))
		return;
	if (look_key(r, v, message + 1, composer < 0 ? last : composer, "error",
		     ACTIVITY_COMPLETED, &out->reading)) {
		out->reading.failed = true;
		return;
	}
	if (look_key(r, v, from, last, "idle", ACTIVITY_IDLE, &out->reading))
		out->reading.detail[0] = '\0';
	else if (out->composer == COMPOSER_EMPTY ||
		 out->composer == COMPOSER_DRAFT)
		out->reading.activity =
		    rules_has(r, "busy") ? ACTIVITY_IDLE : ACTIVITY_NONE;
}
