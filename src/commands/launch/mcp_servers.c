/* mcp_servers.c - copies MCP servers from the configuration and a file to a
 * session's specification. */
#include "commands/launch/mcp_servers.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/mcp_file.h"
#include "base/env_list.h"
#include "base/json.h"
#include "commands/cli/input.h"
#include "commands/cli/output.h"

/* Each line is "Name: value". */
static void add_headers(cJSON *server, const char *text)
{
	cJSON *headers = json_set_object(server, "headers");

	while (*text) {
		size_t len = strcspn(text, "\n"), colon = strcspn(text, ":");
		size_t at = colon + 1 + strspn(text + colon + 1, " \t");
		char *name = mem_strndup(text, colon);
		char *value = mem_strndup(text + at, len - at);

		json_set_str(headers, name, value);
		free(name);
		free(value);
		text += len + (text[len] == '\n');
	}
}

static void add_command(cJSON *server, const struct strv *argv)
{
	cJSON *args;

	json_set_str(server, "command", argv->v[0]);
	args = json_set_array(server, "args");
	for (size_t i = 1; i < argv->n; i++)
		cJSON_AddItemToArray(args, cJSON_CreateString(argv->v[i]));
}

static void add_env(cJSON *server, const struct strv *names)
{
	cJSON *env = json_set_object(server, "env");

	for (size_t i = 0; i < names->n; i++) {
		char *value = mem_printf("${%s}", names->v[i]);

		json_set_str(env, names->v[i], value);
		free(value);
	}
}

/* Adds only the keys that are set; mcp_file_check() reports keys that
 * contradict each other. */
static void add_server(cJSON *servers, const cJSON *section)
{
	cJSON *server = json_set_object(servers, json_str(section, "name"));
	struct strv argv = {0}, names = {0};

	json_strv(section, "command", &argv);
	json_strv(section, "env", &names);
	if (argv.n)
		add_command(server, &argv);
	else
		json_set_str(server, "url", json_str(section, "url"));
	json_set_str(server, "type", json_str(section, "type"));
	if (names.n)
		add_env(server, &names);
	if (json_str_or(section, "headers", "")[0])
		add_headers(server, json_str(section, "headers"));
	strv_finish(&argv);
	strv_finish(&names);
}

static cJSON *of_configuration(const struct config *c, struct err *err)
{
	cJSON *sections = config_sections(c, "mcp", err), *servers;
	const cJSON *section;

	if (!sections)
		return NULL;
	servers = cJSON_CreateObject();
	cJSON_ArrayForEach (section, sections) {
		add_server(servers, section);
	}
	cJSON_Delete(sections);
	if (mcp_file_check(servers, err) == 0)
		return servers;
	if (err)
		err->kind = ERR_FAILED;
	cJSON_Delete(servers);
	return NULL;
}

int mcp_servers_check(const struct config *c, struct err *err)
{
	cJSON *servers = of_configuration(c, err);

	cJSON_Delete(servers);
	return servers ? 0 : -1;
}

static cJSON *of_file(const char *path, struct err *err)
{
	struct buf text = {0};
	cJSON *servers = NULL;

	if (input_file("MCP servers", path, MCP_FILE_MAX, &text, err) == 0) {
		servers =
		    mcp_file_parse(text.data ? text.data : "", text.len, err);
		if (!servers)
			err_prefix(err, "%s", path);
	}
	buf_finish(&text);
	return servers;
}

/* Appends to env the variables that are set here. Returns the name of the first
 * that is not, for the caller to free, or NULL. */
static char *add_variables(const cJSON *server, struct strv *env)
{
	struct strv names = {0};
	char *missing = NULL;

	mcp_file_variables(server, &names);
	for (size_t i = 0; i < names.n && !missing; i++) {
		const char *name = names.v[i], *value = getenv(name);

		if (env_get(env, name))
			continue;
		if (value)
			strv_addf(env, "%s=%s", name, value);
		else
			missing = mem_strdup(name);
	}
	strv_finish(&names);
	return missing;
}

/* Checks the variables. The harness's start leaves out a server that lacks one
 * (launch_mcp()). */
static int check_variables(const cJSON *servers, const cJSON *of_file,
			   struct strv *env, struct err *err)
{
	const cJSON *server;

	cJSON_ArrayForEach (server, servers) {
		char *missing = add_variables(server, env);
		bool file =
		    of_file && cJSON_HasObjectItem(of_file, server->string);

		if (missing && file) {
			err_set(err, ERR_USAGE,
				"MCP server '%.64s' wants %.64s, which is not "
				"set",
				server->string, missing);
			err_hint(err, "-e %.64s=VALUE", missing);
		} else if (missing) {
			output_warn("MCP server '%s' is left out: %s is not "
				    "set here",
				    server->string, missing);
		}
		free(missing);
		if (missing && file)
			return -1;
	}
	return 0;
}

/* Returns whether the harness is a plain command without a key that says how it
 * gets servers. */
static bool has_no_mcp(const struct spec *s)
{
	return strcmp(s->harness, "generic") == 0 &&
	       !cJSON_HasObjectItem(s->harness_config, "mcp");
}

int mcp_servers_choose(const struct config *c, const char *file, struct spec *s,
		       struct strv *env, struct err *err)
{
	cJSON *servers = of_configuration(c, err), *more = NULL;
	int rc = servers ? 0 : -1;

	if (rc == 0 && has_no_mcp(s)) {
		cJSON_Delete(servers);
		servers = cJSON_CreateObject();
	}
	if (rc == 0 && file) {
		more = of_file(file, err);
		json_replace_members(servers, more);
		rc = more ? mcp_file_check(servers, err) : -1;
	}
	if (rc == 0)
		rc = check_variables(servers, more, env, err);
	if (rc == 0 && (servers->child || file)) {
		s->mcp = servers;
		servers = NULL;
	}
	cJSON_Delete(more);
	cJSON_Delete(servers);
	return rc;
}
