/* worktree_request.c - the rows of worktree_request.def, and writes requests.
 */
#include "wire/worktree_request.h"

#include "base/cleanup.h"
#include "base/json.h"

#define RECORD(tag)                                                            \
	static const struct member *tag##_rows(void)                           \
	{                                                                      \
		typedef struct tag this;                                       \
		static const struct member rows[] = {
#define OPERATION(op, ...) RECORD(op##_request)
#define END                                                                    \
	{                                                                      \
		.name = NULL                                                   \
	}                                                                      \
	}                                                                      \
	;                                                                      \
	return rows;                                                           \
	}
#define ROW(k, member, ...)                                                    \
	{.name = #member,                                                      \
	 .kind = VALUE_##k,                                                    \
	 .offset = offsetof(this, member),                                     \
	 __VA_ARGS__},
#define NEEDS(k, member, ...)                                                  \
	ROW(k, member, .flags = MEMBER_MUST, .help = __VA_ARGS__)
#define TAKES(k, member, ...) ROW(k, member, .help = __VA_ARGS__)
#define OF(tag)		      .rows = tag##_rows, .size = sizeof(struct tag)
#define GROUP(tag, member)    ROW(GROUP, member, OF(tag))
#define OBJECT(tag, member, ...)                                               \
	ROW(OBJECT, member, OF(tag), .help = __VA_ARGS__)
#define OBJECTS(tag, member, ...)                                              \
	ROW(OBJECTS, member, OF(tag), .help = __VA_ARGS__)
#include "wire/worktree_request.def"

const struct worktree_row worktree_rows[] = {
#define OPERATION(op, ...)                                                     \
	[WORKTREE_##op] = {.name = #op,                                        \
			   .rows = op##_request_rows,                          \
			   .size = sizeof(struct op##_request),                \
			   __VA_ARGS__},
#include "wire/worktree_request.def"
    {.name = NULL},
};

void worktree_request_print(struct worktree_request request, struct buf *out)
{
	const struct worktree_row *row = &worktree_rows[request.op];
	_json_ cJSON *o = cJSON_CreateObject();

	json_set_str(o, "op", row->name);
	members_write(row->rows(), request.members, o);
	json_print(o, out);
	buf_addc(out, '\n');
}
