/*
 * json.h - strict reading of JSON objects, on top of cJSON, which by itself
 * takes duplicate keys, trailing garbage and bad UTF-8 (FACTS, measured).
 */
#ifndef AFW_BASE_JSON_H
#define AFW_BASE_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

/*
 * The whole text must be one JSON object: UTF-8, no duplicate key at any
 * depth, nesting at most 32, nothing but white space behind it. Returns
 * NULL and fills err otherwise. The result is freed with cJSON_Delete().
 */
cJSON *json_parse_object(const char *text, size_t len, struct err *err);

/*
 * Reading members. Absent or of another type: the default, NULL or an empty
 * list. Returned strings are borrowed from the object.
 */
const char *json_str(const cJSON *o, const char *key);
const char *json_str_or(const cJSON *o, const char *key, const char *other);
int64_t json_int(const cJSON *o, const char *key, int64_t other);
bool json_bool(const cJSON *o, const char *key, bool other);
/* A device or inode number: decimal text, for they may be over 2^53; a number
 * below that is taken too. */
uint64_t json_u64(const cJSON *o, const char *key, uint64_t other);
void json_strv(const cJSON *o, const char *key, struct strv *out);

/*
 * Writing members. str: NULL writes nothing, text: NULL writes null. Strings
 * that are not UTF-8 are made so ('?'). Integers must lie within +-2^53; u64
 * writes decimal text.
 */
void json_set_str(cJSON *o, const char *key, const char *value);
void json_set_text(cJSON *o, const char *key, const char *value);
void json_set_int(cJSON *o, const char *key, int64_t value);
void json_set_u64(cJSON *o, const char *key, uint64_t value);
void json_set_bool(cJSON *o, const char *key, bool value);
void json_set_strv(cJSON *o, const char *key, const struct strv *sv);
cJSON *json_set_object(cJSON *o, const char *key);
cJSON *json_set_array(cJSON *o, const char *key);
/* Each member of what, copied, in place of that of o. */
void json_replace_members(cJSON *o, const cJSON *what);

/* Wipes the strings of an array or object, at any depth, from memory. */
void json_wipe(const cJSON *a);

/* An answer that is a refusal: its code, error and hint as err; -1. */
int json_err(const cJSON *o, struct err *err);

/* Text of o on one line, no newline at the end; appended to out. */
void json_print(const cJSON *o, struct buf *out);

/*
 * Files of one object. load: dirfd may be AT_FDCWD; at most max bytes; NULL
 * with errno, EINVAL where it is no such object, and err begins with "read
 * NAME". save: as file_replace(), a newline at the end.
 */
cJSON *json_load(int dirfd, const char *name, size_t max, struct err *err);
int json_save(int dirfd, const char *name, const cJSON *o, bool durable,
	      struct err *err);

#endif
