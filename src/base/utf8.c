/* utf8.c - UTF-8 without the user's locale. */
#include "base/utf8.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/buf.h"

size_t utf8_decode(const char *str, size_t len, uint32_t *cp)
{
	const unsigned char *s = (const unsigned char *)str;
	uint32_t c, min;
	size_t n;

	if (len == 0)
		return 0;
	if (s[0] < 0x80) {
		*cp = s[0];
		return 1;
	}
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		n = 2, c = s[0] & 0x1f, min = 0x80;
	else if ((s[0] & 0xf0) == 0xe0)
		n = 3, c = s[0] & 0x0f, min = 0x800;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		n = 4, c = s[0] & 0x07, min = 0x10000;
	else
		return 0;
	if (len < n)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < min || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*cp = c;
	return n;
}

size_t utf8_encode(uint32_t cp, char *out)
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xc0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xe0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		out[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	out[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}

/* True if more bytes can complete these to a character. */
static bool is_begun(const char *s, size_t len)
{
	char whole[4];
	uint32_t cp;

	/* The range of the second byte depends on the first: try both ends. */
	for (int next = 0x80; next <= 0xbf; next += 0x3f) {
		memset(whole, next, sizeof whole);
		memcpy(whole, s, len);
		if (utf8_decode(whole, sizeof whole, &cp) > len)
			return true;
	}
	return false;
}

size_t utf8_whole(const char *s, size_t len)
{
	for (size_t back = 1; back <= 3 && back <= len; back++)
		if (is_begun(s + len - back, back))
			return len - back;
	return len;
}

bool utf8_valid(const char *s, size_t len)
{
	uint32_t cp;

	for (size_t i = 0; i < len;) {
		size_t n = (unsigned char)s[i] < 0x80
			       ? 1 /* most are */
			       : utf8_decode(s + i, len - i, &cp);

		if (n == 0)
			return false;
		i += n;
	}
	return true;
}

/* True for wide characters that the C library does not know: not assigned in
 * its Unicode version. */
static bool is_wide_block(uint32_t cp)
{
	static const struct {
		uint32_t first, last;
	} wide[] = {
	    {0x1100, 0x115f},	{0x2e80, 0xa4cf},   {0xac00, 0xd7a3},
	    {0xf900, 0xfaff},	{0xfe30, 0xfe6f},   {0xff00, 0xff60},
	    {0xffe0, 0xffe6},	{0x16fe0, 0x1b2ff}, {0x1f300, 0x1f64f},
	    {0x1f900, 0x1faff}, {0x20000, 0x3fffd},
	};

	for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
		if (cp >= wide[i].first && cp <= wide[i].last)
			return true;
	return false;
}

/* Uses wcwidth(3), as curses does: with other widths the dashboard would be
 * misaligned. */
int utf8_cp_width(uint32_t cp)
{
	static locale_t utf8;
	locale_t before;
	int width = -1;

	if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
		return 0;
	if (cp < 0x300)
		return 1;
	if (!utf8)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	if (utf8) {
		before = uselocale(utf8);
		width = wcwidth((wchar_t)cp);
		uselocale(before);
	}
	return width >= 0 ? width : 1 + is_wide_block(cp);
}

bool utf8_is_emoji(uint32_t cp)
{
	return cp >= 0x1f000 || (cp >= 0x2190 && cp <= 0x2bff);
}

bool utf8_is_tone(uint32_t cp)
{
	return cp >= 0x1f3fb && cp <= 0x1f3ff;
}

static bool is_flag_letter(uint32_t cp)
{
	return cp >= 0x1f1e6 && cp <= 0x1f1ff;
}

size_t utf8_cluster(const char *s, size_t len, int *cols)
{
	uint32_t first, last, cp;
	size_t i = utf8_decode(s, len, &first), n;

	*cols = i ? utf8_cp_width(first) : len > 0;
	if (!i || utf8_cp_unsafe(first))
		return i ? i : len > 0;
	for (last = first; (n = utf8_decode(s + i, len - i, &cp)); i += n) {
		bool emoji = *cols == 2 && utf8_is_emoji(first);
		bool joined = last == UTF8_JOINER && utf8_is_emoji(cp);
		bool tone = emoji && utf8_is_tone(cp), flag;
		int width;

		if (cp < 0x300 || utf8_cp_unsafe(cp))
			break;
		flag = i == 4 && is_flag_letter(first) && is_flag_letter(cp);
		width = utf8_cp_width(cp);
		if (width > 0 && !joined && !tone && !flag)
			break;
		if (!tone && !(joined && emoji))
			*cols += width;
		last = cp;
	}
	return i;
}

int utf8_width(const char *s, size_t len)
{
	int width = 0, cols;

	for (size_t i = 0; i < len; width += cols)
		i += utf8_cluster(s + i, len - i, &cols);
	return width;
}

size_t utf8_fit(const char *s, size_t len, int cols)
{
	size_t i = 0, n;
	int width;

	while ((n = utf8_cluster(s + i, len - i, &width)) && width <= cols) {
		cols -= width;
		i += n;
	}
	return i;
}

bool utf8_cp_unsafe(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0x61c ||
	       (cp >= 0x200b && cp <= 0x200f && cp != 0x200d) ||
	       (cp >= 0x2028 && cp <= 0x202e) ||
	       (cp >= 0x2060 && cp <= 0x206f) || cp == 0xfeff ||
	       (cp >= 0xfff9 && cp <= 0xfffb) ||
	       (cp >= 0xe0000 && cp <= 0xe0fff);
}

size_t utf8_safe(const char *s, size_t len, uint32_t *cp)
{
	size_t n = utf8_decode(s, len, cp);

	if (n == 0 || utf8_cp_unsafe(*cp))
		*cp = *s == '\t' || *s == '\n' ? ' ' : '?';
	return n ? n : 1;
}

size_t utf8_printable(char *dst, size_t size, const char *s, size_t len)
{
	size_t out = 0, n;
	uint32_t cp;
	char u[4];

	if (size == 0)
		return 0;
	for (size_t i = 0; i < len; out += n) {
		i += utf8_safe(s + i, len - i, &cp);
		n = utf8_encode(cp, u);
		if (out + n >= size)
			break;
		memcpy(dst + out, u, n);
	}
	dst[out] = '\0';
	return out;
}

/* Returns the length of the CSI, OSC or charset sequence at s; 0: none. */
static size_t sequence(const char *s, size_t len)
{
	size_t i = 2;

	if (len < 2 || s[0] != '\033')
		return 0;
	if (s[1] == '(')
		return len < 3 ? len : 3;
	if (s[1] == '[') {
		while (i < len && s[i] >= 0x20 && s[i] < 0x40)
			i++;
		return i == len ? len : s[i] >= 0x40 && s[i] < 0x7f ? i + 1 : 0;
	}
	if (s[1] != ']')
		return 0;
	while (i < len && (unsigned char)s[i] >= 0x20)
		i++;
	if (i < len && s[i] == '\a')
		return i + 1;
	return i + 1 < len && s[i] == '\033' && s[i + 1] == '\\' ? i + 2 : 0;
}

size_t utf8_output(char *dst, size_t size, const char *s, size_t len)
{
	struct buf rest = {0};
	size_t n;

	buf_room(&rest, len);
	for (size_t i = 0; i < len; i += n ? n : 1) {
		n = sequence(s + i, len - i);
		if (n == 0)
			buf_addc(&rest, s[i]);
	}
	n = utf8_printable(dst, size, rest.data, rest.len);
	buf_finish(&rest);
	return n;
}

void utf8_last_line(char *dst, size_t size, const char *s, size_t len)
{
	size_t begin;

	/* A line with only sequences, such as a reset, is blank, too. */
	do {
		while (len > 0 && strchr(" \t\r\n", s[len - 1]))
			len--;
		for (begin = len; begin > 0 && s[begin - 1] != '\n';)
			begin--;
		utf8_output(dst, size, s ? s + begin : "", len - begin);
		len = begin;
	} while (!dst[strspn(dst, " ")] && begin > 0);
}

bool utf8_locale(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *name = getenv(names[i]);

		/* The first one set applies: locale(7). */
		if (name && *name)
			return strcasestr(name, "utf-8") ||
			       strcasestr(name, "utf8");
	}
	return false;
}
