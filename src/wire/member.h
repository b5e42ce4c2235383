/*
 * member.h - the members of a message, a row each: what it is called, of what
 * kind it is, what it may be. In a program the message is a struct; between
 * programs it is a JSON object, which its receiver checks once.
 */
#ifndef AFW_WIRE_MEMBER_H
#define AFW_WIRE_MEMBER_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"

/* Zero is absent in each of them; what a struct that is read has then is in
 * brackets. */
enum value_kind {
	VALUE_TEXT,    /* const char * [row's text] */
	VALUE_PATH,    /* the same; absolute */
	VALUE_COMMIT,  /* the same; a whole id, in hex */
	VALUE_CHOICE,  /* the same; a word of the row's [the first] */
	VALUE_WORD,    /* the same [NULL] */
	VALUE_INT,     /* int64_t [row's none] */
	VALUE_GIVEN,   /* the same, with a bool at the row's given */
	VALUE_INODE,   /* uint64_t; decimal text, as it may be over 2^53 */
	VALUE_BOOL,    /* bool */
	VALUE_SWITCH,  /* enum member_switch; a bool */
	VALUE_LIST,    /* const struct strv * [an empty one] */
	VALUE_SUBSET,  /* the same [NULL: all, which no list says] */
	VALUE_STRV,    /* struct strv; its owner's, also when it is written */
	VALUE_JSON,    /* const cJSON *; an object, borrowed */
	VALUE_GROUP,   /* a struct; its members are the object's */
	VALUE_OBJECT,  /* const struct * */
	VALUE_OBJECTS, /* struct member_objects */
};

enum member_flags {
	MEMBER_MUST = 1,   /* may not be absent; is written if it is zero */
	MEMBER_FILLED = 2, /* nor empty: a text, a list */
	MEMBER_PAIRS = 4,  /* a list of NAME=VALUE */
	MEMBER_OWN = 8,	   /* this and the higher bits: the table's own */
};

enum member_switch { SWITCH_ABSENT, SWITCH_ON, SWITCH_OFF };

struct member_objects {
	const void *v; /* n structs */
	size_t n;
};

struct member {
	const char *name; /* NULL ends a table */
	enum value_kind kind;
	unsigned flags;
	const char *help; /* or NULL */
	size_t offset, given;
	const char *text;
	const char *one_of[8];	/* CHOICE, WORD; NULL ends it */
	int64_t min, max, none; /* INT, GIVEN; max 0: what JSON has exactly */
	/* GROUP, OBJECT, OBJECTS: the rows, and the size of one. */
	const struct member *(*rows)(void);
	size_t size;
};

/* Adds what is not absent to o. */
void members_write(const struct member *rows, const void *message, cJSON *o);

/*
 * Reads all members of o, which must live as long as message: strings are
 * borrowed. null is absent. Refuses (ERR_USAGE) one that is needed and absent,
 * and wrong values; what: for errors, "undo". message is zeroed before;
 * members_finish() in every case.
 */
int members_read(const struct member *rows, const char *what, void *message,
		 const cJSON *o, struct err *err);

/* The same; refuses unknown members, too. */
int members_read_all(const struct member *rows, const char *what, void *message,
		     const cJSON *o, struct err *err);
void members_finish(const struct member *rows, void *message);

#endif
