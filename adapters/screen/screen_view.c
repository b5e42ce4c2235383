/* screen_view.c - compares the rows of a screen without blanks and frames. */
#include "adapters/screen/screen_view.h"

#include <string.h>

#include "base/utf8.h"

int screen_view_end(const struct screen_view *v)
{
	int end = (int)v->nrows;

	while (end > 0 && v->rows[end - 1][0] == '\0')
		end--;
	return end;
}

bool row_starts(const char *row, const char *with)
{
	return strncmp(row, with, strlen(with)) == 0;
}

/* A joiner is added by a guard (GUARD_JOINER), and has no width. */
static bool is_frame(uint32_t cp)
{
	return cp <= ' ' || cp == 0xa0 || cp == '|' || cp == 0x2060 ||
	       cp == 0x21b5 || (cp >= 0x2500 && cp <= 0x259f);
}

void row_squeeze(const char *s, size_t len, struct buf *out)
{
	uint32_t cp = 0;

	for (size_t i = 0; i < len;) {
		size_t n = utf8_decode(s + i, len - i, &cp);

		if (n == 0)
			i++;
		else if (!is_frame(cp))
			buf_add(out, s + i, n);
		i += n;
	}
}
