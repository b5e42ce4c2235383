/* request.c - runs one request line and writes its answer. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
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

static int no_more(struct output *out, const cJSON *req, cJSON *answer,
		   struct err *err)
{
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct output *out, const cJSON *req, cJSON *answer,
		   struct err *err);
	unsigned limit_s;
	/* Commits of the session are imported first. */
	bool harvests;
} ops[] = {
    {"checkpoint", worktree_checkpoint, LOOK_S, true},
    {"checkpoints", worktree_checkpoints, LOOK_S, false},
    {"commit", worktree_commit, WORK_S, true},
    {"conflicts", worktree_conflicts, LOOK_S, false},
    {"create", worktree_create, WORK_S, false},
    {"diff", worktree_diff, LOOK_S, true},
    {"discover", worktree_discover, LOOK_S, false},
    {"import", no_more, WORK_S, true},
    {"merge", worktree_merge, WORK_S, true},
    {"private", worktree_private, WORK_S, false},
    {"purge", worktree_purge, WORK_S, false},
    {"reconcile", worktree_reconcile, LOOK_S, false},
    {"remove", worktree_remove, WORK_S, false},
    {"restore", worktree_restore, WORK_S, false},
    {"status", worktree_status, LOOK_S, true},
    {"sweep", worktree_sweep, LOOK_S, false},
    {"undo", worktree_undo, WORK_S, false},
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

static int run(struct output *out, const cJSON *req, cJSON *answer,
	       struct err *err)
{
	const char *op = json_str_or(req, "op", "");
	bool looks;
	int r;

	for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
		if (strcmp(ops[i].name, op) != 0)
			continue;
		if (repo_init(err) < 0)
			return -1;
		answer_fd = out->fd;
		mem_on_abort(no_memory);
		looks = ops[i].limit_s == LOOK_S;
		limits_memory(looks ? LOOK_BYTES : WORK_BYTES);
		if (looks)
			signal(SIGALRM, too_late);
		alarm(ops[i].limit_s);
		errno = 0; /* so that repo_err() finds no old one */
		r = ops[i].harvests ? harvest(req, answer, err) : 0;
		if (r == 0)
			r = ops[i].run(out, req, answer, err);
		alarm(0);
		if (r == 0 && looks)
			r = limits_check(err);
		return r;
	}
	return err_set(err, ERR_USAGE, "bad request: unknown op \"%.40s\"", op);
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

int worktree_request(struct output *out, const char *line, size_t len)
{
	_json_ cJSON *req = NULL, *answer = cJSON_CreateObject();
	struct err err = {0};

	req = json_parse_object(line, len, &err);
	if (!req)
		err_prefix(&err, "bad request");
	if (!req || run(out, req, answer, &err) < 0) {
		answer_error(out, &err);
		return err.kind ? (int)err.kind : ERR_FAILED;
	}
	return out->answered || output_answer(out, answer) == 0 ? 0
								: ERR_FAILED;
}
