/* transcript_tail.c - the lines of a transcript as events. */
#include "session/transcript_tail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/json.h"
#include "base/mem.h"
#include "session/follow.h"

#define TIME_MAX_S 1e12 /* what fits an int64_t in ms, and a clock */

struct transcript_tail {
	struct follow file;
	int64_t base_ms, first_ms;
	int events;
	transcript_fn fn;
	void *ctx;
};

struct transcript_tail *transcript_tail_open(const char *session_dir)
{
	struct transcript_tail *t = mem_alloc(sizeof *t);

	follow_open(&t->file, session_dir, "transcript");
	return t;
}

void transcript_tail_close(struct transcript_tail *t)
{
	if (!t)
		return;
	follow_close(&t->file);
	free(t);
}

int64_t transcript_tail_start_ms(const struct transcript_tail *t)
{
	return t->first_ms;
}

int transcript_tail_failed(const struct transcript_tail *t)
{
	return t->file.failed;
}

static int header(struct transcript_tail *t, const cJSON *o)
{
	int64_t cols = json_int(o, "width", 80),
		rows = json_int(o, "height", 24);
	char *size = mem_printf("%lldx%lld", (long long)cols, (long long)rows);
	int rc;

	t->base_ms = json_int(o, "afw_start_ms", 0);
	if (t->first_ms == 0)
		t->first_ms = t->base_ms;
	rc = t->fn(t->ctx, t->base_ms - t->first_ms, 'h', size, strlen(size));
	free(size);
	return rc;
}

/* A line that is broken is left out. */
static int take_line(void *ctx, const char *line, size_t len)
{
	struct transcript_tail *t = ctx;
	cJSON *v = cJSON_ParseWithLength(line, len);
	const cJSON *at = cJSON_GetArrayItem(v, 0);
	const cJSON *kind = cJSON_GetArrayItem(v, 1);
	const cJSON *data = cJSON_GetArrayItem(v, 2);
	int rc = 0;

	if (cJSON_IsObject(v)) {
		rc = header(t, v);
	} else if (cJSON_IsArray(v) && cJSON_IsNumber(at) &&
		   at->valuedouble >= 0 && at->valuedouble < TIME_MAX_S &&
		   cJSON_IsString(kind) && cJSON_IsString(data)) {
		t->events++;
		rc = t->fn(t->ctx,
			   t->base_ms - t->first_ms +
			       (int64_t)(at->valuedouble * 1000 + 0.5),
			   kind->valuestring[0], data->valuestring,
			   strlen(data->valuestring));
	}
	cJSON_Delete(v);
	return rc;
}

int transcript_tail_next(struct transcript_tail *t, transcript_fn fn, void *ctx)
{
	int rc;

	t->events = 0;
	t->fn = fn;
	t->ctx = ctx;
	rc = follow_next(&t->file, take_line, t);
	return rc ? rc : t->events;
}
