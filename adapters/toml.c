/* toml.c - JSON values written as TOML. */
#include "adapters/toml.h"

#include "base/json.h"

void toml_string(struct buf *out, const char *s)
{
	buf_addc(out, '"');
	for (; *s != '\0'; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			buf_addf(out, "\\%c", c);
		else if (c < ' ' || c == 127)
			buf_addf(out, "\\u%04x", c);
		else
			buf_addc(out, *s);
	}
	buf_addc(out, '"');
}

void toml_value(struct buf *out, const cJSON *v)
{
	bool table = cJSON_IsObject(v), first = true;
	const cJSON *c;

	if (cJSON_IsString(v)) {
		toml_string(out, v->valuestring);
		return;
	}
	if (!table && !cJSON_IsArray(v)) {
		json_print(v, out);
		return;
	}
	buf_addc(out, table ? '{' : '[');
	cJSON_ArrayForEach (c, v) {
		if (cJSON_IsNull(c))
			continue;
		buf_adds(out, first ? "" : ",");
		first = false;
		if (table) {
			toml_string(out, c->string);
			buf_addc(out, '=');
		}
		toml_value(out, c);
	}
	buf_addc(out, table ? '}' : ']');
}
