/* memory.c - afw memory: prints the notes of agents, which afw-tools stores. */
#include "base/cleanup.h"
#include "commands/cli/agent_tools.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "session/session.h"

static const struct command_option memory_options[] = {
    {.name = "all", .help = "show the notes on all repositories"},
    {.name = "forget",
     .arg = "NUMBER",
     .unit = "note",
     .min = 1,
     .max = 1000000000,
     .help = "remove that note"},
    {.name = "json", .help = "one array of objects"},
    {.name = NULL},
};

static const struct list_column columns[] = {
    {.key = "number", .title = ">NR"},
    {.key = "session", .title = "SESSION"},
    {.key = "author", .title = "AUTHOR"},
    {.key = "text", .title = "NOTE"},
    {.key = NULL},
};

static int list(const struct args *args, struct err *err)
{
	bool all = args_has(args, "all");
	_free_ char *here = all ? NULL : session_repository_here();
	cJSON *notes;

	if (!here && !all) {
		err_set(err, ERR_USAGE,
			"memory: this is not in a git repository");
		return err_hint(err, "--all shows the notes on all");
	}
	notes = agent_tools_run("memory", "list", here ? here : "", err);
	return notes ? list_print(notes, columns, args, NULL) : -1;
}

static int cmd_memory(const struct args *args, struct err *err)
{
	const char *number = args_value(args, "forget");
	_json_ cJSON *none = NULL;

	if (!number)
		return list(args, err);
	none = agent_tools_run("memory", "forget", number, err);
	return none ? 0 : -1;
}

const struct command command_memory = {
    .name = "memory",
    .usage = "",
    .summary = "what agents noted on this repository",
    .options = memory_options,
    .run = cmd_memory,
};
