/*
 * utf8.h - reads UTF-8 strictly, measures it in terminal columns, and makes it
 * safe to show. Nothing here depends on the user's locale.
 */
#ifndef AFW_BASE_UTF8_H
#define AFW_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Decodes one character at s (len bytes left). Returns its length in bytes, or
 * 0 if the bytes are not valid UTF-8 (RFC 3629: no surrogates, nothing
 * overlong, nothing above U+10FFFF) or len is 0.
 */
size_t utf8_decode(const char *s, size_t len, uint32_t *cp);

/* Encodes cp into out (4 bytes of room); returns the length in bytes. */
size_t utf8_encode(uint32_t cp, char *out);

bool utf8_valid(const char *s, size_t len);

/* Returns the length of s without an incomplete character at its end. */
size_t utf8_whole(const char *s, size_t len);

/*
 * Returns the columns of cp: 0 for combining marks and invisible characters, 2
 * for East Asian wide characters and emoji, else 1.
 */
int utf8_cp_width(uint32_t cp);

/* Joins the characters around it into one (an emoji). */
#define UTF8_JOINER 0x200d

/* True for what it can join: pictographs and symbols. */
bool utf8_is_emoji(uint32_t cp);

/* True for a skin tone. Terminals differ in whether it has its own columns. */
bool utf8_is_tone(uint32_t cp);

/*
 * Returns the length in bytes of the cluster at s, which must not be cut: a
 * character with its marks, an emoji with its skin tone and joined ones, a
 * flag. 0 if len is 0. *cols: its columns; a variation selector adds none.
 */
size_t utf8_cluster(const char *s, size_t len, int *cols);

/* Returns the columns of a whole string; bytes that are not UTF-8 count as 1
 * each. */
int utf8_width(const char *s, size_t len);

/* Returns the length in bytes of the start of s that fits into cols columns. */
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
 * Copies s to dst as one line that is safe to print (utf8_safe()). Cuts it at a
 * character if dst (size bytes, always terminated) is too small. Returns the
 * bytes written without the terminator.
 */
size_t utf8_printable(char *dst, size_t size, const char *s, size_t len);

/*
 * The same for what a program has printed, without its colours, links and the
 * like. Not for what a user approves: a sequence may hide a part of it.
 */
size_t utf8_output(char *dst, size_t size, const char *s, size_t len);

/* The same for its last line that is not blank. s may be NULL, size not 0. */
void utf8_last_line(char *dst, size_t size, const char *s, size_t len);

/* True if the user's locale, by its name in the environment, can show more than
 * ASCII. */
bool utf8_locale(void);

#endif
