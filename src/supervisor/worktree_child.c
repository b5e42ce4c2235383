/* worktree_child.c - asks afw-worktree(8) about the session's own worktree.
 */
#include "supervisor/worktree_child.h"

#include "base/cleanup.h"
#include "base/json.h"
#include "wire/program.h"

#define ANSWER_MAX 65536

struct child *worktree_child_start(struct supervisor *sv,
				   struct worktree_request request,
				   int64_t deadline_ms, child_ended_fn ended,
				   void *ctx, struct err *err)
{
	_free_ char *program = program_find("afw-worktree");
	_buf_ struct buf line = {0};

	worktree_request_print(request, &line);
	return child_start(sv->children,
			   &(struct child_start){
			       .spawn = {.argv = (char *[]){program, NULL},
					 .dir = "/",
					 .fd = {-1, -1, -1},
					 .new_session = true},
			       .input = line.data,
			       .keep_out = ANSWER_MAX,
			       .deadline_ms = deadline_ms,
			       .ended = ended,
			       .ctx = ctx,
			   },
			   err);
}

cJSON *worktree_answer(const struct child_end *end, struct err *err)
{
	cJSON *o = json_parse_object(end->out->len ? end->out->data : "",
				     end->out->len, err);

	if (o && !json_bool(o, "ok", false))
		err_set(err, ERR_FAILED, "%s", json_str_or(o, "error", "?"));
	else if (!o && end->failed)
		err_set(err, ERR_FAILED, "%s", end->failed);
	return o;
}
