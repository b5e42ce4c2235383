/*
 * worktree_request.h - the requests to afw-worktree(8): struct undo_request and
 * so on, as in worktree_request.def, which describes each member.
 *
 *	struct undo_request rq = {.place = spec_place(&s->spec), .to = 3};
 *
 *	answer = worktree_client_run(undo_request(&rq), NULL, NULL, 0, err);
 */
#ifndef AFW_WIRE_WORKTREE_REQUEST_H
#define AFW_WIRE_WORKTREE_REQUEST_H

#include "base/buf.h"
#include "wire/member.h"

#define VALUE_TYPE_TEXT	  const char *
#define VALUE_TYPE_PATH	  const char *
#define VALUE_TYPE_COMMIT const char *
#define VALUE_TYPE_CHOICE const char *
#define VALUE_TYPE_INT	  int64_t
#define VALUE_TYPE_INODE  uint64_t
#define VALUE_TYPE_BOOL	  bool
#define VALUE_TYPE_SWITCH enum member_switch
#define VALUE_TYPE_LIST	  const struct strv *
#define VALUE_TYPE_SUBSET const struct strv *

#define RECORD(tag)		  struct tag {
#define OPERATION(op, ...)	  struct op##_request {
#define NEEDS(kind, member, ...)  VALUE_TYPE_##kind member;
#define TAKES(kind, member, ...)  VALUE_TYPE_##kind member;
#define GROUP(tag, member)	  struct tag member;
#define OBJECT(tag, member, ...)  const struct tag *member;
#define OBJECTS(tag, member, ...) struct member_objects member;
#define END                                                                    \
	}                                                                      \
	;
#include "wire/worktree_request.def"

enum worktree_operation {
#define OPERATION(op, ...) WORKTREE_##op,
#include "wire/worktree_request.def"
};

struct worktree_request {
	enum worktree_operation op;
	const void *members; /* of its struct; borrowed */
};

#define OPERATION(op, ...)                                                     \
	static inline struct worktree_request op##_request(                    \
	    const struct op##_request *members)                                \
	{                                                                      \
		return (struct worktree_request){WORKTREE_##op, members};      \
	}
#include "wire/worktree_request.def"

/* A row of the table. */
struct worktree_row {
	const char *name;
	bool own, works, harvests; /* see there; if own or harvests, place is
				      the first member */
	const struct member *(*rows)(void);
	size_t size;
};

/* WORKTREE_undo and so on are the indexes; a name of NULL ends it. */
extern const struct worktree_row worktree_rows[];

/* Appends the request as a line of JSON. */
void worktree_request_print(struct worktree_request request, struct buf *out);

#endif
