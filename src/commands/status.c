/* status.c - afw status: prints everything known about one session, in words,
 * and the evidence for it; from the files alone if its supervisor has ended. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "commands/cli/agent_tools.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "session/live/connection.h"
#include "session/session_rows.h"

static const struct command_option options[] = {
    {.name = "explain",
     .letter = 'v',
     .help = "also print every signal, and what it shows"},
    {.name = "json", .help = "one object"},
    {.name = NULL},
};

static void print_line(const char *title, const char *text)
{
	output_line(stdout, "  %-12s %s", title, text);
}

static void print_head(const struct session *s)
{
	bool colour = output_colour();
	_buf_ struct buf out = {0};
	int64_t since = session_since(s);
	char text[24];

	buf_addf(&out, "%s%s%s: %s", colour ? "\033[1m" : "", s->spec.name,
		 colour ? "\033[0m" : "", colour ? output_sgr(s) : "");
	buf_addf(&out, "%s%s", session_status_word(s), colour ? "\033[0m" : "");
	if (since > 0) {
		clock_age(clock_wall_ms() - since, text, sizeof text);
		buf_addf(&out, " (for %s)", text);
	}
	puts(out.data);
}

static void print_row(const struct session_row *row, const struct session *s)
{
	_buf_ struct buf text = {0};
	char *line, *rest;

	session_row_print(row, s, &text);
	if (!text.len)
		return;
	rest = text.data;
	while (row->many && (line = strsep(&rest, "\n")))
		print_line(row->title, line);
	if (!row->many)
		print_line(row->title, text.data);
}

static void print_signals(const cJSON *signals)
{
	const cJSON *g;
	struct table *t = table_create(5, NULL);

	cJSON_ArrayForEach (g, signals) {
		const char *detail = json_str_or(g, "detail", "");

		table_cell(t, json_bool(g, "believed", false) ? "  used" : "",
			   "\033[1m");
		table_cell(t, json_str_or(g, "source", "?"), NULL);
		table_cell(t, json_str_or(g, "activity", "-"), NULL);
		table_age(t, json_int(g, "age_ms", -1));
		table_cellf(t, "%s%s%s", json_str_or(g, "why", ""),
			    detail[0] ? ": " : "", detail);
	}
	table_end(t);
}

/* Prints how its state is known, from the supervisor's reply. */
static void print_why(const cJSON *reply)
{
	const char *why = json_str_or(reply, "explanation", "");

	if (why[0])
		print_line("because", why);
	if (reply)
		print_signals(json_get(reply, "signals"));
	else
		print_line("signals", "none: it is not running");
}

/* Returns the tools that the agent can call, and the reason for each that it
 * cannot; NULL: it has none. */
static cJSON *load_tools(const struct session *s)
{
	struct err err = {0};
	cJSON *list = s->spec.bridge
			  ? agent_tools_run("tools", s->dir, NULL, &err)
			  : NULL;

	if (err.kind)
		output_warn("%s", err.what);
	return list;
}

static void print_tools(const struct session *s)
{
	_json_ cJSON *list = load_tools(s);
	const cJSON *o;

	cJSON_ArrayForEach (o, list)
		output_line(stdout, "  %-12s %s: %s", "tool",
			    json_str_or(o, "name", ""),
			    json_str_or(o, "why", ""));
}

static void print_all(const struct session *s, const cJSON *reply, bool explain)
{
	print_head(s);
	for (const struct session_row *row = session_lines; row->name; row++)
		if (explain || !row->why)
			print_row(row, s);
	print_tools(s);
	if (explain)
		print_why(reply);
}

static void print_json(const struct session *s, cJSON *reply)
{
	cJSON *o = session_to_json(s), *signals, *tools = load_tools(s);

	json_set_str(o, "directory", s->dir);
	signals = cJSON_DetachItemFromObjectCaseSensitive(reply, "signals");
	cJSON_AddItemToObject(o, "signals",
			      signals ? signals : cJSON_CreateArray());
	json_set_str(o, "explanation",
		     reply ? json_str_or(reply, "explanation", "") : "");
	cJSON_AddItemToObject(o, "tools", tools ? tools : cJSON_CreateArray());
	output_json(o);
}

static int cmd_status(struct session *s, const struct args *args,
		      struct err *err)
{
	cJSON *reply = NULL;
	struct err why = {0};

	if (s->alive)
		reply = connect_request(s, REQUEST_OF(STATUS),
					CONNECT_TIMEOUT_MS, &why);
	/* Newer than the file, which a full disk may have left unchanged. */
	if (reply)
		fields_read(state_fields, FIELD_JSON, &s->state, reply, NULL);
	if (args_has(args, "json"))
		print_json(s, reply);
	else
		print_all(s, reply, args_has(args, "explain"));
	if (s->alive && !reply && s->state.phase == PHASE_RUNNING)
		output_warn("from its files only: %s", why.what);
	cJSON_Delete(reply);
	return 0;
}

const struct command command_status = {
    .name = "status",
    .usage = "[NAME]",
    .summary = "print everything about one session, and why",
    .max_args = 1,
    .options = options,
    .each = cmd_status,
};
