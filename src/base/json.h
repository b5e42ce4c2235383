/*
 * json.h - reads JSON objects strictly, on top of cJSON, which by itself
 * accepts duplicate keys, trailing garbage and bad UTF-8 (measured).
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
 * Parses text, which must be one JSON object: UTF-8, no duplicate key at any
 * depth, nesting at most 32, only white space after it. NULL with err
 * otherwise. The result is freed with cJSON_Delete().
 */
cJSON *json_parse_object(const char *text, size_t len, struct err *err);

/*
 * Read members. A member that is absent or of another type gives the default,
 * NULL or an empty list. What is returned is borrowed from the object.
 */
cJSON *json_get(const cJSON *o, const char *key); /* of any type */
const char *json_str(const cJSON *o, const char *key);
const char *json_str_or(const cJSON *o, const char *key, const char *other);
int64_t json_int(const cJSON *o, const char *key, int64_t other);
bool json_bool(const cJSON *o, const char *key, bool other);
/* Reads a device or inode number: decimal text, as it may be over 2^53; a
 * number below that is accepted too. */
uint64_t json_u64(const cJSON *o, const char *key, uint64_t other);
void json_strv(const cJSON *o, const char *key, struct strv *out);

/*
 * Set members. str: NULL sets nothing, text: NULL sets null. Invalid UTF-8 in
 * strings becomes '?'. Integers must be within +-2^53; u64 sets decimal text.
 */
void json_set_str(cJSON *o, const char *key, const char *value);
void json_set_text(cJSON *o, const char *key, const char *value);
void json_set_int(cJSON *o, const char *key, int64_t value);
void json_set_u64(cJSON *o, const char *key, uint64_t value);
void json_set_bool(cJSON *o, const char *key, bool value);
void json_set_strv(cJSON *o, const char *key, const struct strv *sv);
cJSON *json_set_object(cJSON *o, const char *key);
cJSON *json_set_array(cJSON *o, const char *key);
/* Copies each member of what to o, replacing existing ones. */
void json_replace_members(cJSON *o, const cJSON *what);

/* Overwrites the strings of an array or object, at any depth, in memory. */
void json_wipe(const cJSON *a);

/* Sets err from a refusal's code, error and hint. Returns -1. */
int json_err(const cJSON *o, struct err *err);

/* Appends o to out as one line, without a newline at the end. */
void json_print(const cJSON *o, struct buf *out);

/*
 * Read and write files of one object. load: dirfd may be AT_FDCWD; at most max
 * bytes; NULL with errno, EINVAL if it is not such an object, and err begins
 * with "read NAME". save: as file_replace(), with a newline at the end.
 */
cJSON *json_load(int dirfd, const char *name, size_t max, struct err *err);
int json_save(int dirfd, const char *name, const cJSON *o, bool durable,
	      struct err *err);

#endif
