/*
 * support_send.h - a message to the scripted harness, and its end; the test
 * fails where it is another one.
 */
#ifndef AFW_TESTS_SUPPORT_SEND_H
#define AFW_TESTS_SUPPORT_SEND_H

#include <stdint.h>

#include "support_composer.h"

/* Submits a message that must be taken; returns its id. */
int64_t send_ok(struct composer_fake *c, const char *text, unsigned flags);

/* Runs until id has its last receipt: that one, word in its detail. */
void expect_last(struct composer_fake *c, int64_t id, enum receipt receipt,
		 const char *word);

/* Submits what must be refused at once, and checks that no byte of it gets
 * to the harness; word: in the error. */
void expect_submit_error(struct composer_fake *c, const char *text,
			 unsigned flags, enum err_kind kind, const char *word);

#endif
