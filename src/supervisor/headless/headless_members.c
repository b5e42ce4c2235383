/*
 * headless_members.c - makes events and errors.
 */
#include <limits.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/utf8.h"
#include "supervisor/headless/headless.h"

cJSON *member_event(const char *name)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "ev", name);
	return o;
}

void member_set_text(cJSON *o, const char *key, const char *data, size_t len)
{
	_buf_ struct buf text = {0};
	uint32_t cp;

	buf_room(&text, len);
	for (size_t at = 0, n; at < len; at += n ? n : 1) {
		n = data[at] ? utf8_decode(data + at, len - at, &cp) : 0;
		buf_add(&text, n ? data + at : "\xef\xbf\xbd", n ? n : 3);
	}
	json_set_str(o, key, text.data);
}

void member_send_error(struct headless *h, const cJSON *rq,
		       const struct err *err)
{
	static const char *const echoed[] = {"cmd", "seq", "id", NULL};
	_json_ cJSON *o = member_event("error");

	for (const char *const *key = echoed; rq && *key; key++) {
		const cJSON *v = json_get(rq, *key);

		if (cJSON_IsString(v) && strlen(v->valuestring) <= NAME_MAX)
			json_set_str(o, *key, v->valuestring);
		else if (cJSON_IsNumber(v))
			json_set_int(o, *key, json_int(rq, *key, 0));
	}
	json_set_int(o, "code", err->kind);
	json_set_str(o, "error", err->what);
	if (err->hint[0])
		json_set_str(o, "hint", err->hint);
	json_lines_write(&h->lines, o);
}
