/*
 * fuzz_prompt.c - the filter's promises for any bytes: what comes out is
 * UTF-8 without controls, no longer than what went in, and stays as it is
 * when filtered again. Also runs the two readers of foreign bytes beside it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "session/typable.h"
#include "supervisor/typed_keys.h"
#include "supervisor/sender/sender.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
	if (!ok)
		abort();
}

static void check_clean(const struct buf *b)
{
	for (size_t i = 0; i < b->len; i++) {
		unsigned char c = (unsigned char)b->data[i];

		must(c == '\n' || c == '\t' || (c >= 0x20 && c != 0x7f));
		must(c != 0xc2 || (unsigned char)b->data[i + 1] >= 0xa0);
	}
	must(b->len == 0 || b->data[b->len - 1] != '\n');
	must(utf8_valid(b->data != NULL ? b->data : "", b->len));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf once = {0}, twice = {0};
	const char *text = (const char *)data;
	char *prompt = calloc(1, size + 1);
	size_t dropped;

	dropped = typable_filter(text, size, &once);
	must(once.len + dropped <= size);
	check_clean(&once);
	must(typable_filter(once.data, once.len, &twice) == 0);
	must(twice.len == once.len);
	must(once.len == 0 || memcmp(once.data, twice.data, once.len) == 0);

	if (size > 0)
		memcpy(prompt, data, size);
	must(prompt_is_of(text, strlen(prompt), prompt, 200));
	prompt_is_of(once.data, once.len, prompt, 200);
	typable_blank(text, size);
	typed_keys_find(text, size);
	must(size == 0 || data[0] == 0x1b || typed_keys_find(text, size));

	free(prompt);
	buf_finish(&once);
	buf_finish(&twice);
	return 0;
}
