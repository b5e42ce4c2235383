/* test_expand.c - ${AFW_...}, and nothing else, becomes what it stands for. */
#include "base/mem.h"
#include "base/words.h"
#include "config/expand.h"
#include "support_unit.h"

static struct err err;

static const struct expand list[] = {
    {"AFW_ROLE", "verifier"},
    {"AFW_REPOSITORY", "/my \"own\" repo's \\ $x"},
    {NULL, NULL},
};

static void is_text(const char *text, const char *wanted)
{
	struct buf out = {0};

	buf_adds(&out, "");
	if (expand_text(text, list, false, NULL, &out, &err) < 0)
		fail_msg("%s: %s", text, err.what);
	assert_string_equal(out.data, wanted);
	buf_finish(&out);
}

TEST(expand__only_what_begins_with_AFW)
{
	is_text("", "");
	is_text("${AFW_ROLE}${AFW_ROLE}", "verifierverifier");
	is_text("a ${AFW_ROLE}'s\n", "a verifier's\n");
	is_text("${HOME} $AFW_ROLE ${afw_role} $(x) ${", "${HOME} $AFW_ROLE "
							 "${afw_role} $(x) ${");
	is_text("${AFW_PORT}${AFW_PORT_9} ${AFW_SLUG}",
		"${AFW_PORT}${AFW_PORT_9} ${AFW_SLUG}");
	is_text("\\${AFW_REPOSITORY}", "\\/my \"own\" repo's \\ $x");
}

TEST(expand__tells_what_is_meant_and_where)
{
	struct buf out = {0};

	assert_int_equal(
	    expand_text("a\nb ${AFW_ROL}", list, false, "p", &out, &err), -1);
	assert_string_equal(
	    err.what, "p:2: unknown ${AFW_ROL} (did you mean ${AFW_ROLE}?)");
	assert_int_equal(
	    expand_text("${AFW_SOMETHING}", list, false, NULL, &out, &err), -1);
	assert_string_equal(err.what, "unknown ${AFW_SOMETHING}");
	assert_non_null(strstr(err.hint, "afw-templates"));
	assert_int_equal(
	    expand_text("${AFW_PORT_10}", list, false, NULL, &out, &err), -1);
	assert_int_equal(
	    expand_text("${AFW_ROLE:-x}", list, false, NULL, &out, &err), -1);
	assert_non_null(strstr(err.what, "not closed"));
	buf_finish(&out);
}

/* One word, however it was quoted. */
static void is_word(const char *text, const char *wanted)
{
	struct strv words = {0};
	struct buf out = {0};

	if (expand_text(text, list, true, NULL, &out, &err) < 0 ||
	    words_split(out.data, &words, &err) < 0)
		fail_msg("%s: %s", text, err.what);
	assert_int_equal(words.n, 1);
	assert_string_equal(words.v[0], wanted);
	assert_int_equal(words_shell_char(out.data), '\0');
	strv_finish(&words);
	buf_finish(&out);
}

#define REPO "/my \"own\" repo's \\ $x"

/* A branch can be called so; what comes after us would put a secret there. */
TEST(expand__a_value_brings_no_variable)
{
	static const struct expand evil[] = {{"AFW_BRANCH", "x/${TOKEN}"},
					     {NULL, NULL}};
	struct buf out = {0};

	assert_int_equal(
	    expand_text("X: ${A} ${AFW_BRANCH}", evil, false, "p", &out, &err),
	    -1);
	assert_non_null(strstr(err.what, "p:1: ${AFW_BRANCH} is 'x/${TOKEN}'"));
	buf_finish(&out);
}

TEST(expand__a_value_stays_in_its_word)
{
	is_word("${AFW_REPOSITORY}", REPO);
	is_word("--at=${AFW_REPOSITORY}/x", "--at=" REPO "/x");
	is_word("\"${AFW_REPOSITORY} ${AFW_ROLE}\"", REPO " verifier");
	is_word("'a ${AFW_REPOSITORY} \"'", "a " REPO " \"");
	is_word("\\\"${AFW_REPOSITORY}\\'", "\"" REPO "'");
	is_word("'${AFW_ROLE}'", "verifier");
}
