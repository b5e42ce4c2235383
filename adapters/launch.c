/* launch.c - helpers of the adapters for making a command line. */
#include "adapters/launch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapters/auth.h"
#include "adapters/hook.h"
#include "adapters/mcp_file.h"
#include "adapters/record.h"
#include "adapters/screen/rules.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "base/random.h"
#include "base/words.h"

int launch_command(const struct launch_request *rq, const char *program,
		   struct launch *out, struct err *err)
{
	const char *command = rules_get(rq->rules, "command");

	if (command && words_split(command, &out->argv, err) != 0)
		return -1;
	if (out->argv.n == 0 && program)
		strv_add(&out->argv, program);
	return 0;
}

bool launch_has_flag(const struct launch_request *rq, const char *flag)
{
	size_t len = strlen(flag);

	for (size_t i = 0; i < rq->spec->command.n; i++) {
		const char *arg = rq->spec->command.v[i];

		if (strncmp(arg, flag, len) == 0 &&
		    (arg[len] == '\0' || arg[len] == '='))
			return true;
	}
	return false;
}

char *launch_path(const struct launch_request *rq, const char *path)
{
	return file_map(path, rq->places);
}

bool launch_has_own_home(const struct launch_request *rq)
{
	const char *home = auth_env(rq->environ_now, "HOME");

	return home && rq->home && strcmp(home, rq->home) == 0;
}

void launch_set_record_dir(const struct launch_request *rq, char *dir,
			   struct launch *out)
{
	char *real =
	    dir && !launch_has_own_home(rq) ? realpath(dir, NULL) : NULL;

	if (real)
		free(dir);
	out->record_dir = real ? real : dir;
}

char *launch_hook(const struct launch_request *rq, const char *event)
{
	struct buf b = {0};

	for (size_t i = 0; rq->hook[i]; i++) {
		words_quote(rq->hook[i], &b);
		buf_addc(&b, ' ');
	}
	words_quote(event, &b);
	return buf_steal(&b);
}

cJSON *launch_add_hook(const struct launch_request *rq, cJSON *hooks,
		       const char *event, int timeout)
{
	cJSON *list = json_set_array(hooks, event);
	cJSON *group = cJSON_CreateObject();
	cJSON *hook = cJSON_CreateObject();
	_free_ char *command = launch_hook(rq, event);

	cJSON_AddItemToArray(list, group);
	cJSON_AddItemToArray(json_set_array(group, "hooks"), hook);
	json_set_str(hook, "type", "command");
	json_set_str(hook, "command", command);
	if (timeout > 0)
		json_set_int(hook, "timeout", timeout);
	return hook;
}

int launch_add_settings(const struct launch_request *rq, cJSON *settings,
			int timeout, struct launch *out, struct err *err)
{
	const char *template = rules_get(rq->rules, "settings");
	_strv_ struct strv words = {0}, events = {0};
	_free_ char *path = NULL, *flag = NULL;
	cJSON *hooks;

	if (rq->hook == NULL || rq->home == NULL)
		return 0;
	words_split(template ? template : "", &words, NULL);
	if (words.n > 0)
		flag = mem_strndup(words.v[0], strcspn(words.v[0], "="));
	if (flag && launch_has_flag(rq, flag)) {
		strv_addf(&out->degraded,
			  "hooks are off: %s was given; activity comes from "
			  "the terminal alone",
			  flag);
		return 0;
	}
	hooks = json_set_object(settings, "hooks");
	hook_names(rq->rules, &events);
	for (size_t i = 0; i < events.n; i++)
		launch_add_hook(rq, hooks, events.v[i], timeout);
	path = launch_write_json(rq, LAUNCH_SETTINGS, settings, err);
	if (path == NULL)
		return -1;
	return template ? launch_template(template, "settings", path, out, err)
			: 0;
}

char *launch_write(const struct launch_request *rq, const char *name,
		   const char *text, struct err *err)
{
	int dir = open(rq->home, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc;
	_free_ char *path = file_join(rq->home, name);

	if (dir < 0) {
		err_errno(err, "open %s", rq->home);
		return NULL;
	}
	rc = file_replace(dir, name, text, strlen(text), false, err);
	close(dir);
	return rc == 0 ? launch_path(rq, path) : NULL;
}

char *launch_write_json(const struct launch_request *rq, const char *name,
			const cJSON *object, struct err *err)
{
	_buf_ struct buf text = {0};

	json_print(object, &text);
	return launch_write(rq, name, text.data, err);
}

char *launch_prompt(const struct launch_request *rq)
{
	const char *prompt = rq->spec->system_prompt;
	const char *instructions = rq->spec->instructions;

	if (!prompt || !*prompt)
		return instructions && *instructions ? mem_strdup(instructions)
						     : NULL;
	if (!instructions || !*instructions)
		return mem_strdup(prompt);
	return mem_printf("%s\n\n%s", prompt, instructions);
}

/* Adds the agent's tools: the program that runs hooks runs the bridge, too. */
static void add_bridge(const struct launch_request *rq, cJSON *all,
		       struct launch *out)
{
	cJSON *o, *args;

	/* The harness calls our tools by that name without asking: no other
	 * server may have it. */
	if (json_get(all, LAUNCH_BRIDGE))
		strv_add(&out->degraded,
			 "MCP server " LAUNCH_BRIDGE
			 " is left out: the name is reserved for afw's own "
			 "server (bridge in afw.ini)");
	o = json_set_object(all, LAUNCH_BRIDGE);
	json_set_str(o, "type", "stdio");
	json_set_str(o, "command", rq->hook[0]);
	args = json_set_array(o, "args");
	for (size_t i = 1; rq->hook[i] && rq->hook[i + 1]; i++)
		cJSON_AddItemToArray(args, cJSON_CreateString(rq->hook[i]));
	cJSON_AddItemToArray(args, cJSON_CreateString("mcp"));
	/* Not all harnesses pass their own environment on. */
	json_set_str(json_set_object(o, "env"), "AF_DOOR", "${AF_DOOR}");
}

cJSON *launch_mcp(const struct launch_request *rq, struct launch *out)
{
	cJSON *all = rq->spec->mcp ? cJSON_Duplicate(rq->spec->mcp, 1)
				   : cJSON_CreateObject();
	cJSON *next;

	if (rq->spec->bridge && rq->hook)
		add_bridge(rq, all, out);

	for (cJSON *s = all->child; s; s = next) {
		const char *missing = NULL;
		_strv_ struct strv names = {0};

		next = s->next;
		mcp_file_variables(s, &names);
		for (size_t i = 0; i < names.n && !missing; i++)
			if (!environ_get(rq->environ_now, names.v[i]))
				missing = names.v[i];
		if (missing) {
			strv_addf(&out->degraded,
				  "MCP server %s is left out: %s is not set",
				  s->string, missing);
			cJSON_Delete(cJSON_DetachItemViaPointer(all, s));
		}
	}
	if (!all->child) {
		cJSON_Delete(all);
		all = NULL;
	}
	return all;
}

/* Leaves the variables of a server to the environment that it inherits. Returns
 * false if one has another name there, or is part of a header. */
static bool leave_variables(cJSON *server)
{
	const cJSON *v;

	cJSON_ArrayForEach (v, json_get(server, "env")) {
		_free_ char *name = mcp_file_variable(cJSON_GetStringValue(v));

		if (!name || strcmp(name, v->string) != 0)
			return false;
	}
	cJSON_DeleteItemFromObjectCaseSensitive(server, "env");
	return !cJSON_HasObjectItem(server, "headers");
}

/* For a program that inserts no variables, but passes its environment on. */
static void leave_all_variables(const struct launch_request *rq, cJSON *servers,
				struct launch *out)
{
	cJSON *next;

	for (cJSON *s = servers->child; s; s = next) {
		next = s->next;
		if (leave_variables(s))
			continue;
		strv_addf(
		    &out->degraded,
		    "MCP server %s is left out: %s passes a variable only "
		    "under its own name, and none in headers",
		    s->string, rq->spec->harness);
		cJSON_Delete(cJSON_DetachItemViaPointer(servers, s));
	}
}

int launch_add_mcp(const struct launch_request *rq, const char *template,
		   struct launch *out, struct err *err)
{
	cJSON *servers = launch_mcp(rq, out), *o;
	int rc = -1;
	char *path;

	if (servers == NULL)
		return 0;
	if (rules_get_bool(rq->rules, "mcp_inherits", false))
		leave_all_variables(rq, servers, out);
	o = cJSON_CreateObject();
	cJSON_AddItemToObject(o, "mcpServers", servers);
	path = launch_write_json(rq, "mcp.json", o, err);
	cJSON_Delete(o);
	if (path)
		rc = launch_template(template, "mcp", path, out, err);
	free(path);
	return rc;
}

static bool user_chose(const struct launch_request *rq,
		       const struct launch_conversation *c)
{
	for (size_t i = 0; c->flags[i]; i++)
		if (launch_has_flag(rq, c->flags[i]))
			return true;
	return false;
}

/* Returns the id of the conversation to resume, to be freed; NULL with
 * why_fresh. */
static char *find_conversation(const struct launch_request *rq,
			       const struct launch_conversation *c,
			       struct launch *out)
{
	_free_ char *dir = spec_directory(rq->spec),
		    *cwd = launch_path(rq, dir);
	const char *id = rq->conversation;
	char *newest;

	if (!id) {
		out->why_fresh = mem_strdup("its conversation is not known");
		return NULL;
	}
	if (!c->record || record_is_kept(c->record, out->record_dir, id))
		return mem_strdup(id);
	newest = record_newest(c->record, out->record_dir, cwd,
			       rq->spec->created_at, NULL);
	if (newest)
		strv_addf(&out->degraded,
			  "its conversation %s %s: resumed %s, the newest one "
			  "in its worktree",
			  id, c->why_not, newest);
	else
		out->why_fresh =
		    mem_printf("its conversation %s %s", id, c->why_not);
	return newest;
}

static void add_fork(const struct launch_request *rq,
		     const struct launch_conversation *c, struct launch *out)
{
	if (c->record &&
	    !record_is_kept(c->record, out->record_dir, rq->fork)) {
		out->why_fresh =
		    mem_printf("conversation %s %s", rq->fork, c->why_not);
		return;
	}
	strv_add(&out->argv, c->fork ? c->fork : c->resume);
	strv_add(&out->argv, rq->fork);
	if (c->fork_flag)
		strv_add(&out->argv, c->fork_flag);
}

void launch_conversation(const struct launch_request *rq,
			 const struct launch_conversation *c,
			 struct launch *out)
{
	char uuid[RANDOM_UUID_SIZE];

	if (rq->fork)
		add_fork(rq, c, out);
	else if (rq->resume)
		out->conversation = find_conversation(rq, c, out);
	out->resumed = out->conversation != NULL;
	if (!out->resumed) {
		if (!c->fresh || user_chose(rq, c))
			return;
		random_uuid(uuid);
		out->conversation = mem_strdup(uuid);
	}
	strv_add(&out->argv, out->resumed ? c->resume : c->fresh);
	strv_add(&out->argv, out->conversation);
}

int launch_template(const char *template, const char *name, const char *value,
		    struct launch *out, struct err *err)
{
	_free_ char *mark = mem_printf("{%s}", name);
	_strv_ struct strv words = {0};

	if (words_split(template, &words, err) != 0)
		return -1;
	for (size_t i = 0; i < words.n; i++)
		strv_take(&out->argv, words_fill(words.v[i], mark, value));
	return 0;
}

int launch_add_dirs(const struct launch_request *rq, const char *template,
		    struct launch *out, struct err *err)
{
	int rc = 0;

	for (size_t i = 1; rc == 0 && i < spec_count(rq->spec); i++) {
		_free_ char *dir =
		    launch_path(rq, spec_of(rq->spec, i).worktree);

		rc = launch_template(template, "dir", dir, out, err);
	}
	return rc;
}
