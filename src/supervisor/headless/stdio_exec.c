/*
 * stdio_exec.c - commands beside the harness: its environment but for the
 * secrets, its directory, nothing on standard input, and always a deadline.
 *
 * One is done when its process is: what that left behind in the background is
 * not waited for, and ends with the harness.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/spawn.h"
#include "base/tree.h"
#include "base/utf8.h"
#include "supervisor/headless/stdio_internal.h"

#define EXEC_MAX   8	 /* at once */
#define OUTPUT_MAX 65536 /* bytes of each output that are kept */
#define DRAIN_MAX  ((size_t)1024 * 1024)
#define DEFAULT_MS 30000
#define LONGEST_MS 86400000
#define ID_MAX	   128

struct output {
	struct loop_io *io; /* NULL: it has ended */
	int fd;
	struct buf text;
	bool truncated;
};

struct stdio_exec {
	struct stdio_exec *next;
	struct stdio *s;
	char *id;
	pid_t pid;
	struct loop_timer *deadline;
	struct output out[2];
};

/* Bytes read: 0, there are no more, now or ever. */
static size_t read_some(struct output *o)
{
	char chunk[16384];
	ssize_t n = read(o->fd, chunk, sizeof chunk);
	size_t room = OUTPUT_MAX - o->text.len, len = n > 0 ? (size_t)n : 0;

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		loop_io_remove(o->io);
		o->io = NULL;
	}
	o->truncated |= len > room;
	buf_add(&o->text, chunk, len < room ? len : room);
	return len;
}

static void on_output(void *ctx, int fd, short revents)
{
	read_some(ctx);
}

static void drain(struct output *o)
{
	size_t all = 0, n = 1;

	while (o->io && n && all < DRAIN_MAX)
		all += n = read_some(o);
	if (o->truncated)
		o->text.len = utf8_whole(o->text.data, o->text.len);
}

static cJSON *result(const char *id, int wait_status)
{
	cJSON *o = stdio_event("exec:result");

	json_set_str(o, "id", id);
	protocol_set_end(o, wait_status);
	return o;
}

static void destroy(struct stdio_exec *e)
{
	loop_timer_remove(e->deadline);
	for (int i = 0; i < 2; i++) {
		loop_io_remove(e->out[i].io);
		file_close(e->out[i].fd);
		buf_finish(&e->out[i].text);
	}
	free(e->id);
	free(e);
}

static void finish(struct stdio_exec *e, int status, bool late)
{
	struct stdio_exec **at = &e->s->execs;
	cJSON *o = result(e->id, status);

	while (*at != e)
		at = &(*at)->next;
	*at = e->next;
	for (int i = 0; i < 2; i++) {
		drain(&e->out[i]);
		stdio_set_text(o, i ? "stderr" : "stdout", e->out[i].text.data,
			       e->out[i].text.len);
	}
	json_set_bool(o, "truncated",
		      e->out[0].truncated || e->out[1].truncated);
	json_set_bool(o, "timed_out", late);
	stdio_say(e->s, o);
	destroy(e);
}

static void on_deadline(void *ctx)
{
	struct stdio_exec *e = ctx;

	tree_kill(e->pid, NULL, SIGKILL);
	kill(-e->pid, SIGKILL);
	finish(e, SIGKILL, true);
}

bool stdio_exec_reaped(struct stdio *s, pid_t pid, int wait_status)
{
	for (struct stdio_exec *e = s->execs; e; e = e->next)
		if (e->pid == pid) {
			finish(e, wait_status, false);
			return true;
		}
	return false;
}

void stdio_exec_finish(struct stdio *s)
{
	for (struct stdio_exec *e = s->execs, *next; e; e = next) {
		next = e->next;
		finish(e, SIGKILL, false);
	}
}

/* Its two outputs; -1 with errno. */
static int open_outputs(struct stdio_exec *e, int theirs[3])
{
	for (int i = 0; i < 2; i++) {
		int ends[2];

		if (pipe2(ends, O_CLOEXEC) < 0)
			return -1;
		e->out[i].fd = ends[0];
		theirs[1 + i] = ends[1];
		if (file_set_nonblock(ends[0]) < 0)
			return -1;
	}
	return 0;
}

static void run(struct stdio *s, const char *id, struct strv *argv,
		int64_t timeout_ms)
{
	struct stdio_exec *e = mem_alloc(sizeof *e);
	struct spawn sp = {.argv = argv->v,
			   .envp = s->env.v,
			   .dir = s->dir,
			   .fd = {-1, -1, -1},
			   .new_session = true};
	struct err err;
	int why;

	*e = (struct stdio_exec){.s = s,
				 .id = mem_strdup(id),
				 .pid = -1,
				 .out = {{.fd = -1}, {.fd = -1}}};
	if (open_outputs(e, sp.fd) < 0)
		err_errno(&err, "make a pipe");
	else
		e->pid = spawn_start(&sp, &err);
	why = errno;
	file_close(sp.fd[1]);
	file_close(sp.fd[2]);
	if (e->pid < 0) {
		cJSON *o = result(id, W_EXITCODE(why == ENOENT ? 127 : 126, 0));

		json_set_str(o, "error", err.what);
		stdio_say(s, o);
		destroy(e);
		return;
	}
	for (int i = 0; i < 2; i++)
		e->out[i].io = loop_io_add(s->loop, e->out[i].fd, POLLIN,
					   on_output, &e->out[i]);
	e->deadline = loop_timer_add(s->loop, on_deadline, e);
	loop_timer_set(e->deadline, timeout_ms);
	e->next = s->execs;
	s->execs = e;
}

int stdio_exec(struct stdio *s, cJSON *rq, struct err *err)
{
	const char *id = json_str(rq, "id");
	struct strv argv = {0};
	int64_t timeout_ms;
	size_t n = 0;
	int rc = -1;

	for (const struct stdio_exec *e = s->execs; e; e = e->next)
		n++;
	if (!id || !id[0] || strlen(id) > ID_MAX)
		err_set(err, ERR_USAGE,
			"exec: id is no string of 1 to %d bytes", ID_MAX);
	else if (s->kill_at)
		err_set(err, ERR_NOT_RUNNING, "exec: this process is ending");
	else if (n >= EXEC_MAX)
		err_set(err, ERR_LIMIT, "exec: %zu commands run already", n);
	else if (stdio_ms(rq, "timeout_ms", DEFAULT_MS, 1, LONGEST_MS,
			  &timeout_ms, err) == 0)
		rc = stdio_list(rq, "argv", false, &argv, err);
	if (rc == 0 && argv.n == 0)
		rc = err_set(err, ERR_USAGE, "exec: argv is empty");
	if (rc == 0)
		run(s, id, &argv, timeout_ms);
	strv_finish(&argv);
	return rc;
}
