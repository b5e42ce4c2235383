/*
 * approve.c - the answer itself is the supervisor's to give: it sees the
 * screen. Here is what may be asked of it, and how it is told.
 */
#include "commands/approve.h"

#include "base/json.h"
#include "commands/broadcast.h"
#include "commands/command.h"
#include "commands/receipt.h"

#define TIMEOUT_MS 8000
#define SLACK_MS   10000 /* for a supervisor that answers late */

int approve_all(const struct session_list *l, const struct args *args,
		bool approve, struct err *err)
{
	struct receipts receipts = {.what = approve ? "approve in" : "deny in",
				    .json = args_has(args, "json"),
				    .approval = true};
	const char *id = args_value(args, "question");
	cJSON *request;
	int64_t timeout = args_duration_ms(args, "timeout", TIMEOUT_MS);
	int code;

	/* An empty one would mean "whatever is up". */
	if (id && !*id)
		return err_set(err, ERR_USAGE, "send: --question is empty");
	if (id && l->n != 1)
		return err_set(err, ERR_USAGE,
			       "send: --question is of one session");
	request = cJSON_CreateObject();
	json_set_str(request, "op", "answer");
	json_set_str(request, "answer", approve ? "approve" : "deny");
	json_set_str(request, "question_id", id);
	json_set_int(request, "timeout_ms", timeout);
	receipts_init(&receipts, l);
	broadcast(l, request, timeout + SLACK_MS, receipts_say, &receipts);
	code = receipts_code(&receipts);
	receipts_finish(&receipts);
	return code;
}
