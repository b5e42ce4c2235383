/*
 * headless_exec.c - commands beside the harness: its environment except
 * secrets, its directory, no standard input, and always a deadline.
 *
 * A command is done when its process exits. Processes that it left in the
 * background are not waited for; they end with the harness.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/child.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "base/utf8.h"
#include "supervisor/harness/harness.h"
#include "supervisor/headless/headless.h"
#include "supervisor/part.h"
#include "wire/program.h"

#define EXEC_MAX   8	 /* at once */
#define OUTPUT_MAX 65536 /* bytes of each output that are kept */
#define DEFAULT_MS 30000
#define ID_MAX	   128

struct exec {
	struct headless *h;
	char id[ID_MAX + 1];
};

/* The output may have been cut in the middle of a character. */
static void set_output(cJSON *o, const char *key, const struct buf *text)
{
	size_t len = text->len;

	member_set_text(o, key, text->data,
			len < OUTPUT_MAX ? len : utf8_whole(text->data, len));
}

/* error: why it could not be run, or NULL. */
static void send_result(struct headless *h, const char *id,
			const struct child_end *end, const char *error)
{
	_json_ cJSON *o = member_event("exec:result");

	json_set_str(o, "id", id);
	protocol_set_end(o, end->status);
	json_set_str(o, "error", error);
	set_output(o, "stdout", end->out);
	set_output(o, "stderr", end->errors);
	json_set_bool(o, "truncated", end->cut);
	json_set_bool(o, "timed_out", end->late);
	json_lines_write(&h->lines, o);
}

static void on_ended(void *ctx, const struct child_end *end)
{
	struct exec *e = ctx;

	send_result(e->h, e->id, end, NULL);
	free(e);
}

/* In a sandbox, `afw exec` runs the command with the same limits. */
static void choose_argv(const struct supervisor *sv, const struct strv *argv,
			struct strv *out)
{
	if (strcmp(sv->spec.sandbox, "none") != 0) {
		strv_take(out, program_afw());
		strv_add(out, "exec");
		strv_add(out, sv->spec.name);
		strv_add(out, "--");
	}
	strv_copy(out, argv);
}

/* Returns 0 also if the command could not be run: that is its result. */
static int run_command(struct headless *h, const char *id,
		       const struct strv *argv, int64_t timeout_ms,
		       struct err *err)
{
	_free_ struct exec *e = mem_alloc(sizeof *e);
	_strv_ struct strv whole = {0};
	struct child_start st = {.spawn = {.argv = NULL,
					   .envp = h->env.v,
					   .dir = h->dir,
					   .fd = {-1, -1, -1},
					   .new_session = true},
				 .keep_out = OUTPUT_MAX,
				 .keep_errors = OUTPUT_MAX,
				 .deadline_ms = timeout_ms,
				 .ended = on_ended,
				 .ctx = e};
	const struct buf none = {0};

	choose_argv(h->sv, argv, &whole);
	st.spawn.argv = whole.v;
	e->h = h;
	memcpy(e->id, id, strlen(id) + 1);
	if (child_start(h->execs, &st, err)) {
		e = NULL;
		return 0;
	}
	if (err->kind == ERR_LIMIT)
		return err_prefix(err, "exec");
	send_result(h, id,
		    &(struct child_end){
			.status = W_EXITCODE(errno == ENOENT ? 127 : 126, 0),
			.out = &none,
			.errors = &none},
		    err->what);
	return 0;
}

static int on_exec(struct peer *p, struct request *rq, struct err *err)
{
	struct headless *h = p->sv->headless;
	const struct stdio_exec_request *r = &rq->stdio_exec;

	if (strlen(r->id) > ID_MAX)
		return err_set(err, ERR_USAGE, "exec: id is over %d bytes",
			       ID_MAX);
	if (p->sv->end->state != END_NONE)
		return err_set(err, ERR_NOT_RUNNING,
			       "exec: this process is ending");
	return run_command(h, r->id, &r->argv,
			   r->has_timeout_ms ? r->timeout_ms : DEFAULT_MS, err);
}

static int exec_init(struct supervisor *sv, struct err *err)
{
	sv->headless->execs = children_create(sv->loop, EXEC_MAX);
	return 0;
}

static bool exec_reaped(struct supervisor *sv, pid_t pid, int status)
{
	return children_reaped(sv->headless->execs, pid, status);
}

static void exec_finish(struct supervisor *sv)
{
	children_destroy(sv->headless->execs);
}

static const struct request_handler requests[] = {
    {REQUEST_STDIO_EXEC, on_exec},
    {0},
};

const struct part exec_part = {
    .init = exec_init,
    .reaped = exec_reaped,
    .requests = requests,
    .finish = exec_finish,
};
