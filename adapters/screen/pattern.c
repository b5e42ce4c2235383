/* pattern.c - rows into regular expressions. */
#include "adapters/screen/pattern.h"

#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"

#define TEXT_MAX 100 /* bytes of a row's text */
#define WIDE	 8   /* blanks of a margin that may differ */
#define SPECIAL	 "\\^$*+?()[]{}|."
#define IN_INI	 ";#" /* a comment after a blank */

/* Returns the length of the blank or line of a box that s begins with, or 0. */
static size_t frame_length(const char *s)
{
	uint32_t cp;
	size_t n = utf8_decode(s, strlen(s), &cp);

	return cp == ' ' || cp == '|' || (cp >= 0x2500 && cp < 0x25a0) ? n : 0;
}

void pattern_find_text(const char *row, size_t *from, size_t *to)
{
	size_t at = 0, n;

	while (row[at] && (n = frame_length(row + at)))
		at += n;
	*from = *to = at;
	for (; row[at]; at += n) {
		n = frame_length(row + at);
		if (n == 0)
			*to = at + (n = utf8_cluster(row + at, strlen(row + at),
						     &(int){0}));
	}
}

bool pattern_is_border(const char *row)
{
	size_t n, count = 0;

	row += strspn(row, " ");
	for (; *row && *row != ' ' && (n = frame_length(row)); row += n)
		count++;
	return count >= 3;
}

bool pattern_matches(const char *pattern, const char *s, regmatch_t *m)
{
	regex_t re;
	bool is;

	if (regcomp(&re, pattern, REG_EXTENDED | REG_ICASE) != 0)
		return false;
	is = regexec(&re, s, m ? 4 : 0, m, 0) == 0;
	regfree(&re);
	return is;
}

size_t pattern_count(const char *pattern, const struct strv *rows)
{
	size_t n = 0;
	regex_t re;

	if (regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return rows->n + 1;
	for (size_t i = 0; i < rows->n; i++)
		n += rows->v[i][0] && regexec(&re, rows->v[i], 0, NULL, 0) == 0;
	regfree(&re);
	return n;
}

bool pattern_fits_all(const char *pattern)
{
	char text[] = "any words, 12 of them", blank[] = " ", end[] = "x │";
	char *rows[] = {text, blank, end};

	return pattern_count(pattern, &(struct strv){.v = rows, .n = 3}) > 0;
}

static void add_literal(struct buf *out, const char *s, size_t len)
{
	for (size_t i = 0, n; i < len; i += n) {
		char c = isdigit((unsigned char)s[i]) ? '0' : s[i];

		/* A run of the same, or of digits. */
		for (n = 1; i + n < len && strchr("0 .", c) &&
			    (c == '0' ? isdigit((unsigned char)s[i + n]) != 0
				      : s[i + n] == c);)
			n++;
		if (c == '0')
			buf_adds(out, "[0-9]+");
		else if (strchr(IN_INI, c))
			buf_addf(out, "[%c]", c);
		else
			buf_addf(out, "%s%c%s", strchr(SPECIAL, c) ? "\\" : "",
				 c, n > 1 ? "+" : "");
	}
}

void pattern_add_text(struct buf *out, const char *s, size_t len,
		      const char *varies)
{
	bool any = false, more;

	for (size_t gap, n; len > 0; s += gap + n, len -= gap + n) {
		_free_ char *word = NULL;

		gap = strspn(s, " ");
		gap = gap < len ? gap : len;
		n = strcspn(s + gap, " ");
		n = n < len - gap ? n : len - gap;
		word = mem_strndup(s + gap, n);
		more = any;
		any = varies && pattern_matches(varies, word, NULL);
		if (!any || !more)
			add_literal(out, s, gap);
		if (!any)
			add_literal(out, word, n);
		else if (!more)
			buf_adds(out, ".+");
		if (any && strchr("?:)", word[n - 1]))
			add_literal(out, word + n - 1, 1);
	}
}

void pattern_add_frame(struct buf *out, const char *s, size_t len)
{
	size_t margin = strspn(s, " ");

	if (margin > len || margin <= WIDE)
		margin = 0;
	else
		buf_adds(out, " +");
	for (size_t i = margin; i < len; i++)
		buf_addf(out, "%s%c", strchr(SPECIAL, s[i]) ? "\\" : "", s[i]);
}

void pattern_add_end(struct buf *out, const char *row, size_t to)
{
	const char *line = row + to + strspn(row + to, " ");

	buf_adds(out, *line ? " *" : "$");
	pattern_add_frame(out, line, frame_length(line));
}

void pattern_add_row(struct buf *out, const char *row, const char *varies)
{
	size_t from, to, len;

	pattern_find_text(row, &from, &to);
	len = to - from;
	if (len > TEXT_MAX)
		len = utf8_whole(row + from, TEXT_MAX);
	buf_addc(out, '^');
	pattern_add_frame(out, row, from);
	buf_addc(out, '(');
	pattern_add_text(out, row + from, len, varies);
	buf_addc(out, ')');
	if (from + len == to)
		pattern_add_end(out, row, to);
}

void pattern_add_border(struct buf *out, const char *row)
{
	size_t len = strspn(row, " ");

	for (int i = 0; i < 3; i++)
		len += frame_length(row + len);
	buf_addc(out, '^');
	pattern_add_frame(out, row, len);
}
