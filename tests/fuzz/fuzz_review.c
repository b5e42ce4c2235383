/*
 * fuzz_review.c - a diff and a text that was edited, of anything, a NUL between
 * them: what is read is stored, printed, and read again without a change; no
 * comment is shown in a row that is not its own.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "session/review/comment_mail.h"
#include "session/review/comment_message.h"
#include "session/review/comment_place.h"
#include "session/review/comment_weave.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

/* Each comment that is shown is found in its rows. */
static void check_woven(const struct comments *c, const char *diff)
{
	_buf_ struct buf out = {0};
	size_t row = 0;

	comments_weave(c, diff, true, &out);
	buf_adds(&out, "");
	for (const char *at = out.data; *at && row < 200; row++) {
		int64_t id = comment_at_row(out.data, row, NULL);

		check(!id || *at == COMMENT_ROW);
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
}

static void check_again(struct comments *c, const char *diff)
{
	_comments_ struct comments read = {0};
	struct comment_changes n = {0};
	_buf_ struct buf mail = {0};
	struct err err;

	comments_print_mail(c, "x", diff, &mail);
	check(comments_read_mail(c, diff, mail.data, &read, &err) == 0);
	check(comments_apply(c, c, &read, &n, &err) == 0);
	check(!n.added && !n.changed && !n.deleted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_free_ char *diff = mem_strndup((const char *)data, size);
	size_t len = strlen(diff), rest = len < size ? len + 1 : size;
	_free_ char *text = mem_strndup((const char *)data + rest, size - rest);
	_comments_ struct comments c = {0}, none = {0}, read = {0};
	struct comment_changes n = {0};
	_comment_ struct comment one = {0};
	_buf_ struct buf message = {0};
	struct err err;

	comment_quote(&one, diff, size % 7, size % 19, &err);
	if (comments_read_mail(&none, diff, text, &read, &err) < 0 ||
	    comments_apply(&c, &none, &read, &n, &err) < 0)
		return 0;
	check(n.added == c.n);
	check_again(&c, diff);
	check_woven(&c, diff);
	comments_message(&c, diff, &message);
	return 0;
}
