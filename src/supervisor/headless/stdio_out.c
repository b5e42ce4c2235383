/*
 * stdio_out.c - lines out, and what the members of a request may be. Below all
 * of headless: who reads and who ends is told by the pointers in struct stdio.
 */
#include <limits.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "supervisor/headless/stdio_internal.h"

size_t stdio_pending(const struct stdio *s)
{
	return s->out.len - s->out_at;
}

bool stdio_is_full(const struct stdio *s)
{
	return stdio_pending(s) >= STDIO_OUT_MAX;
}

cJSON *stdio_event(const char *name)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "ev", name);
	return o;
}

void stdio_set_text(cJSON *o, const char *key, const char *data, size_t len)
{
	struct buf text = {0};
	uint32_t cp;

	buf_room(&text, len);
	for (size_t at = 0, n; at < len; at += n ? n : 1) {
		n = data[at] ? utf8_decode(data + at, len - at, &cp) : 0;
		buf_add(&text, n ? data + at : "\xef\xbf\xbd", n ? n : 3);
	}
	json_set_str(o, key, text.data);
	buf_finish(&text);
}

void stdio_lose_reader(struct stdio *s)
{
	s->reader_gone = true;
	buf_clear(&s->out);
	s->out_at = 0;
	s->flow(s);
	s->unread(s);
}

void stdio_say(struct stdio *s, cJSON *event)
{
	if (!s->reader_gone) {
		json_print(event, &s->out);
		buf_addc(&s->out, '\n');
		/* A file takes all, and cannot be waited for. */
		if (!s->out_io &&
		    file_write_all(1, s->out.data, s->out.len) < 0)
			stdio_lose_reader(s);
		if (!s->out_io)
			buf_clear(&s->out);
		s->flow(s);
	}
	cJSON_Delete(event);
}

void stdio_refuse(struct stdio *s, const cJSON *rq, const struct err *err)
{
	static const char *const echoed[] = {"cmd", "seq", "id", NULL};
	cJSON *o = stdio_event("error");

	for (const char *const *key = echoed; rq && *key; key++) {
		const cJSON *v = cJSON_GetObjectItemCaseSensitive(rq, *key);

		if (cJSON_IsString(v) && strlen(v->valuestring) <= NAME_MAX)
			json_set_str(o, *key, v->valuestring);
		else if (cJSON_IsNumber(v))
			json_set_int(o, *key, json_int(rq, *key, 0));
	}
	json_set_int(o, "code", err->kind);
	json_set_str(o, "error", err->what);
	if (err->hint[0])
		json_set_str(o, "hint", err->hint);
	stdio_say(s, o);
}

void stdio_over(struct stdio *s)
{
	s->over = true;
	loop_timer_set(s->farewell, STDIO_FAREWELL_MS);
	s->flow(s);
}

int stdio_list(const cJSON *rq, const char *key, bool is_env, struct strv *out,
	       struct err *err)
{
	const cJSON *a = cJSON_GetObjectItemCaseSensitive(rq, key);
	size_t before = out->n;

	if (!a)
		return 0;
	json_strv(rq, key, out);
	if (!cJSON_IsArray(a) ||
	    out->n - before != (size_t)cJSON_GetArraySize(a))
		return err_set(err, ERR_USAGE, "%s is not an array of strings",
			       key);
	for (size_t i = before; is_env && i < out->n; i++)
		if (strcspn(out->v[i], "=") == 0 || !strchr(out->v[i], '='))
			return err_set(err, ERR_USAGE,
				       "%s: number %zu is not NAME=VALUE", key,
				       i - before + 1);
	return 0;
}

int stdio_ms(const cJSON *rq, const char *key, int64_t other, int64_t min,
	     int64_t max, int64_t *out, struct err *err)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(rq, key);

	*out = json_int(rq, key, other);
	if ((!v || cJSON_IsNumber(v)) && *out >= min && *out <= max)
		return 0;
	return err_set(err, ERR_USAGE, "%s is not a number from %lld to %lld",
		       key, (long long)min, (long long)max);
}
