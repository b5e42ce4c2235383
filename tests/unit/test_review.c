/* test_review.c - comments on a diff: quoted, found again, edited, stored. */
#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "session/review/comment_mail.h"
#include "session/review/comment_message.h"
#include "session/review/comment_place.h"
#include "session/review/comment_weave.h"
#include "support_scratch.h"
#include "support_unit.h"

static struct err err;

/* Rows 0 to 8, 9 to 14, 15 to 17. */
#define X_HEAD                                                                 \
	"diff --git a/x.c b/x.c\nindex 1..2 100644\n--- a/x.c\n+++ b/x.c\n"
#define X_BODY "@@ -1,3 +1,4 @@\n one\n+two\n+}\n three\n"
#define Y_FILE                                                                 \
	"diff --git a/y y.c b/y y.c\ndeleted file mode 100644\n"               \
	"--- a/y y.c\n+++ /dev/null\n@@ -7,1 +0,0 @@\n-gone\n"
#define Z_FILE                                                                 \
	"diff --git a/z.png b/z.png\nindex 3..4 100644\n"                      \
	"Binary files a/z.png and b/z.png differ\n"
#define DIFF X_HEAD X_BODY Y_FILE Z_FILE

static void add_at(struct comments *c, const char *diff, size_t first,
		   size_t last, const char *text)
{
	_comment_ struct comment one = {.text = mem_strdup(text)};

	assert_int_equal(comment_quote(&one, diff, first, last, &err), 0);
	assert_int_equal(comments_add(c, &one, &err), 0);
}

static void expect_message(const struct comments *c, const char *diff,
			   const char *want)
{
	_buf_ struct buf out = {0};

	comments_message(c, diff, &out);
	assert_string_equal(out.data ? out.data : "", want);
}

FIXTURE(scratch_make, scratch_remove)

TEST(comment__quotes_its_lines_its_file_or_all)
{
	_comments_ struct comments c = {0};

	add_at(&c, DIFF, 6, 7, "a");
	add_at(&c, DIFF, 14, 14, "b");
	add_at(&c, DIFF, 17, 17, "c");
	expect_message(&c, DIFF,
		       "Review of your changes: 3 comments.\n"
		       "\n1. x.c, line 2:\n> +two\n> +}\na\n"
		       "\n2. y y.c, line 7 before the change:\n> -gone\nb\n"
		       "\n3. z.png:\nc\n");
	assert_int_equal(c.v[0].line, 2);
	comments_finish(&c);
	_comment_ struct comment all = {.text = mem_strdup("d\033[31m\n>e")};
	assert_int_equal(comment_quote(&all, "", 0, 0, &err), 0);
	assert_int_equal(comments_add(&c, &all, &err), 0);
	expect_message(&c, DIFF,
		       "Review of your changes: 1 comment.\n"
		       "\n1. All of your changes:\nd[31m\n >e\n");
}

TEST(comment__is_about_lines_of_one_hunk)
{
	_comment_ struct comment c = {0};
	_buf_ struct buf many = {0};

	assert_int_equal(comment_quote(&c, DIFF, 6, 14, &err), -1);
	assert_non_null(strstr(err.what, "several hunks"));
	buf_adds(&many, X_HEAD "@@ -0,0 +1,99 @@\n");
	for (int i = 0; i < 99; i++)
		buf_adds(&many, "+x\n");
	assert_int_equal(comment_quote(&c, many.data, 5, 24, &err), 0);
	assert_int_equal(c.lines.n, COMMENT_LINES_MAX);
	assert_int_equal(comment_quote(&c, many.data, 5, 25, &err), -1);
	assert_int_equal(err.kind, ERR_USAGE);
}

/* Work above it moves it; what is there several times does not. */
TEST(comment__follows_its_lines_or_is_stale)
{
	static const char moved[] = X_HEAD "@@ -1,3 +1,9 @@\n one\n+new\n+}\n"
					   "+two\n+}\n three\n";
	static const char other[] = X_HEAD "@@ -1,3 +1,4 @@\n one\n+TWO\n+}\n";
	_comments_ struct comments c = {0};
	struct comment_place p[3];

	add_at(&c, DIFF, 6, 6, "a");
	add_at(&c, DIFF, 7, 7, "b");
	comments_place(&c, DIFF, p);
	assert_true(p[0].found && p[1].found);
	assert_int_equal(p[0].row, 6);
	comments_place(&c, moved, p);
	assert_true(p[0].found);
	assert_int_equal(p[0].line, 4);
	assert_true(p[1].found); /* there is one at that line */
	assert_int_equal(p[1].row, 7);
	comments_place(&c, other, p);
	assert_false(p[0].found);
	assert_int_equal(p[0].line, 2);
	assert_int_equal(p[0].file_row, 0);
	comments_place(&c, "", p);
	assert_false(p[0].found || p[1].found);
	assert_int_equal(p[0].file_row, -1);
	comments_delete(&c, 2);
	expect_message(&c, other,
		       "Review of your changes: 1 comment.\n\n1. x.c, line 2 "
		       "(these lines have changed since):\n> +two\na\n");
}

TEST(comment__stands_below_its_lines)
{
	_comments_ struct comments c = {0};
	_buf_ struct buf out = {0}, text = {0};

	add_at(&c, DIFF, 6, 6, "first\n\nsecond");
	c.v[0].message = 4;
	c.v[0].answered = true;
	c.v[0].turn = 9;
	comments_weave(&c, X_HEAD X_BODY, true, &out);
	assert_string_equal(out.data,
			    X_HEAD "@@ -1,3 +1,4 @@\n one\n+two\n"
				   "| [1] answered in turn 9\n|   first\n|   \n"
				   "|   second\n+}\n three\n");
	assert_int_equal(comment_at_row(out.data, 6, NULL), 0);
	assert_int_equal(comment_at_row(out.data, 9, &text), 1);
	assert_string_equal(text.data, "first\n\nsecond");
	assert_int_equal(comment_at_row(out.data, 11, NULL), 0);

	buf_clear(&out);
	comments_weave(&c, Z_FILE, true, &out);
	assert_string_equal(out.data,
			    "| [1] answered in turn 9; its lines have changed "
			    "since: x.c\n| > +two\n|   first\n|   \n"
			    "|   second\n" Z_FILE);
	buf_clear(&out);
	comments_weave(&c, Z_FILE, false, &out);
	assert_string_equal(out.data, Z_FILE);
	c.v[0].resolved = true;
	buf_clear(&out);
	comments_weave(&c, X_HEAD X_BODY, true, &out);
	assert_string_equal(out.data, X_HEAD X_BODY);
}

/* Reads the text as if the editor had saved it, and stores what has changed. */
static void edit(struct comments *c, const struct comments *shown,
		 const char *text, const char *counts)
{
	_comments_ struct comments read = {0};
	struct comment_changes n = {0};
	char seen[64];

	assert_int_equal(comments_read_mail(shown, DIFF, text, &read, &err), 0);
	assert_int_equal(comments_apply(c, shown, &read, &n, &err), 0);
	snprintf(seen, sizeof seen, "%zu %zu %zu", n.added, n.changed,
		 n.deleted);
	assert_string_equal(seen, counts);
}

TEST(comment_mail__is_read_back_as_it_was_printed)
{
	_comments_ struct comments c = {0}, again = {0};
	_buf_ struct buf out = {0}, more = {0};

	add_at(&c, DIFF, 6, 6, "  > a\n\n[1] b ");
	add_at(&c, DIFF, 17, 17, "binary");
	add_at(&c, X_HEAD "@@ -1 +1 @@\n+other\n", 5, 5, "stale");
	comments_print_mail(&c, "demo", DIFF, &out);
	assert_non_null(strstr(out.data, "> +two\n\n[1] "));
	edit(&c, &c, out.data, "0 0 0");
	assert_int_equal(c.n, 3);

	/* Beside it another review adds one: it stays. */
	add_at(&again, DIFF, 6, 6, "  > a\n\n[1] b ");
	buf_adds(&more, "> +}\n\nnew one\n> -gone\n[1] changed\n");
	edit(&c, &again, more.data, "1 1 0");
	assert_int_equal(c.n, 4);
	assert_string_equal(c.v[0].text, "changed");
	assert_string_equal(c.v[0].lines.v[0], "+two");
	assert_string_equal(c.v[3].text, "new one");
	assert_string_equal(c.v[3].lines.v[0], "+}");
	/* Both have changed it: none of the texts is lost. */
	edit(&c, &again, "[1] otherwise\n", "1 0 0");
	assert_string_equal(c.v[4].text, "otherwise");
	assert_string_equal(c.v[4].lines.v[0], "+two");
	edit(&c, &again, "> +}\n", "0 0 0"); /* not the one it knows */
}

TEST(comment_mail__finds_lines_that_are_left)
{
	_comments_ struct comments c = {0}, none = {0};
	const char *diff = X_HEAD "@@ -1,9 +1,9 @@\n+a\n+}\n+b\n+}\n";
	_comments_ struct comments read = {0};

	/* "+}" is there twice: the one above which +b is. */
	assert_int_equal(comments_read_mail(&none, diff,
					    ">+b   \n>  +}\n> +}\nhere\n"
					    "> +b\nthere\n",
					    &read, &err),
			 0);
	assert_int_equal(read.n, 2);
	assert_int_equal(read.v[0].line, 4);
	assert_string_equal(read.v[1].text, "there");
	assert_int_equal(read.v[1].line, 4);
	edit(&c, &none, "\n\n above all\n\n", "1 0 0");
	assert_string_equal(c.v[0].file, "");
}

TEST(comment_mail__is_bounded)
{
	_comments_ struct comments c = {0}, read = {0};
	_buf_ struct buf diff = {0}, out = {0};
	size_t lines = 0;

	buf_adds(&diff, X_HEAD "@@ -0,0 +1,100000 @@\n");
	for (int i = 0; i < 100000; i++)
		buf_addf(&diff, "+line %d\n", i);
	add_at(&c, diff.data, 90000, 90000, "far below");
	comments_print_mail(&c, "demo", diff.data, &out);
	for (const char *at = out.data; (at = strchr(at, '\n')); at++)
		lines++;
	assert_in_range(lines, COMMENT_MAIL_LINES, COMMENT_MAIL_LINES + 20);
	assert_non_null(strstr(out.data, "only the first lines"));
	/* It is not deleted because its line is not shown. */
	assert_int_equal(
	    comments_read_mail(&c, diff.data, out.data, &read, &err), 0);
	assert_int_equal(read.n, 1);
	assert_int_equal(read.v[0].id, 1);
}

TEST(comments__survive_afw)
{
	_comments_ struct comments c = {0}, d = {0};

	assert_int_equal(comments_edit(&c, scratch, &err), 0);
	assert_int_equal(c.n, 0);
	add_at(&c, DIFF, 6, 7, "a");
	add_at(&c, DIFF, 17, 17, "b");
	c.v[1].message = 3;
	c.v[1].turn = 12;
	c.v[1].answered = true;
	assert_int_equal(comments_save(&c, scratch, &err), 0);
	comments_finish(&c);
	assert_int_equal(comments_edit(&c, scratch, &err), 0);
	assert_int_equal(c.n, 2);
	assert_string_equal(c.v[0].lines.v[1], "+}");
	assert_string_equal(comment_state(&c.v[0]), "unsent");
	assert_string_equal(comment_state(&c.v[1]), "answered");
	assert_int_equal(c.v[1].turn, 12);
	assert_int_equal(comments_unsent(&c), 1);
	comments_delete(&c, 2);
	assert_int_equal(comments_save(&c, scratch, &err), 0);
	assert_int_equal(comments_load(&d, scratch, &err), 0);
	add_at(&d, DIFF, 6, 6, "c");
	assert_int_equal(d.v[1].id, 3); /* no number is used twice */
}

TEST(comments__never_replace_a_file_they_cannot_read)
{
	static const char *const broken[] = {
	    "",
	    "[]",
	    "{\"v\":1}",
	    "{\"v\":2,\"comments\":[]}",
	    "{\"v\":1,\"comments\":[{\"id\":1}]}",
	    "{\"v\":1,\"comments\":[{\"id\":0,\"text\":\"a\"}]}",
	    "{\"v\":1,\"comments\":[{\"id\":1,\"text\":\"a\",\"line\":-4}]}"};
	_free_ char *path = file_join(scratch, "review.json");

	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		_comments_ struct comments c = {0};
		_buf_ struct buf kept = {0};

		assert_int_equal(file_replace(AT_FDCWD, path, broken[i],
					      strlen(broken[i]), false, &err),
				 0);
		err_clear(&err);
		assert_int_equal(comments_edit(&c, scratch, &err), -1);
		assert_int_equal(err.kind, ERR_FAILED);
		assert_non_null(strstr(err.what, "review.json"));
		assert_int_equal(file_read(AT_FDCWD, path, 999, &kept, &err),
				 0);
		assert_string_equal(kept.data ? kept.data : "", broken[i]);
	}
}

TEST(comments__are_bounded)
{
	_comments_ struct comments c = {0};
	_comment_ struct comment one = {0};
	_free_ char *text = mem_alloc(COMMENT_TEXT_MAX + 2);

	for (int i = 0; i < COMMENTS_MAX; i++)
		add_at(&c, DIFF, 6, 6, "x");
	one.text = mem_strdup("more");
	assert_int_equal(comments_add(&c, &one, &err), -1);
	assert_int_equal(err.kind, ERR_LIMIT);
	c.v[5].resolved = true;
	assert_int_equal(comments_add(&c, &one, &err), 0);
	assert_int_equal(c.v[5].id, 7);
	memset(text, 'x', COMMENT_TEXT_MAX + 1);
	assert_int_equal(comment_set_text(&one, text, &err), -1);
	assert_int_equal(comment_set_text(&one, "\033\a\n\t ", &err), -1);
	assert_string_equal(one.text, "more");
}

TEST(comments__of_a_removed_session_are_not_stored)
{
	_comments_ struct comments c = {0};
	_free_ char *gone = file_join(scratch, "gone");

	assert_int_equal(comments_edit(&c, gone, &err), -1);
	assert_int_equal(err.kind, ERR_NO_SESSION);
}

/* The name is shown and stored as it is safe to print. */
TEST(comment__holds_a_hostile_name)
{
	static const char diff[] =
	    "diff --git \"a/\\033[2J\\n\\\"x\" \"b/\\033[2J\\n\\\"x\"\n"
	    "--- \"a/\\033[2J\\n\\\"x\"\n+++ \"b/\\033[2J\\n\\\"x\"\n"
	    "@@ -0,0 +1 @@\n+a\tb\n";
	_comments_ struct comments c = {0};
	struct comment_place p[1];

	add_at(&c, diff, 4, 4, "a");
	assert_string_equal(c.v[0].file, "?[2J \"x");
	assert_string_equal(c.v[0].lines.v[0], "+a\tb");
	comments_place(&c, diff, p);
	assert_true(p[0].found);
}
