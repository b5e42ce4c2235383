/*
 * rules_patterns.c - compiles and matches regular expressions that anybody may
 * have written: none may be slow, and none may match every row.
 */
#include "adapters/screen/rules_patterns.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/screen/rules.h"
#include "base/mem.h"

#define ROW_MAX 1000 /* bytes of a row that are read */

/* Returns the length of the bracket that s begins with. */
static size_t bracket_length(const char *s)
{
	size_t n = s[1] == '^' ? 2 : 1;

	n += s[n] == ']';
	n += strcspn(s + n, "]");
	return s[n] == ']' ? n + 1 : n;
}

static bool is_ascii(const char *s, size_t len)
{
	while (len > 0 && (unsigned char)s[len - 1] < 0x80)
		len--;
	return len == 0;
}

/* A pattern matches bytes: a bracket with a character of several is one of
 * these bytes, and "?" after such a character is about its last. */
static const char *bytes_fault(const char *s)
{
	for (size_t n; *s != '\0'; s += n) {
		n = *s == '[' ? bracket_length(s) : *s == '\\' && s[1] ? 2 : 1;
		if (*s == '[' && s[1] != '^' && !is_ascii(s, n) &&
		    !strchr("+*", s[n] ? s[n] : '?'))
			return "a bracket matches bytes: write (a|b) for "
			       "characters that are not ASCII";
		if (*s != '[' && !is_ascii(s, 1) && s[n] &&
		    strchr("?*+{", s[n]))
			return "a repetition is about one byte: put "
			       "characters that are not ASCII in parentheses";
	}
	return NULL;
}

/* Refuses patterns that would be slow to match or large to compile. */
static const char *pattern_fault(const char *s)
{
	const char *from = s;
	long product = 1;

	if (strlen(s) > 400)
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
	return bytes_fault(from);
}

/* An agent without a mark may answer with any row. */
static bool matches_all(const char *key, const regex_t *re)
{
	return regexec(re, "qz 7", 0, NULL, 0) == 0 &&
	       regexec(re, "~", 0, NULL, 0) == 0 && strcmp(key, "answer") != 0;
}

int rules_patterns_add(struct rules_patterns *p, const char *key,
		       const char *re, struct err *err)
{
	const char *fault = pattern_fault(re);
	char why[128];
	int rc;

	if (p->n >= RULES_VALUES_MAX)
		return err_set(err, ERR_USAGE, "%s: more than %d patterns", key,
			       RULES_VALUES_MAX);
	p->v = mem_realloc(p->v, (p->n + 1) * sizeof *p->v);
	if (!fault) {
		rc = regcomp(&p->v[p->n], re, REG_EXTENDED);
		if (rc == 0) {
			p->n++;
			if (!matches_all(key, &p->v[p->n - 1]))
				return 0;
			fault = "matches any row";
		} else {
			regerror(rc, &p->v[p->n], why, sizeof why);
			fault = why;
		}
	}
	return err_set(err, ERR_USAGE, "%s = %.60s: %s", key, re, fault);
}

/* A group that did not take part in the match is empty, at its end. */
bool rules_patterns_span(const struct rules_patterns *p, const char *row,
			 bool whole, size_t *from, size_t *to)
{
	char cut[ROW_MAX + 1];
	regmatch_t m[2];

	if (p->n > 0 && strlen(row) > ROW_MAX) {
		memcpy(cut, row, ROW_MAX);
		cut[ROW_MAX] = '\0';
		row = cut;
	}
	for (size_t i = 0; i < p->n; i++) {
		bool group = p->v[i].re_nsub > 0 && !whole;

		if (regexec(&p->v[i], row, 2, m, 0) != 0)
			continue;
		if (group && m[1].rm_so < 0)
			m[1].rm_so = m[1].rm_eo = m[0].rm_eo;
		*from = (size_t)m[group].rm_so;
		*to = (size_t)m[group].rm_eo;
		return true;
	}
	return false;
}

void rules_patterns_finish(struct rules_patterns *p)
{
	for (size_t i = 0; i < p->n; i++)
		regfree(&p->v[i]);
	free(p->v);
}
