/* send_answer.c - afw send --approve, --deny: answers approvals. */
#include "commands/send_answer.h"

#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/send_receipt.h"

#define ANSWER_MS 8000

/* Answers the current approval in each session. The supervisor chooses the
 * keys, because it has the screen. */
static int answer_sessions(const struct args *args,
			   const struct session_list *of, struct err *err)
{
	bool approve = args_has(args, "approve");
	struct receipts receipts = {.what = approve ? "approve in" : "deny in",
				    .json = args_has(args, "json"),
				    .approval = true};
	int64_t timeout = args_duration_ms(args, "timeout", ANSWER_MS);
	const char *id = args_value(args, "question");
	struct request rq = {.id = REQUEST_ANSWER,
			     .answer = {.answer = approve ? "approve" : "deny",
					.question_id = id,
					.has_timeout_ms = true,
					.timeout_ms = timeout}};

	/* An empty id would mean the current approval. */
	if (id && !*id)
		return err_set(err, ERR_USAGE, "send: --question is empty");
	if (id && of->n != 1)
		return err_set(err, ERR_USAGE,
			       "send: --question is of one session");
	return receipts_request(&receipts, of, &rq, timeout + RECEIPT_SLACK_MS);
}

int send_answer(const struct args *args, struct err *err)
{
	struct session_list of = {0};
	int rc;

	if (args->rest || !args->n)
		return err_set(err, ERR_USAGE,
			       "send: an answer takes names, and no text");
	rc = targets_find(&of, args, args->n, err);
	if (rc == 0)
		rc = answer_sessions(args, &of, err);
	else if (args->n > 1)
		err_prefix(err, "send: --%s takes only names",
			   args_has(args, "approve") ? "approve" : "deny");
	session_list_finish(&of);
	return rc;
}
