/*
 * json.c - reads JSON strictly, on top of cJSON.
 *
 * cJSON stores members as a list and keeps duplicates, so they are found after
 * parsing. afw's objects have tens of members; larger ones are refused, as the
 * check is quadratic.
 */
#include "base/json.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/utf8.h"

#define MAX_DEPTH    32
#define MAX_MEMBERS  512
#define EXACT_DIGITS INT64_C(1000000000000000)

static int check(const cJSON *v, int depth, struct err *err)
{
	size_t members = 0;

	if (depth > MAX_DEPTH)
		return err_set(err, ERR_FAILED, "JSON is nested too deep");
	for (const cJSON *c = v->child; c; c = c->next) {
		if (check(c, depth + 1, err) < 0)
			return -1;
		if (!cJSON_IsObject(v))
			continue;
		if (++members > MAX_MEMBERS)
			return err_set(err, ERR_FAILED,
				       "JSON object has too many members");
		for (const cJSON *d = v->child; d != c; d = d->next)
			if (*d->string == *c->string &&
			    strcmp(d->string, c->string) == 0)
				return err_set(err, ERR_FAILED,
					       "JSON has the key \"%.40s\" "
					       "twice",
					       c->string);
	}
	return 0;
}

/* True for a NUL, which would end cJSON's string: "v\u0000x" becomes "v", and
 * so does "v\uzzzzx". */
static bool has_nul(const char *text, size_t len)
{
	const char *at = text, *end = text + len;

	if (len == 0 || memchr(text, '\0', len))
		return len > 0;
	while ((at = memchr(at, '\\', (size_t)(end - at))) && end - at > 5) {
		at += 2; /* skips the escaped character */
		if (at[-1] != 'u')
			continue;
		if (memcmp(at, "0000", 4) == 0)
			return true;
		for (size_t k = 0; k < 4; k++)
			if (!isxdigit((unsigned char)at[k]))
				return true;
	}
	return false;
}

cJSON *json_parse_object(const char *text, size_t len, struct err *err)
{
	const char *end = NULL;
	cJSON *o;

	if (!utf8_valid(text, len) || has_nul(text, len)) {
		err_set(err, ERR_FAILED, "JSON is not UTF-8 text without NULs");
		return NULL;
	}
	o = cJSON_ParseWithLengthOpts(text, len, &end, 0);
	if (!o) {
		err_set(err, ERR_FAILED, "not JSON, or incomplete (byte %zu)",
			end ? (size_t)(end - text) : (size_t)0);
		return NULL;
	}
	while (end < text + len && strchr(" \t\r\n", *end))
		end++;
	if (!cJSON_IsObject(o) || end != text + len)
		err_set(err, ERR_FAILED, "not exactly one JSON object");
	else if (check(o, 0, err) == 0)
		return o;
	cJSON_Delete(o);
	return NULL;
}

cJSON *json_get(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

const char *json_str(const cJSON *o, const char *key)
{
	return cJSON_GetStringValue(json_get(o, key));
}

const char *json_str_or(const cJSON *o, const char *key, const char *other)
{
	const char *s = json_str(o, key);

	return s ? s : other;
}

int64_t json_int(const cJSON *o, const char *key, int64_t other)
{
	const cJSON *v = json_get(o, key);

	if (cJSON_IsRaw(v)) /* json_set_int() made it */
		return strtoll(v->valuestring, NULL, 10);
	if (!cJSON_IsNumber(v) || v->valuedouble < -9007199254740992.0 ||
	    v->valuedouble > 9007199254740992.0)
		return other;
	return (int64_t)v->valuedouble;
}

uint64_t json_u64(const cJSON *o, const char *key, uint64_t other)
{
	const char *text = json_str(o, key);
	unsigned long long value;
	char *end;

	if (!text) {
		int64_t number = json_int(o, key, -1);

		return number < 0 ? other : (uint64_t)number;
	}
	if (!isdigit((unsigned char)text[0]))
		return other; /* strtoull() accepts a sign */
	errno = 0;
	value = strtoull(text, &end, 10);
	return errno || *end ? other : value;
}

bool json_bool(const cJSON *o, const char *key, bool other)
{
	const cJSON *v = json_get(o, key);

	return cJSON_IsBool(v) ? cJSON_IsTrue(v) : other;
}

void json_strv(const cJSON *o, const char *key, struct strv *out)
{
	const cJSON *v = json_get(o, key), *c;

	if (!cJSON_IsArray(v))
		return;
	cJSON_ArrayForEach (c, v)
		if (cJSON_IsString(c))
			strv_add(out, c->valuestring);
}

static cJSON *new_string(const char *s)
{
	size_t len = strlen(s), at = 0;
	struct buf clean = {0};
	cJSON *v;

	if (utf8_valid(s, len))
		return cJSON_CreateString(s);
	while (at < len) {
		uint32_t cp;
		size_t n = utf8_decode(s + at, len - at, &cp);

		buf_add(&clean, n ? s + at : "?", n ? n : 1);
		at += n ? n : 1;
	}
	v = cJSON_CreateString(clean.data);
	buf_finish(&clean);
	return v;
}

static void set_member(cJSON *o, const char *key, cJSON *v)
{
	cJSON_DeleteItemFromObjectCaseSensitive(o, key);
	cJSON_AddItemToObject(o, key, v);
}

void json_set_str(cJSON *o, const char *key, const char *value)
{
	if (value)
		set_member(o, key, new_string(value));
}

void json_replace_members(cJSON *o, const cJSON *what)
{
	const cJSON *member;

	cJSON_ArrayForEach (member, what) {
		set_member(o, member->string, cJSON_Duplicate(member, true));
	}
}

void json_set_text(cJSON *o, const char *key, const char *value)
{
	set_member(o, key, value ? new_string(value) : cJSON_CreateNull());
}

void json_set_u64(cJSON *o, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", (unsigned long long)value);
	json_set_str(o, key, text);
}

void json_set_int(cJSON *o, const char *key, int64_t value)
{
	char text[24];

	/* cJSON prints 15 digits and treats nearly equal numbers as equal. */
	if (value > -EXACT_DIGITS && value < EXACT_DIGITS) {
		set_member(o, key, cJSON_CreateNumber((double)value));
		return;
	}
	snprintf(text, sizeof text, "%lld", (long long)value);
	set_member(o, key, cJSON_CreateRaw(text));
}

void json_set_bool(cJSON *o, const char *key, bool value)
{
	set_member(o, key, cJSON_CreateBool(value));
}

void json_set_strv(cJSON *o, const char *key, const struct strv *sv)
{
	cJSON *a = json_set_array(o, key);

	for (size_t i = 0; i < sv->n; i++)
		cJSON_AddItemToArray(a, new_string(sv->v[i]));
}

cJSON *json_set_object(cJSON *o, const char *key)
{
	cJSON *v = cJSON_CreateObject();

	set_member(o, key, v);
	return v;
}

cJSON *json_set_array(cJSON *o, const char *key)
{
	cJSON *v = cJSON_CreateArray();

	set_member(o, key, v);
	return v;
}

/* Escapes characters that a terminal would obey or show in another order:
 * outside strings everything is ASCII, and inside them it may be escaped. */
static void add_escaped(struct buf *out, const char *s, size_t len)
{
	size_t from = 0, n;
	uint32_t cp = 0;

	for (size_t i = 0; i < len; i += n ? n : 1) {
		n = (unsigned char)s[i] < 0x7f
			? 1
			: utf8_decode(s + i, len - i, &cp);
		if ((unsigned char)s[i] < 0x7f || !n || !utf8_cp_unsafe(cp))
			continue;
		buf_add(out, s + from, i - from);
		from = i + n;
		if (cp > 0xffff)
			buf_addf(out, "\\u%04x\\u%04x",
				 0xd7c0 + (unsigned)(cp >> 10),
				 0xdc00 + (unsigned)(cp & 0x3ff));
		else
			buf_addf(out, "\\u%04x", (unsigned)cp);
	}
	buf_add(out, s + from, len - from);
}

int json_err(const cJSON *o, struct err *err)
{
	int64_t code = json_int(o, "code", ERR_FAILED);
	bool known = code > 0 && code <= ERR_REFUSED;
	const char *hint = json_str_or(o, "hint", "");
	int len = (int)strcspn(hint, "\n");

	err_set(err, known ? (enum err_kind)code : ERR_FAILED, "%s",
		json_str_or(o, "error", "no reason given"));
	err_hint(err, "%.*s", len, hint);
	while (hint[len]) {
		hint += len + 1;
		len = (int)strcspn(hint, "\n");
		err_hint_line(err, "%.*s", len, hint);
	}
	return -1;
}

void json_print(const cJSON *o, struct buf *out)
{
	char *text = cJSON_PrintUnformatted(o);

	if (text)
		add_escaped(out, text, strlen(text));
	cJSON_free(text);
}

cJSON *json_load(int dirfd, const char *name, size_t max, struct err *err)
{
	struct buf text = {0};
	cJSON *o = NULL;

	if (file_read(dirfd, name, max, &text, err) == 0) {
		o = json_parse_object(text.data ? text.data : "", text.len,
				      err);
		if (!o)
			err_prefix(err, "read %s", name);
		errno = EINVAL;
	}
	buf_finish(&text); /* errno stays: free(3) */
	return o;
}

int json_save(int dirfd, const char *name, const cJSON *o, bool durable,
	      struct err *err)
{
	struct buf text = {0};
	int rc;

	json_print(o, &text);
	buf_addc(&text, '\n');
	rc = file_replace(dirfd, name, text.data, text.len, durable, err);
	buf_finish(&text);
	return rc;
}

void json_wipe(const cJSON *a)
{
	const cJSON *e;

	cJSON_ArrayForEach (e, a) {
		if (cJSON_IsString(e))
			explicit_bzero(e->valuestring, strlen(e->valuestring));
		json_wipe(e);
	}
}
