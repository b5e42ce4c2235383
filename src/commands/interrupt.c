/* interrupt.c - afw interrupt: the harness's own interrupt key. */
#include <stdio.h>

#include "commands/command.h"
#include "commands/connect.h"

static int run(const struct args *args, struct err *err)
{
	struct session s;
	struct client *c = connect_name(&s, args->positional[0], err);
	cJSON *reply;
	int rc;

	if (!c)
		return -1;
	reply = connect_ask(c, "interrupt", NULL, CONNECT_KEYS_MS, err);
	client_destroy(c);
	if (reply)
		printf("%s: interrupt sent\n", s.spec.name);
	else
		err_prefix(err, "interrupt '%s'", s.spec.name);
	rc = reply ? 0 : -1;
	cJSON_Delete(reply);
	session_finish(&s);
	return rc;
}

const struct command command_interrupt = {
    .name = "interrupt",
    .usage = "[NAME]",
    .summary = "interrupt what the agent does, as its own key would",
    .completes = "session",
    .max_args = 1,
    .run = run,
};
