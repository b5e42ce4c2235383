/* transcript_tail.c - the lines of a transcript as events. */
#include "session/disk/transcript_tail.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"

#define TIME_MAX_S 1e12 /* what fits an int64_t in ms, and a clock */

struct reading {
	struct transcript_tail *tail;
	transcript_fn fn;
	void *ctx;
};

static int header(struct reading *r, const cJSON *o)
{
	struct transcript_tail *t = r->tail;
	int64_t cols = json_int(o, "width", 80),
		rows = json_int(o, "height", 24);
	char *size = mem_printf("%lldx%lld", (long long)cols, (long long)rows);
	int rc;

	t->half_ms = json_int(o, "afw_start_ms", 0);
	if (t->start_ms == 0)
		t->start_ms = t->half_ms;
	rc = r->fn(r->ctx, t->half_ms - t->start_ms, 'h', size, strlen(size));
	free(size);
	return rc;
}

/* A line that is broken is left out. */
static int take_line(void *ctx, const char *line, size_t len)
{
	struct reading *r = ctx;
	cJSON *v = cJSON_ParseWithLength(line, len);
	const cJSON *at = cJSON_GetArrayItem(v, 0);
	const cJSON *kind = cJSON_GetArrayItem(v, 1);
	const cJSON *data = cJSON_GetArrayItem(v, 2);
	int rc = 0;

	if (cJSON_IsObject(v))
		rc = header(r, v);
	else if (cJSON_IsArray(v) && cJSON_IsNumber(at) &&
		 at->valuedouble >= 0 && at->valuedouble < TIME_MAX_S &&
		 cJSON_IsString(kind) && cJSON_IsString(data))
		rc = r->fn(r->ctx,
			   r->tail->half_ms - r->tail->start_ms +
			       (int64_t)(at->valuedouble * 1000 + 0.5),
			   kind->valuestring[0], data->valuestring,
			   strlen(data->valuestring));
	cJSON_Delete(v);
	return rc;
}

int transcript_tail_next(struct transcript_tail *t, transcript_fn fn, void *ctx)
{
	struct reading r = {t, fn, ctx};

	return follow_next(&t->file, take_line, &r);
}
