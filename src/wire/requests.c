/* requests.c - the table of requests; reads and writes one by its rows. */
#include "wire/requests.h"

#include <string.h>

#include "base/json.h"

#define ROW(n, k, f, ...)                                                      \
	{.name = #n,                                                           \
	 .kind = MEMBER_##k,                                                   \
	 .flags = f,                                                           \
	 .offset = offsetof(self, n),                                          \
	 __VA_ARGS__},
#define TEXT(n, f)	     ROW(n, TEXT, f, .max = 0)
#define CHOICE(n, f, words)  ROW(n, CHOICE, f, .choices = words)
#define LIST(n, f)	     ROW(n, LIST, f, .max = 0)
#define BOOL(n, f)	     ROW(n, BOOL, f, .max = 0)
#define INT(n, f, low, high) ROW(n, INT, f, .min = low, .max = high)
#define MS(n, low, high)                                                       \
	ROW(n, MS, 0, .min = low, .max = high, .has = offsetof(self, has_##n))
#define OBJECT(n, f) ROW(n, OBJECT, f, .max = 0)

const struct request_member *request_members(enum request_id id)
{
	static const struct request_member none = {0};

	switch (id) {
#define PLAIN(id, ...) case REQUEST_##id:
#define REQUEST(id, ...)
#include "wire/requests.def"
	case REQUEST_NONE:
	case REQUEST_COUNT:
		break;
#define PLAIN(id, ...)
#define REQUEST(id, name, cmd, who, ...)                                       \
	case REQUEST_##id: {                                                   \
		typedef struct name##_request self;                            \
		static const struct request_member rows[] = {__VA_ARGS__{0}};  \
		return rows;                                                   \
	}
#include "wire/requests.def"
	}
	return &none;
}

static const struct {
	const char *cmd;
	unsigned who;
} requests[REQUEST_COUNT] = {
#define PLAIN(id, cmd, who)		 [REQUEST_##id] = {cmd, who},
#define REQUEST(id, name, cmd, who, ...) [REQUEST_##id] = {cmd, who},
#include "wire/requests.def"
};

const char *request_name(enum request_id id)
{
	return requests[id].cmd;
}

unsigned request_who(enum request_id id)
{
	return requests[id].who;
}

enum request_id request_find(const char *name, bool lines)
{
	enum request_id id = REQUEST_COUNT - 1;

	while (id && (strcmp(requests[id].cmd, name) != 0 ||
		      lines != !!(requests[id].who & REQUEST_LINES)))
		id--;
	return id;
}

/* Returns the struct of its members: all begin at the same place. */
static void *members_at(const struct request *rq)
{
	return (char *)(size_t)rq + offsetof(struct request, answer);
}

/* The member at p, with its own type. */
#define IS(type) (*(type *)p)

/* -- reading --------------------------------------------------------------- */

static int read_list(const struct request_member *m, const cJSON *v,
		     struct strv *list, struct err *err)
{
	const cJSON alone = {.type = cJSON_Object, .child = (cJSON *)(size_t)v};

	json_strv(&alone, m->name, list);
	if (m->flags & MEMBER_SECRET)
		json_wipe(v);
	if (!cJSON_IsArray(v) || list->n != (size_t)cJSON_GetArraySize(v))
		return err_set(err, ERR_USAGE, "%s is not an array of strings",
			       m->name);
	if (m->flags & MEMBER_FILLED && !list->n)
		return err_set(err, ERR_USAGE, "%s is empty", m->name);
	for (size_t i = 0; m->flags & MEMBER_PAIRS && i < list->n; i++)
		if (strcspn(list->v[i], "=") == 0 || !strchr(list->v[i], '='))
			return err_set(err, ERR_USAGE,
				       "%s: number %zu is not NAME=VALUE",
				       m->name, i + 1);
	return 0;
}

/* words: separated by ", ". */
static bool is_choice(const char *text, const char *words)
{
	size_t len = strlen(text);

	for (; words; words = strchr(words, ' '), words += !!words)
		if (strncmp(words, text, len) == 0 &&
		    (words[len] == ',' || words[len] == '\0'))
			return len > 0;
	return false;
}

static int read_text(const struct request_member *m, const cJSON *v,
		     const char **text, struct err *err)
{
	*text = cJSON_GetStringValue(v);
	if (m->choices && (!*text || !is_choice(*text, m->choices)))
		return err_set(err, ERR_USAGE, "%s is not one of %s", m->name,
			       m->choices);
	if (*text && (**text || !(m->flags & MEMBER_FILLED)))
		return 0;
	return err_set(err, ERR_USAGE, "%s is not a string%s", m->name,
		       m->flags & MEMBER_FILLED ? ", or is empty" : "");
}

static int read_number(const struct request_member *m, const cJSON *v,
		       int64_t *number, struct err *err)
{
	if (!cJSON_IsNumber(v) || v->valuedouble < (double)m->min ||
	    v->valuedouble > (double)m->max)
		return err_set(err, ERR_USAGE,
			       "%s is not a number from %lld to %lld", m->name,
			       (long long)m->min, (long long)m->max);
	*number = (int64_t)v->valuedouble;
	return 0;
}

static int read_member(const struct request_member *m, const cJSON *v,
		       char *base, struct request *rq, struct err *err)
{
	void *p = base + m->offset;

	switch (m->kind) {
	case MEMBER_TEXT:
	case MEMBER_CHOICE:
		return read_text(m, v, p, err);
	case MEMBER_LIST:
		return read_list(m, v, p, err);
	case MEMBER_MS:
		*(bool *)(base + m->has) = true;
		return read_number(m, v, p, err);
	case MEMBER_INT:
		return read_number(m, v, p, err);
	case MEMBER_OBJECT:
		IS(const cJSON *) = v;
		return cJSON_IsObject(v)
			   ? 0
			   : err_set(err, ERR_USAGE, "%s is not an object",
				     m->name);
	case MEMBER_BOOL:
		IS(bool) = cJSON_IsTrue(v);
		if (IS(bool) && m->flags & MEMBER_FOR_USER)
			rq->who |= REQUEST_USER;
		if (IS(bool) && m->flags & MEMBER_FOR_ALL)
			rq->who &= ~(unsigned)REQUEST_USER;
		break;
	}
	return cJSON_IsBool(v) ? 0
			       : err_set(err, ERR_USAGE,
					 "%s is not true or false", m->name);
}

int request_read(enum request_id id, const cJSON *o, struct request *rq,
		 struct err *err)
{
	*rq = (struct request){.id = id,
			       .who = requests[id].who,
			       .seq = json_int(o, "seq", 0),
			       .json = o};
	for (const struct request_member *m = request_members(id); m->name;
	     m++) {
		const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, m->name);
		int rc = 0;

		if (v && !cJSON_IsNull(v))
			rc = read_member(m, v, members_at(rq), rq, err);
		else if (m->flags & MEMBER_MUST)
			rc = err_set(err, ERR_USAGE, "%s is missing", m->name);
		if (rc < 0)
			return err_prefix(err, "%s", requests[id].cmd);
	}
	return 0;
}

void request_finish(struct request *rq)
{
	for (const struct request_member *m = request_members(rq->id); m->name;
	     m++) {
		if (m->kind == MEMBER_LIST)
			strv_finish(
			    (void *)((char *)members_at(rq) + m->offset));
		if (m->flags & MEMBER_SECRET)
			json_wipe(cJSON_GetObjectItemCaseSensitive(rq->json,
								   m->name));
	}
}

/* -- writing --------------------------------------------------------------- */

static void write_member(const struct request_member *m, const char *base,
			 cJSON *o)
{
	const void *p = base + m->offset;
	bool must = m->flags & MEMBER_MUST;

	switch (m->kind) {
	case MEMBER_TEXT:
	case MEMBER_CHOICE:
		json_set_str(o, m->name, IS(const char *const));
		break;
	case MEMBER_LIST:
		if (must || IS(const struct strv).n)
			json_set_strv(o, m->name, p);
		break;
	case MEMBER_BOOL:
		if (IS(const bool))
			json_set_bool(o, m->name, true);
		break;
	case MEMBER_INT:
		if (must || IS(const int64_t))
			json_set_int(o, m->name, IS(const int64_t));
		break;
	case MEMBER_MS:
		if (*(const bool *)(base + m->has))
			json_set_int(o, m->name, IS(const int64_t));
		break;
	case MEMBER_OBJECT:
		if (IS(const cJSON *const))
			cJSON_AddItemReferenceToObject(
			    o, m->name, (cJSON *)(size_t)IS(cJSON *const));
		break;
	}
}

cJSON *request_json(const struct request *rq)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "cmd", requests[rq->id].cmd);
	json_set_int(o, "seq", rq->seq);
	for (const struct request_member *m = request_members(rq->id); m->name;
	     m++)
		write_member(m, members_at(rq), o);
	return o;
}
