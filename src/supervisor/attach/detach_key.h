/*
 * detach_key.h - the key that detaches, found in what a terminal sends, and
 * what it says of its focus. Pure.
 *
 * The key has several forms (base/keyname.h). In kitty's, whatever that
 * protocol adds is passed over: locks, press and repeat, the key's other
 * codes, its text; the release of a key is none. Both count only outside of
 * a bracketed paste: what somebody pastes must not end the attachment.
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
	/* where the terminal's stream stands */
	bool pasting;
	size_t mark; /* bytes of a paste's mark that have come so far */
	bool mark_ends;
};

/* Adds a form in hexadecimal ("1c"). A bad one, or one too many, is left
 * out. */
void detach_key_add(struct detach_key *d, const char *hex);

enum detach_found {
	DETACH_NOTHING,
	DETACH_KEY,
	DETACH_BEGINNING, /* the rest may become one with more bytes */
	DETACH_FOCUS_IN,
	DETACH_FOCUS_OUT,
};
#define DETACH_FOCUS_BYTES 3 /* a report's */

/*
 * Looks through the next bytes of the stream. *at: how many of them stand
 * before what was found; after a beginning those behind are to be given again, with what
 * follows, or to detach_key_skip().
 */
enum detach_found detach_key_find(struct detach_key *d, const char *data,
				  size_t len, size_t *at);

/* The next bytes of the stream are no key, whatever they look like. */
void detach_key_skip(struct detach_key *d, const char *data, size_t len);

#endif
