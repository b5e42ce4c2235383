/*
 * lesson_work.c - which rows were there only while it worked, and which only
 * while it was idle.
 */
#include "adapters/screen/lesson_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/screen/pattern.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "base/utf8.h"

#define SPINNER "[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]+"
#define STOPS	"(\\(|  ).*(esc|ctrl|\\^|interrupt|cancel|stop)|esc |ctrl[+-]"

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
	symbol = lesson_sign_length(row, from, to);
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
		ms = json_get(tally, p.data);
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
	const cJSON *busy = json_get(section, "busy");
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
			tally_screen(l, lesson_first_value(section, "composer"),
				     &l->working[i], tally);
	}
	cJSON_ArrayForEach (v, tally)
		if (v->valuedouble > (best ? best->valuedouble : least) &&
		    !pattern_fits_all(v->string) && !is_idle_row(l, v->string))
			best = v;
	if (best)
		lesson_add_value(section, "busy", best->string);
	return best;
}

void lesson_add_busy(const struct lesson *l, cJSON *section)
{
	char key[] = "C-x";
	const cJSON *v;
	regmatch_t m[4];

	while (add_one_busy(l, section))
		;
	/* The row may name the key that stops it; here ^ is escaped. */
	cJSON_ArrayForEach (v, json_get(section, "busy"))
		if (pattern_matches("esc|(ctrl\\\\[+]|ctrl-|\\\\\\^)([a-z])",
				    v->valuestring, m)) {
			if (m[2].rm_so >= 0)
				key[2] = (char)tolower(
				    (unsigned char)v->valuestring[m[2].rm_so]);
			lesson_add_value(section, "interrupt",
					 m[2].rm_so < 0 ? "Escape" : key);
			return;
		}
}

/* Without a composer: a row that is there whenever it is idle, and only then.
 */
void lesson_add_idle(const struct lesson *l, cJSON *section)
{
	const struct strv *rows = &l->last[LESSON_MESSAGE].rows;

	if (lesson_first_value(section, "composer") ||
	    lesson_first_value(section, "composer_top"))
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
		    lesson_add_pattern(section, "idle", &p))
			return;
	}
}
