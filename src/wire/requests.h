/*
 * requests.h - the requests to a supervisor, as structs that are made from
 * requests.def: a client fills one, the supervisor reads it and checks it once.
 */
#ifndef AFW_WIRE_REQUESTS_H
#define AFW_WIRE_REQUESTS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "wire/member.h"

#define REQUEST_INT_MAX (INT64_C(1) << 53)

enum request_id {
	REQUEST_NONE,
#define REQUEST(id, ...) REQUEST_##id,
#define PLAIN(id, ...)	 REQUEST_##id,
#include "wire/requests.def"
	REQUEST_COUNT,
};

/* Who may send a request, and when, as bits. */
enum request_who {
	REQUEST_ANY = 0,
	REQUEST_USER = 1,    /* no process in a session */
	REQUEST_PARENT = 2,  /* or only of this one, or of one above it */
	REQUEST_STARTER = 4, /* the process that started the supervisor */
	REQUEST_RUNNING = 8, /* only while the agent is running */
	REQUEST_LINES = 16,  /* clients without a socket, and only these */
};

/* Flags of members, in addition to those in member.h. */
enum request_flags {
	MEMBER_SECRET = MEMBER_OWN,	   /* wiped by request_finish() */
	MEMBER_FOR_USER = MEMBER_OWN << 1, /* if it is true: REQUEST_USER */
	MEMBER_FOR_ALL = MEMBER_OWN << 2,  /* if it is true: not REQUEST_USER */
};

/* Their members are borrowed, also from the object that was read; lists
 * that were read are their own. */
#define CHOICE(name, ...) const char *name;
#define TEXT(name, ...)	  const char *name;
#define LIST(name, ...)	  struct strv name;
#define BOOL(name, ...)	  bool name;
#define INT(name, ...)	  int64_t name;
#define MS(name, ...)                                                          \
	bool has_##name;                                                       \
	int64_t name;
#define OBJECT(name, ...) const cJSON *name;
#define PLAIN(id, ...)
#define REQUEST(id, name, cmd, who, ...)                                       \
	struct name##_request {                                                \
		__VA_ARGS__                                                    \
	};
#include "wire/requests.def"

struct request {
	enum request_id id;
	unsigned who;	   /* of this one, by its members; as read */
	int64_t seq;	   /* the client's number; client_request() sets it */
	const cJSON *json; /* as read; borrowed */
	union {
#define PLAIN(id, ...)
#define REQUEST(id, name, ...) struct name##_request name;
#include "wire/requests.def"
	};
};
#undef CHOICE
#undef TEXT
#undef LIST
#undef BOOL
#undef INT
#undef MS
#undef OBJECT

/* REQUEST_OF(CANCEL, .cancel.message = 3) points to one, of its block. */
#define REQUEST_OF(...) (&(struct request){.id = REQUEST_##__VA_ARGS__})

/* Returns what the table has of it. */
const char *request_name(enum request_id id);
unsigned request_who(enum request_id id);
const struct member *request_members(enum request_id id);

/* Returns which request of that name there is for clients with a socket, or
 * without (lines); REQUEST_NONE. */
enum request_id request_find(const char *name, bool lines);

/*
 * Reads the request id from o, which must outlive rq. ERR_USAGE if a member is
 * wrong or missing. request_finish() must be called even then: it frees the
 * lists, and overwrites the secrets in o.
 */
int request_read(enum request_id id, const cJSON *o, struct request *rq,
		 struct err *err);
void request_finish(struct request *rq);

/* Returns it as an object, with seq, to be deleted. */
cJSON *request_json(const struct request *rq);

#endif
