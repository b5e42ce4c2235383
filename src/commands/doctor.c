/* doctor.c - afw doctor: prints whether everything is there that afw needs. */
#include <stdio.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "commands/doctor.h"

static const struct {
	const char *word, *colour;
} levels[] = {
    [OK] = {"ok", "\033[32m"},
    [WARN] = {"warn", "\033[33m"},
    [FAIL] = {"fail", "\033[31m"},
};

static void print_json(const struct findings *all)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < all->n; i++) {
		const struct finding *f = &all->v[i];
		cJSON *o = cJSON_CreateObject();

		json_set_str(o, "check", f->name);
		json_set_str(o, "result", levels[f->level].word);
		json_set_str(o, "detail", f->text);
		if (f->hint)
			json_set_str(o, "hint", f->hint);
		cJSON_AddItemToArray(list, o);
	}
	output_json(list);
}

static void print_table(const struct findings *all)
{
	struct table *t = table_create(3, NULL);
	const char *before = "\n";

	for (size_t i = 0; i < all->n; i++) {
		const struct finding *f = &all->v[i];

		table_cell(t, levels[f->level].word, levels[f->level].colour);
		table_cell(t, f->name, NULL);
		table_cell(t, f->text, NULL);
	}
	table_end(t);
	for (size_t i = 0; i < all->n; i++) {
		const struct finding *f = &all->v[i];

		if (!f->hint)
			continue;
		printf("%s", before);
		output_line(stdout, "hint: %s: %s", f->name, f->hint);
		before = "";
	}
}

static int cmd_doctor(const struct args *args, struct err *err)
{
	const char *host = args_value(args, "host");
	struct survey s = {0};
	int code = 0;

	if (!host)
		survey_run(&s, FOR_DOCTOR, doctor_probes);
	else if (doctor_host(&s, host, err) < 0)
		code = -1;
	for (size_t i = 0; i < s.found.n; i++)
		if (s.found.v[i].level == FAIL)
			code = ERR_FAILED;
	if (code >= 0 && args_has(args, "json"))
		print_json(&s.found);
	else if (code >= 0)
		print_table(&s.found);
	survey_finish(&s);
	return code;
}

static const struct command_option command_options[] = {
    {.name = "host",
     .letter = 'H',
     .arg = "NAME",
     .help = "try each step to a host, and check its machine"},
    {.name = "json", .help = "one array of objects"},
    {.name = NULL},
};

const struct command command_doctor = {
    .name = "doctor",
    .usage = "",
    .summary = "check that everything afw needs is there",
    .options = command_options,
    .here = true,
    .run = cmd_doctor,
};
