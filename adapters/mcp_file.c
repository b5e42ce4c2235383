/* mcp_file.c - reads MCP servers from a file, and checks every key. */
#include "adapters/mcp_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"

#define ARGS_MAX 64

/* Returns the length of "${NAME}" at s, or 0. */
static size_t reference(const char *s)
{
	size_t n = 2;

	if (s[0] != '$' || s[1] != '{' ||
	    !(isalpha((unsigned char)s[2]) || s[2] == '_'))
		return 0;
	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return s[n] == '}' ? n + 1 : 0;
}

char *mcp_file_variable(const char *value)
{
	size_t n = value ? reference(value) : 0;

	return n && value[n] == '\0' ? mem_strndup(value + 2, n - 3) : NULL;
}

static void add_references(const char *s, struct strv *out)
{
	for (const char *at = s; at && (at = strchr(at, '$')); at++) {
		size_t n = reference(at);
		_free_ char *name = n ? mem_strndup(at + 2, n - 3) : NULL;

		if (name && !strv_has(out, name))
			strv_add(out, name);
	}
}

void mcp_file_variables(const cJSON *server, struct strv *out)
{
	static const char *const keys[] = {"env", "headers"};
	const cJSON *value;

	for (size_t i = 0; i < 2; i++)
		cJSON_ArrayForEach (value, json_get(server, keys[i]))
			add_references(cJSON_GetStringValue(value), out);
}

static int set_error(struct err *err, const char *name, const char *key,
		     const char *why)
{
	return err_set(err, ERR_USAGE, "MCP server '%.64s': %.40s%s%s", name,
		       key, *key ? ": " : "", why);
}

/* True without control bytes: it may become a line of a configuration. */
static bool plain(const char *s)
{
	if (!s)
		return false;
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 127)
			return false;
	return true;
}

/* Checks one string in which no variable is inserted. */
static int check_literal(const char *name, const char *key, const cJSON *v,
			 struct err *err)
{
	const char *s = cJSON_GetStringValue(v);

	if (!plain(s))
		return set_error(err, name, key, "not a string of plain text");
	if (strstr(s, "${")) {
		set_error(err, name, key, "a variable cannot be used here");
		return err_hint(err, "any user can read a process's arguments: "
				     "pass secrets in env or headers");
	}
	return 0;
}

static int check_args(const char *name, const cJSON *args, struct err *err)
{
	const cJSON *v;

	if (!args)
		return 0;
	if (!cJSON_IsArray(args) || cJSON_GetArraySize(args) > ARGS_MAX)
		return set_error(err, name, "args", "not a list of at most 64");
	cJSON_ArrayForEach (v, args)
		if (check_literal(name, "args", v, err) < 0)
			return -1;
	return 0;
}

static bool key_ok(const char *key, const char *more)
{
	size_t len = strlen(key);

	if (len == 0 || len > 64)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)key[i]) && !strchr(more, key[i]))
			return false;
	return true;
}

static int check_env(const char *name, const cJSON *env, struct err *err)
{
	const cJSON *v;

	if (!env)
		return 0;
	if (!cJSON_IsObject(env))
		return set_error(err, name, "env", "not an object");
	cJSON_ArrayForEach (v, env) {
		_free_ char *variable =
		    mcp_file_variable(cJSON_GetStringValue(v));

		bool ok = variable && key_ok(v->string, "_") &&
			  !isdigit((unsigned char)v->string[0]);

		if (ok)
			continue;
		set_error(err, name, v->string,
			  "its value must be a \"${NAME}\"");
		return err_hint(err,
				"afw stores no values: write \"%.40s\": "
				"\"${%.40s}\" and pass it with -e %.40s=VALUE",
				v->string, v->string, v->string);
	}
	return 0;
}

static int check_headers(const char *name, const cJSON *headers,
			 struct err *err)
{
	const cJSON *v;

	if (!headers)
		return 0;
	if (!cJSON_IsObject(headers))
		return set_error(err, name, "headers", "not an object");
	cJSON_ArrayForEach (v, headers) {
		const char *s = cJSON_GetStringValue(v);
		bool has_variable = false;

		if (!plain(s) || !key_ok(v->string, "-_"))
			return set_error(err, name, "headers",
					 "not names and strings of plain text");
		while ((s = strchr(s, '$')))
			has_variable |= reference(s++) > 0;
		if (has_variable)
			continue;
		set_error(err, name, v->string, "has no \"${NAME}\" in it");
		return err_hint(err,
				"afw stores no values: write it as \"Bearer "
				"${TOKEN}\" and pass that with -e TOKEN=VALUE");
	}
	return 0;
}

static int check_keys(const cJSON *o, bool url, struct err *err)
{
	static const struct {
		const char *key;
		bool command, url; /* which kind of server may have it */
	} keys[] = {{"type", true, true},  {"command", true, false},
		    {"args", true, false}, {"env", true, false},
		    {"url", false, true},  {"headers", false, true}};
	const size_t n = sizeof keys / sizeof keys[0];
	const cJSON *v;

	cJSON_ArrayForEach (v, o) {
		size_t i = 0;

		while (i < n && strcmp(keys[i].key, v->string) != 0)
			i++;
		if (i == n)
			return set_error(err, o->string, v->string,
					 "unknown key");
		if (!(url ? keys[i].url : keys[i].command))
			return set_error(
			    err, o->string, v->string,
			    url ? "only for a server with a command"
				: "only for a server with a url");
	}
	return 0;
}

static int check_url(const cJSON *o, const char *type, struct err *err)
{
	const char *url = json_str_or(o, "url", "");

	if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
		return set_error(err, o->string, "url",
				 "not http:// or https://");
	if (strchr(url, '@'))
		return set_error(err, o->string, "url",
				 "must not contain a login");
	if (strcmp(type, "http") != 0 && strcmp(type, "sse") != 0)
		return set_error(err, o->string, "type", "not http or sse");
	return check_literal(o->string, "url", json_get(o, "url"), err);
}

static int check_command(const cJSON *o, const char *type, struct err *err)
{
	if (strcmp(type, "stdio") != 0)
		return set_error(err, o->string, "type",
				 "must be stdio for a command");
	if (!json_str_or(o, "command", "")[0])
		return set_error(err, o->string, "command", "it is empty");
	return check_literal(o->string, "command", json_get(o, "command"), err);
}

static int check_server(cJSON *o, struct err *err)
{
	bool url = cJSON_HasObjectItem(o, "url");
	const char *name = o->string, *type;

	if (!key_ok(name, "_-"))
		return set_error(err, name, "",
				 "a name is 1 to 64 letters, digits, _ or -");
	if (!cJSON_IsObject(o))
		return set_error(err, name, "", "not an object");
	if (cJSON_HasObjectItem(o, "command") == url)
		return set_error(err, name, "",
				 "it needs either a command or a url");
	if (check_keys(o, url, err) < 0)
		return -1;
	if (!json_str(o, "type")) {
		cJSON_DeleteItemFromObjectCaseSensitive(o, "type");
		json_set_str(o, "type", url ? "http" : "stdio");
	}
	type = json_str(o, "type");
	if ((url ? check_url(o, type, err) : check_command(o, type, err)) < 0 ||
	    check_args(name, json_get(o, "args"), err) < 0 ||
	    check_env(name, json_get(o, "env"), err) < 0)
		return -1;
	return check_headers(name, json_get(o, "headers"), err);
}

int mcp_file_check(cJSON *servers, struct err *err)
{
	if (cJSON_GetArraySize(servers) > MCP_SERVERS_MAX)
		return err_set(err, ERR_USAGE, "more than %d MCP servers",
			       MCP_SERVERS_MAX);
	for (cJSON *s = servers->child; s; s = s->next)
		if (check_server(s, err) < 0)
			return -1;
	return 0;
}

cJSON *mcp_file_parse(const char *text, size_t len, struct err *err)
{
	_json_ cJSON *o = json_parse_object(text, len, err);
	cJSON *servers = json_get(o, "mcpServers");
	int rc = -1;

	if (!o && err)
		err->kind = ERR_USAGE;
	else if (!cJSON_IsObject(servers) || cJSON_GetArraySize(o) != 1)
		err_set(err, ERR_USAGE,
			"it is not {\"mcpServers\": {NAME: {...}}}");
	else
		rc = mcp_file_check(servers, err);
	servers = rc == 0 ? cJSON_DetachItemViaPointer(o, servers) : NULL;
	return servers;
}
