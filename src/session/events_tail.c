/* events_tail.c - the lines of a session's history as objects. */
#include "session/events_tail.h"

#include <stdlib.h>

#include "base/json.h"
#include "session/follow.h"

struct events_tail {
	struct follow file;
	events_tail_fn fn;
	void *ctx;
};

struct events_tail *events_tail_open(const char *session_dir)
{
	struct events_tail *t = mem_alloc(sizeof *t);

	follow_open(&t->file, session_dir, "events.jsonl");
	return t;
}

void events_tail_close(struct events_tail *t)
{
	if (!t)
		return;
	follow_close(&t->file);
	free(t);
}

int events_tail_failed(const struct events_tail *t)
{
	return t->file.failed;
}

static int take_line(void *ctx, const char *line, size_t len)
{
	struct events_tail *t = ctx;
	cJSON *o = json_parse_object(line, len, NULL);

	if (o)
		t->fn(t->ctx, o);
	return 0;
}

void events_tail_next(struct events_tail *t, events_tail_fn fn, void *ctx)
{
	t->fn = fn;
	t->ctx = ctx;
	follow_next(&t->file, take_line, t);
}
