/* lesson.c - compares screens, and makes a section of the rows that differ. */
#include "adapters/screen/lesson.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/screen/pattern.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "base/utf8.h"

#define SPINNER "[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]+"
#define STOPS	"(\\(|  ).*(esc|ctrl|\\^|interrupt|cancel|stop)|esc |ctrl[+-]"
#define OPTION	"^([^[:alnum:]]*)([0-9])[.)] "
#define YES	"^(yes|allow|approve|accept|run|proceed|ok)([ ,.]|$)"
#define NO	"^(no|deny|reject|cancel|decline|don't)([ ,.]|$)"
/* Not only this once. */
#define EVER	    "always|again|session|all |auto|ever|future|remember|trust|similar"
#define YES_NO	    "\\(y/n\\)|\\[y/n\\]|\\(yes/no\\)|\\[y\\]|\\(y\\)"
#define CHOOSES	    "enter|esc|select|confirm"
#define DIALOG_ROWS 20
#define PATTERN_MAX 160 /* bytes: INI_LINE_MAX with a key */

const char *const lesson_names[LESSON_STEPS] = {"empty", "draft", "message",
						"approval", "answer"};

/* -- the section ----------------------------------------------------------- */

static void add_value(cJSON *section, const char *key, const char *value)
{
	cJSON *list = cJSON_GetObjectItemCaseSensitive(section, key), *v;

	cJSON_ArrayForEach (v, list)
		if (strcmp(v->valuestring, value) == 0)
			return;
	if (!list)
		list = json_set_array(section, key);
	cJSON_AddItemToArray(list, cJSON_CreateString(value));
}

static bool add_pattern(cJSON *section, const char *key,
			const struct buf *pattern)
{
	if (pattern->len > PATTERN_MAX || pattern_fits_all(pattern->data))
		return false;
	add_value(section, key, pattern->data);
	return true;
}

static const char *first_value(const cJSON *section, const char *key)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(section, key);

	return list ? list->child->valuestring : NULL;
}

/* -- the composer ---------------------------------------------------------- */

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
		add_pattern(section, "placeholder", &p);
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
		add_pattern(section, "composer_end", &p);
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
	    !first_value(section, "composer_end"))
		return;
	pattern_add_border(&p, rows->v[row]);
	add_pattern(section, "composer_top", &p);
}

static void add_composer(const struct lesson *l, cJSON *section)
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
	if ((!mark || !add_pattern(section, "composer", &p)) &&
	    !first_value(section, "composer_top")) {
		cJSON_DeleteItemFromObject(section, "composer_end");
		return;
	}
	if (mark) {
		add_placeholder(l, section, &l->last[LESSON_EMPTY], p.data);
		add_placeholder(l, section, &l->last[LESSON_MESSAGE], p.data);
	}
}

/* The row of a message that was sent, unless it looks like the composer. */
static void add_prompt(const struct lesson *l, cJSON *section)
{
	const struct strv *rows = &l->last[LESSON_MESSAGE].rows;
	const char *composer = first_value(section, "composer");
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
	add_pattern(section, "prompt", &p);
}

/* Returns the length of the sign before a text: of its first word, if that has
 * no letter and no digit; 0 if it is the whole text. */
static size_t sign_length(const char *row, size_t from, size_t to)
{
	size_t n = strcspn(row + from, " ");

	for (size_t i = 0; i < n; i++)
		if (isalnum((unsigned char)row[from + i]))
			return 0;
	return from + n < to ? n : 0;
}

/* The first row below the message, if a sign is before it that is not ASCII:
 * the answer. */
static void add_answer(const struct lesson *l, cJSON *section)
{
	const struct strv *rows = &l->last[LESSON_MESSAGE].rows;
	const char *composer = first_value(section, "composer");
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
	    !(sign = sign_length(rows->v[i], from, to)) ||
	    (composer && pattern_matches(composer, rows->v[i], NULL)))
		return;
	buf_addc(&p, '^');
	pattern_add_frame(&p, rows->v[i], from);
	pattern_add_text(&p, rows->v[i] + from, sign, NULL);
	buf_adds(&p, " +(.*)$");
	add_pattern(section, "answer", &p);
	/* The rule above the composer is not part of it. */
	if (at > 0 && pattern_is_border(draft->v[at - 1])) {
		pattern_add_border(&rule, draft->v[at - 1]);
		add_pattern(section, "not_said", &rule);
	}
}

/* -- work ------------------------------------------------------------------ */

/* Appends a text that says how to stop the turn: "Thinking (3s · esc to
 * cancel)"; only what it says is kept. Returns false if it does not. */
static bool add_stop(const struct lesson *l, struct buf *out, const char *text)
{
	const char *hint, *end;
	regmatch_t m[4], key[4];

	if (!pattern_matches(STOPS, text, m) || m[0].rm_so == 0)
		return false;
	hint = text + m[0].rm_so;
	if (!pattern_matches("esc|ctrl|\\^|interrupt|cancel|stop", hint, key))
		return false;
	buf_adds(out, *hint == '(' ? "(.*) *\\(.*" : "(.*[^ ]) +");
	hint += key[0].rm_so;
	for (end = hint; *end && !strchr(",)", *end) &&
			 strncmp(end, " ·", 3) != 0 && strncmp(end, "  ", 2);)
		end++;
	pattern_add_text(out, hint, (size_t)(end - hint), l->varies);
	return true;
}

/* Makes the pattern of a row that is shown while it works. Returns how much it
 * looks like one: more with a spinner, or if it says how to stop it. */
static int make_busy(const struct lesson *l, const char *row, struct buf *out)
{
	size_t from, to, symbol;
	_free_ char *text = NULL;
	uint32_t cp = 0;
	bool spins;

	pattern_find_text(row, &from, &to);
	symbol = sign_length(row, from, to);
	utf8_decode(row + from, to - from, &cp);
	spins = symbol && cp >= 0x2800 && cp < 0x2900;
	buf_addc(out, '^');
	pattern_add_frame(out, row, from);
	if (symbol)
		buf_addf(out, "%s +", spins ? SPINNER : "[^ ]+");
	from += symbol;
	from += strspn(row + from, " ");
	text = mem_strndup(row + from, to - from);
	if (add_stop(l, out, text))
		return 4;
	buf_addc(out, '(');
	if (spins)
		buf_adds(out, ".*");
	else
		pattern_add_text(out, text, to - from, l->varies);
	buf_addc(out, ')');
	pattern_add_end(out, row, to);
	return spins ? 4 : 1;
}

/* Returns whether a pattern, without its $, matches a row of a screen on which
 * the program is idle; such a row may have got a scroll bar. */
static bool is_idle_row(const struct lesson *l, const char *whole)
{
	size_t len = strlen(whole);
	_free_ char *p = mem_strndup(whole, len - (whole[len - 1] == '$'));
	size_t n = 0;

	for (int k = 0; k < LESSON_STEPS; k++)
		n += k == LESSON_APPROVAL ? 0
					  : pattern_count(p, &l->last[k].rows);
	return n > 0;
}

/* Adds for each row of a screen how long its pattern was shown. */
static void tally_screen(const struct lesson *l, const char *composer,
			 const struct lesson_screen *s, cJSON *tally)
{
	for (size_t i = 0; i < s->rows.n; i++) {
		const char *row = s->rows.v[i];
		_buf_ struct buf p = {0};
		cJSON *ms;
		int looks;

		if (!pattern_matches("[a-z].*[a-z].*[a-z]", row, NULL) ||
		    strlen(row) > 200 || strstr(row, LESSON_TEXT) ||
		    strv_has(&l->last[LESSON_MESSAGE].rows, row) ||
		    strv_has(&l->last[LESSON_EMPTY].rows, row) ||
		    (composer && pattern_matches(composer, row, NULL)))
			continue;
		looks = make_busy(l, row, &p);
		ms = cJSON_GetObjectItemCaseSensitive(tally, p.data);
		if (!ms)
			ms = cJSON_AddNumberToObject(tally, p.data, 0);
		cJSON_SetNumberHelper(ms, ms->valuedouble +
					      (double)(looks * s->ms));
	}
}

/* Adds the patterns of rows that were shown longest while it worked and never
 * while it was idle: several if there were screens without the first. */
static bool add_one_busy(const struct lesson *l, cJSON *section)
{
	const cJSON *busy = cJSON_GetObjectItemCaseSensitive(section, "busy");
	const cJSON *v, *best = NULL;
	_json_ cJSON *tally = cJSON_CreateObject();
	double least = 0;

	for (size_t i = 0; i < l->nworking; i++) {
		bool known = false;

		least += (double)l->working[i].ms * 2 / 5;
		cJSON_ArrayForEach (v, busy)
			known |= pattern_count(v->valuestring,
					       &l->working[i].rows) > 0;
		if (!known)
			tally_screen(l, first_value(section, "composer"),
				     &l->working[i], tally);
	}
	cJSON_ArrayForEach (v, tally)
		if (v->valuedouble > (best ? best->valuedouble : least) &&
		    !pattern_fits_all(v->string) && !is_idle_row(l, v->string))
			best = v;
	if (best)
		add_value(section, "busy", best->string);
	return best;
}

static void add_busy(const struct lesson *l, cJSON *section)
{
	char key[] = "C-x";
	const cJSON *v;
	regmatch_t m[4];

	while (add_one_busy(l, section))
		;
	/* The row may name the key that stops it; here ^ is escaped. */
	cJSON_ArrayForEach (v,
			    cJSON_GetObjectItemCaseSensitive(section, "busy"))
		if (pattern_matches("esc|(ctrl\\\\[+]|ctrl-|\\\\\\^)([a-z])",
				    v->valuestring, m)) {
			if (m[2].rm_so >= 0)
				key[2] = (char)tolower(
				    (unsigned char)v->valuestring[m[2].rm_so]);
			add_value(section, "interrupt",
				  m[2].rm_so < 0 ? "Escape" : key);
			return;
		}
}

/* Without a composer: a row that is there whenever it is idle, and only then.
 */
static void add_idle(const struct lesson *l, cJSON *section)
{
	const struct strv *rows = &l->last[LESSON_MESSAGE].rows;

	if (first_value(section, "composer") ||
	    first_value(section, "composer_top"))
		return;
	for (size_t i = rows->n; l->nworking && i-- > 0;) {
		_buf_ struct buf p = {0};
		size_t n = 0;

		pattern_add_row(&p, rows->v[i], l->varies);
		for (size_t k = 0; k < l->nworking; k++)
			n += pattern_count(p.data, &l->working[k].rows);
		if (n == 0 &&
		    pattern_matches("[a-z].*[a-z]", rows->v[i], NULL) &&
		    pattern_count(p.data, &l->last[LESSON_EMPTY].rows) &&
		    !pattern_count(p.data, &l->last[LESSON_APPROVAL].rows) &&
		    add_pattern(section, "idle", &p))
			return;
	}
}

/* -- the approval ---------------------------------------------------------- */

struct dialog_rows {
	const struct strv *rows;
	int question, yes, no, last; /* rows; -1: none */
	/* What is before the number of the selected option, and of another. */
	char *marked, *plain;
};

/* Returns whether a row is only in the dialog. */
static bool is_new(const struct lesson *l, const char *row)
{
	for (int k = 0; k < LESSON_STEPS; k++)
		if (k != LESSON_APPROVAL && strv_has(&l->last[k].rows, row))
			return false;
	return *row != '\0';
}

/* Finds the options that allow once and that deny: "1. Yes", or "(y/n)". */
static void find_options(const struct lesson *l, struct dialog_rows *d)
{
	regmatch_t m[4];
	size_t from, to;

	for (int i = 0; i < (int)d->rows->n; i++) {
		const char *row = d->rows->v[i];

		if (!is_new(l, row) || !pattern_matches(OPTION, row, m))
			continue;
		d->last = i;
		pattern_find_text(row, &from, &to);
		free(from < (size_t)m[1].rm_eo ? d->marked : d->plain);
		*(from < (size_t)m[1].rm_eo ? &d->marked : &d->plain) =
		    mem_strndup(row, (size_t)m[1].rm_eo);
		if (d->yes < 0 &&
		    pattern_matches(YES, row + m[0].rm_eo, NULL) &&
		    !pattern_matches(EVER, row + m[0].rm_eo, NULL))
			d->yes = i;
		else if (d->no < 0 &&
			 pattern_matches(NO, row + m[0].rm_eo, NULL))
			d->no = i;
	}
	for (int i = (int)d->rows->n - 1; i >= 0 && d->yes < 0; i--)
		if (is_new(l, d->rows->v[i]) &&
		    pattern_matches(YES_NO, d->rows->v[i], NULL)) {
			d->yes = d->last = i;
			free(d->marked);
			free(d->plain);
			d->marked = d->plain = NULL;
		}
}

/* The question is the nearest row above the options that ends in ?, else the
 * nearest with a text, else the options' own row. */
static void find_question(const struct lesson *l, struct dialog_rows *d)
{
	int nearest = d->yes;

	for (int i = d->yes; i >= 0 && i > d->yes - DIALOG_ROWS; i--) {
		const char *row = d->rows->v[i];
		size_t from, to;

		pattern_find_text(row, &from, &to);
		if (to == from || !is_new(l, row))
			continue;
		if (strchr(row, '?') > row + to - 2 ||
		    (i == d->yes && strchr(row, '?'))) {
			d->question = i;
			return;
		}
		if (nearest == d->yes)
			nearest = i;
	}
	d->question = nearest;
}

/* Adds the pattern of an option, selected and not. */
static void add_option(const struct lesson *l, cJSON *section, const char *key,
		       const struct dialog_rows *d, const char *row)
{
	const char *const leads[] = {d->plain, d->marked};
	size_t from, to;
	regmatch_t m[4];

	pattern_find_text(row, &from, &to);
	pattern_matches(OPTION, row, m);
	from = (size_t)m[2].rm_eo;
	for (int i = 0; i < 2; i++) {
		_buf_ struct buf p = {0};

		if (!leads[i])
			continue;
		buf_addc(&p, '^');
		pattern_add_frame(&p, leads[i], strlen(leads[i]));
		buf_adds(&p, "([0-9])");
		pattern_add_text(&p, row + from, to - from, l->varies);
		pattern_add_end(&p, row, to);
		add_pattern(section, key, &p);
		if (strcmp(key, "approve_option") == 0)
			add_pattern(section, "waiting", &p);
	}
}

/* Adds the rows below the options that say which keys choose. Returns whether
 * Escape denies. */
static bool add_hints(const struct lesson *l, cJSON *section,
		      const struct dialog_rows *d)
{
	bool escape =
	    d->no >= 0 && pattern_matches("esc", d->rows->v[d->no], NULL);

	for (int i = d->last + 1; i < (int)d->rows->n; i++) {
		const char *row = d->rows->v[i];
		_buf_ struct buf p = {0};

		if (!is_new(l, row) || !pattern_matches(CHOOSES, row, NULL))
			continue;
		escape |= pattern_matches("esc", row, NULL);
		pattern_add_row(&p, row, l->varies);
		add_pattern(section, "waiting", &p);
	}
	return escape;
}

static void add_approval(const struct lesson *l, cJSON *section)
{
	struct dialog_rows d = {
	    .rows = &l->last[LESSON_APPROVAL].rows, .yes = -1, .no = -1};
	_buf_ struct buf question = {0}, keys = {0}, top = {0};
	bool numbered, escape;

	find_options(l, &d);
	if (d.yes < 0)
		return;
	numbered = d.marked || d.plain;
	find_question(l, &d);
	pattern_add_row(&question, d.rows->v[d.question], l->varies);
	pattern_add_row(&keys, d.rows->v[d.yes], l->varies);
	if (numbered) {
		add_option(l, section, "approve_option", &d, d.rows->v[d.yes]);
		if (d.no >= 0)
			add_option(l, section, "deny_option", &d,
				   d.rows->v[d.no]);
	} else {
		add_pattern(section, "waiting", &keys);
	}
	escape = add_hints(l, section, &d);
	add_value(section, "approve", numbered ? "{option}" : "y");
	if (!numbered || d.no >= 0)
		add_value(section, "deny",
			  !numbered ? "n"
			  : escape  ? "Escape"
				    : "{option}");
	add_pattern(section, "question", &question);
	add_pattern(section, "approval", numbered ? &question : &keys);
	for (int i = d.question; i >= 0 && !top.len; i--)
		if (i > d.question - DIALOG_ROWS &&
		    pattern_is_border(d.rows->v[i]))
			pattern_add_border(&top, d.rows->v[i]);
	if (top.len)
		add_pattern(section, "approval_top", &top);
	free(d.marked);
	free(d.plain);
}

cJSON *lesson_propose(const struct lesson *l)
{
	cJSON *section = cJSON_CreateObject();

	add_composer(l, section);
	add_prompt(l, section);
	add_answer(l, section);
	add_busy(l, section);
	add_idle(l, section);
	add_approval(l, section);
	return section;
}

void lesson_screen_finish(struct lesson_screen *s)
{
	strv_finish(&s->rows);
	strv_finish(&s->solid);
}

void lesson_finish(struct lesson *l)
{
	for (int k = 0; k < LESSON_STEPS; k++)
		lesson_screen_finish(&l->last[k]);
	for (size_t i = 0; i < l->nworking; i++)
		lesson_screen_finish(&l->working[i]);
	free(l->working);
	*l = (struct lesson){0};
}
