/*
 * pattern.h - one POSIX extended regular expression for single rows of a
 * screen, matched in bounded time: no back-references, only small repetitions.
 * Pure: no I/O. Matching allocates nothing of its own.
 */
#ifndef AFW_ADAPTERS_PATTERN_H
#define AFW_ADAPTERS_PATTERN_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#define PATTERN_MAX	400  /* bytes of a pattern */
#define PATTERN_ROW_MAX 1000 /* bytes of a row that are looked at */
#define PATTERN_WHY	128

struct pattern {
	regex_t re;
	char *literal; /* every match contains it; NULL: not known */
	size_t literal_len;
};

/* -1 with the reason in why: no pattern, or one that might be slow or large;
 * then there is nothing to finish. */
int pattern_init(struct pattern *p, const char *re, char why[PATTERN_WHY]);
void pattern_finish(struct pattern *p);

/* True for a match of row[0..len), which a NUL follows; m: the whole and the
 * first group. */
bool pattern_match(const struct pattern *p, const char *row, size_t len,
		   regmatch_t m[2]);

#endif
