/* memory.c - afw memory: what agents noted. afw-tools has the database. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/spawn.h"
#include "base/utf8.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "session/session.h"
#include "wire/program.h"

#define DEADLINE_MS 20000
#define OUTPUT_MAX  ((size_t)128 * 1024 * 1024)

static const struct command_option memory_options[] = {
    {.name = "all", .help = "of all repositories"},
    {.name = "forget",
     .arg = "NUMBER",
     .unit = "note",
     .min = 1,
     .max = 1000000000,
     .help = "remove that note"},
    {.name = "json", .help = "one array of objects"},
    {.name = NULL},
};

/* Runs `afw-tools memory WHAT WITH`; out may be NULL. */
static int ask(const char *what, const char *with, struct buf *out,
	       struct err *err)
{
	char *program = program_find("afw-tools");
	const char *argv[] = {program, "memory", what, with, NULL};
	struct buf said = {0};
	char line[200];
	int status = 0;
	int rc = spawn_run(&(struct spawn){.argv = (char *const *)argv}, NULL,
			   out, &said, OUTPUT_MAX, DEADLINE_MS, &status, err);

	if (rc == 0 && status != 0) {
		const char *why = line;

		utf8_last_line(line, sizeof line, said.data, said.len);
		if (strncmp(line, "afw-tools: ", 11) == 0)
			why += 11;
		rc = err_set(err, ERR_FAILED, "memory: %s",
			     *why ? why : "afw-tools failed");
	}
	buf_finish(&said);
	free(program);
	return rc;
}

static cJSON *notes_of(const struct buf *text)
{
	cJSON *list = cJSON_CreateArray();
	const char *at = text->data, *end = at + text->len;

	while (at < end) {
		const char *lf = memchr(at, '\n', (size_t)(end - at));
		cJSON *o =
		    json_parse_object(at, (size_t)((lf ? lf : end) - at), NULL);

		if (o)
			cJSON_AddItemToArray(list, o);
		at = lf ? lf + 1 : end;
	}
	return list;
}

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
	_buf_ struct buf text = {0};

	if (!here && !all) {
		err_set(err, ERR_USAGE, "memory: this is no repository");
		return err_hint(err, "--all shows the notes on all");
	}
	return ask("list", here ? here : "", &text, err) < 0
		   ? -1
		   : list_print(notes_of(&text), columns, args, NULL);
}

static int run(const struct args *args, struct err *err)
{
	const char *number = args_value(args, "forget");

	return number ? ask("forget", number, NULL, err) : list(args, err);
}

const struct command command_memory = {
    .name = "memory",
    .usage = "",
    .summary = "what agents noted on this repository",
    .options = memory_options,
    .run = run,
};
