/*
 * pattern.c - one pattern, and the longest run of plain characters that any
 * match of it must contain: most rows are dismissed by one memmem() without
 * the regex engine, which is what makes a look at fifty rows cost
 * microseconds.
 */
#include "adapters/pattern.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Refuses what would make matching slow, or compiling large. */
static const char *pattern_fault(const char *s)
{
	long product = 1;

	if (strlen(s) > PATTERN_MAX)
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

int pattern_init(struct pattern *p, const char *re, char why[PATTERN_WHY])
{
	const char *fault = pattern_fault(re);
	int rc;

	*p = (struct pattern){0};
	if (fault) {
		snprintf(why, PATTERN_WHY, "%s", fault);
		return -1;
	}
	rc = regcomp(&p->re, re, REG_EXTENDED);
	if (rc != 0) {
		regerror(rc, &p->re, why, PATTERN_WHY);
		return -1;
	}
	find_literal(p, re);
	return 0;
}

void pattern_finish(struct pattern *p)
{
	regfree(&p->re);
	free(p->literal);
}

bool pattern_match(const struct pattern *p, const char *row, size_t len,
		   regmatch_t m[2])
{
	char cut[PATTERN_ROW_MAX + 1];

	if (len > PATTERN_ROW_MAX) {
		memcpy(cut, row, PATTERN_ROW_MAX);
		cut[PATTERN_ROW_MAX] = '\0';
		row = cut;
		len = PATTERN_ROW_MAX;
	}
	if (p->literal && !memmem(row, len, p->literal, p->literal_len))
		return false;
	return regexec(&p->re, row, 2, m, 0) == 0;
}
