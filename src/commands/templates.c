/* templates.c - afw templates: lists, prints, checks and makes templates. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "commands/editor.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "commands/launch/settings.h"
#include "commands/launch/template_check.h"
#include "config/template.h"

static const struct command_option template_options[] = {
    {.name = "from",
     .arg = "TEMPLATE",
     .help = "the template to copy",
     .verbs = "new"},
    {.name = "quiet",
     .letter = 'q',
     .help = "print only the names, one per line"},
    {.name = "json", .help = "one array of objects; with NAME, an object"},
    {.name = NULL},
};

static const struct list_column columns[] = {
    {.key = "name", .title = "NAME", .sgr = "\033[1m"},
    {.key = "says", .title = "SAYS"},
    {.key = "path", .title = "FROM"},
    {.key = NULL},
};

/* Adds {"name", "value", "text", "origin"} for each option of its section. */
static int add_options(const struct config *c, const char *template, cJSON *all,
		       struct err *err)
{
	const cJSON *key;

	cJSON_ArrayForEach (key, config_section(c, TEMPLATE_KIND, template)) {
		CLEANUP(config_setting_finish) struct config_setting s;
		_free_ char *name =
		    mem_printf(TEMPLATE_KIND ".%s.%s", template, key->string);
		_free_ char *text = NULL;
		cJSON *row;

		if (config_get(c, name, &s, err) < 0)
			return -1;
		text = option_format(s.option, &s.value);
		row = cJSON_CreateObject();
		json_set_str(row, "name", key->string);
		option_value_json(s.option, &s.value, "value", row);
		json_set_str(row, "text", text);
		json_set_str(row, "origin", s.origin);
		cJSON_AddItemToArray(all, row);
	}
	return 0;
}

/* Returns all that is known of it; NULL with err. */
static cJSON *template_json(const struct config *c, const char *name,
			    struct err *err)
{
	_free_ char *says = template_summary(c, name);
	_free_ char *dir = template_dir(c, name);
	const char *from = template_owner(c, name, err);
	_json_ cJSON *o = cJSON_CreateObject();
	_strv_ struct strv names = {0};
	const cJSON *row;
	cJSON *all;

	json_set_str(o, "name", name);
	json_set_str(o, "says", says);
	json_set_str(o, "from", from);
	json_set_str(o, "path", dir);
	all = json_set_array(o, "options");
	if (!from || add_options(c, name, all, err) < 0)
		return NULL;
	cJSON_ArrayForEach (row, all)
		strv_add(&names, json_str(row, "name"));
	json_set_strv(o, "sets", &names);
	if (!dir && all->child)
		json_set_str(o, "path", json_str(all->child, "origin"));
	return TAKE_PTR(o);
}

static int list(const struct args *args, struct config *c, struct err *err)
{
	_json_ cJSON *rows = cJSON_CreateArray();
	_strv_ struct strv names = {0};

	template_names(c, &names);
	for (size_t i = 0; i < names.n; i++) {
		cJSON *o = template_json(c, names.v[i], err);

		if (!o)
			return -1;
		if (!args_has(args, "json") && !*json_str_or(o, "says", ""))
			cJSON_ReplaceItemInObjectCaseSensitive(
			    o, "says", cJSON_DetachItemFromObject(o, "sets"));
		cJSON_AddItemToArray(rows, o);
	}
	return list_print(TAKE_PTR(rows), columns, args, NULL);
}

/* Prints the names of the files in home/. */
static int print_home(const struct config *c, const char *name, const char *dir,
		      struct err *err)
{
	struct filetree home;
	int rc = template_read_home(c, name, &home, err);

	for (size_t i = 0; i < home.n; i++)
		output_line(stdout, "# %s/home/%s", dir, home.v[i].name);
	filetree_finish(&home);
	return rc;
}

static int print_file(const struct config *c, const char *name, const char *dir,
		      const char *file, struct err *err)
{
	_buf_ struct buf text = {0};
	int rc = template_read(c, name, file, &text, err);

	if (rc > 0)
		output_line(stdout, "# %s/%s", dir, file);
	output_lines(stdout, text.data);
	return rc < 0 ? -1 : 0;
}

/* Prints the whole template, and checks it. */
static int print_template(const struct args *args, struct config *c,
			  struct err *err)
{
	const char *name = args->positional[0];
	_json_ cJSON *o = template_json(c, name, err);
	_free_ char *dir = template_dir(c, name);
	const cJSON *row;

	/* Refuses an unknown name, with the nearest as hint. */
	if (template_apply(c, name, NULL, err) < 0 || !o)
		return err_prefix(err, "templates");
	if (args_has(args, "json")) {
		output_json(TAKE_PTR(o));
		return 0;
	}
	if (dir && (print_file(c, name, dir, TEMPLATE_INI, err) < 0 ||
		    print_file(c, name, dir, TEMPLATE_PROMPT, err) < 0 ||
		    print_home(c, name, dir, err) < 0))
		return -1;
	cJSON_ArrayForEach (row, cJSON_GetObjectItem(o, "options"))
		output_line(stdout, "# %s\n%s = %s", json_str(row, "origin"),
			    json_str(row, "name"), json_str(row, "text"));
	return 0;
}

/* -- the user's templates -------------------------------------------------- */

/* Prints the mistakes in each template. */
static int check(const struct strv *names, bool json, struct err *err)
{
	cJSON *all = cJSON_CreateArray();
	size_t bad = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < names->n; i++) {
		cJSON *o = cJSON_CreateObject(), *mistakes, *m;

		json_set_str(o, "name", names->v[i]);
		mistakes = json_set_array(o, "mistakes");
		cJSON_AddItemToArray(all, o);
		rc = template_check(names->v[i], mistakes, err);
		bad += mistakes->child != NULL;
		if (rc == 0 && !json && !mistakes->child)
			output_line(stdout, "%s: sound", names->v[i]);
		cJSON_ArrayForEach (m, mistakes)
			if (!json)
				output_line(stderr, "%s", m->valuestring);
	}
	if (rc == 0 && json)
		output_json(cJSON_Duplicate(all, true));
	if (rc == 0 && bad)
		rc = err_set(err, ERR_FAILED, "%zu template%s cannot be used",
			     bad, bad == 1 ? "" : "s");
	cJSON_Delete(all);
	return rc;
}

static int check_some(const struct args *args, struct config *c,
		      struct err *err)
{
	struct strv names = {0};
	int rc;

	if (args->n)
		strv_add(&names, args->positional[0]);
	else
		template_names(c, &names);
	rc = check(&names, args_has(args, "json"), err);
	strv_finish(&names);
	return rc;
}

/* Adds the files of a new template. */
static void add_sample(struct filetree *files)
{
	static const char ini[] = "# What afw.ini(5) may have, laid over it.\n"
				  "# harness = claude\n"
				  "# sandbox = landlock\n";
	static const char prompt[] =
	    "Says in this line what the role is for.\n"
	    "\n"
	    "You are the ${AFW_ROLE} of ${AFW_WORKSPACE}.\n";

	filetree_add(files, TEMPLATE_INI, ini);
	filetree_add(files, TEMPLATE_PROMPT, prompt);
}

static int make_template(const struct args *args, struct config *c,
			 struct err *err)
{
	const char *name = args->positional[0],
		   *from = args_value(args, "from"), *counts;
	struct filetree files = {0};
	char *dir = NULL;
	cJSON *o;
	int rc = 0;

	if (command_verb(args->command, name))
		return err_set(err, ERR_USAGE,
			       "templates: one cannot be called '%s'", name);
	if (from)
		rc = template_files(c, from, &files, err);
	else
		add_sample(&files);
	if (rc == 0)
		dir = template_create(c, name, &files, err);
	if (dir && args_has(args, "json")) {
		o = cJSON_CreateObject();
		json_set_str(o, "name", name);
		json_set_str(o, "path", dir);
		output_json(o);
	} else if (dir) {
		output_line(stdout, "%s: %s", name, dir);
		output_hint("`afw templates edit %s` opens it", name);
	}
	counts = template_owner(c, name, NULL);
	if (dir && counts && strcmp(counts, "repository") == 0)
		output_warn("%s: the repository's own template of that name is "
			    "used here",
			    name);
	filetree_finish(&files);
	free(dir);
	return dir ? 0 : -1;
}

static int edit_files(const char *dir, struct err *err)
{
	char *ini = file_join(dir, TEMPLATE_INI);
	char *prompt = file_join(dir, TEMPLATE_PROMPT);
	const char *const files[] = {ini, prompt, NULL};
	int rc = editor_run(files, false, err);

	if (rc < 0)
		err_prefix(err, "edit %s", dir);
	free(ini);
	free(prompt);
	return rc;
}

static int edit(const struct args *args, struct config *c, struct err *err)
{
	const char *name = args->positional[0];
	const char *from = template_owner(c, name, err);
	struct strv names = {0};
	char *dir = template_dir(c, name);
	int rc = -1;

	if (from && strcmp(from, "afw") == 0) {
		err_set(err, ERR_REFUSED, "edit template '%s': it is afw's own",
			name);
		err_hint(err, "`afw templates new %s --from %s` makes it yours",
			 name, name);
	} else if (from && !dir) {
		err_set(err, ERR_USAGE,
			"template '%s' has no files: it is a section of "
			"afw.ini",
			name);
		err_hint(err, "`afw config edit` opens that");
	} else if (from) {
		rc = edit_files(dir, err);
	}
	if (rc == 0 && strcmp(from, "repository") == 0) {
		output_hint("it is used after `afw trust`");
	} else if (rc == 0) {
		strv_add(&names, name);
		rc = check(&names, args_has(args, "json"), err);
	}
	strv_finish(&names);
	free(dir);
	return rc;
}

/* -- the command ----------------------------------------------------------- */

typedef int template_fn(const struct args *args, struct config *c,
			struct err *err);

static int with_config(const struct args *args, template_fn *fn,
		       struct err *err)
{
	struct config *c = NULL;
	int rc = settings_load_here(&c, err);

	if (rc == 0 && !args_has(args, "quiet"))
		settings_warn_untrusted(c);
	if (rc == 0)
		rc = fn(args, c, err);
	config_destroy(c);
	return rc;
}

static int cmd_templates(const struct args *args, struct err *err)
{
	return with_config(args, args->n ? print_template : list, err);
}

static int run_new(const struct args *args, struct err *err)
{
	return with_config(args, make_template, err);
}

static int run_edit(const struct args *args, struct err *err)
{
	return with_config(args, edit, err);
}

static int run_check(const struct args *args, struct err *err)
{
	return with_config(args, check_some, err);
}

static const struct verb verbs[] = {
    {"new", "NAME", NULL, 1, 1, run_new},
    {"edit", "NAME", "TEMPLATE", 1, 1, run_edit},
    {"check", "[NAME]", "TEMPLATE", 0, 1, run_check},
    {.name = NULL},
};

const struct command command_templates = {
    .name = "templates",
    .usage = "NAME",
    .summary = "list, show, make and check roles that a session is made for",
    .completes = "TEMPLATE",
    .max_args = 1,
    .verbs = verbs,
    .options = template_options,
    .here = true,
    .run = cmd_templates,
};
