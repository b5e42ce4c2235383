/* request.c - one request line to its answer line. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "worktrees/repo.h"
#include "worktrees/worktree.h"

/*
 * What only looks has a limit: a harness at work in the tree can put a FIFO
 * where a file was a moment ago, and libgit2 would wait for a writer. What
 * changes something undoes itself when it is told to stop.
 */
#define LOOK_S 120

static const struct {
	const char *name;
	int (*run)(struct output *out, const cJSON *req, cJSON *answer,
		   struct err *err);
	unsigned limit_s;
} ops[] = {
    {"create", worktree_create, 0},
    {"diff", worktree_diff, LOOK_S},
    {"discover", worktree_discover, LOOK_S},
    {"purge", worktree_purge, 0},
    {"reconcile", worktree_reconcile, LOOK_S},
    {"remove", worktree_remove, 0},
    {"status", worktree_status, LOOK_S},
    {"trash", worktree_trash, 0},
    {"untrash", worktree_untrash, 0},
};

static int late_fd;

static void too_late(int signo)
{
	static const char text[] =
	    "{\"ok\":false,\"code\":7,\"error\":\"git did not answer "
	    "within two minutes\"}\n";

	(void)signo;
	_exit(write(late_fd, text, sizeof text - 1) < 0 ? ERR_FAILED
							: ERR_TIMEOUT);
}

static int run(struct output *out, const cJSON *req, cJSON *answer,
	       struct err *err)
{
	const char *op = json_str_or(req, "op", "");
	int r;

	for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
		if (strcmp(ops[i].name, op) != 0)
			continue;
		if (repo_init(err) < 0)
			return -1;
		late_fd = out->fd;
		signal(SIGALRM, too_late);
		alarm(ops[i].limit_s);
		r = ops[i].run(out, req, answer, err);
		alarm(0);
		return r;
	}
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
