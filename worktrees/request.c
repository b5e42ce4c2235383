/* request.c - the door: reads and checks one request line, runs it, and writes
 * its answer. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "worktrees/git/filter.h"
#include "worktrees/git/repo.h"
#include "worktrees/limits.h"
#include "worktrees/private/harvest.h"
#include "worktrees/operations.h"

/*
 * A request that only reads ends when its time is up. A request that changes
 * something is asked to stop then, and rolls back.
 */
#define LOOK_S	   120
#define LOOK_BYTES (UINT64_C(1) << 30)
#define WORK_S	   3600
#define WORK_BYTES (UINT64_C(4) << 30)

/* Its commits are imported already. */
int worktree_import(struct output *out, const struct import_request *req,
		    cJSON *answer, struct err *err)
{
	return 0;
}

/* They have the types of their requests. */
#define OPERATION(op, ...)                                                     \
	static int run_##op(struct output *out, const void *req,               \
			    cJSON *answer, struct err *err)                    \
	{                                                                      \
		return worktree_##op(out, req, answer, err);                   \
	}
#include "wire/worktree_request.def"

static int (*const operations[])(struct output *out, const void *req,
				 cJSON *answer, struct err *err) = {
#define OPERATION(op, ...) [WORKTREE_##op] = run_##op,
#include "wire/worktree_request.def"
};

static int answer_fd;

static _Noreturn void end_in_time(const char *text, int code)
{
	_exit(write(answer_fd, text, strlen(text)) < 0 ? ERR_FAILED : code);
}

static void too_late(int signo)
{
	end_in_time("{\"ok\":false,\"code\":7,\"error\":\"git did not answer "
		    "within two minutes\"}\n",
		    ERR_TIMEOUT);
}

static void no_memory(void)
{
	end_in_time("{\"ok\":false,\"code\":1,\"error\":\"out of memory\"}\n",
		    ERR_FAILED);
}

static int perform(struct output *out, const struct worktree_row *row,
		   const void *req, cJSON *answer, struct err *err)
{
	const struct repo_place *place = req; /* if own or harvests */
	int r;

	if (row->own && place->adopted)
		return err_set(err, ERR_REFUSED,
			       "%s: afw did not make %s, and leaves it alone",
			       row->name, place->worktree);

	if (repo_init(err) < 0 || filter_register(err) < 0)
		return -1;
	answer_fd = out->fd;
	mem_on_abort(no_memory);
	limits_memory(row->works ? WORK_BYTES : LOOK_BYTES);
	if (!row->works)
		signal(SIGALRM, too_late);
	alarm(row->works ? WORK_S : LOOK_S);
	errno = 0; /* so that repo_err() finds no old one */
	r = row->harvests ? harvest(place, answer, err) : 0;
	if (r == 0)
		r = operations[row - worktree_rows](out, req, answer, err);
	alarm(0);
	return r == 0 && !row->works ? limits_check(err) : r;
}

static int run(struct output *out, cJSON *o, cJSON *answer, struct err *err)
{
	_json_ cJSON *op = cJSON_DetachItemFromObjectCaseSensitive(o, "op");
	const char *name = cJSON_IsString(op) ? op->valuestring : "";
	const struct worktree_row *row = worktree_rows;
	_free_ void *req = NULL;
	int rc;

	while (row->name && strcmp(row->name, name) != 0)
		row++;
	if (!row->name)
		return err_set(err, ERR_USAGE,
			       "bad request: unknown op \"%.40s\"", name);
	req = mem_alloc(row->size);
	rc = members_read_all(row->rows(), name, req, o, err);
	if (rc < 0)
		err_prefix(err, "bad request");
	else
		rc = perform(out, row, req, answer, err);
	members_finish(row->rows(), req);
	return rc;
}

static void answer_error(struct output *out, const struct err *err)
{
	_json_ cJSON *o = cJSON_CreateObject();

	json_set_bool(o, "ok", false);
	json_set_int(o, "code", err->kind);
	json_set_str(o, "error", err->what);
	json_set_str(o, "hint", err->hint);
	output_line(out, o);
}

int request_run(struct output *out, const char *line, size_t len)
{
	_json_ cJSON *o = NULL, *answer = cJSON_CreateObject();
	struct err err = {0};

	o = json_parse_object(line, len, &err);
	if (!o)
		err_prefix(&err, "bad request");
	if (!o || run(out, o, answer, &err) < 0) {
		answer_error(out, &err);
		return err.kind ? (int)err.kind : ERR_FAILED;
	}
	return out->answered || output_answer(out, answer) == 0 ? 0
								: ERR_FAILED;
}
