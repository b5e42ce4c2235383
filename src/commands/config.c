/* config.c - afw config: prints the values in force and their origin, and
 * changes them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "commands/editor.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "commands/config_check.h"
#include "commands/image_chain.h"
#include "commands/launch/harnesses.h"
#include "commands/launch/settings.h"
#include "config/ini.h"
#include "config/ini_edit.h"
#include "config/keymap.h"

static const struct command_option command_options[] = {
    {.name = "verbose",
     .letter = 'v',
     .help = "print what each is for",
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

static int print_example(void)
{
	_buf_ struct buf text = {0};

	config_example(&text);
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

/* Prints the value as a file contains it, and a line of help below. */
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

	for (char *c = text; *c; c++)
		if (*c == '\n')
			*c = ' ';
	table_cell(t, name, set ? "\033[1m" : NULL);
	table_cell(t, text, NULL);
	table_cell(t, s->origin, set ? NULL : "\033[2m");
	free(text);
}

static int print_all(const struct config *c, const struct args *args,
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

/* Prints one value; for image also everything that can choose it. */
static int print_value(const struct config *c, const char *name,
		       const struct args *args, struct err *err)
{
	CLEANUP(config_setting_finish) struct config_setting s;
	bool has_chain = strcmp(name, options[OPTION_IMAGE].name) == 0;
	bool verbose = args_has(args, "verbose");
	_free_ char *text = NULL;
	cJSON *chain = NULL, *o;

	if (config_get(c, name, &s, err) < 0)
		return err_prefix(err, "config");
	if (args_has(args, "json")) {
		if (has_chain && !(chain = image_chain(c, err)))
			return -1;
		o = to_json(name, &s);
		if (chain)
			cJSON_AddItemToObject(o, "chain", chain);
		output_json(o);
		return 0;
	}
	if (verbose) {
		print_verbose(name, &s);
		return has_chain ? image_chain_print(c, args, err) : 0;
	}
	text = option_format(s.option, &s.value);
	puts(text ? text : "");
	return 0;
}

/* Warns of keys that only the dashboard would report. */
static void warn_keys(const struct config *c)
{
	struct keymap keys;
	struct err err = {0};

	if (keymap_make(&keys, c, &err) < 0)
		output_warning(&err);
	keymap_finish(&keys);
}

/* Prints the values in force: all, or that of name. */
static int print_settings(const char *name, const struct args *args,
			  struct err *err)
{
	struct config *c;
	int rc = settings_load_here(&c, err);

	if (rc < 0)
		return -1;
	settings_warn_untrusted(c);
	if (!name)
		warn_keys(c);
	rc = name ? print_value(c, name, args, err) : print_all(c, args, err);
	config_destroy(c);
	return rc;
}

/* -- change ---------------------------------------------------------------- */

/* A change to a file, and its repository (NULL: the user's file). */
struct change {
	struct config_edit edit;
	char *repository;
	bool was_trusted;
};

static void finish(struct change *c)
{
	config_edit_finish(&c->edit);
	free(c->repository);
}

static int begin_change(struct change *c, const struct args *args,
			struct err *err)
{
	struct config *now = NULL;

	*c = (struct change){0};
	if (args_has(args, "repo")) {
		c->repository = session_checkout_here();
		if (!c->repository)
			return err_set(err, ERR_FAILED,
				       "config --repo: this is not in a git "
				       "repository");
		/* A broken file is not in force. */
		c->was_trusted =
		    settings_load(&now, c->repository, NULL) == 0 &&
		    config_repository_trusted(now) && !config_untrusted(now);
		config_destroy(now);
	}
	return config_edit_begin(&c->edit, c->repository, err);
}

/* Warns that a repository's file must be trusted, also after the user's own
 * change. */
static void warn_untrusted(const struct change *c)
{
	struct err note = {0};

	if (!c->repository)
		return;
	err_set(&note, ERR_NONE,
		c->was_trusted
		    ? "%s: it was trusted as it was, and is not in force now"
		    : "%s: it is not in force before it is trusted",
		c->edit.path);
	err_hint(&note, "`afw trust` shows and trusts it");
	output_warning(&note);
}

/* -- set, unset ------------------------------------------------------------ */

/* A misspelt agent would be an error of each later `afw new`. */
static int check_agent(const char *name, struct err *err)
{
	struct config *c;
	cJSON *section;

	if (settings_load_here(&c, err) < 0)
		return -1;
	section = harness_section(c, name, err);
	config_destroy(c);
	cJSON_Delete(section);
	return section ? 0 : -1;
}

/* Checks the value before the file is read, so that the error is without a line
 * number. */
static int check_value(const struct change *c, const struct config_name *name,
		       const char *value, struct err *err)
{
	struct option_value v = {0};
	int rc = 0;

	if (c->repository && !name->option->repository)
		return err_set(err, ERR_FAILED,
			       "'%s' is for the user to choose: not in a "
			       "repository's file",
			       name->option->name);
	if (value)
		rc = option_parse(name->option, value, &v, err);
	option_value_finish(&v);
	if (rc == 0 && value && name->option == &options[OPTION_HARNESS])
		rc = check_agent(value, err);
	return rc;
}

/* Warns if another file overrides the value. */
static void warn_overridden(const struct change *c, const char *name)
{
	struct config_setting s = {0};
	struct config *now = NULL;

	if (c->repository || settings_load_here(&now, NULL) < 0)
		return;
	if (config_get(now, name, &s, NULL) == 0 &&
	    strncmp(s.origin, c->edit.path, strlen(c->edit.path)) != 0)
		output_warn("%s: %s overrides it here", name, s.origin);
	config_setting_finish(&s);
	config_destroy(now);
}

static int change_value(const struct args *args, const char *value,
			struct err *err)
{
	const char *text;
	struct config_name name = {0};
	struct change c = {0};
	struct buf out = {0};
	int rc = config_name_parse(args->positional[0], &name, err);

	if (rc == 0)
		rc = begin_change(&c, args, err);
	if (rc == 0)
		rc = check_value(&c, &name, value, err);
	if (rc == 0) {
		struct ini_change what = {
		    .section = name.section,
		    .key = name.key,
		    .value = value,
		    .adds_up = name.option->type == OPTION_LIST,
		};

		text = c.edit.text.data ? c.edit.text.data : "";
		rc = ini_edit(c.edit.path, text, c.edit.text.len, &what, &out,
			      err);
	}
	if (rc == 0)
		rc = settings_commit(&c.edit, NULL, &out, err);
	if (rc == 0) {
		warn_untrusted(&c);
		if (value)
			warn_overridden(&c, args->positional[0]);
	} else {
		err_prefix(err, "config %s", args->verb->name);
	}
	config_name_finish(&name);
	buf_finish(&out);
	finish(&c);
	return rc;
}

static int set(const struct args *args, struct err *err)
{
	return change_value(args, args->positional[1], err);
}

static int unset(const struct args *args, struct err *err)
{
	return change_value(args, NULL, err);
}

/* -- edit ------------------------------------------------------------------ */

/* Lets the user edit a copy. If that cannot replace the file, the copy is kept,
 * so that nothing is lost. */
static int edit_copy(const struct change *c, const char *copy,
		     const struct buf *start, struct err *err)
{
	const char *const files[] = {copy, NULL};
	struct buf text = {0};
	bool found = false, same;
	int rc = editor_run(files, false, err);

	if (ini_load(copy, INI_ANY, &text, &found, rc == 0 ? err : NULL) < 0)
		rc = -1;
	else if (rc == 0 && !found)
		rc = err_set(err, ERR_FAILED, "the editor left no file %s",
			     copy);
	same =
	    !found ||
	    (text.len == start->len &&
	     (text.len == 0 || memcmp(text.data, start->data, text.len) == 0));
	if (rc == 0 && !same)
		rc = settings_commit(&c->edit, copy, &text, err);
	if (rc < 0 && !same)
		err_hint(err, "%s is as it was; your text is kept in %s",
			 c->edit.path, copy);
	else
		unlink(copy);
	if (rc == 0 && same)
		output_line(stderr, "afw: %s: nothing was changed",
			    c->edit.path);
	else if (rc == 0)
		warn_untrusted(c);
	buf_finish(&text);
	return rc;
}

static int edit(const struct args *args, struct err *err)
{
	struct buf start = {0};
	struct change c;
	char *copy = NULL;
	int rc = begin_change(&c, args, err);

	/* A new file begins as the example, with every option. */
	if (rc == 0 && c.edit.found)
		buf_add(&start, c.edit.text.data, c.edit.text.len);
	else if (rc == 0)
		config_example(&start);
	if (rc == 0) {
		copy = file_temporary(start.data, start.len, ".ini", err);
		rc = copy ? edit_copy(&c, copy, &start, err) : -1;
	}
	if (rc < 0)
		err_prefix(err, "config edit");
	free(copy);
	buf_finish(&start);
	finish(&c);
	return rc;
}

/* -- the command ----------------------------------------------------------- */

/* A name without a verb prints its value: `config setup`. */
static int cmd_config(const struct args *args, struct err *err)
{
	if (args_has(args, "example"))
		return print_example();
	return print_settings(args->positional[0], args, err);
}

static const struct verb verbs[] = {
    {"get", "NAME", "option", 1, 1, cmd_config},
    {"set", "NAME VALUE", "option", 2, 2, set},
    {"unset", "NAME", "option", 1, 1, unset},
    {"edit", "", NULL, 0, 0, edit},
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
    .run = cmd_config,
};
