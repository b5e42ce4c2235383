/* dry_run.c - prints what `afw new` would make and start. */
#include "commands/launch/dry_run.h"

#include <stdlib.h>

#include "adapters/adapter.h"
#include "adapters/screen/rules.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "commands/launch/new_worktree.h"
#include "sandbox/podman.h"
#include "sandbox/podman_image.h"
#include "session/live/limit.h"

/* Adds an option as a file would contain it, unless it is empty. */
static void set_option(cJSON *o, const struct config *c, enum option_id id)
{
	_free_ char *text = config_text(c, id);

	if (*text)
		json_set_str(o, options[id].name, text);
}

static void set_list(cJSON *o, const char *name, const struct strv *list)
{
	if (list->n)
		json_set_strv(o, name, list);
}

static void set_worktree(cJSON *o, const struct new_session *n)
{
	static const enum option_id ids[] = {OPTION_COPY, OPTION_LINK,
					     OPTION_SETUP_SPARE, OPTION_RENDER,
					     OPTION_SETUP};
	const struct spec *s = &n->spec;
	_strv_ struct strv with = {0};

	json_set_str(o, "repository", s->repository);
	json_set_str(o, "worktree", s->worktree);
	for (size_t i = 1; i < spec_count(s); i++)
		strv_add(&with, spec_of(s, i).worktree);
	set_list(o, "with", &with);
	json_set_str(o, "branch", s->branch);
	json_set_str(o, "after", s->after);
	json_set_str(o, "from", args_value(n->plan.args, "from"));
	json_set_str(o, "base", s->base);
	json_set_str(o, "base_commit", s->base_commit);
	for (size_t i = 0; !s->place && i < sizeof ids / sizeof ids[0]; i++)
		set_option(o, n->plan.config, ids[i]);
	set_list(o, "hooks_not_run", &n->hooks_not_run);
}

/* Adds the program and the user's arguments. */
static void set_command(cJSON *o, const struct spec *s)
{
	const struct adapter *a = adapter_of(s->harness, s->harness_config);
	struct rules *r = rules_create(s->harness_config, NULL);
	_free_ char *path = r ? adapter_program(a, r) : NULL;
	_strv_ struct strv argv = {0};

	if (path || a->programs)
		strv_add(&argv, path ? path : a->programs[0]);
	strv_copy(&argv, &s->command);
	json_set_strv(o, "command", &argv);
	rules_destroy(r);
}

static const char *image_origin(const struct new_session *n)
{
	const struct config *c = n->plan.config;

	return *config_str(c, OPTION_IMAGE) ? config_origin(c, OPTION_IMAGE)
	       : *n->spec.image		    ? "[harness.NAME]"
					    : "default";
}

static void set_container(cJSON *o, const struct new_session *n)
{
	static const enum option_id ids[] = {
	    OPTION_NETWORK,
	    OPTION_SANDBOX_MEMORY,
	    OPTION_SANDBOX_CPUS,
	};
	_free_ char *image = podman_image_of(&n->spec);

	json_set_str(o, "engine", n->spec.engine);
	json_set_str(o, "image", image);
	json_set_str(o, "image_from", image_origin(n));
	for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
		set_option(o, n->plan.config, ids[i]);
}

/* Adds the names of the members of an array or an object. */
static void set_names(cJSON *o, const char *name, const cJSON *all)
{
	_strv_ struct strv names = {0};
	const cJSON *one;

	cJSON_ArrayForEach (one, all)
		strv_add(&names, one->string ? one->string
					     : json_str_or(one, "name", "?"));
	set_list(o, name, &names);
}

static void set_agent(cJSON *o, const struct new_session *n)
{
	const struct spec *s = &n->spec;
	_strv_ struct strv groups = {0};
	const char *group;
	size_t i = 0;

	json_set_str(o, "harness", s->harness);
	set_command(o, s);
	json_set_str(o, "backend", s->backend);
	json_set_str(o, "sandbox", s->sandbox);
	if (strcmp(s->sandbox, sandbox_podman.name) == 0)
		set_container(o, n);
	json_set_str(o, "profile", s->profile);
	json_set_str(o, "template", s->template_name);
	set_list(o, "overrides", &s->overrides);
	set_names(o, "services", s->services);
	set_names(o, "mcp", s->mcp);
	set_list(o, "env", &s->env_names);
	while ((group = args_next(n->plan.args, "group", &i)))
		strv_add(&groups, group);
	set_list(o, "groups", &groups);
	set_option(o, n->plan.config, OPTION_CHECK);
	if (n->plan.message.len)
		json_set_str(o, "task", n->plan.message.data);
}

/* Prints a line for each member. */
static int print_lines(const cJSON *plan, const struct args *args)
{
	static const struct list_column columns[] = {
	    {.key = "what", .sgr = "\033[2m"},
	    {.key = "value"},
	    {.key = NULL},
	};
	cJSON *rows = cJSON_CreateArray();
	const cJSON *member;

	cJSON_ArrayForEach (member, plan) {
		cJSON *row = cJSON_CreateObject();

		json_set_str(row, "what", member->string);
		cJSON_AddItemToObject(row, "value",
				      cJSON_Duplicate(member, true));
		cJSON_AddItemToArray(rows, row);
	}
	return list_print(rows, columns, args, NULL);
}

int dry_run_print(struct new_session *n, struct err *err)
{
	_json_ cJSON *plan = cJSON_CreateObject();

	if (!args_has(n->plan.args, "no-start") &&
	    limit_check(config_int(n->plan.config, OPTION_MAX_SESSIONS), 1,
			err) < 0)
		return err_prefix(err, "new '%s'", n->spec.name);
	if (new_worktree_check(n, err) < 0)
		return -1;
	json_set_str(plan, "name", n->spec.name);
	set_worktree(plan, n);
	set_agent(plan, n);
	if (!args_has(n->plan.args, "json"))
		return print_lines(plan, n->plan.args);
	output_json(TAKE_PTR(plan));
	return 0;
}
