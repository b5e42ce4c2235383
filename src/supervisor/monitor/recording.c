/* recording.c - reads asciicast v2, strictly. */
#include "supervisor/monitor/recording.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"

#define TIME_MAX_S 1e9

static int read_header(struct recording *r, const char *line, size_t len,
		       struct err *err)
{
	cJSON *o = json_parse_object(line, len, err);
	int rc = -1;

	if (!o)
		return -1;
	r->cols = (int)json_int(o, "width", 80);
	r->rows = (int)json_int(o, "height", 24);
	r->harness = mem_strdup(json_str(o, "afw_harness"));
	if (json_int(o, "version", 0) != 2)
		err_set(err, ERR_FAILED, "it is not an asciicast of version 2");
	else if (r->cols < 1 || r->cols > 1000 || r->rows < 1 || r->rows > 1000)
		err_set(err, ERR_FAILED, "its size is not that of a terminal");
	else
		rc = 0;
	cJSON_Delete(o);
	return rc;
}

static int read_event(struct recording *r, const char *line, size_t len,
		      struct err *err)
{
	cJSON *v = cJSON_ParseWithLength(line, len);
	const cJSON *at = cJSON_GetArrayItem(v, 0);
	const char *kind = cJSON_GetStringValue(cJSON_GetArrayItem(v, 1));
	const char *data = cJSON_GetStringValue(cJSON_GetArrayItem(v, 2));
	struct recording_event e = {0};
	int64_t last = r->n ? r->v[r->n - 1].t_ms : 0;
	int rc = -1;

	if (!cJSON_IsArray(v) || !cJSON_IsNumber(at) || !kind || !data ||
	    strlen(kind) != 1 || !(at->valuedouble >= 0) ||
	    at->valuedouble > TIME_MAX_S) {
		err_set(err, ERR_FAILED, "it is not an event");
		goto out;
	}
	e.t_ms = (int64_t)(at->valuedouble * 1000 + 0.5);
	if (e.t_ms < last)
		e.t_ms = last; /* the clock was set back */
	e.kind = kind[0];
	if (e.kind == 'e') {
		e.object = json_parse_object(data, strlen(data), err);
		if (!e.object)
			goto out;
	}
	e.data = mem_strdup(data);
	e.len = strlen(data);
	r->v = mem_grow(r->v, r->n, sizeof *r->v);
	r->v[r->n++] = e;
	rc = 0;
out:
	cJSON_Delete(v);
	return rc;
}

int recording_load(struct recording *r, const char *path, struct err *err)
{
	struct buf text = {0};
	const char *line, *end;
	int number = 0, rc = -1;

	*r = (struct recording){0};
	if (file_read(AT_FDCWD, path, RECORDING_MAX_BYTES, &text, err) < 0)
		goto out;
	if (text.len == 0) {
		err_set(err, ERR_FAILED, "read %s: it is empty", path);
		goto out;
	}
	for (line = text.data; line < text.data + text.len; line = end + 1) {
		size_t left = (size_t)(text.data + text.len - line);

		end = memchr(line, '\n', left);
		if (!end)
			end = line + left;
		number++;
		if (end == line)
			continue;
		if ((number == 1 ? read_header : read_event)(
			r, line, (size_t)(end - line), err) < 0) {
			err_prefix(err, "read %s: line %d", path, number);
			goto out;
		}
	}
	rc = 0;
out:
	buf_finish(&text);
	if (rc < 0)
		recording_finish(r);
	return rc;
}

void recording_finish(struct recording *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->v[i].data);
		cJSON_Delete(r->v[i].object);
	}
	free(r->v);
	free(r->harness);
	*r = (struct recording){0};
}
