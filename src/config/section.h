/*
 * section.h - which keys are allowed in which section of a file. A section has
 * options (option.h), or the user names it: [service.NAME], [mcp.NAME],
 * [approve.NAME], [host.NAME], [command.NAME], [template.NAME]. One table has
 * these kinds, each with its keys as rows of options; a test compares
 * afw.ini(5) with it. [harness.NAME] has the adapters' keys, which the caller
 * passes.
 */
#ifndef AFW_CONFIG_SECTION_H
#define AFW_CONFIG_SECTION_H

#include <cjson/cJSON.h>

#include "base/err.h"
#include "config/option.h"

struct section_kind {
	const char *name;	   /* "service" */
	const char *also;	   /* another spelling, or NULL */
	const struct option *keys; /* a NULL name ends; NULL: the options of a
				      new session */
	const char *needs[2];	   /* exactly one of these keys, or NULL */
	bool once;		   /* a file may set each key once */
	/* Returns what is wrong with a section's name that is valid for every
	 * kind, or NULL. May be NULL. */
	const char *(*check)(const char *name);
	const char *help; /* a sentence or two */
};

extern const struct section_kind section_kinds[]; /* a NULL name ends */

/* Finds a kind by its name, which must exist. */
const struct section_kind *section_kind(const char *name);

/* Returns the kind of "service.db", and "db" in *name; NULL if it is not
 * one. */
const struct section_kind *section_find(const char *section, const char **name);

/* Returns what is wrong with a section's name, or NULL. */
const char *section_check_name(const char *name);

/* Finds the option of a key in a section of a file ("": before the first); -1
 * with err and the nearest name. */
int section_find_option(const char *section, const char *key, struct err *err);

/* Finds a key of a kind; NULL with err and the nearest name. */
const struct option *section_key(const struct section_kind *kind,
				 const char *key, struct err *err);

/*
 * Adds a file's value to a section, an object: {"key": [{"text": …, "place":
 * "FILE:LINE"}]}. Lists can have several, all others have one. -1 with err if
 * the key does not accept the value.
 */
int section_add(cJSON *section, const struct option *key, const char *text,
		const char *place, struct err *err);

/* Stores the value of a key, or its default, in out, which is empty. Returns
 * its values from files, as above, or NULL. */
const cJSON *section_read_key(const cJSON *section, const struct option *key,
			      struct option_value *out);

/*
 * Returns the values of all keys, with the section's name and the defaults, to
 * be deleted: words as a list of strings, a duration as KEY_ms, other numbers
 * and texts unchanged; a key without a default (NULL) is left out. NULL with
 * err if the section lacks a needed key.
 */
cJSON *section_whole(const struct section_kind *kind, const cJSON *section,
		     struct err *err);

/* A key that a [harness.NAME] section may have. The adapters define them: the
 * caller of config_load() passes them. */
struct section_harness_key {
	const char *name;
	bool many;  /* several values; otherwise the last one is used */
	bool words; /* it is for words_split() */
};

struct section_harness_keys {
	/* Stores the i-th key in *out; false after the last. */
	bool (*at)(size_t i, struct section_harness_key *out);
	/* -1 with err if the value is not allowed. May be NULL. */
	int (*check)(const char *key, const char *value, struct err *err);
};

/*
 * Adds a file's value to a harness, the object {"key": ["value", …]}, as stored
 * in spec.json (adapters/screen/rules.h). keys NULL: any key, one value. -1
 * with err if the key or its value is refused.
 */
int section_add_harness(cJSON *harness, const struct section_harness_keys *keys,
			const char *key, const char *value, struct err *err);

#endif
