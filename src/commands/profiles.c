/* profiles.c - afw profiles: prints the options that [profile.NAME] sets, and
 * where. */
#include "base/cleanup.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "commands/launch/settings.h"

static const struct command_option profile_options[] = {
    {.name = "quiet",
     .letter = 'q',
     .help = "print only the names, one per line"},
    {.name = "json", .help = "one array of objects; with NAME, an object"},
    {.name = NULL},
};

/* Adds the profile's value for o, if it sets one. */
static int add_setting(const struct config *c, const char *profile,
		       const struct option *o, cJSON *options_set,
		       struct err *err)
{
	_free_ char *name = mem_printf("profile.%s.%s", profile, o->name);
	CLEANUP(config_setting_finish) struct config_setting s;
	_free_ char *text = NULL;
	cJSON *row;

	if (config_get(c, name, &s, err) < 0)
		return -1;
	if (strcmp(s.origin, "default") == 0)
		return 0;
	text = option_format(o, &s.value);
	row = cJSON_CreateObject();
	json_set_str(row, "name", o->name);
	option_value_json(o, &s.value, "value", row);
	json_set_str(row, "text", text);
	json_set_str(row, "origin", s.origin);
	cJSON_AddItemToArray(options_set, row);
	return 0;
}

/* Returns {"name": ..., "sets": ["setup", ...], "options": [...]}; NULL with
 * err. */
static cJSON *profile_json(const struct config *c, const char *profile,
			   struct err *err)
{
	_json_ cJSON *o = cJSON_CreateObject();
	_strv_ struct strv names = {0};
	cJSON *all;
	const cJSON *row;

	json_set_str(o, "name", profile);
	all = json_set_array(o, "options");
	for (int i = 0; i < OPTION_COUNT; i++)
		if (options[i].session &&
		    add_setting(c, profile, &options[i], all, err) < 0)
			return NULL;
	cJSON_ArrayForEach (row, all)
		strv_add(&names, json_str(row, "name"));
	json_set_strv(o, "sets", &names);
	return TAKE_PTR(o);
}

static int list(const struct args *args, const struct config *c,
		struct err *err)
{
	static const struct list_column columns[] = {
	    {.key = "name", .title = "NAME", .sgr = "\033[1m"},
	    {.key = "sets", .title = "SETS"},
	    {.key = NULL},
	};
	_strv_ struct strv names = {0};
	_json_ cJSON *rows = cJSON_CreateArray();

	config_section_names(c, "profile", &names);
	strv_sort(&names);
	for (size_t i = 0; i < names.n; i++) {
		cJSON *o = profile_json(c, names.v[i], err);

		if (!o)
			return -1;
		cJSON_AddItemToArray(rows, o);
	}
	return list_print(
	    TAKE_PTR(rows), columns, args,
	    "there is no profile; a section [profile.NAME] of afw.ini "
	    "makes one");
}

static int print_profile(const struct args *args, struct config *c,
			 struct err *err)
{
	static const struct list_column columns[] = {
	    {.key = "name", .title = "OPTION", .sgr = "\033[1m"},
	    {.key = "text", .title = "VALUE"},
	    {.key = "origin", .title = "FROM"},
	    {.key = NULL},
	};
	const char *name = args->positional[0];
	_json_ cJSON *o = NULL;

	/* Refuses an unknown name, with the nearest as hint. */
	if (config_apply_profile(c, name, err) < 0 ||
	    !(o = profile_json(c, name, err)))
		return err_prefix(err, "profiles");
	if (args_has(args, "json")) {
		output_json(TAKE_PTR(o));
		return 0;
	}
	return list_print(cJSON_DetachItemFromObject(o, "options"), columns,
			  args, NULL);
}

static int cmd_profiles(const struct args *args, struct err *err)
{
	_config_ struct config *c = NULL;

	if (settings_load_here(&c, err) < 0)
		return -1;
	if (!args_has(args, "quiet"))
		settings_warn_untrusted(c);
	return args->n ? print_profile(args, c, err) : list(args, c, err);
}

const struct command command_profiles = {
    .name = "profiles",
    .usage = "[NAME]",
    .summary = "list and show the profiles that a session is made with",
    .completes = "PROFILE",
    .max_args = 1,
    .options = profile_options,
    .here = true,
    .run = cmd_profiles,
};
