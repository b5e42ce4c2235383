/* support_fake.h - the harness's side of support_composer.h, which is the
 * header that tests include. The sender does not know what it draws before
 * support_composer.c has read it. */
#ifndef AFW_TESTS_SUPPORT_FAKE_H
#define AFW_TESTS_SUPPORT_FAKE_H

#include <stdbool.h>
#include <stddef.h>

#include "support_composer.h"

/* Reports by its hook and the program status, if it has them. prompt: of the
 * turn that starts; NULL: none. */
void fake_tell(struct composer_fake *c, enum activity a, bool start,
	       const char *prompt);

/* Reads the bytes of the queue: pastes, Enter, Ctrl-C, letters. */
void fake_read(struct composer_fake *c);

/* Adds text to the composer, if it accepts any. */
void fake_take(struct composer_fake *c, const char *s, size_t len);

/* Draws its present state into rows. */
void fake_draw(struct composer_fake *c);

/* Does what is due at c->now, one millisecond later: input, menus, ends of
 * turns. */
void fake_tick(struct composer_fake *c);

#endif
