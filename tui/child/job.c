/* job.c - runs afw's commands as children, and finds the reason if one
 * failed. */
#include "tui/child/job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/child.h"
#include "base/json.h"
#include "base/mem.h"

#define TERM_MS 3000 /* between SIGTERM at a job's deadline and SIGKILL */

struct job {
	struct jobs *jobs;
	struct job *next;
	struct child *child;
	bool foreground, reads;
	void (*printed)(void *ctx, void *arg, const char *out);
	job_fn done;
	void *arg;
	void (*drop)(void *arg);
};

struct jobs {
	struct children *children;
	void *ctx;
	struct job *first;
};

struct jobs *jobs_create(struct loop *loop, void *ctx)
{
	struct jobs *jobs = mem_alloc(sizeof *jobs);

	jobs->children = children_create(loop, JOBS_MAX);
	jobs->ctx = ctx;
	return jobs;
}

void jobs_destroy(struct jobs *jobs)
{
	struct job *j;

	if (!jobs)
		return;
	while ((j = jobs->first)) {
		jobs->first = j->next;
		if (j->drop)
			j->drop(j->arg);
		free(j);
	}
	children_destroy(jobs->children);
	free(jobs);
}

static void on_ended(void *ctx, const struct child_end *end)
{
	struct job *j = ctx, **at = &j->jobs->first;
	struct job_result r = {
	    .exit_code = WIFEXITED(end->status) ? WEXITSTATUS(end->status)
						: 128 + WTERMSIG(end->status),
	    .timed_out = end->late,
	    .out = end->out->data ? end->out->data : "",
	    .out_len = end->out->len,
	    .err = end->errors->data ? end->errors->data : "",
	};

	while (*at != j)
		at = &(*at)->next;
	*at = j->next;
	j->done(j->jobs->ctx, j->arg, &r);
	free(j);
}

static void on_printed(void *ctx, const struct buf *out)
{
	const struct job *j = ctx;

	if (j->printed && out->data)
		j->printed(j->jobs->ctx, j->arg, out->data);
}

int jobs_start(struct jobs *jobs, const struct job_request *rq, struct err *err)
{
	struct job *j = mem_alloc(sizeof *j);
	struct child_start st = {
	    .spawn = {.argv = rq->argv,
		      .dir = rq->dir,
		      .dir_fd = rq->dir_fd,
		      .fd = {-1, -1, -1},
		      .new_session = !rq->foreground},
	    .term_ms = TERM_MS,
	    .ended = on_ended,
	    .printed = on_printed,
	    .ctx = j,
	};

	if (rq->foreground) {
		for (int i = 0; i < 3; i++)
			st.spawn.fd[i] = i;
	} else {
		st.input = rq->input;
		st.keep_out = JOB_OUTPUT_MAX;
		st.deadline_ms = rq->timeout_ms;
	}
	if (!rq->speaks)
		st.keep_errors = JOB_OUTPUT_MAX;
	*j = (struct job){.jobs = jobs,
			  .next = jobs->first,
			  .foreground = rq->foreground,
			  .reads = rq->reads,
			  .printed = rq->printed,
			  .done = rq->done,
			  .arg = rq->arg,
			  .drop = rq->drop};
	j->child = child_start(jobs->children, &st, err);
	if (!j->child) {
		free(j);
		return -1;
	}
	jobs->first = j;
	return 0;
}

void jobs_drop(struct jobs *jobs, const void *arg)
{
	for (struct job **at = &jobs->first; *at;) {
		struct job *j = *at;

		if (j->arg != arg) {
			at = &j->next;
			continue;
		}
		*at = j->next;
		child_drop(j->child);
		free(j);
	}
}

void jobs_reap(struct jobs *jobs)
{
	children_reap(jobs->children);
}

bool jobs_foreground_kill(struct jobs *jobs, int signo)
{
	for (struct job *j = jobs->first; j; j = j->next)
		if (j->foreground)
			return child_signal(j->child, signo) == 0;
	return false;
}

int jobs_count(const struct jobs *jobs)
{
	int n = 0;

	for (const struct job *j = jobs->first; j; j = j->next)
		n += !j->reads;
	return n;
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
	/* ssh ends its lines so. */
	return mem_strndup(line, len - (len && line[len - 1] == '\r'));
}

/* Returns the reason from a command's JSON; NULL: its last line is not JSON. */
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

/* Converts "afw: why" and "hint: how" to "why (how)". */
char *job_reason(const struct job_result *r)
{
	char *said = r->timed_out ? mem_strdup("it took too long and was ended")
				  : json_reason(r);
	const char *why = strstr(r->err, "afw: "), *hint, *next;
	size_t len;

	if (said)
		return said;
	/* The last one, as a failing hook prints its lines before it. */
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
