/* kitty_key.h - reads a key in the forms of the kitty protocol. Pure. */
#ifndef AFW_SUPERVISOR_KITTY_KEY_H
#define AFW_SUPERVISOR_KITTY_KEY_H

#include <stdbool.h>
#include <stddef.h>

struct kitty_key {
	int code;      /* of the key in a Latin layout, if it has one */
	int mods;      /* 1 + the modifiers, without the locks; 5: Ctrl */
	bool released; /* not a press or a repeat */
	char final;    /* 'u'; a letter or '~' of some functional keys */
};

/* Reads the key that data begins with. Returns its length, or 0 if there is
 * none, or not all of it. */
size_t kitty_key_read(const char *data, size_t len, struct kitty_key *out);

#endif
