/*
 * section.h - sections that the user gives a name: [service.NAME],
 * [mcp.NAME], [profile.NAME]. One table of their kinds, each with its keys, in
 * the rows of the table of options; afw.ini(5) and the example are compared
 * with it by a test.
 * ([harness.NAME] has the adapters' keys: layer.h.)
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

/* By its name, which must be one. */
const struct section_kind *section_kind(const char *name);

/* The kind of "service.db", and "db" in *name; NULL where there is none. */
const struct section_kind *section_find(const char *section, const char **name);

/* Adds the kind (or "harness") that was probably meant; false: there is none.
 */
bool section_append_nearest(struct err *err, const char *section);

/* NULL with err, and what was probably meant. */
const struct option *section_key(const struct section_kind *kind,
				 const char *key, struct err *err);

/*
 * Adds what a file says to a section, an object: {"key": [{"text": …,
 * "place": "FILE:LINE"}]}, in which lists have several and all others one.
 * -1 with err where the key does not take that value.
 */
int section_add(cJSON *section, const struct option *key, const char *text,
		const char *place, struct err *err);

/*
 * The values of all keys, with the section's name and the defaults, to be
 * deleted: words as a list of strings, a duration as KEY_ms, other numbers and
 * texts as they are; a key that has no default (NULL) is left out. NULL with
 * err where the section lacks what it needs.
 */
cJSON *section_whole(const struct section_kind *kind, const cJSON *section,
		     struct err *err);

#endif
