/*
 * group.c - afw group: which sessions belong together, for `afw send --group`
 * and `afw ls --group`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "commands/command.h"
#include "commands/output.h"
#include "commands/recipients.h"
#include "session/groups.h"

static const struct command_option options[] = {
    {.name = "add",
     .letter = 'a',
     .arg = "GROUP",
     .many = true,
     .help = "they join GROUP"},
    {.name = "remove",
     .letter = 'r',
     .arg = "GROUP",
     .many = true,
     .help = "they leave GROUP"},
    {.name = "quiet", .letter = 'q', .help = "names only, one a line"},
    {.name = "json", .help = "an array; of named ones an object a line"},
    {.name = NULL},
};

/* -- all groups ------------------------------------------------------------ */

struct member {
	const char *group;
	char *label;
};

static int by_group(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = strcmp(x->group, y->group);

	return order ? order : strcmp(x->label, y->label);
}

/* One row or object for each group; members are sorted by it. */
static void print_groups(const struct member *m, size_t n,
			 const struct args *args)
{
	cJSON *all = cJSON_CreateArray(), *names = NULL;
	struct table *t = table_create(2, NULL);
	struct buf line = {0};

	for (size_t i = 0; i < n; i++) {
		bool first = i == 0 || strcmp(m[i].group, m[i - 1].group) != 0;
		bool last =
		    i + 1 == n || strcmp(m[i].group, m[i + 1].group) != 0;

		if (first) {
			cJSON *o = cJSON_CreateObject();

			json_set_str(o, "group", m[i].group);
			names = json_set_array(o, "sessions");
			cJSON_AddItemToArray(all, o);
			buf_clear(&line);
		}
		cJSON_AddItemToArray(names, cJSON_CreateString(m[i].label));
		buf_addf(&line, "%s%s", first ? "" : " ", m[i].label);
		if (!last)
			continue;
		if (args_has(args, "quiet"))
			puts(m[i].group);
		table_cell(t, m[i].group, "\033[1m");
		table_cell(t, line.data, NULL);
	}
	if (args_has(args, "json"))
		output_json(all);
	else
		cJSON_Delete(all);
	if (args_has(args, "json") || args_has(args, "quiet")) {
		table_destroy(t);
	} else {
		table_end(t);
		if (n == 0)
			output_warn("no session is in a group; `afw group "
				    "NAME --add GROUP` puts one there");
	}
	buf_finish(&line);
}

static int list(const struct args *args, struct err *err)
{
	struct session_list l;
	struct member *all = NULL;
	size_t n = 0;

	if (session_list_load(&l, err) < 0)
		return -1;
	for (size_t i = 0; i < l.n; i++) {
		const struct strv *groups = &l.v[i].groups;

		all = mem_realloc(all, (n + groups->n + 1) * sizeof *all);
		for (size_t j = 0; j < groups->n; j++)
			all[n++] = (struct member){
			    .group = groups->v[j],
			    .label = session_label(&l.v[i], &l)};
	}
	if (n)
		qsort(all, n, sizeof *all, by_group);
	print_groups(all, n, args);
	for (size_t i = 0; i < n; i++)
		free(all[i].label);
	free(all);
	session_list_finish(&l);
	return 0;
}

/* -- those of sessions ----------------------------------------------------- */

static void say(const struct session *s, const struct args *args)
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
	say(s, args);
	return 0;
}

static int run(const struct args *args, struct err *err)
{
	if (args->n)
		return recipients_each(args, change, err);
	if (!args_has(args, "add") && !args_has(args, "remove"))
		return list(args, err);
	err_set(err, ERR_USAGE, "group: which sessions?");
	return err_hint(err, "afw group NAME... --add GROUP");
}

const struct command command_group = {
    .name = "group",
    .usage = "[NAME... [--add GROUP] [--remove GROUP]]",
    .summary = "show and change which sessions belong together",
    .completes = "session",
    .max_args = -1,
    .options = options,
    .run = run,
};
