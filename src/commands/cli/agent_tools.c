/* agent_tools.c - runs afw-tools, which has the database, and parses the object
 * on each line of its output. */
#include "commands/cli/agent_tools.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/spawn.h"
#include "base/utf8.h"
#include "wire/program.h"

#define DEADLINE_MS 20000
#define OUTPUT_MAX  ((size_t)128 * 1024 * 1024)

static cJSON *parse_lines(const struct buf *text)
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

cJSON *agent_tools_run(const char *what, const char *verb, const char *with,
		       struct err *err)
{
	_free_ char *program = program_find("afw-tools");
	const char *argv[] = {program, what, verb, with, NULL};
	_buf_ struct buf out = {0}, said = {0};
	char line[200];
	int status = 0;
	const char *why = line;

	if (spawn_run(&(struct spawn){.argv = (char *const *)argv}, NULL, &out,
		      &said, OUTPUT_MAX, DEADLINE_MS, &status, err) < 0)
		return NULL;
	if (status == 0)
		return parse_lines(&out);
	utf8_last_line(line, sizeof line, said.data, said.len);
	if (strncmp(line, "afw-tools: ", 11) == 0)
		why += 11;
	err_set(err, ERR_FAILED, "%s: %s", what,
		*why ? why : "afw-tools failed");
	return NULL;
}
