/*
 * policy.c - answers approvals by the user's rules. Each approval is checked
 * once, when it appears; what a rule decides is an "answer" in the history.
 */
#include "supervisor/approval/policy.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "supervisor/approval/answer.h"
#include "supervisor/part.h"

struct policy {
	struct loop_timer *timer;
	char id[QUESTION_ID_SIZE]; /* of the approval that was checked last */
};

/* -- rules --------------------------------------------------------------- */

static const char simple[] = "abcdefghijklmnopqrstuvwxyz"
			     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			     "0123456789 -_./:=@%+,?'\"";

/* An ellipsis is refused too: it may hide anything. */
static bool is_simple(const char *text)
{
	return text[strspn(text, simple)] == '\0' && !strstr(text, "...");
}

static bool is_match(const cJSON *rule, const char *key, const char *text)
{
	const char *glob = json_str_or(rule, key, "");

	return !*glob || fnmatch(glob, text, 0) == 0;
}

/* Splits "Bash command: make test", "Shell  make test" or "$ make test" into
 * the tool, which has two words at most, and the text that it is for. A colon
 * in a sentence ("Do you want to edit x: y?") does not make a tool. */
static const char *split_question(const char *question, char tool[READING_TEXT])
{
	size_t n = 0;

	tool[0] = '\0';
	for (int words = 0; words < 2; words++, n++) {
		n += strcspn(question + n, ": ");
		if (question[n] == '\0')
			return question;
		if (question[n + 1] != ' ' &&
		    strncmp(question, "$ ", n + 1) != 0)
			continue;
		snprintf(tool, READING_TEXT, "%.*s", (int)n, question);
		return question + n + strspn(question + n, ": ");
	}
	return question;
}

const cJSON *policy_find(const cJSON *rules, const char *harness,
			 const struct approval *a)
{
	char tool[READING_TEXT];
	const char *what = split_question(a->question, tool);
	bool may_allow = a->whole && is_simple(what) &&
			 (is_simple(tool) || strcmp(tool, "$") == 0);
	const cJSON *rule;

	cJSON_ArrayForEach (rule, rules) {
		const char *decision = json_str_or(rule, "decision", "ask");

		if (is_match(rule, "harness", harness) &&
		    is_match(rule, "tool", tool) &&
		    is_match(rule, "pattern", what) &&
		    (may_allow || strcmp(decision, "allow") != 0))
			return rule;
	}
	return NULL;
}

/* -- the part ------------------------------------------------------------ */

static void report_answer(struct supervisor *sv, const char *rule,
			  const char *answer, const struct err *err)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "question_id", sv->question.id);
	json_set_str(o, "question", sv->question.approval.question);
	json_set_str(o, "answer", answer);
	json_set_str(o, "rule", rule);
	json_set_str(o, "receipt", err ? "refused" : NULL);
	json_set_str(o, "detail", err ? err->what : NULL);
	publish_event(sv, "answer", o);
}

static void apply_rule(void *ctx)
{
	struct supervisor *sv = ctx;
	struct question *q = &sv->question;
	const char *decision, *name;
	const cJSON *rule;
	struct err err = {0};

	if (!q->up || strcmp(sv->policy->id, q->id) == 0)
		return;
	memcpy(sv->policy->id, q->id, sizeof sv->policy->id);
	rule =
	    policy_find(sv->spec.approve,
			sv->spec.harness ? sv->spec.harness : "", &q->approval);
	if (!rule)
		return;
	name = json_str_or(rule, "name", "");
	decision = json_str_or(rule, "decision", "ask");
	if (strcmp(decision, "ask") == 0)
		report_answer(sv, name, "ask", NULL);
	else if (answer_by_rule(sv, name, strcmp(decision, "allow") == 0,
				&err) < 0)
		report_answer(
		    sv, name,
		    strcmp(decision, "allow") == 0 ? "approve" : "deny", &err);
}

static int policy_init(struct supervisor *sv, struct err *err)
{
	(void)err;
	sv->policy->timer = loop_timer_add(sv->loop, apply_rule, sv);
	return 0;
}

/* Decides later, not from within an update of the screen. */
static void policy_verdict(struct supervisor *sv, const struct verdict *was)
{
	(void)was;
	if (sv->spec.approve && sv->question.up &&
	    strcmp(sv->policy->id, sv->question.id) != 0)
		loop_timer_set(sv->policy->timer, 0);
}

static void policy_end(struct supervisor *sv, const char *reason)
{
	(void)reason;
	loop_timer_stop(sv->policy->timer);
}

const struct part policy_part = {
    .own = PART_OWN(policy),
    .init = policy_init,
    .verdict = policy_verdict,
    .end = policy_end,
};
