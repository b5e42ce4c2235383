/* templates.c - afw templates: the roles that a session may be made for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "commands/output.h"
#include "commands/settings.h"
#include "config/template.h"

static const struct command_option template_options[] = {
    {.name = "json", .help = "one array of objects"},
    {.name = NULL},
};

/* The first line of its prompt says what it is for. */
static char *purpose(const struct config *c, const char *name)
{
	struct buf text = {0};
	char line[200];

	template_read(c, name, TEMPLATE_PROMPT, &text, NULL);
	utf8_printable(line, sizeof line, text.data ? text.data : "",
		       text.data ? strcspn(text.data, "\n") : 0);
	buf_finish(&text);
	return mem_strdup(line);
}

static void list(const struct config *c, const struct strv *names, bool json)
{
	static const char *const titles[] = {"NAME", "SAYS", "FROM"};
	struct table *t = json ? NULL : table_create(3, titles);
	cJSON *all = cJSON_CreateArray();

	for (size_t i = 0; i < names->n; i++) {
		char *says = purpose(c, names->v[i]);
		char *dir = template_dir(c, names->v[i]);
		cJSON *o = cJSON_CreateObject();

		json_set_str(o, "name", names->v[i]);
		json_set_str(o, "says", says);
		json_set_str(o, "path", dir);
		cJSON_AddItemToArray(all, o);
		if (t) {
			table_cell(t, names->v[i], "\033[1m");
			table_cell(t, says, NULL);
			table_cell(t, dir, NULL);
		}
		free(says);
		free(dir);
	}
	if (t) {
		table_end(t);
		cJSON_Delete(all);
	} else {
		output_json(all);
	}
}

/* By their names alone. */
static int show_home(const struct config *c, const char *name, const char *dir,
		     struct err *err)
{
	struct filetree home;
	int rc = template_home(c, name, &home, err);

	for (size_t i = 0; i < home.n; i++)
		output_line(stdout, "# %s/home/%s", dir, home.v[i].name);
	filetree_finish(&home);
	return rc;
}

/* Whole, and that it can be used. */
static int show(struct config *c, const char *name, struct err *err)
{
	static const char *const files[] = {TEMPLATE_INI, TEMPLATE_PROMPT,
					    NULL};
	char *dir;
	int rc = template_lay(c, name, NULL, err);

	dir = template_dir(c, name);
	for (const char *const *file = files; rc >= 0 && *file; file++) {
		struct buf text = {0};

		rc = template_read(c, name, *file, &text, err);
		if (rc > 0)
			output_line(stdout, "# %s/%s", dir, *file);
		for (char *at = text.data; at && *at;) {
			size_t len = strcspn(at, "\n");

			output_line(stdout, "%.*s", (int)len, at);
			at += len + (at[len] == '\n');
		}
		buf_finish(&text);
	}
	if (rc >= 0)
		rc = show_home(c, name, dir, err);
	free(dir);
	return rc < 0 ? -1 : 0;
}

static int run(const struct args *args, struct err *err)
{
	struct config *c = NULL;
	struct strv names = {0};
	int rc;

	if (args->n && args_has(args, "json"))
		return err_set(err, ERR_USAGE,
			       "templates: --json goes without a name");
	rc = settings_load_here(&c, err);
	if (rc == 0)
		settings_warn_untrusted(c);
	if (rc == 0 && args->n) {
		rc = show(c, args->positional[0], err);
	} else if (rc == 0) {
		template_names(c, &names);
		list(c, &names, args_has(args, "json"));
	}
	strv_finish(&names);
	config_destroy(c);
	return rc;
}

const struct command command_templates = {
    .name = "templates",
    .usage = "[NAME]",
    .summary = "which roles a session can be made for, or one of them whole",
    .completes = "TEMPLATE",
    .max_args = 1,
    .options = template_options,
    .here = true,
    .run = run,
};
