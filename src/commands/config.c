/*
 * config.c - afw config: what is in force and where it comes from, and the
 * verbs that change it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "commands/config_change.h"
#include "commands/launch/settings.h"

static const struct command_option command_options[] = {
    {.name = "verbose",
     .letter = 'v',
     .help = "with what each is for",
     .verbs = "- get check"},
    {.name = "repo",
     .help = "the repository's .af/afw.ini",
     .verbs = "set unset edit"},
    {.name = "example",
     .help = "print an afw.ini with all defaults",
     .verbs = "-"},
    {.name = "json",
     .help = "one object for each value",
     .verbs = "- get check"},
    {.name = NULL},
};

static int print_example(struct err *err)
{
	_buf_ struct buf text = {0};

	if (settings_read_example(&text, err) < 0)
		return err_prefix(err, "config");
	fwrite(text.data, 1, text.len, stdout);
	return 0;
}

static cJSON *to_json(const char *name, const struct config_setting *s)
{
	const struct option *o = s->option;
	cJSON *out = cJSON_CreateObject();

	json_set_str(out, "name", name);
	option_value_json(o, &s->value, "value", out);
	json_set_text(out, "default", o->value);
	json_set_str(out, "origin", s->origin);
	json_set_str(out, "type", option_type_name(o->type));
	json_set_bool(out, "repository", o->repository);
	json_set_str(out, "help", o->help);
	return out;
}

/* As a file has it, a line of help below it. */
static void print_verbose(const char *name, const struct config_setting *s)
{
	char *text = option_format(s->option, &s->value);

	output_line(stdout, "%s = %s", name, text ? text : "");
	output_line(stdout, "    %s", s->option->help);
	output_line(stdout, "    %s; %s", option_type_name(s->option->type),
		    s->origin);
	free(text);
}

static void add_row(struct table *t, const char *name,
		    const struct config_setting *s)
{
	bool set = strcmp(s->origin, "default") != 0;
	char *text = option_format(s->option, &s->value);

	for (char *nl = text; nl && (nl = strchr(nl, '\n'));)
		*nl = ' ';
	table_cell(t, name, set ? "\033[1m" : NULL);
	table_cell(t, text, NULL);
	table_cell(t, s->origin, set ? NULL : "\033[2m");
	free(text);
}

static int list(const struct config *c, const struct args *args,
		struct err *err)
{
	bool verbose = args_has(args, "verbose");
	cJSON *all = args_has(args, "json") ? cJSON_CreateArray() : NULL;
	struct table *t = all || verbose ? NULL : table_create(3, NULL);
	struct strv names = {0};
	int rc = 0;

	config_names(c, &names);
	for (size_t i = 0; rc == 0 && i < names.n; i++) {
		struct config_setting s;

		rc = config_get(c, names.v[i], &s, err);
		if (rc < 0)
			break;
		if (all)
			cJSON_AddItemToArray(all, to_json(names.v[i], &s));
		else if (verbose)
			print_verbose(names.v[i], &s);
		else
			add_row(t, names.v[i], &s);
		config_setting_finish(&s);
	}
	strv_finish(&names);
	if (all)
		output_json(all);
	else if (t)
		table_end(t);
	return rc;
}

static int get(const struct config *c, const char *name,
	       const struct args *args, struct err *err)
{
	struct config_setting s;
	char *text;

	if (config_get(c, name, &s, err) < 0)
		return err_prefix(err, "config");
	text = option_format(s.option, &s.value);
	if (args_has(args, "json"))
		output_json(to_json(name, &s));
	else if (args_has(args, "verbose"))
		print_verbose(name, &s);
	else
		puts(text ? text : "");
	free(text);
	config_setting_finish(&s);
	return 0;
}

/* All, or of name: what is in force. */
static int show(const char *name, const struct args *args, struct err *err)
{
	struct config *c;
	int rc = settings_load_here(&c, err);

	if (rc < 0)
		return -1;
	settings_warn_untrusted(c);
	rc = name ? get(c, name, args, err) : list(c, args, err);
	config_destroy(c);
	return rc;
}

/* A name alone is that of a value: `config setup`. */
static int run(const struct args *args, struct err *err)
{
	if (args_has(args, "example"))
		return print_example(err);
	return show(args->positional[0], args, err);
}

static const struct verb verbs[] = {
    {"get", "NAME", "option", 1, 1, run},
    {"set", "NAME VALUE", "option", 2, 2, config_change_set},
    {"unset", "NAME", "option", 1, 1, config_change_unset},
    {"edit", "", NULL, 0, 0, config_change_edit},
    {"check", "", NULL, 0, 0, config_check_run},
    {.name = NULL},
};

const struct command command_config = {
    .name = "config",
    .usage = "NAME",
    .summary = "show the configuration and where it comes from; change it",
    .max_args = 1,
    .verbs = verbs,
    .options = command_options,
    .here = true,
    .run = run,
};
