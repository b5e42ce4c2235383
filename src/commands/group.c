/* group.c - afw group: shows and changes the groups of sessions, for `afw send
 * --group` and `afw ls --group`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "session/disk/groups.h"

static const struct command_option options[] = {
    {.name = "add",
     .letter = 'a',
     .arg = "GROUP",
     .many = true,
     .help = "add the sessions to GROUP"},
    {.name = "remove",
     .letter = 'r',
     .arg = "GROUP",
     .many = true,
     .help = "remove the sessions from GROUP"},
    {.name = "quiet",
     .letter = 'q',
     .help = "print only the names, one per line"},
    {.name = "json",
     .help = "print an array; for named sessions, one object per line"},
    {.name = NULL},
};

/* -- all groups ------------------------------------------------------------ */

static void find_groups(const struct session_list *l, struct strv *out)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t j = 0; j < l->v[i].groups.n; j++)
			if (!strv_has(out, l->v[i].groups.v[j]))
				strv_add(out, l->v[i].groups.v[j]);
	strv_sort(out);
}

/* Appends the labels of the sessions in group. */
static void find_members(const struct session_list *l, const char *group,
			 struct strv *out)
{
	for (size_t i = 0; i < l->n; i++)
		if (strv_has(&l->v[i].groups, group))
			strv_take(out, session_label(&l->v[i], l));
	strv_sort(out);
}

static const struct list_column columns[] = {
    {.key = "group", .sgr = "\033[1m"},
    {.key = "sessions"},
    {.key = NULL},
};

static int list(const struct args *args, struct err *err)
{
	cJSON *rows;
	_strv_ struct strv groups = {0};
	struct session_list l;

	if (session_list_load(&l, err) < 0)
		return -1;
	rows = cJSON_CreateArray();
	find_groups(&l, &groups);
	for (size_t i = 0; i < groups.n; i++) {
		_strv_ struct strv names = {0};
		cJSON *o = cJSON_CreateObject();

		find_members(&l, groups.v[i], &names);
		json_set_str(o, "group", groups.v[i]);
		json_set_strv(o, "sessions", &names);
		cJSON_AddItemToArray(rows, o);
	}
	session_list_finish(&l);
	return list_print(rows, columns, args,
			  "no session is in a group; `afw group NAME --add "
			  "GROUP` puts one there");
}

/* -- the groups of sessions ------------------------------------------------ */

static void print_groups(const struct session *s, const struct args *args)
{
	struct strv now = {0};
	cJSON *o;

	groups_load(s->dir, &now);
	if (args_has(args, "json")) {
		o = cJSON_CreateObject();
		json_set_str(o, "id", s->spec.id);
		json_set_str(o, "name", s->spec.name);
		json_set_strv(o, "groups", &now);
		output_json(o);
	} else if (args_has(args, "quiet")) {
		for (size_t i = 0; i < now.n; i++)
			puts(now.v[i]);
	} else {
		printf("%s:%s", s->spec.name, now.n ? "" : " in no group");
		for (size_t i = 0; i < now.n; i++)
			printf(" %s", now.v[i]);
		putchar('\n');
	}
	strv_finish(&now);
}

static int change(struct session *s, const struct args *args, struct err *err)
{
	const char *group;
	size_t i = 0;

	while ((group = args_next(args, "add", &i)))
		if (groups_join(s->dir, group, err) < 0)
			return err_prefix(err, "group '%s'", s->spec.name);
	i = 0;
	while ((group = args_next(args, "remove", &i)))
		if (groups_leave(s->dir, group, err) < 0)
			return err_prefix(err, "group '%s'", s->spec.name);
	print_groups(s, args);
	return 0;
}

static int cmd_group(const struct args *args, struct err *err)
{
	if (args->n)
		return targets_each(args, change, err);
	if (!args_has(args, "add") && !args_has(args, "remove"))
		return list(args, err);
	err_set(err, ERR_USAGE, "group: which sessions?");
	return err_hint(err,
			"`afw group NAME --add GROUP` puts a session there");
}

const struct command command_group = {
    .name = "group",
    .usage = "[NAME... [--add GROUP] [--remove GROUP]]",
    .summary = "show and change which sessions belong together",
    .completes = "session",
    .max_args = -1,
    .options = options,
    .run = cmd_group,
};
