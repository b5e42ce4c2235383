/*
 * checkpoints.c - afw checkpoints: lists a session's checkpoints, each with
 * what was changed from it to the next one.
 *
 * afw-worktree knows all of it except the result of a turn's check, which is in
 * the session's history.
 */
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "session/disk/event_log.h"
#include "session/disk/follow.h"
#include "wire/worktree_client.h"

static const struct command_option options[] = {
    {.name = "json", .help = "print one array of objects"},
    {.name = NULL},
};

/* Sets the result in the newest turn that began before the check. */
static int add_check(void *ctx, const char *line, size_t len)
{
	_json_ cJSON *event = json_parse_object(line, len, NULL);
	int64_t at = clock_parse(json_str_or(event, "at", ""));
	cJSON *c, *turn = NULL;

	if (at < 0 || strcmp(json_str_or(event, "event", ""), "check") != 0)
		return 0;
	cJSON_ArrayForEach (c, (cJSON *)ctx) {
		if (strcmp(json_str_or(c, "kind", ""), "turn-begin") == 0 &&
		    json_int(c, "at", 0) <= at)
			turn = c;
	}
	if (turn)
		json_set_str(turn, "check", json_str(event, "state"));
	return 0;
}

static void add_checks(const struct session *s, cJSON *list)
{
	struct follow history;

	follow_open(&history, s->dir, EVENTS_FILE);
	follow_next(&history, add_check, list);
	follow_close(&history);
}

/* afw-worktree counts what was changed before a checkpoint. */
static void move_counts(cJSON *list)
{
	static const char *const counts[] = {"files", "lines_added",
					     "lines_removed"};
	cJSON *c;

	cJSON_ArrayForEach (c, list)
		for (size_t i = 0; i < 3; i++)
			if (c->next)
				json_set_int(c, counts[i],
					     json_int(c->next, counts[i], 0));
			else
				cJSON_DeleteItemFromObjectCaseSensitive(
				    c, counts[i]);
}

static void add_row(struct table *out, const cJSON *c)
{
	long long added = json_int(c, "lines_added", 0);
	long long removed = json_int(c, "lines_removed", 0);
	const char *kind = json_str_or(c, "kind", "");
	char at[CLOCK_LOCAL_SIZE];

	clock_format_local(json_int(c, "at", 0), at);
	table_cellf(out, "%lld", (long long)json_int(c, "number", 0));
	table_cell(out, at, NULL);
	table_cell(out, kind, NULL);
	if (c->next)
		table_cellf(out, "%lld", (long long)json_int(c, "files", 0));
	else
		table_cell(out, "-", NULL);
	if (added || removed)
		table_cellf(out, "+%lld -%lld", added, removed);
	else
		table_cell(out, "-", NULL);
	table_cell(out, json_str_or(c, "check", "-"), NULL);
	table_cell(out,
		   strcmp(kind, "turn-end") == 0 ? "" : json_str(c, "text"),
		   NULL);
}

static void print_table(const cJSON *list)
{
	static const char *const titles[] = {
	    ">NUMBER", "TIME", "KIND", ">FILES", "CHANGES", "CHECK", "MESSAGE"};
	struct table *out = table_create(7, titles);
	const cJSON *c;

	cJSON_ArrayForEach (c, list)
		add_row(out, c);
	table_end(out);
}

static void print_json(cJSON *list)
{
	char at[CLOCK_RFC3339_SIZE];
	cJSON *c;

	cJSON_ArrayForEach (c, list) {
		clock_format(json_int(c, "at", 0), at);
		json_set_str(c, "at", at);
	}
	output_json(list);
}

static int cmd_checkpoints(struct session *s, const struct args *args,
			   struct err *err)
{
	struct checkpoints_request rq = {.place = spec_place(&s->spec)};
	_json_ cJSON *answer = NULL;
	cJSON *list;

	if (spec_check_single(&s->spec, "checkpoints", err) < 0 ||
	    spec_check_checkout(&s->spec, err) < 0)
		return err_prefix(err, "checkpoints of '%s'", s->spec.name);
	answer =
	    worktree_client_run(checkpoints_request(&rq), NULL, NULL, 0, err);
	if (!answer)
		return err_prefix(err, "checkpoints of '%s'", s->spec.name);
	list = cJSON_DetachItemFromObjectCaseSensitive(answer, "checkpoints");
	move_counts(list);
	add_checks(s, list);
	if (args_has(args, "json")) {
		print_json(list);
		return 0;
	}
	if (list && list->child)
		print_table(list);
	else
		output_hint("it has no checkpoints: `afw checkpoint %s` takes "
			    "one",
			    s->spec.name);
	cJSON_Delete(list);
	return 0;
}

const struct command command_checkpoints = {
    .name = "checkpoints",
    .usage = "[NAME]",
    .summary = "list the states that were stored, by turn",
    .max_args = 1,
    .options = options,
    .each = cmd_checkpoints,
};
