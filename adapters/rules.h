/*
 * rules.h - [harness.NAME] of the configuration and share/adapters/NAME.ini,
 * compiled: settings and screen patterns (POSIX extended regular
 * expressions, matched against single rows; see afw-adapters(5)).
 *
 * Travels in spec.json as an object {"key": ["value", …]}, so that a
 * running session does not change when the files do.
 */
#ifndef AFW_ADAPTERS_RULES_H
#define AFW_ADAPTERS_RULES_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "base/err.h"

struct rules;
struct view;
struct look;

/* The keys that a [harness.NAME] section may have; name NULL ends. */
struct rules_key {
	const char *name; /* "command", "waiting", "busy", … */
	bool many;	  /* may stand several times */
	bool pattern;	  /* is a regular expression */
	const char *help;
};
extern const struct rules_key rules_keys[];

/* config may be NULL (no rules). A pattern that does not compile or an
 * unknown key is an error that names it. */
struct rules *rules_create(const cJSON *config, struct err *err);
void rules_destroy(struct rules *r);

/* The last value of a setting, or NULL; borrowed. */
const char *rules_get(const struct rules *r, const char *key);

/* What the patterns say of a screen. Bottom rows first; a waiting pattern
 * (menu) overrides everything else. */
void rules_look(const struct rules *r, const struct view *v,
		struct look *out);

#endif
