/*
 * rules_patterns.h - the patterns under one key of a section: compiled once,
 * matched against single rows in bounded time.
 */
#ifndef AFW_ADAPTERS_SCREEN_RULES_PATTERNS_H
#define AFW_ADAPTERS_SCREEN_RULES_PATTERNS_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct rules_patterns { /* zeroed: none */
	regex_t *v;
	size_t n;
};

/* Compiles and adds a pattern. ERR_USAGE, which names the key, if the pattern
 * would be slow, matches any row, or is the 65th. */
int rules_patterns_add(struct rules_patterns *p, const char *key,
		       const char *re, struct err *err);

/* Finds the first pattern that matches: row[*from..*to) is the text of its
 * first group, or of the whole match if it has no group or whole is true. */
bool rules_patterns_span(const struct rules_patterns *p, const char *row,
			 bool whole, size_t *from, size_t *to);

void rules_patterns_finish(struct rules_patterns *p);

#endif
