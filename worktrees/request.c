/* request.c - one request line to its answer line. */
#include <string.h>

#include "worktrees/repo.h"
#include "worktrees/worktree.h"

static const struct {
	const char *name;
	int (*run)(struct output *out, const cJSON *req, cJSON *answer,
		   struct err *err);
} ops[] = {
    {"create", worktree_create},     {"diff", worktree_diff},
    {"discover", worktree_discover}, {"list", worktree_list},
    {"remove", worktree_remove},     {"status", worktree_status},
};

static int run(struct output *out, const cJSON *req, cJSON *answer,
	       struct err *err)
{
	const char *op = json_str_or(req, "op", "");

	for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
		if (strcmp(ops[i].name, op) == 0)
			return repo_init(err) < 0
				   ? -1
				   : ops[i].run(out, req, answer, err);
	return err_set(err, ERR_USAGE, "bad request: unknown op \"%.40s\"", op);
}

static void refuse(struct output *out, const struct err *err)
{
	cJSON *o = cJSON_CreateObject();

	json_set_bool(o, "ok", false);
	json_set_int(o, "code", err->kind);
	json_set_str(o, "error", err->what);
	json_set_str(o, "hint", err->hint);
	output_line(out, o);
	cJSON_Delete(o);
}

int worktree_request(struct output *out, const char *line, size_t len)
{
	cJSON *req, *answer = cJSON_CreateObject();
	struct err err = {0};
	int code = 0;

	req = json_parse_object(line, len, &err);
	if (!req)
		err_prefix(&err, "bad request");
	if (!req || run(out, req, answer, &err) < 0) {
		code = err.kind ? (int)err.kind : ERR_FAILED;
		refuse(out, &err);
	} else if (!out->answered && output_answer(out, answer) < 0) {
		code = ERR_FAILED;
	}
	cJSON_Delete(req);
	cJSON_Delete(answer);
	return code;
}
