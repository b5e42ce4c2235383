/* adapters.c - afw adapters: the coding agents that afw can run here. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "commands/command.h"
#include "commands/harnesses.h"
#include "commands/output.h"
#include "commands/settings.h"

static const struct command_option command_options[] = {
    {.name = "fast", .help = "do not ask the programs for their versions"},
    {.name = "json", .help = "one array of objects"},
    {.name = NULL},
};

static const char *hint_of(const struct harness *h)
{
	if (h->problem)
		return h->problem;
	if (h->path)
		return NULL;
	if (h->adapter->install_hint && strcmp(h->adapter->name, h->name) == 0)
		return h->adapter->install_hint;
	return "its command is not in PATH";
}

static cJSON *to_json(const struct harness *h)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "name", h->name);
	json_set_str(o, "adapter", h->adapter->name);
	json_set_str(o, "title", h->adapter->title);
	json_set_bool(o, "installed", h->path != NULL);
	json_set_str(o, "path", h->path);
	json_set_str(o, "version", h->version);
	json_set_bool(o, "can_resume", h->adapter->can_resume);
	json_set_str(o, "hint", hint_of(h));
	return o;
}

static void print_table(const struct harness_list *l)
{
	static const char *const head[] = {"NAME", "ADAPTER", "VERSION",
					   "PROGRAM"};
	struct table *t = table_create(4);

	for (size_t i = 0; i < 4; i++)
		table_cell(t, head[i], "\033[2m");
	for (size_t i = 0; i < l->n; i++) {
		const struct harness *h = &l->v[i];
		const char *hint = hint_of(h);
		char *text =
		    hint ? mem_printf("%s: %s",
				      h->problem ? "wrong" : "missing", hint)
			 : NULL;

		table_cell(t, h->name, h->path ? "\033[1m" : NULL);
		table_cell(t, h->adapter->title, NULL);
		table_cell(t, h->version ? h->version : "-", NULL);
		table_cell(t, text ? text : h->path, text ? "\033[33m" : NULL);
		free(text);
	}
	table_print(t, output_colour(), output_width());
	table_destroy(t);
}

static int run(const struct args *args, struct err *err)
{
	char *repository = session_repository_of(".");
	struct harness_list l;
	struct config *c;
	int rc = settings_load(&c, repository, err);

	free(repository);
	if (rc < 0)
		return -1;
	harness_list_load(&l, c, !args_has(args, "fast"));
	if (args_has(args, "json")) {
		cJSON *all = cJSON_CreateArray();

		for (size_t i = 0; i < l.n; i++)
			cJSON_AddItemToArray(all, to_json(&l.v[i]));
		output_json(all);
	} else {
		print_table(&l);
	}
	harness_list_finish(&l);
	config_destroy(c);
	return 0;
}

const struct command command_adapters = {
    .name = "adapters",
    .usage = "",
    .summary = "list the coding agents that can be run here",
    .options = command_options,
    .run = run,
};
