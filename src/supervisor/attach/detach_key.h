/*
 * detach_key.h - finds the detach key and focus reports in what a terminal
 * sends. Pure.
 *
 * The key has several forms (base/keyname.h). In kitty's protocol the additions
 * are ignored: locks, press and repeat, the key's other codes, its text. The
 * release of a key does not count as the key. Keys and reports are found only
 * outside of a bracketed paste, because pasted text must not end the
 * attachment.
 */
#ifndef AFW_SUPERVISOR_ATTACH_DETACH_KEY_H
#define AFW_SUPERVISOR_ATTACH_DETACH_KEY_H

#include <stdbool.h>
#include <stddef.h>

#define DETACH_KEY_FORMS 8
#define DETACH_KEY_BYTES 24

/* A zeroed one finds nothing. */
struct detach_key {
	struct {
		size_t len;
		char bytes[DETACH_KEY_BYTES];
	} forms[DETACH_KEY_FORMS];
	size_t n;
	/* the state of the terminal's stream */
	bool pasting;
	size_t mark; /* bytes of a paste's mark that have arrived */
	bool mark_ends;
};

/* Adds a form in hexadecimal ("1c"). Ignores an invalid form, and one too
 * many. */
void detach_key_add(struct detach_key *d, const char *hex);

enum detach_found {
	DETACH_NOTHING,
	DETACH_KEY,
	DETACH_BEGINNING, /* may become a key or report with more bytes */
	DETACH_FOCUS_IN,
	DETACH_FOCUS_OUT,
};
#define DETACH_FOCUS_BYTES 3 /* length of a focus report */

/*
 * Searches the next bytes of the stream. Sets *at to the number of bytes before
 * what was found. After DETACH_BEGINNING, pass the bytes from *at again
 * together with those that follow, or pass them to detach_key_skip().
 */
enum detach_found detach_key_find(struct detach_key *d, const char *data,
				  size_t len, size_t *at);

/* Passes over the next bytes of the stream, even if they look like a key. */
void detach_key_skip(struct detach_key *d, const char *data, size_t len);

#endif
