/* frame.c - reads and writes frames, and bytes in JSON strings. */
#include "wire/frame.h"

#include <stdint.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"

int frame_append(struct buf *out, const cJSON *o, struct err *err)
{
	size_t start = out->len, len;
	unsigned char head[4] = {0};

	buf_add(out, head, sizeof head);
	json_print(o, out);
	len = out->len - start - sizeof head;
	if (len > FRAME_MAX) {
		out->len = start;
		return err_set(err, ERR_LIMIT,
			       "a message of %zu bytes is over the limit of "
			       "%d",
			       len, FRAME_MAX);
	}
	for (int i = 0; i < 4; i++)
		out->data[start + (size_t)i] = (char)(len >> (24 - 8 * i));
	return 0;
}

int frame_extract(struct buf *in, cJSON **o, struct err *err)
{
	const unsigned char *p = (const unsigned char *)in->data;
	uint32_t len;

	if (in->len < 4)
		return 0;
	len = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	      (uint32_t)p[2] << 8 | p[3];
	if (len > FRAME_MAX)
		return err_set(err, ERR_LIMIT,
			       "a frame of %u bytes is over the limit", len);
	if (in->len < 4 + (size_t)len)
		return 0;
	*o = json_parse_object(in->data + 4, len, err);
	buf_drop(in, 4 + (size_t)len);
	return *o ? 1 : -1;
}

void frame_encode_bytes(const char *data, size_t len, struct buf *out)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)data[i];
		char utf8[4];

		buf_add(out, utf8, utf8_encode(c ? c : 0x100, utf8));
	}
}

int frame_decode_bytes(const char *text, struct buf *out)
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
