/*
 * field.h - the members of a struct, one row each: what a member is called, of
 * what kind it is, and where it is written. Writing, reading, packing and
 * releasing them walk over the rows.
 *
 * The rows are beside the members: spec_fields[] in spec.c, state_fields[] in
 * state.c.
 */
#ifndef AFW_SESSION_FIELD_H
#define AFW_SESSION_FIELD_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
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

/* The places that it is written to, as bits. */
enum field_use {
	FIELD_FILE = 1,	 /* its own file; none is left out, except numbers */
	FIELD_BOARD = 2, /* the board (board.h) and so `afw ls`; no lists and
			    values */
	FIELD_JSON = 4,	 /* what --json prints; none is null, or [] */
};

/* The types of some kinds, for a struct whose members are made from a table. */
#define FIELD_TYPE_TEXT	 char *
#define FIELD_TYPE_LIST	 struct strv
#define FIELD_TYPE_INT64 int64_t
#define FIELD_TYPE_BOOL	 bool

struct field {
	const char *name; /* NULL ends a table */
	enum field_kind kind;
	unsigned use;
	size_t offset; /* in the struct that base points to */
	int64_t none;  /* what INT and INT64 have if it is absent or null */
};

#define FIELD_ROW(type, text, k, member, u, n)                                 \
	{                                                                      \
		.name = text, .kind = FIELD_##k, .use = u,                     \
		.offset = offsetof(struct type, member), .none = n             \
	}

/* Adds the members of use, one of field_use, to o. */
void fields_write(const struct field *table, unsigned use, const void *base,
		  cJSON *o);

/*
 * Sets the members of use from o, and releases what they held; those that are
 * absent become none. Values are taken out of o. -1 if o has no valid phase or
 * activity and use has one: then nothing was changed.
 */
int fields_read(const struct field *table, unsigned use, void *base, cJSON *o,
		struct err *err);

/*
 * Write the members of FIELD_BOARD as bytes that the same program reads again.
 * fields_pack() returns how many; 0 if they do not fit. fields_unpack() returns
 * false if the bytes are not of this table; some members may be set then.
 */
size_t fields_pack(const struct field *table, const void *base, char *out,
		   size_t room);
bool fields_unpack(const struct field *table, void *base, const char *bytes,
		   size_t len);

/*
 * Appends the value of the named field as text, or nothing if it has none; a
 * list has one line per member. Returns false if the table has no such field.
 */
bool field_print(const struct field *table, const char *name, const void *base,
		 struct buf *out);

/* Releases all that the members hold, and leaves them empty. */
void fields_finish(const struct field *table, void *base);

#endif
