/* osc.c - what is inside OSC sequences: fields and base64. */
#include "base/osc.h"

#include <string.h>

const char *osc_field(const char *s, size_t len, const char *key, size_t *n)
{
	const char *end = s + len, *colon;
	size_t klen = strlen(key);

	for (; s < end; s = colon + 1) {
		colon = memchr(s, ':', (size_t)(end - s));
		colon = colon ? colon : end;
		*n = (size_t)(colon - s);
		if (*n > klen && s[klen] == '=' && memcmp(s, key, klen) == 0) {
			*n -= klen + 1;
			return s + klen + 1;
		}
	}
	*n = 0;
	return "";
}

bool osc_is(const char *s, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(s, word, n) == 0;
}

int osc_base64(const char *s, size_t len, struct buf *out)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz"
				     "0123456789+/";
	unsigned bits = 0;
	int have = 0;

	while (len > 0 && s[len - 1] == '=')
		len--;
	for (size_t i = 0; i < len; i++) {
		const char *d = s[i] ? strchr(digits, s[i]) : NULL;

		if (d == NULL)
			return -1;
		bits = (bits << 6 | (unsigned)(d - digits)) & 0xffffff;
		have += 6;
		if (have >= 8) {
			have -= 8;
			buf_addc(out, (char)(bits >> have & 0xff));
		}
	}
	return 0;
}
