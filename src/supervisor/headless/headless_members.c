/*
 * headless_members.c - reads the members of headless requests (argv, env,
 * times), and makes events and errors.
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

int member_list(const cJSON *rq, const char *key, bool is_env, struct strv *out,
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

int member_argv(const cJSON *rq, const char *cmd, struct strv *out,
		struct err *err)
{
	if (member_list(rq, "argv", false, out, err) < 0)
		return -1;
	return out->n ? 0 : err_set(err, ERR_USAGE, "%s: argv is empty", cmd);
}

int member_ms(const cJSON *rq, const char *key, int64_t other, int64_t min,
	      int64_t max, int64_t *out, struct err *err)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(rq, key);

	*out = json_int(rq, key, other);
	if ((!v || cJSON_IsNumber(v)) && *out >= min && *out <= max)
		return 0;
	return err_set(err, ERR_USAGE, "%s is not a number from %lld to %lld",
		       key, (long long)min, (long long)max);
}

void member_send_error(struct headless *h, const cJSON *rq,
		       const struct err *err)
{
	static const char *const echoed[] = {"cmd", "seq", "id", NULL};
	_json_ cJSON *o = member_event("error");

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
	json_lines_write(&h->lines, o);
}
