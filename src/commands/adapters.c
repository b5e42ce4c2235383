/* adapters.c - afw adapters: lists the coding agents that afw can run here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "commands/adapters_new.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "commands/launch/harnesses.h"
#include "commands/launch/settings.h"
#include "wire/program.h"

static const struct command_option command_options[] = {
    {.name = "fast",
     .help = "do not ask the programs for their versions",
     .verbs = "-"},
    {.name = "quiet",
     .letter = 'q',
     .help = "print only the names, one per line",
     .verbs = "-"},
    {.name = "json", .help = "one array of objects", .verbs = "- test"},
    {.name = "by",
     .arg = "WHAT",
     .help = "all (the default) or screen",
     .verbs = "test"},
    {.name = NULL},
};

static const char *hint_of(const struct harness *h)
{
	if (h->problem)
		return h->problem;
	if (h->path)
		return NULL;
	return h->hint ? h->hint : "its command is not in PATH";
}

static void add_auth(cJSON *o, const struct harness *h)
{
	cJSON *a;

	if (!h->has_auth)
		return;
	a = json_set_object(o, "authentication");
	json_set_strv(a, "found", &h->auth.found);
	json_set_text(a, "chosen", h->auth.chosen);
	json_set_text(a, "needs", h->auth.needs);
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
	json_set_str(o, "tried", h->tried);
	json_set_bool(o, "can_resume", h->can_resume);
	json_set_bool(o, "takes_mcp", h->takes_mcp);
	add_auth(o, h);
	json_set_str(o, "hint", hint_of(h));
	return o;
}

/* Adds the credentials that it would log in with; "nothing" only if it needs
 * some. */
static void login_cell(struct table *t, const struct harness *h)
{
	const char *chosen = h->auth.chosen;

	if (!h->has_auth || !h->path)
		table_cell(t, "-", NULL);
	else if (chosen)
		table_cell(t, chosen, h->auth.needs ? "\033[33m" : NULL);
	else
		table_cell(t, "nothing", "\033[33m");
}

/* Prints below the table which logins the installed harnesses lack, and which
 * credentials they ignore. */
static void print_logins(const struct harness_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct harness *h = &l->v[i];
		const char *chosen = h->auth.chosen;
		struct buf also = {0};

		if (!h->has_auth || !h->path)
			continue;
		if (h->auth.needs)
			output_line(stdout, "%s: %s", h->name, h->auth.needs);
		for (size_t j = 0; j < h->auth.found.n; j++) {
			const char *found = h->auth.found.v[j];

			if (!chosen || strcmp(found, chosen) != 0)
				buf_addf(&also, "%s%s", also.len ? ", " : "",
					 found);
		}
		if (also.len)
			output_line(stdout, "%s: there is also %s", h->name,
				    also.data);
		buf_finish(&also);
	}
}

/* Prints below the table which installed programs have another version than
 * their adapters were tried with. */
static void print_versions(const struct harness_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct harness *h = &l->v[i];
		_free_ char *tried = harness_other_version(h);

		if (tried)
			output_line(stdout,
				    "%s: afw was tried with version %s; "
				    "`afw status -v` shows what it reads",
				    h->name, tried);
	}
}

static void print_table(const struct harness_list *l)
{
	static const char *const head[] = {
	    "NAME", "ADAPTER",	  "VERSION", "TRIED WITH",
	    "MCP",  "LOGS IN BY", "PROGRAM"};
	struct table *t = table_create(7, head);

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
		table_cell(t, h->tried ? h->tried : "-", NULL);
		table_cell(t, h->takes_mcp ? "yes" : "not", NULL);
		login_cell(t, h);
		table_cell(t, text ? text : h->path, text ? "\033[33m" : NULL);
		free(text);
	}
	table_end(t);
}

/* If no harness is installed, prints how to start without one. */
static void print_ways_out(const struct harness_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].path)
			return;
	printf("None is installed. `afw new NAME -a demo` runs a stand-in, "
	       "`afw new NAME -- COMMAND` any command.\n");
}

static int cmd_adapters(const struct args *args, struct err *err)
{
	struct harness_list l;
	struct config *c;

	if (settings_load_here(&c, err) < 0)
		return -1;
	harness_list_load(&l, c,
			  !args_has(args, "fast") && !args_has(args, "quiet"));
	if (args_has(args, "quiet")) {
		for (size_t i = 0; i < l.n; i++)
			puts(l.v[i].name);
	} else if (args_has(args, "json")) {
		cJSON *all = cJSON_CreateArray();

		for (size_t i = 0; i < l.n; i++)
			cJSON_AddItemToArray(all, to_json(&l.v[i]));
		output_json(all);
	} else {
		print_table(&l);
		print_versions(&l);
		print_logins(&l);
		print_ways_out(&l);
	}
	harness_list_finish(&l);
	config_destroy(c);
	return 0;
}

/* -- test ------------------------------------------------------------------ */

static int add_rules(cJSON *all, const struct config *c, const char *name,
		     struct err *err)
{
	cJSON *rules;

	if (cJSON_HasObjectItem(all, name))
		return 0;
	rules = config_harness(c, name, err);
	if (!rules)
		return -1;
	cJSON_AddItemToObject(all, name, rules);
	return 0;
}

static int all_rules(const struct config *c, cJSON *all, struct err *err)
{
	struct strv names = {0};
	int rc = 0;

	for (size_t i = 0; rc == 0 && adapters[i]; i++)
		rc = add_rules(all, c, adapters[i]->name, err);
	config_shared_harness_names(c, &names);
	config_harness_names(c, &names);
	for (size_t i = 0; rc == 0 && i < names.n; i++)
		rc = add_rules(all, c, names.v[i], err);
	strv_finish(&names);
	return rc;
}

/*
 * Executes `afw-supervisor replay` in our place, with the rules of all
 * harnesses on its standard input: afw does not link the screen model and the
 * activity detector. Returns only if that fails.
 */
static void replay(const struct strv *argv, struct err *err)
{
	cJSON *all = cJSON_CreateObject();
	struct config *c = NULL;
	struct buf text = {0};
	int fd = -1;

	if (settings_load_here(&c, err) == 0 && all_rules(c, all, err) == 0) {
		json_print(all, &text);
		fd = file_in_memory(text.data, text.len);
		if (fd >= 0 && dup2(fd, STDIN_FILENO) >= 0)
			execv(argv->v[0], argv->v);
		err_errno(err, "adapters test: run %s", argv->v[0]);
	}
	file_close(fd);
	buf_finish(&text);
	cJSON_Delete(all);
	config_destroy(c);
}

static int test(const struct args *args, struct err *err)
{
	const char *by = args_value(args, "by");
	struct strv argv = {0};

	if (by && strcmp(by, "all") != 0 && strcmp(by, "screen") != 0) {
		err_set(err, ERR_USAGE, "adapters test: --by '%.40s'", by);
		return err_hint(err, "all or screen");
	}
	strv_take(&argv, program_find("afw-supervisor"));
	strv_add(&argv, "replay");
	strv_add(&argv, args_has(args, "json") ? "json" : "lines");
	strv_add(&argv, by ? by : "all");
	for (size_t i = 0; i < args->n; i++)
		strv_add(&argv, args->positional[i]);
	replay(&argv, err);
	strv_finish(&argv);
	return -1;
}

static const struct verb verbs[] = {
    {"new", "NAME -- COMMAND...", NULL, 1, -1, adapters_new},
    {"test", "FILE...", "FILE", 1, -1, test},
    {.name = NULL},
};

const struct command command_adapters = {
    .name = "adapters",
    .usage = "",
    .summary = "list the coding agents that can be run here",
    .verbs = verbs,
    .options = command_options,
    .here = true,
    .run = cmd_adapters,
};
