/*
 * lesson_composer.c - where the draft and the sent message were: the patterns
 * of the composer, of the user's messages and of the answers below them.
 */
#include "adapters/screen/lesson_internal.h"

#include <string.h>

#include "adapters/screen/pattern.h"
#include "base/cleanup.h"

/* Returns the lowest (or the topmost) row with LESSON_TEXT; -1 if there is
 * none. */
static int find_typed(const struct strv *rows, bool topmost)
{
	int found = -1;

	for (int i = 0; i < (int)rows->n && !(topmost && found >= 0); i++)
		if (strstr(rows->v[i], LESSON_TEXT))
			found = i;
	return found;
}

/* What is in the composer while it is empty, and is not dim. */
static void add_placeholder(const struct lesson *l, cJSON *section,
			    const struct lesson_screen *s, const char *composer)
{
	size_t i = s->solid.n, from, to;
	_buf_ struct buf p = {0};
	regmatch_t m[4];

	while (i > 0 && !pattern_matches(composer, s->solid.v[i - 1], m))
		i--;
	if (i == 0 || m[1].rm_so < 0)
		return;
	pattern_find_text(s->solid.v[i - 1] + m[1].rm_so, &from, &to);
	buf_addc(&p, '^');
	pattern_add_text(&p, s->solid.v[i - 1] + m[1].rm_so + from, to - from,
			 l->varies);
	if (to > from)
		lesson_add_pattern(section, "placeholder", &p);
}

/* Adds the row below the composer: the next one with text, if the empty
 * composer has it, too. */
static void add_composer_end(const struct lesson *l, cJSON *section, int row)
{
	const struct strv *rows = &l->last[LESSON_DRAFT].rows;
	_buf_ struct buf p = {0};
	size_t from, to = 0;

	for (row++; row < (int)rows->n; row++) {
		pattern_find_text(rows->v[row], &from, &to);
		if (to > from || pattern_is_border(rows->v[row]))
			break;
	}
	if (row == (int)rows->n)
		return;
	if (pattern_is_border(rows->v[row]))
		pattern_add_border(&p, rows->v[row]);
	else
		pattern_add_row(&p, rows->v[row], l->varies);
	if (pattern_count(p.data, &l->last[LESSON_EMPTY].rows))
		lesson_add_pattern(section, "composer_end", &p);
}

/* A composer without a mark begins below a border. */
static void add_composer_top(const struct lesson *l, cJSON *section, int row)
{
	const struct strv *rows = &l->last[LESSON_DRAFT].rows;
	_buf_ struct buf p = {0};
	size_t from = 0, to = 0;

	while (--row >= 0 && from == to && rows->v[row][0] &&
	       !pattern_is_border(rows->v[row]))
		pattern_find_text(rows->v[row], &from, &to);
	if (row < 0 || !pattern_is_border(rows->v[row]) ||
	    !lesson_first_value(section, "composer_end"))
		return;
	pattern_add_border(&p, rows->v[row]);
	lesson_add_pattern(section, "composer_top", &p);
}

void lesson_add_composer(const struct lesson *l, cJSON *section)
{
	const struct strv *rows = &l->last[LESSON_DRAFT].rows;
	int at = find_typed(rows, false);
	const char *row = at < 0 ? "" : rows->v[at];
	size_t mark, len, from, to;
	_buf_ struct buf p = {0};

	if (at < 0)
		return;
	len = mark = (size_t)(strstr(row, LESSON_TEXT) - row);
	while (mark && row[mark - 1] == ' ')
		mark--;
	pattern_find_text(row, &from, &to);
	add_composer_end(l, section, at);
	if (from >= mark) {
		add_composer_top(l, section, at);
		from = mark;
	}
	buf_addc(&p, '^');
	pattern_add_frame(&p, row, from);
	pattern_add_text(&p, row + from, mark - from, l->varies);
	buf_adds(&p, mark < len && !row[to] ? "( .*)?" : "(.*)");
	pattern_add_end(&p, row, to);
	if ((!mark || !lesson_add_pattern(section, "composer", &p)) &&
	    !lesson_first_value(section, "composer_top")) {
		cJSON_DeleteItemFromObject(section, "composer_end");
		return;
	}
	if (mark) {
		add_placeholder(l, section, &l->last[LESSON_EMPTY], p.data);
		add_placeholder(l, section, &l->last[LESSON_MESSAGE], p.data);
	}
}

/* The row of a message that was sent, unless it looks like the composer. */
void lesson_add_prompt(const struct lesson *l, cJSON *section)
{
	const struct strv *rows = &l->last[LESSON_MESSAGE].rows;
	const char *composer = lesson_first_value(section, "composer");
	int at = find_typed(rows, true);
	const char *row = at < 0 ? LESSON_TEXT : rows->v[at];
	size_t margin = strspn(row, " "),
	       len = (size_t)(strstr(row, LESSON_TEXT) - row);
	_buf_ struct buf p = {0};

	while (len && row[len - 1] == ' ')
		len--;
	if (len == 0 || (composer && pattern_matches(composer, row, NULL)))
		return;
	buf_addc(&p, '^');
	pattern_add_frame(&p, row, margin);
	pattern_add_text(&p, row + margin, len - margin, l->varies);
	lesson_add_pattern(section, "prompt", &p);
}

/* The first row below the message, if a sign is before it that is not ASCII:
 * the answer. */
void lesson_add_answer(const struct lesson *l, cJSON *section)
{
	const struct strv *rows = &l->last[LESSON_MESSAGE].rows;
	const char *composer = lesson_first_value(section, "composer");
	int i = find_typed(rows, true);
	size_t from = 0, to = 0, sign;
	const struct strv *draft = &l->last[LESSON_DRAFT].rows;
	int at = find_typed(draft, false);
	_buf_ struct buf p = {0}, rule = {0};

	while (i >= 0 && ++i < (int)rows->n) {
		pattern_find_text(rows->v[i], &from, &to);
		if (to > from && !strv_has(draft, rows->v[i]))
			break;
	}
	if (i < 0 || i >= (int)rows->n || !(rows->v[i][from] & 0x80) ||
	    !(sign = lesson_sign_length(rows->v[i], from, to)) ||
	    (composer && pattern_matches(composer, rows->v[i], NULL)))
		return;
	buf_addc(&p, '^');
	pattern_add_frame(&p, rows->v[i], from);
	pattern_add_text(&p, rows->v[i] + from, sign, NULL);
	buf_adds(&p, " +(.*)$");
	lesson_add_pattern(section, "answer", &p);
	/* The rule above the composer is not part of it. */
	if (at > 0 && pattern_is_border(draft->v[at - 1])) {
		pattern_add_border(&rule, draft->v[at - 1]);
		lesson_add_pattern(section, "not_said", &rule);
	}
}
