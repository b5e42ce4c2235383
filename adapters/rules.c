/*
 * rules.c - what a harness's screen looks like, as configuration.
 *
 * One table names the keys. Settings are kept as strings that were checked
 * when they came; patterns are compiled once, each with the longest run of
 * plain characters that any match must contain: most rows are dismissed by
 * one memmem() without the regex engine, which is what makes a look at fifty
 * rows cost microseconds.
 */
#include "adapters/rules.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "adapters/keys.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/words.h"

enum kind { TEXT, WORDS, NUMBER, YESNO, KEYS, PATTERN };

/* Same order as rules_keys. */
static const enum kind kinds[] = {
    WORDS,   WORDS,   WORDS,   KEYS,	NUMBER,	 NUMBER,  YESNO,
    NUMBER,  TEXT,    PATTERN, PATTERN, PATTERN, PATTERN, PATTERN,
    PATTERN, PATTERN, PATTERN, PATTERN, PATTERN,
};

const struct rules_key rules_keys[] = {
    {"command", false, false, "the program and its arguments"},
    {"resume", false, false,
     "the command that continues a conversation; {conversation} is its id"},
    {"system_prompt", false, false,
     "arguments that give a system prompt; {system_prompt} is its text"},
    {"interrupt", false, false, "the keys that interrupt a turn (Escape, C-c)"},
    {"enter_delay", false, false,
     "milliseconds between the echo of a paste and Enter"},
    {"ready_timeout", false, false,
     "milliseconds from the start until the composer must be there"},
    {"send_busy", false, false, "yes: it takes messages while it is busy"},
    {"rows", false, false, "how many of the bottom rows are looked at"},
    {"install_hint", false, false, "how to get the program"},
    {"waiting", true, true,
     "a row of a question that Enter would answer; a group is its text"},
    {"question", true, true, "the row above it that has the question's text"},
    {"busy", true, true, "a row that shows work; a group says what it does"},
    {"thinking", true, true, "a row that shows that the model thinks"},
    {"idle", true, true, "a row that is there when nothing goes on"},
    {"error", true, true, "a row that says that the turn failed"},
    {"composer", true, true, "the row to type in; a group is its content"},
    {"composer_end", true, true, "the row below the composer's last"},
    {"placeholder", true, true, "composer content that is not a draft"},
    {"collapsed", true, true, "how a long paste is shown"},
    {NULL, false, false, NULL},
};

#define KEY_COUNT (sizeof rules_keys / sizeof rules_keys[0] - 1)
_Static_assert(sizeof kinds / sizeof kinds[0] == KEY_COUNT,
	       "every key has a kind");

struct pattern {
	regex_t re;
	char *literal; /* every match contains it; NULL: not known */
	size_t literal_len;
};

struct rules {
	char *value[KEY_COUNT];
	struct pattern *patterns[KEY_COUNT];
	size_t npatterns[KEY_COUNT];
};

static int key_index(const char *name)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (strcmp(rules_keys[i].name, name) == 0)
			return (int)i;
	return -1;
}

/* Refuses what would make matching slow, or compiling large. */
static const char *pattern_fault(const char *s)
{
	long product = 1;

	if (strlen(s) > RULES_PATTERN_MAX)
		return "longer than 400 bytes";
	for (; *s != '\0'; s++) {
		if (*s == '\\' && s[1] != '\0') {
			if (isdigit((unsigned char)*++s))
				return "back-references are not allowed";
		} else if (*s == '{') {
			const char *comma = s + 1 + strspn(s + 1, "0123456789");
			long n = strtol(s + 1, NULL, 10);

			if (*comma == ',' && isdigit((unsigned char)comma[1]))
				n = strtol(comma + 1, NULL, 10);
			product *= n > 0 && n < 100000 ? n : 1;
			if (n >= 100000 || product > 2000)
				return "repeats too often";
		}
	}
	return NULL;
}

/* s stands on '['; returns what follows its ']'. */
static const char *skip_bracket(const char *s)
{
	s += s[1] == '^' ? 2 : 1;
	if (*s == ']')
		s++;
	for (; *s != '\0' && *s != ']'; s++) {
		if (*s == '[' && s[1] != '\0' && strchr(":.=", s[1])) {
			const char end[] = {s[1], ']', '\0'};
			const char *to = strstr(s + 2, end);

			s = to ? to + 1 : s;
		}
	}
	return *s == ']' ? s + 1 : s;
}

/* s stands on anything but a plain character; returns what follows it. */
static const char *skip_special(const char *s, int *depth)
{
	switch (*s) {
	case '[':
		return skip_bracket(s);
	case '{':
		s += strcspn(s, "}");
		return *s ? s + 1 : s;
	case '\\':
		return s[1] ? s + 2 : s + 1;
	case '(':
		++*depth;
		return s + 1;
	case ')':
		--*depth;
		return s + 1;
	default:
		return s + 1;
	}
}

/* The longest run of plain characters outside groups and alternatives. */
static void find_literal(struct pattern *p, const char *re)
{
	const char *best = NULL;
	size_t len = 0;
	int depth = 0;

	for (const char *s = re; *s != '\0';) {
		size_t n = strcspn(s, "\\^$.[]()|*+?{}");
		size_t sure = n;

		if (n == 0) {
			if (*s == '|' && depth == 0)
				return;
			s = skip_special(s, &depth);
			continue;
		}
		/* The last character may be an optional one. */
		if (s[n] != '\0' && strchr("*?{", s[n]))
			do
				sure--;
			while (sure > 0 && (s[sure] & 0xc0) == 0x80);
		if (depth == 0 && sure > len)
			best = s, len = sure;
		s += n;
	}
	if (len >= 2) {
		p->literal = mem_strndup(best, len);
		p->literal_len = len;
	}
}

static int add_pattern(struct rules *r, int key, const char *re,
		       struct err *err)
{
	const char *name = rules_keys[key].name;
	const char *fault = pattern_fault(re);
	struct pattern *p;
	char why[128];
	int rc;

	if (fault)
		return err_set(err, ERR_USAGE, "%s = %.60s: %s", name, re,
			       fault);
	if (r->npatterns[key] >= RULES_VALUES_MAX)
		return err_set(err, ERR_USAGE, "%s: more than %d patterns",
			       name, RULES_VALUES_MAX);
	r->patterns[key] =
	    mem_realloc(r->patterns[key],
			(r->npatterns[key] + 1) * sizeof *r->patterns[key]);
	p = &r->patterns[key][r->npatterns[key]];
	*p = (struct pattern){0};
	rc = regcomp(&p->re, re, REG_EXTENDED);
	if (rc != 0) {
		regerror(rc, &p->re, why, sizeof why);
		return err_set(err, ERR_USAGE, "%s = %.60s: %s", name, re, why);
	}
	find_literal(p, re);
	r->npatterns[key]++;
	return 0;
}

static int check_setting(int key, const char *value, struct err *err)
{
	const char *name = rules_keys[key].name;
	struct strv words = {0};
	struct buf bytes = {0};
	size_t digits;
	int rc = 0;

	switch (kinds[key]) {
	case WORDS:
		rc = words_split(value, &words, err);
		strv_finish(&words);
		break;
	case KEYS:
		rc = keys_parse(value, &bytes, err);
		buf_finish(&bytes);
		break;
	case NUMBER:
		digits = strspn(value, "0123456789");
		if (digits == 0 || digits > 7 || value[digits] != '\0')
			rc = err_set(err, ERR_USAGE, "%s: not a number", value);
		break;
	case YESNO:
		if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
			rc = err_set(err, ERR_USAGE, "%s: neither yes nor no",
				     value);
		break;
	default:
		break;
	}
	return rc ? err_prefix(err, "%s", name) : 0;
}

static int add_value(struct rules *r, const char *name, const cJSON *value,
		     struct err *err)
{
	int key = key_index(name);
	const char *s = cJSON_GetStringValue(value);

	if (key < 0)
		return err_set(err, ERR_USAGE, "unknown key: %s", name);
	if (s == NULL)
		return err_set(err, ERR_USAGE, "%s: not a string", name);
	if (kinds[key] == PATTERN)
		return add_pattern(r, key, s, err);
	if (check_setting(key, s, err) != 0)
		return -1;
	free(r->value[key]);
	r->value[key] = mem_strdup(s);
	return 0;
}

struct rules *rules_create(const cJSON *config, struct err *err)
{
	struct rules *r = mem_alloc(sizeof *r);
	const cJSON *list, *value;

	cJSON_ArrayForEach (list, config) {
		if (!cJSON_IsArray(list)) {
			if (add_value(r, list->string, list, err) != 0)
				goto fail;
			continue;
		}
		cJSON_ArrayForEach (value, list) {
			if (add_value(r, list->string, value, err) != 0)
				goto fail;
		}
	}
	return r;
fail:
	rules_destroy(r);
	return NULL;
}

void rules_destroy(struct rules *r)
{
	if (r == NULL)
		return;
	for (size_t key = 0; key < KEY_COUNT; key++) {
		free(r->value[key]);
		for (size_t i = 0; i < r->npatterns[key]; i++) {
			regfree(&r->patterns[key][i].re);
			free(r->patterns[key][i].literal);
		}
		free(r->patterns[key]);
	}
	free(r);
}

const char *rules_get(const struct rules *r, const char *key)
{
	int i = key_index(key);

	return r && i >= 0 ? r->value[i] : NULL;
}

int rules_get_int(const struct rules *r, const char *key, int other)
{
	const char *value = rules_get(r, key);

	return value ? (int)strtol(value, NULL, 10) : other;
}

bool rules_get_bool(const struct rules *r, const char *key, bool other)
{
	const char *value = rules_get(r, key);

	return value ? strcmp(value, "yes") == 0 : other;
}

bool rules_has(const struct rules *r, const char *key)
{
	int i = key_index(key);

	return r && i >= 0 && r->npatterns[i] > 0;
}

/* from[0..len) as one printable line without blanks at its ends. */
static void copy_group(const char *from, size_t len, char *out, size_t size)
{
	while (len > 0 && isspace((unsigned char)*from))
		from++, len--;
	while (len > 0 && isspace((unsigned char)from[len - 1]))
		len--;
	utf8_printable(out, size, from, len);
}

/* True for a match; m has two elements: the whole and the first group. */
static bool pattern_match(const struct pattern *p, const char *row, size_t len,
			  regmatch_t *m)
{
	char cut[RULES_ROW_MAX + 1];

	if (len > RULES_ROW_MAX) {
		memcpy(cut, row, RULES_ROW_MAX);
		cut[RULES_ROW_MAX] = '\0';
		row = cut;
		len = RULES_ROW_MAX;
	}
	if (p->literal && !memmem(row, len, p->literal, p->literal_len))
		return false;
	return regexec(&p->re, row, 2, m, 0) == 0;
}

static bool match_key(const struct rules *r, int key, const char *row,
		      char *group, size_t size)
{
	size_t len = strlen(row);
	regmatch_t m[2];

	for (size_t i = 0; i < r->npatterns[key]; i++) {
		const struct pattern *p = &r->patterns[key][i];
		const regmatch_t *g;

		if (!pattern_match(p, row, len, m))
			continue;
		g = p->re.re_nsub > 0 && m[1].rm_so >= 0 ? &m[1] : &m[0];
		if (p->re.re_nsub > 0 && m[1].rm_so < 0 && group)
			group[0] = '\0';
		else if (group)
			copy_group(row + g->rm_so,
				   (size_t)(g->rm_eo - g->rm_so), group, size);
		return true;
	}
	return false;
}

bool rules_match(const struct rules *r, const char *key, const char *row,
		 char *group, size_t size)
{
	int i = key_index(key);

	return r && i >= 0 && match_key(r, i, row, group, size);
}

int rules_find(const struct rules *r, const char *key, const char *const *rows,
	       int from, int to, char *group, size_t size)
{
	int i = key_index(key);

	if (r == NULL || i < 0 || r->npatterns[i] == 0)
		return -1;
	for (int row = to - 1; row >= from; row--)
		if (rows[row][0] != '\0' &&
		    match_key(r, i, rows[row], group, size))
			return row;
	return -1;
}
