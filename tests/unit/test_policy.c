/* test_policy.c - which rule decides an approval. */
#include <stdio.h>

#include "base/json.h"
#include "supervisor/approval/policy.h"
#include "support_unit.h"

static const char *apply_rules(const char *rules, const char *question,
			       bool whole)
{
	static char decision[16];
	struct approval a = {.whole = whole};
	cJSON *list = cJSON_Parse(rules);
	const cJSON *rule;

	assert_non_null(list);
	snprintf(a.question, sizeof a.question, "%s", question);
	rule = policy_find(list, "claude", &a);
	snprintf(decision, sizeof decision, "%s",
		 rule ? json_str_or(rule, "decision", "?") : "none");
	cJSON_Delete(list);
	return decision;
}

#define ALLOW(pattern)                                                         \
	"[{\"name\":\"a\",\"pattern\":\"" pattern "\",\"decision\":\"allow\"}" \
	"]"

TEST(policy__a_simple_command_that_fits_is_allowed)
{
	static const char *const questions[] = {
	    "Bash command: make test",
	    "Shell  make test",
	    "$ make test",
	    "make test",
	};

	for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
		assert_string_equal(
		    apply_rules(ALLOW("make *"), questions[i], true), "allow");
		assert_string_equal(
		    apply_rules(ALLOW("make"), questions[i], true), "none");
		/* Not all of it is known. */
		assert_string_equal(
		    apply_rules(ALLOW("make *"), questions[i], false), "none");
	}
	assert_string_equal(apply_rules(ALLOW("git commit *"),
					"$ git commit -m 'a: b  c'", true),
			    "allow");
}

TEST(policy__what_may_be_two_commands_is_never_allowed)
{
	static const char *const more[] = {
	    "make test; rm x", "make test && x",  "make test | sh",
	    "make test > x",   "make test < x",	  "make $(x)",
	    "make `x`",	       "make $X",	  "make test & x",
	    "make (x)",	       "make {a,b}",	  "make a\\ b",
	    "make test …",     "make test ...",	  "make \303\251",
	    "make !x",	       "make #x",	  "make [ab]",
	    "make test\ttest", "make test\nrm x", "make ~x^y",
	};
	char question[READING_TEXT];

	for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
		snprintf(question, sizeof question, "Bash command: %s",
			 more[i]);
		assert_string_equal(apply_rules(ALLOW("*"), question, true),
				    "none");
		assert_string_equal(apply_rules(ALLOW("*"), more[i], true),
				    "none");
		snprintf(question, sizeof question, "%s: make test", more[i]);
		assert_string_equal(apply_rules(ALLOW("*"), question, true),
				    "none");
		/* Denied it may be. */
		assert_string_equal(
		    apply_rules(
			"[{\"pattern\":\"*make*\",\"decision\":\"deny\"}]",
			more[i], false),
		    "deny");
	}
}

TEST(policy__a_sentence_has_no_tool)
{
	assert_string_equal(apply_rules(ALLOW("make *"),
					"Do you want to edit x: make y?", true),
			    "none");
	assert_string_equal(
	    apply_rules(ALLOW("make *"), "rm -rf x: make y", true), "none");
	assert_string_equal(
	    apply_rules(ALLOW("make *"), "$ rm -rf x: make y", true), "none");
	assert_string_equal(
	    apply_rules(ALLOW("make *"), "Shell  rm: make y", true), "none");
}

TEST(policy__the_first_that_fits_decides)
{
	static const char rules[] =
	    "[{\"harness\":\"codex\",\"decision\":\"allow\"},"
	    "{\"tool\":\"Bash*\",\"pattern\":\"git*push*\","
	    "\"decision\":\"ask\"},"
	    "{\"tool\":\"Bash*\",\"pattern\":\"git *\","
	    "\"decision\":\"allow\"},"
	    "{\"tool\":\"Fetch\",\"decision\":\"deny\"}]";

	assert_string_equal(apply_rules(rules, "Bash command: git push", true),
			    "ask");
	assert_string_equal(
	    apply_rules(rules, "Bash command: git -C . push", true), "ask");
	assert_string_equal(apply_rules(rules, "Bash command: git log", true),
			    "allow");
	assert_string_equal(apply_rules(rules, "Fetch: https://x", true),
			    "deny");
	assert_string_equal(apply_rules(rules, "Edit: git x", true), "none");
}
