/* fuzz_host.c - what another machine may print as one of its sessions. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "session/session_rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf out = {0};
	cJSON *o = json_parse_object((const char *)data, size, NULL), *again;
	struct session s;

	if (!o || session_from_json(&s, o, -7200000, NULL) < 0)
		return 0;
	s.host = mem_strdup("gpu");
	for (const struct session_row *r = session_columns; r->name; r++) {
		session_row_print(r, &s, &out);
		for (size_t i = 0; i < out.len; i++)
			if ((unsigned char)out.data[i] < ' ')
				abort(); /* in one line */
		buf_clear(&out);
	}
	again = session_to_json(&s);
	if (strcmp(json_str_or(again, "host", ""), "gpu") != 0)
		abort();
	cJSON_Delete(again);
	session_finish(&s);
	buf_finish(&out);
	return 0;
}
