/*
 * ls_feed.c - afw ls --watch --json: a line for each session that is new, has
 * changed or was removed (afw-hosts(7)).
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "commands/command.h"
#include "commands/ls_follow.h"
#include "commands/ls_watch.h"

#define CALM_MS	 1000 /* between two lines of a session that only prints */
#define ALIVE_MS 5000 /* the longest time without a line */

struct printed {
	char id[SPEC_ID_LEN + 1];
	uint64_t hash; /* of its line */
	uint64_t news; /* of what the user wants to know at once */
	int64_t at;    /* monotonic ms */
	bool late;     /* it has changed since, and waits for CALM_MS */
};

struct feed {
	const struct args *args;
	char *here;
	struct ls_follow follow;
	struct loop_timer *alive;
	struct printed *printed;
	size_t n;
	bool wrote; /* since flush() */
};

/* -- lines ----------------------------------------------------------------- */

/* Ends if the reader is gone. */
static void flush(struct feed *f)
{
	if (fflush(stdout) != 0)
		loop_quit(f->follow.loop);
	if (f->wrote)
		loop_timer_set(f->alive, ALIVE_MS);
	f->wrote = false;
}

static void print_object(struct feed *f, cJSON *o)
{
	_buf_ struct buf line = {0};

	json_print(o, &line);
	puts(line.data);
	f->wrote = true;
	cJSON_Delete(o);
}

static void print_now(struct feed *f)
{
	char now[CLOCK_RFC3339_SIZE];
	cJSON *o = cJSON_CreateObject();

	clock_format(clock_wall_ms(), now);
	json_set_str(o, "now", now);
	print_object(f, o);
}

static void print_time(struct feed *f)
{
	print_now(f);
	flush(f);
}

static void on_alive(void *ctx)
{
	print_time(ctx);
}

static struct printed *find_printed(struct feed *f, const char *id)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->printed[i].id, id) == 0)
			return &f->printed[i];
	return NULL;
}

static void print_removed(struct feed *f, const char *id)
{
	struct printed *p = find_printed(f, id);
	cJSON *o;

	if (!p)
		return;
	o = cJSON_CreateObject();
	json_set_str(o, "id", p->id);
	json_set_bool(o, "removed", true);
	print_object(f, o);
	*p = f->printed[--f->n];
}

static uint64_t hash_news(const struct session *s)
{
	const struct state *st = &s->state;
	const int64_t numbers[] = {(int64_t)session_urgency(s), st->notices,
				   st->queued};
	const char *question = st->question_id ? st->question_id : "";

	return hash_add(hash_add(HASH_NONE, numbers, sizeof numbers), question,
			strlen(question));
}

/* Returns where to note the session's line; NULL: it must not be printed
 * now. */
static struct printed *begin_line(struct feed *f, const struct session *s)
{
	struct printed *p = find_printed(f, s->spec.id);
	uint64_t news = hash_news(s);
	int64_t now = clock_mono_ms();

	if (!p) {
		f->printed = mem_grow(f->printed, f->n, sizeof *f->printed);
		p = &f->printed[f->n++];
		*p = (struct printed){0};
		memcpy(p->id, s->spec.id, sizeof p->id);
	}
	p->late = !s->host && p->news == news && now - p->at < CALM_MS;
	if (p->late) {
		ls_follow_soon(&f->follow, p->at + CALM_MS - now);
		return NULL;
	}
	p->news = news;
	p->at = now;
	return p;
}

static void print_session(struct feed *f, const struct session *s)
{
	_buf_ struct buf line = {0};
	struct printed *p;
	uint64_t hash;
	cJSON *o;

	if (!ls_is_meant(s, f->args, f->here, NULL)) {
		print_removed(f, s->spec.id);
		return;
	}
	p = begin_line(f, s);
	if (!p)
		return;
	o = session_to_json(s);
	json_print(o, &line);
	cJSON_Delete(o);
	hash = hash_add(HASH_NONE, line.data, line.len);
	if (p->hash == hash)
		return;
	p->hash = hash;
	puts(line.data);
	f->wrote = true;
}

/* -- what happens ---------------------------------------------------------- */

static void on_changed(void *ctx, const char *id, const struct session *s)
{
	if (s)
		print_session(ctx, s);
	else
		print_removed(ctx, id);
}

static void on_host(void *ctx, const struct host_state *state)
{
	static const char *const words[] = {"connecting", "reachable",
					    "unreachable"};
	char since[CLOCK_RFC3339_SIZE];
	struct feed *f = ctx;
	cJSON *o = cJSON_CreateObject();

	clock_format(state->since, since);
	json_set_str(o, "host", state->host);
	json_set_str(o, "state", words[state->reach]);
	json_set_str(o, "since", since);
	json_set_text(o, "reason", *state->reason ? state->reason : NULL);
	print_object(f, o);
}

static void on_settled(void *ctx)
{
	struct feed *f = ctx;

	for (size_t i = 0; i < f->follow.list.n; i++) {
		const struct session *s = &f->follow.list.v[i];
		struct printed *p = find_printed(f, s->spec.id);

		if (p && p->late)
			print_session(f, s);
	}
	flush(f);
}

static void on_reader_gone(void *ctx, int fd, short revents)
{
	loop_quit(((struct feed *)ctx)->follow.loop);
}

static void run(struct feed *f)
{
	struct loop *loop = f->follow.loop;
	struct stat st;

	f->alive = loop_timer_add(loop, on_alive, f);
	if (fstat(STDOUT_FILENO, &st) == 0 &&
	    (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		loop_io_add(loop, STDOUT_FILENO, POLLERR, on_reader_gone, f);
	print_time(f);
	loop_run(loop);
}

int ls_feed(const struct args *args, struct err *err)
{
	static const int signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, 0};
	static const struct ls_follow_events events = {on_changed, on_host,
						       on_settled};
	struct feed f = {.args = args, .here = session_repository_here()};
	int rc;

	print_now(&f);
	rc = ls_follow_open(&f.follow, !args_has(args, "here"), signals,
			    &events, &f, err);
	if (rc == 0)
		run(&f);
	ls_follow_close(&f.follow);
	free(f.printed);
	free(f.here);
	return rc;
}
