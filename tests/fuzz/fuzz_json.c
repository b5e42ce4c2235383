/* fuzz_json.c - json_parse_object() on anything. */
#include <stdint.h>
#include <stdlib.h>

#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err;
	struct buf out = {0};
	cJSON *o = json_parse_object((const char *)data, size, &err);
	cJSON *again;

	if (!o)
		return 0;
	/* An object that was accepted can be written, and the text be read
	 * again. */
	json_print(o, &out);
	again = json_parse_object(out.data, out.len, &err);
	if (!again)
		abort();
	cJSON_Delete(again);
	cJSON_Delete(o);
	buf_finish(&out);
	return 0;
}
