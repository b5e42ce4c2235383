/*
 * config.c - afw config: what is in force and where it comes from; with a
 * key its value alone, for scripts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/nearest.h"
#include "commands/command.h"
#include "commands/output.h"
#include "commands/settings.h"
#include "config/example.h"

static const struct command_option command_options[] = {
    {.name = "example", .help = "print an afw.ini with all defaults"},
    {.name = "json", .help = "one object for each option"},
    {.name = NULL},
};

static int print_example(void)
{
	struct buf text = {0};

	example_print(&text);
	fwrite(text.data, 1, text.len, stdout);
	buf_finish(&text);
	return 0;
}

static cJSON *to_json(const struct config *c, enum option_id id)
{
	const struct option *o = &options[id];
	cJSON *out = cJSON_CreateObject();

	json_set_str(out, "name", o->name);
	switch (o->type) {
	case OPTION_BOOL:
		json_set_bool(out, "value", config_bool(c, id));
		break;
	case OPTION_INT:
	case OPTION_SIZE:
		json_set_int(out, "value", config_int(c, id));
		break;
	case OPTION_DURATION:
		json_set_int(out, "value_ms", config_int(c, id));
		break;
	case OPTION_LIST:
	case OPTION_COMMAND:
		json_set_strv(out, "value", config_list(c, id));
		break;
	case OPTION_STRING:
	case OPTION_CHOICE:
	case OPTION_KEY:
		json_set_str(out, "value", config_str(c, id));
		break;
	}
	json_set_str(out, "default", o->value);
	json_set_str(out, "origin", config_origin(c, id));
	json_set_str(out, "type", option_type_name(o->type));
	json_set_bool(out, "repository", o->repository);
	json_set_str(out, "help", o->help);
	return out;
}

static void print_all(const struct config *c, bool json)
{
	cJSON *all = json ? cJSON_CreateArray() : NULL;
	struct table *t = json ? NULL : table_create(3, NULL);

	for (int i = 0; i < OPTION_COUNT; i++) {
		enum option_id id = (enum option_id)i;
		const char *origin = config_origin(c, id);
		bool set = strcmp(origin, "default") != 0;
		char *text;

		if (json) {
			cJSON_AddItemToArray(all, to_json(c, id));
			continue;
		}
		text = config_text(c, id);
		table_cell(t, options[i].name, set ? "\033[1m" : NULL);
		table_cell(t, text, NULL);
		table_cell(t, origin, set ? NULL : "\033[2m");
		free(text);
	}
	if (json)
		output_json(all);
	else
		table_end(t);
}

static int unknown(const char *key, struct err *err)
{
	const char *names[OPTION_COUNT + 1] = {NULL}, *best;

	for (int i = 0; i < OPTION_COUNT; i++)
		names[i] = options[i].name;
	best = nearest_of(key, names);
	err_set(err, ERR_USAGE, "there is no option '%.60s'", key);
	if (best)
		return err_hint(err, "did you mean '%s'?", best);
	return err_hint(err, "`afw config` lists them");
}

static int run(const struct args *args, struct err *err)
{
	const char *key = args->n > 0 ? args->positional[0] : NULL;
	int id = key ? option_find(key) : 0;
	struct config *c;
	char *text;

	if (args_has(args, "example"))
		return print_example();
	if (id < 0)
		return unknown(key, err);
	if (settings_load_here(&c, err) < 0)
		return -1;
	settings_warn_untrusted(c);
	if (!key) {
		print_all(c, args_has(args, "json"));
	} else if (args_has(args, "json")) {
		output_json(to_json(c, (enum option_id)id));
	} else {
		text = config_text(c, (enum option_id)id);
		puts(text);
		free(text);
	}
	config_destroy(c);
	return 0;
}

const struct command command_config = {
    .name = "config",
    .usage = "[KEY]",
    .summary = "show the configuration and where it comes from",
    .completes = "option",
    .max_args = 1,
    .options = command_options,
    .here = true,
    .run = run,
};
