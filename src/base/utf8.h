/*
 * utf8.h - UTF-8 read strictly, measured in terminal columns, and made safe
 * to show. Nothing here depends on the user's locale.
 */
#ifndef AFW_BASE_UTF8_H
#define AFW_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Decodes one character at s (len bytes left). Returns its length in bytes,
 * or 0 where the bytes are no valid UTF-8 (RFC 3629: no surrogates, nothing
 * overlong, nothing above U+10FFFF) or len is 0.
 */
size_t utf8_decode(const char *s, size_t len, uint32_t *cp);

/* Encodes cp into out (4 bytes of room); returns the length in bytes. */
size_t utf8_encode(uint32_t cp, char *out);

bool utf8_valid(const char *s, size_t len);

/* The length of s without the beginning of a character at its end. */
size_t utf8_whole(const char *s, size_t len);

/*
 * Columns that a terminal gives cp: 0 for combining marks and for what is
 * not shown, 2 for East Asian wide characters and emoji, else 1.
 */
int utf8_cp_width(uint32_t cp);

/* Joins what is before and behind it into one character (an emoji). */
#define UTF8_JOINER 0x200d

/* What can be joined so: pictographs and symbols. */
bool utf8_is_emoji(uint32_t cp);

/* A skin tone. Terminals differ in whether it has columns of its own. */
bool utf8_is_tone(uint32_t cp);

/*
 * The length in bytes of what is at s and is not to be cut apart: a character
 * with its marks, an emoji with its skin tone and those joined to it, a flag.
 * 0 where len is 0. *cols: what it takes; a variation selector widens nothing.
 */
size_t utf8_cluster(const char *s, size_t len, int *cols);

/* Columns of a whole string; bytes that are not UTF-8 count 1 each. */
int utf8_width(const char *s, size_t len);

/* The length in bytes of what of s goes into so many columns. */
size_t utf8_fit(const char *s, size_t len, int cols);

/*
 * True for what must never reach a terminal from an untrusted source: C0,
 * DEL, C1, the bidi controls (U+061C, 200E, 200F, 202A-202E, 2066-2069),
 * U+2028 and 2029, zero-width and tag characters that hide text.
 */
bool utf8_cp_unsafe(uint32_t cp);

/*
 * Decodes one character (len > 0) and makes it safe: an unsafe one and an
 * invalid byte are '?', TAB and LF a space. Returns the bytes it took.
 */
size_t utf8_safe(const char *s, size_t len, uint32_t *cp);

/*
 * Copies s to dst as one line that is safe to print (utf8_safe()). Cut at a
 * character's border where dst (size bytes, always terminated) is too small.
 * Returns the bytes written without the terminator.
 */
size_t utf8_printable(char *dst, size_t size, const char *s, size_t len);

/* The same of its last line that is not blank. s may be NULL. */
void utf8_last_line(char *dst, size_t size, const char *s, size_t len);

/* Whether the user's locale, by its name in the environment, is one in which
 * other characters than ASCII can be shown. */
bool utf8_locale(void);

#endif
