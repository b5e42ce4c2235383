/* test_approve_rule.c - which rule decides an approval, and which one is
 * proposed for it. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "session/approve_rule.h"
#include "support_unit.h"

static const char *apply_rules(const char *rules, const char *question,
			       bool whole)
{
	static char decision[16];
	struct approve_question q = {"claude", question, whole, "/w/tree"};
	cJSON *list = cJSON_Parse(rules);
	const cJSON *rule;

	assert_non_null(list);
	rule = approve_rule_find(list, &q);
	snprintf(decision, sizeof decision, "%s",
		 rule ? json_str_or(rule, "decision", "?") : "none");
	cJSON_Delete(list);
	return decision;
}

#define ALLOW(pattern)                                                         \
	"[{\"name\":\"a\",\"pattern\":\"" pattern "\",\"decision\":\"allow\"}" \
	"]"

TEST(approve_rule__a_simple_command_that_fits_is_allowed)
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

TEST(approve_rule__what_may_be_two_commands_is_never_allowed)
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
	char question[200];

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

TEST(approve_rule__a_sentence_has_no_tool)
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

TEST(approve_rule__the_first_that_fits_decides)
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

#define IN_TREE                                                                \
	"[{\"pattern\":\"cat *\",\"paths\":\"worktree\","                      \
	"\"decision\":\"allow\"}]"

TEST(approve_rule__paths_stay_in_the_worktree)
{
	static const char *const inside[] = {
	    "cat a",	     "cat src/a.c",	"cat /w/tree/src/a.c",
	    "cat /w/tree",   "cat -n a/b..c/d", "cat --x=src/a 'b c'",
	    "cat ...x/..a/", "cat -",
	};
	static const char *const outside[] = {
	    "cat /etc/passwd",
	    "cat ../x",
	    "cat a/../../x",
	    "cat ..",
	    "cat src/..",
	    "cat /w/tree/../x",
	    "cat /w/treehouse",
	    "cat -I/usr",
	    "cat --x=/etc/x",
	    "cat '/etc/x'",
	    "cat \".\"\".\"/x",
	    "cat '.'./x",
	    "cat a:/etc/x",
	    "cat a,/etc/x",
	    "cat a@../x",
	    "cat .?/x",
	    "cat \"/etc\"/x",
	    "cat -C..",
	    /* It runs any program. */
	    "cat --config 'target.x.runner=\"sh -c id\"'",
	    "cat -'exec' \"sh -c id\"",
	    "cat --toolexec=sh",
	    "cat -o addopts=--pastebin=all",
	};
	char question[200];

	for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) {
		/* "..." is refused as an ellipsis. */
		bool ellipsis = strstr(inside[i], "...");

		snprintf(question, sizeof question, "Bash command: %s",
			 inside[i]);
		assert_string_equal(apply_rules(IN_TREE, question, true),
				    ellipsis ? "none" : "allow");
	}
	for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
		snprintf(question, sizeof question, "Bash command: %s",
			 outside[i]);
		assert_string_equal(apply_rules(IN_TREE, question, true),
				    "none");
		assert_string_equal(apply_rules(ALLOW("cat *"), question, true),
				    "allow");
	}
}

/* Returns the pattern that is proposed, or the error. */
static const char *propose(const char *command, bool whole)
{
	static char says[800];
	struct approve_question q = {.harness = "claude", .dir = "/w/tree"};
	char question[200];
	struct err err = {0};
	cJSON *rule, *rules = cJSON_CreateArray();

	snprintf(question, sizeof question, "Bash command: %s", command);
	q.text = question;
	q.whole = whole;
	rule = approve_rule_propose(&q, &err);
	snprintf(says, sizeof says, "%s",
		 rule ? json_str_or(rule, "pattern", "?") : err.what);
	if (rule) {
		assert_string_equal(json_str_or(rule, "tool", ""),
				    "Bash command");
		cJSON_AddItemToArray(rules, rule);
		/* What it was made for, it allows. */
		assert_ptr_equal(approve_rule_find(rules, &q), rule);
		q.dir = NULL;
		q.harness = "codex";
		assert_null(approve_rule_find(rules, &q));
	} else {
		assert_int_equal(err.kind, ERR_REFUSED);
	}
	cJSON_Delete(rules);
	return says;
}

TEST(approve_rule__the_narrowest_one_is_proposed)
{
	static const char *const same[] = {
	    "make test",
	    "git commit -m 'a b'",
	    "./run-tests --fast",
	    "ls",
	    "git status",
	    "npm run build",
	    "rm -rf build",
	    "touch src/a.c",
	    "npm install",
	    "mypytest x",
	    "npm test --reporter=dot",
	};

	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
		assert_string_equal(propose(same[i], true), same[i]);
	assert_string_equal(propose("git log --oneline -3", true), "git log *");
	assert_string_equal(propose("cargo test --lib x", true),
			    "cargo test *");
	assert_string_equal(propose("ls -la src", true), "ls *");
	assert_string_equal(propose("cat /w/tree/a", true), "cat *");
}

TEST(approve_rule__what_could_do_anything_is_not_proposed)
{
	static const char *const never[] = {
	    "bash x.sh",
	    "python3.11 x.py",
	    "venv/bin/python x.py",
	    "find . -name x",
	    "env make test",
	    "X=1 make test",
	    "git push",
	    "git -C .. log",
	    "git config a b",
	    "npm publish",
	    "curl x",
	    "make test; ls",
	    "make test && ls",
	    "cat /etc/passwd",
	    "cp a ../b",
	    "git log --output=/etc/x",
	    "git log --output=x",
	    "sudo ls",
	    "cd src",
	    "ls $X",
	    "ls *",
	    "ls .?",
	    "afw send x y",
	    "",
	};

	for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
		const char *says = propose(never[i], true);

		if (!strpbrk(says, "'") &&
		    strcmp(says, "this question is not about a "
				 "command") != 0)
			fail_msg("'%s' gave '%s'", never[i], says);
	}
	assert_string_equal(propose("make test", false),
			    "the agent's screen does not show where the "
			    "command ends");
}
