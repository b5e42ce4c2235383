/* member.c - writes, reads and checks the members of a message. */
#include "wire/member.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"

#define COMMIT_DIGITS 40
#define EXACT_INT     9007199254740992.0 /* in JSON */

/* The member at p, with its own type. */
#define IS(type) (*(type *)p)

static const struct strv empty;

/* -- writing --------------------------------------------------------------- */

static void write_objects(const struct member *m, const void *p, cJSON *o)
{
	const struct member_objects *all = p;
	cJSON *list;

	if (!all->n && !(m->flags & MEMBER_MUST))
		return;
	list = json_set_array(o, m->name);
	for (size_t i = 0; i < all->n; i++) {
		cJSON *one = cJSON_CreateObject();

		members_write(m->rows(), (const char *)all->v + i * m->size,
			      one);
		cJSON_AddItemToArray(list, one);
	}
}

static void write_member(const struct member *m, const char *message, cJSON *o)
{
	const void *p = message + m->offset;
	bool must = m->flags & MEMBER_MUST;

	switch (m->kind) {
	case VALUE_TEXT:
	case VALUE_PATH:
	case VALUE_COMMIT:
	case VALUE_CHOICE:
	case VALUE_WORD:
		json_set_str(o, m->name, IS(const char *const));
		break;
	case VALUE_INT:
		if (must || IS(const int64_t))
			json_set_int(o, m->name, IS(const int64_t));
		break;
	case VALUE_GIVEN:
		if (*(const bool *)(message + m->given))
			json_set_int(o, m->name, IS(const int64_t));
		break;
	case VALUE_INODE:
		if (IS(const uint64_t))
			json_set_u64(o, m->name, IS(const uint64_t));
		break;
	case VALUE_BOOL:
		if (IS(const bool))
			json_set_bool(o, m->name, true);
		break;
	case VALUE_SWITCH:
		if (IS(const enum member_switch) != SWITCH_ABSENT)
			json_set_bool(o, m->name,
				      IS(const enum member_switch) ==
					  SWITCH_ON);
		break;
	case VALUE_LIST:
	case VALUE_SUBSET:
		if (IS(const struct strv *const))
			json_set_strv(o, m->name, IS(const struct strv *const));
		break;
	case VALUE_STRV:
		if (must || IS(const struct strv).n)
			json_set_strv(o, m->name, p);
		break;
	case VALUE_JSON:
		if (IS(const cJSON *const))
			cJSON_AddItemReferenceToObject(
			    o, m->name, (cJSON *)(size_t)IS(cJSON *const));
		break;
	case VALUE_GROUP:
		members_write(m->rows(), p, o);
		break;
	case VALUE_OBJECT:
		if (IS(const void *const))
			members_write(m->rows(), IS(const void *const),
				      json_set_object(o, m->name));
		break;
	case VALUE_OBJECTS:
		write_objects(m, p, o);
		break;
	}
}

void members_write(const struct member *rows, const void *message, cJSON *o)
{
	for (const struct member *m = rows; m->name; m++)
		write_member(m, message, o);
}

/* -- checking -------------------------------------------------------------- */

static bool is_list(const cJSON *v, cJSON_bool (*is)(const cJSON *))
{
	const cJSON *one;

	cJSON_ArrayForEach (one, v)
		if (!is(one))
			return false;
	return cJSON_IsArray(v);
}

static bool is_word(const struct member *m, const char *text)
{
	for (const char *const *word = m->one_of; text && *word; word++)
		if (strcmp(*word, text) == 0)
			return true;
	return false;
}

static bool is_pairs(const cJSON *list)
{
	const cJSON *one;

	cJSON_ArrayForEach (one, list)
		if (strcspn(one->valuestring, "=") == 0 ||
		    !strchr(one->valuestring, '='))
			return false;
	return true;
}

static bool is_valid(const struct member *m, const cJSON *v)
{
	const char *text = cJSON_GetStringValue(v);
	double max = m->max ? (double)m->max : EXACT_INT;

	if (m->flags & MEMBER_FILLED && !(text ? *text != '\0' : !!v->child))
		return false;
	switch (m->kind) {
	case VALUE_TEXT:
		return text;
	case VALUE_PATH:
		return text && text[0] == '/';
	case VALUE_COMMIT:
		return text && strlen(text) == COMMIT_DIGITS &&
		       strspn(text, "0123456789abcdef") == COMMIT_DIGITS;
	case VALUE_CHOICE:
	case VALUE_WORD:
		return is_word(m, text);
	case VALUE_INT:
	case VALUE_GIVEN:
		return cJSON_IsNumber(v) && v->valuedouble >= (double)m->min &&
		       v->valuedouble <= max;
	case VALUE_INODE:
		return cJSON_IsNumber(v) ||
		       (text && strspn(text, "0123456789") == strlen(text));
	case VALUE_BOOL:
	case VALUE_SWITCH:
		return cJSON_IsBool(v);
	case VALUE_LIST:
	case VALUE_SUBSET:
	case VALUE_STRV:
		return is_list(v, cJSON_IsString) &&
		       (!(m->flags & MEMBER_PAIRS) || is_pairs(v));
	case VALUE_OBJECT:
	case VALUE_JSON:
		return cJSON_IsObject(v);
	case VALUE_OBJECTS:
		return is_list(v, cJSON_IsObject);
	case VALUE_GROUP:
		break;
	}
	return false;
}

static int err_kind(const struct member *m, const char *what, struct err *err)
{
	static const char *const kinds[] = {
	    [VALUE_TEXT] = "a text",
	    [VALUE_PATH] = "an absolute path",
	    [VALUE_COMMIT] = "the id of a commit",
	    [VALUE_CHOICE] = "one of its words",
	    [VALUE_WORD] = "one of its words",
	    [VALUE_INT] = "a number",
	    [VALUE_GIVEN] = "a number",
	    [VALUE_INODE] = "a number as text",
	    [VALUE_BOOL] = "true or false",
	    [VALUE_SWITCH] = "true or false",
	    [VALUE_LIST] = "a list of texts",
	    [VALUE_SUBSET] = "a list of texts",
	    [VALUE_STRV] = "a list of texts",
	    [VALUE_JSON] = "an object",
	    [VALUE_OBJECT] = "an object",
	    [VALUE_OBJECTS] = "a list of objects",
	};
	_buf_ struct buf more = {0};

	for (size_t i = 0; m->one_of[i]; i++)
		buf_addf(&more, "%s%s", i ? ", " : ": ", m->one_of[i]);
	if (m->min || m->max)
		buf_addf(&more, " from %lld", (long long)m->min);
	if (m->max)
		buf_addf(&more, " to %lld", (long long)m->max);
	if (m->flags & MEMBER_PAIRS)
		buf_adds(&more, ", NAME=VALUE each");
	if (m->flags & MEMBER_FILLED)
		buf_adds(&more, ", or is empty");
	if (m->help)
		buf_addf(&more, " (%s)", m->help);
	return err_set(err, ERR_USAGE, "\"%s\" of %s is not %s%s", m->name,
		       what, kinds[m->kind], more.len ? more.data : "");
}

static bool is_known(const struct member *rows, const char *name)
{
	for (const struct member *m = rows; m->name; m++)
		if (m->kind == VALUE_GROUP ? is_known(m->rows(), name)
					   : strcmp(m->name, name) == 0)
			return true;
	return false;
}

/* -- reading --------------------------------------------------------------- */

static const struct strv *read_list(const cJSON *o, const char *name)
{
	struct strv *list = mem_alloc(sizeof *list);

	json_strv(o, name, list);
	return list;
}

static int read_objects(const struct member *m, const char *what, void *p,
			const cJSON *list, struct err *err)
{
	_free_ char *name = mem_printf("%s of %s", m->name, what);
	size_t n = (size_t)cJSON_GetArraySize(list);
	char *at = mem_alloc(n * m->size + 1);
	const cJSON *one;

	IS(struct member_objects) = (struct member_objects){at, n};
	cJSON_ArrayForEach (one, list) {
		if (members_read_all(m->rows(), name, at, one, err) < 0)
			return -1;
		at += m->size;
	}
	return 0;
}

static int read_object(const struct member *m, const char *what, void *p,
		       const cJSON *v, struct err *err)
{
	_free_ char *name = mem_printf("%s of %s", m->name, what);
	void *one = mem_alloc(m->size);

	IS(const void *) = one;
	return members_read_all(m->rows(), name, one, v, err);
}

static int read_member(const struct member *m, const char *what, char *message,
		       const cJSON *o, struct err *err)
{
	const cJSON *v = json_get(o, m->name);
	void *p = message + m->offset;

	if (m->kind == VALUE_GROUP)
		return members_read(m->rows(), what, p, o, err);
	if (cJSON_IsNull(v))
		v = NULL;
	if (!v && m->flags & MEMBER_MUST)
		return err_set(err, ERR_USAGE, "%s needs \"%s\"%s%s%s", what,
			       m->name, m->help ? " (" : "",
			       m->help ? m->help : "", m->help ? ")" : "");
	if (v && !is_valid(m, v))
		return err_kind(m, what, err);
	switch (m->kind) {
	case VALUE_CHOICE:
		IS(const char *) = json_str_or(o, m->name, m->one_of[0]);
		break;
	case VALUE_INT:
		IS(int64_t) = json_int(o, m->name, m->none);
		break;
	case VALUE_GIVEN:
		*(bool *)(message + m->given) = v != NULL;
		IS(int64_t) = json_int(o, m->name, 0);
		break;
	case VALUE_INODE:
		IS(uint64_t) = json_u64(o, m->name, 0);
		break;
	case VALUE_BOOL:
		IS(bool) = cJSON_IsTrue(v);
		break;
	case VALUE_SWITCH:
		IS(enum member_switch) = !v		   ? SWITCH_ABSENT
					 : cJSON_IsTrue(v) ? SWITCH_ON
							   : SWITCH_OFF;
		break;
	case VALUE_LIST:
		IS(const struct strv *) = v ? read_list(o, m->name) : &empty;
		break;
	case VALUE_SUBSET:
		IS(const struct strv *) = v ? read_list(o, m->name) : NULL;
		break;
	case VALUE_STRV:
		json_strv(o, m->name, p);
		break;
	case VALUE_JSON:
		IS(const cJSON *) = v;
		break;
	case VALUE_OBJECT:
		return v ? read_object(m, what, p, v, err) : 0;
	case VALUE_OBJECTS:
		return read_objects(m, what, p, v, err);
	default:
		IS(const char *) = json_str_or(o, m->name, m->text);
		break;
	}
	return 0;
}

int members_read(const struct member *rows, const char *what, void *message,
		 const cJSON *o, struct err *err)
{
	for (const struct member *m = rows; m->name; m++)
		if (read_member(m, what, message, o, err) < 0)
			return -1;
	return 0;
}

int members_read_all(const struct member *rows, const char *what, void *message,
		     const cJSON *o, struct err *err)
{
	const cJSON *v;

	cJSON_ArrayForEach (v, o)
		if (!is_known(rows, v->string))
			return err_set(err, ERR_USAGE,
				       "%s has no member \"%.40s\"", what,
				       v->string);
	return members_read(rows, what, message, o, err);
}

/* -- releasing ------------------------------------------------------------- */

static void finish_member(const struct member *m, void *p)
{
	const struct member_objects *all = p;
	void *one;

	switch (m->kind) {
	case VALUE_LIST:
	case VALUE_SUBSET:
		one = (void *)(size_t)IS(const struct strv *);
		if (!one || one == &empty)
			break;
		strv_finish(one);
		free(one);
		break;
	case VALUE_STRV:
		strv_finish(p);
		break;
	case VALUE_GROUP:
		members_finish(m->rows(), p);
		break;
	case VALUE_OBJECT:
		one = (void *)(size_t)IS(const void *);
		if (one)
			members_finish(m->rows(), one);
		free(one);
		break;
	case VALUE_OBJECTS:
		one = (void *)(size_t)all->v;
		for (size_t i = 0; i < all->n; i++)
			members_finish(m->rows(), (char *)one + i * m->size);
		free(one);
		break;
	default:
		break;
	}
}

void members_finish(const struct member *rows, void *message)
{
	for (const struct member *m = rows; m->name; m++)
		finish_member(m, (char *)message + m->offset);
}
