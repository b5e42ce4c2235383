/* bytes.c - bytes inside JSON strings. */
#include "wire/bytes.h"

#include <string.h>

#include "base/utf8.h"

void bytes_to_text(const char *data, size_t len, struct buf *out)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)data[i];
		char utf8[4];

		buf_add(out, utf8, utf8_encode(c ? c : 0x100, utf8));
	}
}

int bytes_from_text(const char *text, struct buf *out)
{
	size_t len = strlen(text);
	uint32_t cp;

	for (size_t i = 0; i < len;) {
		size_t n = utf8_decode(text + i, len - i, &cp);

		if (n == 0 || cp > 0x100)
			return -1;
		buf_addc(out, cp == 0x100 ? '\0' : (char)cp);
		i += n;
	}
	return 0;
}
