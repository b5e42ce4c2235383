/*
 * field.c - writes, reads, packs, prints and frees a member of a struct, by its
 * kind (text, number, list ...).
 */
#include "session/field.h"

#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "session/phase.h"

/* The member at p, with its own type. */
#define IS(type) (*(type *)p)

static void *member_at(const void *base, const struct field *f)
{
	return (char *)(size_t)base + f->offset;
}

static void write_time(cJSON *o, const char *name, int64_t at)
{
	char text[CLOCK_RFC3339_SIZE];

	if (at <= 0)
		return;
	clock_format(at, text);
	json_set_str(o, name, text);
}

static void write_value(cJSON *o, const char *name, const cJSON *value)
{
	if (value)
		cJSON_AddItemToObject(o, name, cJSON_Duplicate(value, 1));
}

/* In a file, a number is always written, also if it is 0. */
static bool is_none(const struct field *f, const void *p)
{
	switch (f->kind) {
	case FIELD_TEXT:
		return !IS(char *const);
	case FIELD_INT:
		return IS(const int) == f->none;
	case FIELD_INT64:
		return IS(const int64_t) == f->none;
	case FIELD_TIME:
		return IS(const int64_t) <= 0;
	case FIELD_OBJECT:
	case FIELD_ARRAY:
		return !IS(cJSON *const);
	case FIELD_ACTIVITY:
		return IS(const enum activity) == ACTIVITY_NONE;
	case FIELD_NOTICE:
		return IS(const enum notice) == NOTICE_NONE;
	default:
		return false;
	}
}

static void write_none(const struct field *f, cJSON *o)
{
	if (f->kind == FIELD_ARRAY)
		json_set_array(o, f->name);
	else
		json_set_text(o, f->name, NULL);
}

static void write_member(const struct field *f, const void *p, cJSON *o)
{
	switch (f->kind) {
	case FIELD_TEXT:
		json_set_str(o, f->name, IS(char *const));
		break;
	case FIELD_LIST:
		json_set_strv(o, f->name, &IS(const struct strv));
		break;
	case FIELD_INT:
		json_set_int(o, f->name, IS(const int));
		break;
	case FIELD_INT64:
	case FIELD_COUNT:
		json_set_int(o, f->name, IS(const int64_t));
		break;
	case FIELD_U64:
		json_set_u64(o, f->name, IS(const uint64_t));
		break;
	case FIELD_BOOL:
		if (IS(const bool))
			json_set_bool(o, f->name, true);
		break;
	case FIELD_TIME:
		write_time(o, f->name, IS(const int64_t));
		break;
	case FIELD_OBJECT:
	case FIELD_ARRAY:
		write_value(o, f->name, IS(cJSON *const));
		break;
	case FIELD_PHASE:
		json_set_str(o, f->name, phase_name(IS(const enum phase)));
		break;
	case FIELD_ACTIVITY:
		json_set_str(o, f->name,
			     activity_name(IS(const enum activity)));
		break;
	case FIELD_NOTICE:
		json_set_str(o, f->name, notice_name(IS(const enum notice)));
		break;
	}
}

void fields_write(const struct field *table, unsigned use, const void *base,
		  cJSON *o)
{
	for (const struct field *f = table; f->name; f++) {
		if (!(f->use & use))
			continue;
		if (use == FIELD_JSON && is_none(f, member_at(base, f)))
			write_none(f, o);
		else
			write_member(f, member_at(base, f), o);
	}
}

/* In a file, no activity is ""; elsewhere it is null. */
static int parse_activity(const cJSON *o, const char *name, enum activity *out)
{
	const cJSON *v = json_get(o, name);

	return activity_parse(cJSON_IsNull(v) ? "" : cJSON_GetStringValue(v),
			      out);
}

static bool is_valid(const struct field *f, const cJSON *o)
{
	enum phase phase;
	enum activity activity;

	if (f->kind == FIELD_PHASE)
		return phase_parse(json_str(o, f->name), &phase) == 0;
	if (f->kind == FIELD_ACTIVITY)
		return parse_activity(o, f->name, &activity) == 0;
	return true;
}

static int64_t parse_time(const cJSON *o, const char *name)
{
	int64_t at = clock_parse(json_str_or(o, name, ""));

	return at > 0 ? at : 0;
}

static cJSON *detach_value(cJSON *o, const char *name, int type)
{
	cJSON *v = json_get(o, name);

	return v && v->type == type ? cJSON_DetachItemViaPointer(o, v) : NULL;
}

static void finish_member(const struct field *f, void *p)
{
	switch (f->kind) {
	case FIELD_TEXT:
		mem_set(&IS(char *), NULL);
		break;
	case FIELD_LIST:
		strv_finish(&IS(struct strv));
		break;
	case FIELD_OBJECT:
	case FIELD_ARRAY:
		cJSON_Delete(IS(cJSON *));
		IS(cJSON *) = NULL;
		break;
	default:
		break;
	}
}

static void read_member(const struct field *f, void *p, cJSON *o)
{
	finish_member(f, p);
	switch (f->kind) {
	case FIELD_TEXT:
		IS(char *) = mem_strdup(json_str(o, f->name));
		break;
	case FIELD_LIST:
		json_strv(o, f->name, &IS(struct strv));
		break;
	case FIELD_INT:
		IS(int) = (int)json_int(o, f->name, f->none);
		break;
	case FIELD_INT64:
	case FIELD_COUNT:
		IS(int64_t) = json_int(o, f->name, f->none);
		break;
	case FIELD_U64:
		IS(uint64_t) = json_u64(o, f->name, 0);
		break;
	case FIELD_BOOL:
		IS(bool) = json_bool(o, f->name, false);
		break;
	case FIELD_TIME:
		IS(int64_t) = parse_time(o, f->name);
		break;
	case FIELD_OBJECT:
		IS(cJSON *) = detach_value(o, f->name, cJSON_Object);
		break;
	case FIELD_ARRAY:
		IS(cJSON *) = detach_value(o, f->name, cJSON_Array);
		break;
	case FIELD_PHASE:
		phase_parse(json_str(o, f->name), &IS(enum phase));
		break;
	case FIELD_ACTIVITY:
		parse_activity(o, f->name, &IS(enum activity));
		break;
	case FIELD_NOTICE:
		if (notice_parse(json_str(o, f->name), &IS(enum notice)) < 0)
			IS(enum notice) = NOTICE_NONE;
		break;
	}
}

/* Returns the row of that name, or NULL. A file that afw wrote has the order of
 * the table, so the row is mostly one of the next after last. */
static const struct field *find_row(const struct field *table,
				    const struct field *last, const char *name)
{
	const struct field *f = last;

	do {
		if (f->name && strcmp(f->name, name) == 0)
			return f;
		f = f->name ? f + 1 : table;
	} while (f != last);
	return NULL;
}

/* Returns whether the value is detached from the object. */
static bool is_taken(const struct field *f)
{
	return f->kind == FIELD_OBJECT || f->kind == FIELD_ARRAY;
}

int fields_read(const struct field *table, unsigned use, void *base, cJSON *o,
		struct err *err)
{
	cJSON nothing = {.type = cJSON_Object};
	const struct field *last = table;

	for (const struct field *f = table; f->name; f++)
		if ((f->use & use) && !is_valid(f, o))
			return err_set(err, ERR_FAILED, "it has no valid %s",
				       f->name);
	for (const struct field *f = table; f->name; f++)
		if (f->use & use)
			read_member(f, member_at(base, f), &nothing);
	for (cJSON *v = o->child, *next; v; v = next) {
		cJSON alone = {.type = cJSON_Object, .child = v};
		const struct field *f = find_row(table, last, v->string);

		next = v->next;
		if (!f || !(f->use & use))
			continue;
		read_member(f, member_at(base, f), is_taken(f) ? o : &alone);
		last = f;
	}
	return 0;
}

/* -- packed --------------------------------------------------------------- */

/* Returns the size of a member that is packed unchanged; 0 for a string. */
static size_t fixed_size(const struct field *f)
{
	switch (f->kind) {
	case FIELD_INT:
		return sizeof(int);
	case FIELD_INT64:
	case FIELD_COUNT:
	case FIELD_TIME:
		return sizeof(int64_t);
	case FIELD_U64:
		return sizeof(uint64_t);
	case FIELD_BOOL:
		return sizeof(bool);
	case FIELD_PHASE:
		return sizeof(enum phase);
	case FIELD_ACTIVITY:
		return sizeof(enum activity);
	case FIELD_NOTICE:
		return sizeof(enum notice);
	default:
		return 0;
	}
}

size_t fields_pack(const struct field *table, const void *base, char *out,
		   size_t room)
{
	size_t len = 0;

	for (const struct field *f = table; f->name; f++) {
		const void *p = member_at(base, f);
		size_t size = fixed_size(f);

		if (!(f->use & FIELD_BOARD))
			continue;
		if (!size) {
			p = IS(char *const) ? IS(char *const) : "";
			size = strlen(p) + 1;
		}
		if (size > room - len)
			return 0;
		memcpy(out + len, p, size);
		len += size;
	}
	return len;
}

static bool is_known(const struct field *f, const void *p)
{
	switch (f->kind) {
	case FIELD_PHASE:
		return IS(const enum phase) < PHASE_COUNT;
	case FIELD_ACTIVITY:
		return IS(const enum activity) < ACTIVITY_COUNT;
	case FIELD_NOTICE:
		return IS(const enum notice) < NOTICE_COUNT;
	default:
		return true;
	}
}

bool fields_unpack(const struct field *table, void *base, const char *bytes,
		   size_t len)
{
	for (const struct field *f = table; f->name; f++) {
		void *p = member_at(base, f);
		size_t size = fixed_size(f);
		const char *end;

		if (!(f->use & FIELD_BOARD))
			continue;
		if (size) {
			if (size > len)
				return false;
			memcpy(p, bytes, size);
		} else {
			end = memchr(bytes, '\0', len);
			if (!end)
				return false;
			size = (size_t)(end + 1 - bytes);
			mem_set(&IS(char *), size > 1 ? bytes : NULL);
		}
		if (!is_known(f, p))
			return false;
		bytes += size;
		len -= size;
	}
	return len == 0;
}

/* -- printed -------------------------------------------------------------- */

static void print_time(int64_t at, struct buf *out)
{
	char when[CLOCK_RFC3339_SIZE], age[24];

	clock_format(at, when);
	clock_age(clock_wall_ms() - at, age, sizeof age);
	buf_addf(out, "%s (%s ago)", when, age);
}

static void print_member(const struct field *f, const void *p, struct buf *out)
{
	const struct strv *list = p;

	switch (f->kind) {
	case FIELD_TEXT:
		buf_adds(out, IS(char *const));
		break;
	case FIELD_LIST:
		for (size_t i = 0; i < list->n; i++)
			buf_addf(out, "%s%s", i ? "\n" : "", list->v[i]);
		break;
	case FIELD_INT:
		buf_addf(out, "%d", IS(const int));
		break;
	case FIELD_INT64:
	case FIELD_COUNT:
		buf_addf(out, "%lld", (long long)IS(const int64_t));
		break;
	case FIELD_TIME:
		print_time(IS(const int64_t), out);
		break;
	case FIELD_PHASE:
		buf_adds(out, phase_name(IS(const enum phase)));
		break;
	case FIELD_ACTIVITY:
		buf_adds(out, activity_name(IS(const enum activity)));
		break;
	default:
		break;
	}
}

bool field_print(const struct field *table, const char *name, const void *base,
		 struct buf *out)
{
	const struct field *f = table;

	while (f->name && strcmp(f->name, name) != 0)
		f++;
	if (f->name && !is_none(f, member_at(base, f)))
		print_member(f, member_at(base, f), out);
	return f->name != NULL;
}

void fields_finish(const struct field *table, void *base)
{
	for (const struct field *f = table; f->name; f++)
		finish_member(f, member_at(base, f));
}
