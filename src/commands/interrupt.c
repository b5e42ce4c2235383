/* interrupt.c - afw interrupt: presses the harness's own interrupt key. */
#include <stdio.h>

#include "commands/command.h"
#include "session/live/connection.h"

static int cmd_interrupt(struct session *s, const struct args *args,
			 struct err *err)
{
	cJSON *reply =
	    connect_request(s, REQUEST_OF(INTERRUPT), CONNECT_KEYS_MS, err);

	if (!reply)
		return err_prefix(err, "interrupt '%s'", s->spec.name);
	printf("%s: interrupt sent\n", s->spec.name);
	cJSON_Delete(reply);
	return 0;
}

const struct command command_interrupt = {
    .name = "interrupt",
    .usage = "[NAME]",
    .summary = "interrupt what the agent does, as its own key would",
    .max_args = 1,
    .each = cmd_interrupt,
};
