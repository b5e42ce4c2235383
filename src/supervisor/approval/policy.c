/*
 * policy.c - answers approvals by the user's rules. Each approval is checked
 * once, when it appears; what a rule decides is an "answer" in the history.
 */
#include <string.h>

#include "base/json.h"
#include "session/approve_rule.h"
#include "supervisor/approval/answer.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"

struct policy {
	struct loop_timer *timer;
	char id[QUESTION_ID_SIZE]; /* of the approval that was checked last */
};

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
	struct approve_question asked;
	const char *decision, *name;
	const cJSON *rule;
	struct err err = {0};

	if (!q->up || strcmp(sv->policy->id, q->id) == 0)
		return;
	memcpy(sv->policy->id, q->id, sizeof sv->policy->id);
	asked.harness = sv->spec.harness ? sv->spec.harness : "";
	asked.text = q->approval.question;
	asked.whole = q->approval.whole;
	asked.dir = sv->spec.worktree;
	rule = approve_rule_find(sv->spec.approve, &asked);
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

/* The user has changed the rules: they apply to the approval that is up, too.
 */
static int on_rules(struct peer *p, struct request *rq, struct err *err)
{
	struct supervisor *sv = p->sv;
	const cJSON *rules = json_get(rq->rules.sections, "approve");

	if (!cJSON_IsArray(rules))
		return err_set(err, ERR_USAGE,
			       "rules: sections has no list of approve");
	cJSON_Delete(sv->spec.approve);
	sv->spec.approve = cJSON_Duplicate(rules, true);
	sv->policy->id[0] = '\0';
	loop_timer_set(sv->policy->timer, 0);
	peer_reply(p, rq->seq, NULL);
	return 0;
}

static const struct request_handler requests[] = {
    {REQUEST_RULES, on_rules},
    {0},
};

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
    .requests = requests,
};
