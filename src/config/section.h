/*
 * section.h - which keys may be in which section of a file. A section is of
 * options (option.h), or the user gives it a name: [service.NAME], [mcp.NAME],
 * [approve.NAME], [profile.NAME]. One table has the kinds of these, each with
 * its keys, in rows as options have; a test compares afw.ini(5) and the example
 * with it. [harness.NAME] has the keys of the adapters, which are handed in.
 */
#ifndef AFW_CONFIG_SECTION_H
#define AFW_CONFIG_SECTION_H

#include <cjson/cJSON.h>

#include "base/err.h"
#include "config/option.h"

struct section_kind {
	const char *name;	   /* "service" */
	const struct option *keys; /* a NULL name ends; NULL: the options of a
				      new session */
	const char *needs[2];	   /* exactly one of these keys, or NULL */
	const char *help;	   /* a sentence or two */
};

extern const struct section_kind section_kinds[]; /* a NULL name ends */

/* Finds a kind by its name, which must exist. */
const struct section_kind *section_kind(const char *name);

/* Returns the kind of "service.db", and "db" in *name; NULL if it is none. */
const struct section_kind *section_find(const char *section, const char **name);

/* What is wrong with a name that a user gives, or NULL. */
const char *section_check_name(const char *name);

/* Finds the option of that key in that section ("": before the first), as files
 * have them; -1 with err and the nearest name. */
int section_find_option(const char *section, const char *key, struct err *err);

/* Finds a key of a kind; NULL with err and the nearest name. */
const struct option *section_key(const struct section_kind *kind,
				 const char *key, struct err *err);

/*
 * Adds what a file says to a section, an object: {"key": [{"text": …,
 * "place": "FILE:LINE"}]}. Lists can have several, all others have one. -1 with
 * err if the key does not accept that value.
 */
int section_add(cJSON *section, const struct option *key, const char *text,
		const char *place, struct err *err);

/* Puts the value of a key, or its default, into out, which is empty. Returns
 * what files say of it, as above, or NULL. */
const cJSON *section_read_key(const cJSON *section, const struct option *key,
			      struct option_value *out);

/*
 * The values of all keys, with the section's name and the defaults, to be
 * deleted: words as a list of strings, a duration as KEY_ms, other numbers and
 * texts as they are; a key that has no default (NULL) is left out. NULL with
 * err if the section lacks what it needs.
 */
cJSON *section_whole(const struct section_kind *kind, const cJSON *section,
		     struct err *err);

/* A key that a [harness.NAME] section may have. config does not know them
 * (adapters do): whoever loads hands them over. */
struct section_harness_key {
	const char *name;
	bool many;  /* several values; else the last one is used */
	bool words; /* it is for words_split() */
};

struct section_harness_keys {
	/* Fills *out with the i-th key; false after the last. */
	bool (*at)(size_t i, struct section_harness_key *out);
	/* -1 with err if the value is not allowed. May be NULL. */
	int (*check)(const char *key, const char *value, struct err *err);
};

/*
 * Adds what a file says to a harness, the object {"key": ["value", …]}, the
 * form in which it travels in spec.json (adapters/screen/rules.h). keys NULL:
 * any key, one value. -1 with err if the key or its value is refused.
 */
int section_add_harness(cJSON *harness, const struct section_harness_keys *keys,
			const char *key, const char *value, struct err *err);

#endif
