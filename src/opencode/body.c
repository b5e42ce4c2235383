/* body.c - the escapes that cannot be read become ones that can. */
#include "opencode/body.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"

#define ESCAPE ((size_t)6) /* bytes of "\u0000" */

/* Of the escape at the front of text; -1 where there is none. */
static int32_t code_unit(const char *text, size_t len)
{
	char digits[ESCAPE - 1];

	if (len < ESCAPE || text[0] != '\\' || text[1] != 'u')
		return -1;
	memcpy(digits, text + 2, ESCAPE - 2);
	digits[ESCAPE - 2] = '\0';
	if (strspn(digits, "0123456789abcdefABCDEF") != ESCAPE - 2)
		return -1;
	return (int32_t)strtol(digits, NULL, 16);
}

static bool in(int32_t v, int32_t from, int32_t to)
{
	return v >= from && v <= to;
}

static void mend(char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		int32_t v = code_unit(text + i, len - i);

		if (text[i] != '\\')
			continue;
		if (in(v, 0xd800, 0xdbff) &&
		    in(code_unit(text + i + ESCAPE, len - i - ESCAPE), 0xdc00,
		       0xdfff))
			i += 2 * ESCAPE - 1;
		else if (v == 0 || in(v, 0xd800, 0xdfff))
			memcpy(text + i, "\\ufffd", ESCAPE);
		else
			i++; /* whatever is escaped */
	}
}

cJSON *body_object(const char *text, size_t len)
{
	struct buf copy = {0};
	cJSON *o;

	buf_add(&copy, text, len);
	if (len > 0)
		mend(copy.data, len);
	o = json_parse_object(copy.data ? copy.data : "", len, NULL);
	buf_finish(&copy);
	return o;
}
