/*
 * field.h - the members of a struct, one row each: what a member is called and
 * of what kind it is. Writing, reading and releasing them walk over the rows.
 *
 * The rows are beside the members: spec_fields[] in spec.c, state_fields[] in
 * state.c.
 */
#ifndef AFW_SESSION_FIELD_H
#define AFW_SESSION_FIELD_H

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Its type in the struct; strings, lists and values are the struct's own. */
enum field_kind {
	FIELD_TEXT, /* char * */
	FIELD_LIST, /* struct strv */
	FIELD_INT,
	FIELD_INT64,
	FIELD_COUNT, /* int64_t; 0 if it is absent, never null */
	FIELD_U64,
	FIELD_BOOL,
	FIELD_TIME,   /* int64_t, wall ms; 0 and below: none */
	FIELD_OBJECT, /* cJSON * */
	FIELD_ARRAY,  /* cJSON * */
	FIELD_PHASE,  /* the enums of phase.h, by their names */
	FIELD_ACTIVITY,
	FIELD_NOTICE,
};

/* Where it is written, as bits. */
enum field_use {
	FIELD_FILE = 1, /* in the struct's own file; what is none is left out */
};

struct field {
	const char *name; /* NULL ends a table */
	enum field_kind kind;
	unsigned use;
	size_t offset; /* in the struct that base points to */
	int64_t none;  /* what INT and INT64 have if the member is absent */
};

#define FIELD_ROW(type, text, k, member, u, n)                                 \
	{                                                                      \
		.name = text, .kind = FIELD_##k, .use = u,                     \
		.offset = offsetof(struct type, member), .none = n             \
	}

/* Adds the members of use to o. */
void fields_write(const struct field *table, unsigned use, const void *base,
		  cJSON *o);

/*
 * Sets the members of use from o, and releases what they held; those that are
 * absent become none. Values are taken out of o. -1 if o has no valid phase or
 * activity and use has one: then nothing was changed.
 */
int fields_read(const struct field *table, unsigned use, void *base, cJSON *o,
		struct err *err);

/* Releases all that the members hold, and leaves them empty. */
void fields_finish(const struct field *table, void *base);

#endif
