/*
 * section.h - sections that the user gives a name, [service.NAME]: a table of
 * keys for each kind of them, in the rows of the table of options. A new kind
 * is a table in section.c. ([harness.NAME] has the adapters' keys: layer.h.)
 */
#ifndef AFW_CONFIG_SECTION_H
#define AFW_CONFIG_SECTION_H

#include <cjson/cJSON.h>

#include "base/err.h"
#include "config/option.h"

struct section_kind {
	const char *name;	   /* "service" */
	const struct option *keys; /* a NULL name ends */
	const char *required;	   /* the key that each must have, or NULL */
};

/* The kind of "service.db", and "db" in *name; NULL where there is none. */
const struct section_kind *section_find(const char *section, const char **name);

/* The kind (or "harness") that was probably meant; or NULL. */
const char *section_nearest(const char *section);

/*
 * Sets a key of one section, an object: words as a list of strings, a duration
 * as KEY_ms, other numbers and texts as they are. Lists add up.
 */
int section_set(const struct section_kind *kind, cJSON *section,
		const char *key, const char *value, struct err *err);

/* A copy with its name and all defaults, to be deleted; NULL with err where a
 * required key is not there. */
cJSON *section_whole(const struct section_kind *kind, const cJSON *section,
		     struct err *err);

#endif
