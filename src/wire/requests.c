/* requests.c - the table of requests; reads and writes one by its rows. */
#include "wire/requests.h"

#include <string.h>

#include "base/json.h"

#define ROW(n, k, ...)                                                         \
	{.name = #n,                                                           \
	 .kind = VALUE_##k,                                                    \
	 .offset = offsetof(self, n),                                          \
	 __VA_ARGS__},
#define TEXT(n, f)	     ROW(n, TEXT, .flags = f)
#define CHOICE(n, f, ...)    ROW(n, WORD, .flags = f, .one_of = {__VA_ARGS__})
#define LIST(n, f)	     ROW(n, STRV, .flags = f)
#define BOOL(n, f)	     ROW(n, BOOL, .flags = f)
#define INT(n, f, low, high) ROW(n, INT, .flags = f, .min = low, .max = high)
#define MS(n, low, high)                                                       \
	ROW(n, GIVEN, .min = low, .max = high, .given = offsetof(self, has_##n))
#define OBJECT(n, f) ROW(n, JSON, .flags = f)

const struct member *request_members(enum request_id id)
{
	static const struct member none = {0};

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
		static const struct member rows[] = {__VA_ARGS__{0}};          \
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

/* A member that is true may change who may send the request. */
static void add_who(const struct member *m, struct request *rq)
{
	bool is = m->kind == VALUE_BOOL &&
		  *((const bool *)members_at(rq) + m->offset);

	if (is && m->flags & MEMBER_FOR_USER)
		rq->who |= REQUEST_USER;
	if (is && m->flags & MEMBER_FOR_ALL)
		rq->who &= ~(unsigned)REQUEST_USER;
}

int request_read(enum request_id id, const cJSON *o, struct request *rq,
		 struct err *err)
{
	const struct member *rows = request_members(id);

	*rq = (struct request){.id = id,
			       .who = requests[id].who,
			       .seq = json_int(o, "seq", 0),
			       .json = o};
	if (members_read(rows, requests[id].cmd, members_at(rq), o, err) < 0)
		return -1;
	for (const struct member *m = rows; m->name; m++)
		add_who(m, rq);
	return 0;
}

void request_finish(struct request *rq)
{
	const struct member *rows = request_members(rq->id);

	members_finish(rows, members_at(rq));
	for (const struct member *m = rows; m->name; m++)
		if (m->flags & MEMBER_SECRET)
			json_wipe(json_get(rq->json, m->name));
}

cJSON *request_json(const struct request *rq)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "cmd", requests[rq->id].cmd);
	json_set_int(o, "seq", rq->seq);
	members_write(request_members(rq->id), members_at(rq), o);
	return o;
}
