/*
 * job.c - children whose end is an event.
 *
 * A job is over when the child has been reaped; what is still in its pipes
 * is read then, without waiting for their end: a supervisor that the child
 * left behind may hold them open.
 */
#include "tui/child/job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/spawn.h"

struct stream {
	int fd; /* our end, -1 when closed */
	struct loop_io *io;
	struct buf data;
};

struct job {
	struct jobs *jobs;
	struct job *next;
	pid_t pid;
	int status; /* of waitpid(2), once it has ended */
	bool foreground, reads, timed_out;
	bool over;    /* reaped */
	bool dropped; /* nobody waits for it */
	struct stream out, err;
	struct loop_timer *deadline;
	job_fn done;
	void *arg;
	void (*drop)(void *arg);
};

struct jobs {
	struct loop *loop;
	void *ctx;
	struct job *first;
};

struct jobs *jobs_create(struct loop *loop, void *ctx)
{
	struct jobs *jobs = mem_alloc(sizeof *jobs);

	jobs->loop = loop;
	jobs->ctx = ctx;
	return jobs;
}

static void stream_close(struct stream *s)
{
	loop_io_remove(s->io);
	s->io = NULL;
	file_reset(&s->fd);
}

static void job_free(struct job *j)
{
	stream_close(&j->out);
	stream_close(&j->err);
	buf_finish(&j->out.data);
	buf_finish(&j->err.data);
	loop_timer_remove(j->deadline);
	free(j);
}

void jobs_destroy(struct jobs *jobs)
{
	if (!jobs)
		return;
	while (jobs->first) {
		struct job *j = jobs->first;

		jobs->first = j->next;
		kill(j->foreground ? j->pid : -j->pid, SIGTERM);
		if (j->drop)
			j->drop(j->arg);
		job_free(j);
	}
	free(jobs);
}

/* Reads what is there; false at the end. */
static bool stream_read(struct stream *s)
{
	char chunk[16384];
	size_t room;
	ssize_t n;

	do {
		n = read(s->fd, chunk, sizeof chunk);
		room = s->data.len < JOB_OUTPUT_MAX
			   ? JOB_OUTPUT_MAX - s->data.len
			   : 0;
		if (n > 0)
			buf_add(&s->data, chunk,
				(size_t)n < room ? (size_t)n : room);
	} while (n == sizeof chunk);
	return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

static void on_output(void *ctx, int fd, short revents)
{
	struct stream *s = ctx;

	if (!stream_read(s))
		stream_close(s);
}

static void on_deadline(void *ctx)
{
	struct job *j = ctx;

	/* First the hint, then the end. */
	kill(-j->pid, j->timed_out ? SIGKILL : SIGTERM);
	j->timed_out = true;
	loop_timer_set(j->deadline, 3000);
}

/* A pipe that the child writes to. */
static int stream_open(struct stream *s, struct loop *loop, int *theirs)
{
	int p[2];

	if (pipe2(p, O_CLOEXEC) < 0)
		return -1;
	s->fd = p[0];
	*theirs = p[1];
	file_set_nonblock(s->fd);
	s->io = loop_io_add(loop, s->fd, POLLIN, on_output, s);
	return 0;
}

/* Its standard input, output and error: fd[0] to fd[2], ours to close but
 * for the terminal's. */
static int streams_open(struct job *j, const struct job_request *rq, int fd[3])
{
	struct loop *loop = j->jobs->loop;

	if (rq->foreground) {
		fd[0] = 0;
		fd[1] = 1;
		fd[2] = 2;
		if (rq->speaks)
			return 0;
	} else {
		if (rq->input) {
			fd[0] = file_in_memory(rq->input, strlen(rq->input));
			if (fd[0] < 0)
				return -1;
		}
		if (stream_open(&j->out, loop, &fd[1]) < 0)
			return -1;
	}
	return stream_open(&j->err, loop, &fd[2]);
}

static int count(const struct jobs *jobs, bool readers)
{
	int n = 0;

	for (const struct job *j = jobs->first; j; j = j->next)
		n += readers || !j->reads;
	return n;
}

int jobs_start(struct jobs *jobs, const struct job_request *rq, struct err *err)
{
	struct spawn sp = {.argv = rq->argv,
			   .dir = rq->dir,
			   .dir_fd = rq->dir_fd,
			   .fd = {-1, -1, -1},
			   .new_session = !rq->foreground};
	struct job *j;

	if (count(jobs, true) >= JOBS_MAX)
		return err_set(err, ERR_LIMIT,
			       "%d commands are at work already", JOBS_MAX);
	j = mem_alloc(sizeof *j);
	j->jobs = jobs;
	j->foreground = rq->foreground;
	j->reads = rq->reads;
	j->done = rq->done;
	j->arg = rq->arg;
	j->drop = rq->drop;
	j->out.fd = j->err.fd = -1;
	j->pid = streams_open(j, rq, sp.fd) < 0
		     ? err_errno(err, "start %s", rq->argv[0])
		     : spawn_start(&sp, err);
	for (int i = 0; i < 3; i++)
		if (sp.fd[i] > 2)
			file_close(sp.fd[i]);
	if (j->pid < 0) {
		job_free(j);
		return -1;
	}
	if (!rq->foreground && rq->timeout_ms > 0) {
		j->deadline = loop_timer_add(jobs->loop, on_deadline, j);
		loop_timer_set(j->deadline, rq->timeout_ms);
	}
	j->next = jobs->first;
	jobs->first = j;
	return 0;
}

static void finish(struct job *j)
{
	int status = j->status;
	struct job_result r = {.timed_out = j->timed_out};

	if (j->dropped) {
		job_free(j);
		return;
	}
	if (j->out.fd >= 0)
		stream_read(&j->out);
	if (j->err.fd >= 0)
		stream_read(&j->err);
	r.exit_code =
	    WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	r.out = j->out.data.data ? j->out.data.data : "";
	r.out_len = j->out.data.len;
	r.err = j->err.data.data ? j->err.data.data : "";
	j->done(j->jobs->ctx, j->arg, &r);
	job_free(j);
}

void jobs_drop(struct jobs *jobs, const void *arg)
{
	for (struct job *j = jobs->first; j; j = j->next) {
		if (j->arg != arg || j->dropped)
			continue;
		if (!j->over)
			kill(-j->pid, SIGTERM);
		j->dropped = true;
		j->drop = NULL;
	}
}

/* The one that was started first; NULL: there is none. */
static struct job **find_over(struct jobs *jobs)
{
	struct job **found = NULL;

	for (struct job **p = &jobs->first; *p; p = &(*p)->next)
		if ((*p)->over)
			found = p;
	return found;
}

void jobs_reap(struct jobs *jobs)
{
	struct job **p;

	for (struct job *j = jobs->first; j; j = j->next)
		j->over = waitpid(j->pid, &j->status, WNOHANG) == j->pid;
	/* done may start a job, and drop one that is over. */
	while ((p = find_over(jobs))) {
		struct job *j = *p;

		*p = j->next;
		finish(j);
	}
}

bool jobs_foreground_kill(struct jobs *jobs, int signo)
{
	for (struct job *j = jobs->first; j; j = j->next)
		if (j->foreground)
			return kill(j->pid, signo) == 0;
	return false;
}

int jobs_count(const struct jobs *jobs)
{
	return count(jobs, false);
}

char *job_last_line(const char *text)
{
	const char *at = text, *line = text;
	size_t len = 0;

	while (*at) {
		size_t n = strcspn(at, "\n");

		if (n)
			line = at, len = n;
		at += n + (at[n] == '\n');
	}
	return mem_strndup(line, len);
}

/* Of a command that speaks JSON; NULL: its last line is none of that. */
static char *json_reason(const struct job_result *r)
{
	char *line = job_last_line(r->err), *why = NULL;
	cJSON *o = json_parse_object(line, strlen(line), NULL);
	const char *hint = json_str_or(o, "hint", "");

	if (json_str(o, "error"))
		why = mem_printf("%s%s%s%s", json_str(o, "error"),
				 *hint ? " (" : "", hint, *hint ? ")" : "");
	cJSON_Delete(o);
	free(line);
	return why;
}

/* "afw: why" and "hint: how" -> "why (how)" */
char *job_reason(const struct job_result *r)
{
	char *said = r->timed_out ? mem_strdup("it took too long and was ended")
				  : json_reason(r);
	const char *why = strstr(r->err, "afw: "), *hint, *next;
	size_t len;

	if (said)
		return said;
	/* The last: a hook that has refused has printed lines before. */
	while (why && (next = strstr(why + 1, "\nafw: ")))
		why = next + 1;
	hint = strstr(why ? why : r->err, "\nhint: ");
	if (!why && !*r->err)
		return mem_printf("it ended with code %d", r->exit_code);
	if (!why)
		return job_last_line(r->err);
	why += 5;
	len = strcspn(why, "\n");
	if (!hint)
		return mem_strndup(why, len);
	hint += 7;
	return mem_printf("%.*s (%.*s)", (int)len, why,
			  (int)strcspn(hint, "\n"), hint);
}
