/* reconcile.c - afw reconcile: compares what is recorded with what exists. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/doctor.h"
#include "commands/launch/settings.h"

static const struct command_option reconcile_options[] = {
    {.name = "apply", .help = "repair what can be repaired without loss"},
    {.name = "json", .help = "one array of objects"},
    {.name = NULL},
};

static void print_json(const struct findings *f, bool apply)
{
	cJSON *all = cJSON_CreateArray();

	for (size_t i = 0; i < f->n; i++) {
		const struct finding *x = &f->v[i];
		cJSON *o = cJSON_CreateObject();

		json_set_str(o, "kind", x->kind);
		json_set_str(o, "id", x->id[0] ? x->id : NULL);
		json_set_str(o, "name", x->name);
		json_set_str(o, "path", x->path);
		if (x->pid)
			json_set_int(o, "pid", x->pid);
		json_set_str(o, "text", x->text);
		json_set_str(o, "hint", x->hint);
		json_set_bool(o, "safe", x->safe);
		if (apply)
			json_set_bool(o, "repaired", x->repaired);
		cJSON_AddItemToArray(all, o);
	}
	output_json(all);
}

static void print(const struct findings *f, bool apply)
{
	size_t safe = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct finding *x = &f->v[i];

		output_line(stdout, "%s%s%s%s", x->name ? x->name : "",
			    x->name ? ": " : "", x->text,
			    x->repaired	       ? " (repaired)"
			    : x->safe && apply ? " (could not be repaired)"
					       : "");
		if (x->hint && !x->repaired)
			output_line(stdout, "    %s", x->hint);
		safe += x->safe;
	}
	if (f->n == 0)
		puts("everything is as it is recorded");
	else if (safe && !apply)
		printf(
		    "%zu of these can be repaired: `afw reconcile --apply`\n",
		    safe);
}

static int cmd_reconcile(const struct args *args, struct err *err)
{
	_free_ char *here = session_repository_here();
	struct survey s = {.apply = args_has(args, "apply"),
			   .branch_prefix = "af/",
			   .repository = here};
	struct config *config = NULL;
	struct err why;
	int rc = 0;

	if (settings_load_here(&config, &why) == 0) {
		s.branch_prefix = config_str(config, OPTION_BRANCH_PREFIX);
		s.docker =
		    strcmp(config_str(config, OPTION_ENGINE), "docker") == 0;
	}
	survey_run(&s, FOR_RECONCILE, doctor_probes);
	if (args_has(args, "json"))
		print_json(&s.found, s.apply);
	else
		print(&s.found, s.apply);
	if (s.found.failed)
		rc = err_set(err, ERR_FAILED,
			     "reconcile: not everything could be checked");
	survey_finish(&s);
	config_destroy(config);
	return rc;
}

const struct command command_reconcile = {
    .name = "reconcile",
    .usage = "",
    .summary = "compare what is recorded with what is there",
    .options = reconcile_options,
    .run = cmd_reconcile,
};
