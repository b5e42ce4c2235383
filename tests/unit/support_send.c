/* support_send.c - a message to the scripted harness, and its end. */
#include "support_send.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

int64_t send_ok(struct composer_fake *c, const char *text, unsigned flags)
{
	struct err err = {0};
	int64_t id = 0;

	if (composer_send(c, text, flags, &id, &err) != 0)
		fail_msg("refused: %s", err.what);
	return id;
}

void expect_last(struct composer_fake *c, int64_t id, enum receipt receipt,
		 const char *word)
{
	const struct told *t = composer_wait(c, id, 60000);

	assert_non_null(t);
	if (t->receipt != receipt || strstr(t->detail, word) == NULL)
		fail_msg("got %s \"%s\"", receipt_name(t->receipt), t->detail);
}

void expect_submit_error(struct composer_fake *c, const char *text,
			 unsigned flags, enum err_kind kind, const char *word)
{
	struct err err = {0};

	assert_int_equal(composer_send(c, text, flags, NULL, &err), -1);
	assert_int_equal(err.kind, kind);
	if (strstr(err.what, word) == NULL)
		fail_msg("no \"%s\" in \"%s\"", word, err.what);
	assert_int_equal(sender_queued(c->sender), 0);
	composer_run(c, 3000);
	assert_int_equal(c->input.len, 0);
}
