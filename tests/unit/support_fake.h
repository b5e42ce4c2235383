/*
 * support_fake.h - the harness's own side of support_composer.h, which is
 * what tests include. What it draws is not known to the sender before
 * support_composer.c has read it.
 */
#ifndef AFW_TESTS_SUPPORT_FAKE_H
#define AFW_TESTS_SUPPORT_FAKE_H

#include <stdbool.h>
#include <stddef.h>

#include "support_composer.h"

/* Tells its hook and the program status, where it has them. prompt: of the
 * turn that starts; NULL: none. */
void fake_tell(struct composer_fake *c, enum activity a, bool start,
	       const char *prompt);

/* Takes the bytes of the queue: pastes, Enter, Ctrl-C, letters. */
void fake_read(struct composer_fake *c);

/* Text comes into the composer, if it takes any. */
void fake_take(struct composer_fake *c, const char *s, size_t len);

/* What its state looks like now, into rows. */
void fake_draw(struct composer_fake *c);

/* What c->now, a millisecond on, brings: input, menus, ends of turns. */
void fake_tick(struct composer_fake *c);

#endif
