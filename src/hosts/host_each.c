/* host_each.c - runs a command on all hosts. */
#include "hosts/host_each.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/utf8.h"
#include "hosts/host_child.h"

#define OUT_MAX	    ((size_t)4 * 1024 * 1024)
#define ERRORS_MAX  4096
#define REASON_SIZE 256

struct run {
	struct loop *loop;
	struct children *children;
	size_t left;
};

struct one {
	struct run *run;
	int code;
	struct buf out;
	char reason[REASON_SIZE];
};

static void set_reason(struct one *o, const char *reason)
{
	utf8_printable(o->reason, sizeof o->reason, reason, strlen(reason));
}

static void on_ended(void *ctx, const struct child_end *end)
{
	struct one *o = ctx;
	_free_ char *reason = host_child_reason(end);

	o->run->left--;
	o->code = end->late || !WIFEXITED(end->status) ||
			  WEXITSTATUS(end->status) == 255
		      ? -1
		      : WEXITSTATUS(end->status);
	set_reason(o, end->late ? "no answer" : reason);
	if (end->out->len)
		buf_add(&o->out, end->out->data, end->out->len);
}

static void start(struct one *o, const char *host, const char *const *words)
{
	struct child_start st = {.spawn.fd = {-1, -1, -1},
				 .keep_out = OUT_MAX,
				 .keep_errors = ERRORS_MAX,
				 .deadline_ms = HOST_EACH_MS,
				 .ended = on_ended,
				 .ctx = o};
	struct err err;

	o->code = -1;
	if (host_child_start(o->run->children, host, words, &st, &err))
		o->run->left++;
	else
		set_reason(o, err.what);
}

static void on_signal(void *ctx, int signo)
{
	(void)signo;
	children_reap(((struct run *)ctx)->children);
}

void host_each(const struct host_list *hosts, const char *const *words,
	       host_answer_fn fn, void *ctx)
{
	static const int signals[] = {SIGCHLD, 0};
	struct one *v = mem_alloc(hosts->n * sizeof *v);
	struct run r = {.loop = loop_create()};
	sigset_t before;

	sigprocmask(SIG_BLOCK, NULL, &before);
	loop_signals(r.loop, signals, on_signal, &r);
	r.children = children_create(r.loop, hosts->n);
	for (size_t i = 0; i < hosts->n; i++) {
		v[i].run = &r;
		start(&v[i], hosts->v[i].name, words);
	}
	while (r.left)
		loop_once(r.loop, -1);
	children_destroy(r.children);
	loop_destroy(r.loop);
	sigprocmask(SIG_SETMASK, &before, NULL);
	for (size_t i = 0; i < hosts->n; i++) {
		buf_adds(&v[i].out, "");
		fn(ctx, &(struct host_answer){.host = hosts->v[i].name,
					      .code = v[i].code,
					      .out = v[i].out.data,
					      .len = v[i].out.len,
					      .reason = v[i].reason});
		buf_finish(&v[i].out);
	}
	free(v);
}
