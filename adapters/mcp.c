/* mcp.c - MCP servers from a file, checked to the last key. */
#include "adapters/mcp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

#define ARGS_MAX 64

/* The length of "${NAME}" at s, or 0. */
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

char *mcp_variable(const char *value)
{
	size_t n = value ? reference(value) : 0;

	return n && value[n] == '\0' ? mem_strndup(value + 2, n - 3) : NULL;
}

static void add_once(struct strv *out, const char *name, size_t len)
{
	char *s = mem_strndup(name, len);

	if (strv_has(out, s))
		free(s);
	else
		strv_take(out, s);
}

static void add_references(const char *s, struct strv *out)
{
	for (const char *at = s; at && (at = strchr(at, '$')); at++) {
		size_t n = reference(at);

		if (n)
			add_once(out, at + 2, n - 3);
	}
}

void mcp_variables(const cJSON *server, struct strv *out)
{
	static const char *const keys[] = {"env", "headers"};
	const cJSON *value;

	for (size_t i = 0; i < 2; i++)
		cJSON_ArrayForEach (
		    value, cJSON_GetObjectItemCaseSensitive(server, keys[i]))
			add_references(cJSON_GetStringValue(value), out);
}

static int bad(struct err *err, const char *name, const char *key,
	       const char *why)
{
	return err_set(err, ERR_USAGE, "MCP server '%.64s': %.40s%s%s", name,
		       key, *key ? ": " : "", why);
}

/* No control bytes: it may become a line of somebody's configuration. */
static bool plain(const char *s)
{
	if (!s)
		return false;
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 127)
			return false;
	return true;
}

/* One string that no variable is put into. */
static int check_literal(const char *name, const char *key, const cJSON *v,
			 struct err *err)
{
	const char *s = cJSON_GetStringValue(v);

	if (!plain(s))
		return bad(err, name, key, "not a string of plain text");
	if (strstr(s, "${")) {
		bad(err, name, key, "no variable can stand here");
		return err_hint(err, "everybody can read a process's "
				     "arguments: give secrets by env or "
				     "headers");
	}
	return 0;
}

static int check_args(const char *name, const cJSON *args, struct err *err)
{
	const cJSON *v;

	if (!args)
		return 0;
	if (!cJSON_IsArray(args) || cJSON_GetArraySize(args) > ARGS_MAX)
		return bad(err, name, "args", "not a list of at most 64");
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
		return bad(err, name, "env", "not an object");
	cJSON_ArrayForEach (v, env) {
		char *variable = mcp_variable(cJSON_GetStringValue(v));

		if (variable && key_ok(v->string, "_") &&
		    !isdigit((unsigned char)v->string[0])) {
			free(variable);
			continue;
		}
		free(variable);
		bad(err, name, v->string, "its value must be a \"${NAME}\"");
		return err_hint(err,
				"afw keeps no values: write \"%.40s\": "
				"\"${%.40s}\" and give it with -e %.40s=VALUE",
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
		return bad(err, name, "headers", "not an object");
	cJSON_ArrayForEach (v, headers) {
		const char *s = cJSON_GetStringValue(v);
		struct strv names = {0};

		if (plain(s))
			add_references(s, &names);
		strv_finish(&names);
		if (!plain(s) || !key_ok(v->string, "-_"))
			return bad(err, name, "headers",
				   "not names and strings of plain text");
		if (strstr(s, "${"))
			continue;
		bad(err, name, v->string, "has no \"${NAME}\" in it");
		return err_hint(err, "afw keeps no values: write it as "
				     "\"Bearer ${TOKEN}\" and give that with "
				     "-e TOKEN=VALUE");
	}
	return 0;
}

static int check_keys(const cJSON *o, struct err *err)
{
	static const char *const keys[] = {"type", "command", "args",
					   "env",  "url",     "headers"};
	const cJSON *v;

	cJSON_ArrayForEach (v, o) {
		size_t i = 0;

		while (i < 6 && strcmp(keys[i], v->string) != 0)
			i++;
		if (i == 6)
			return bad(err, o->string, v->string, "unknown key");
	}
	return 0;
}

static int check_url(const cJSON *o, const char *type, struct err *err)
{
	const char *url = json_str_or(o, "url", "");

	if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
		return bad(err, o->string, "url", "not http:// or https://");
	if (strchr(url, '@'))
		return bad(err, o->string, "url", "a login cannot stand in it");
	if (strcmp(type, "http") != 0 && strcmp(type, "sse") != 0)
		return bad(err, o->string, "type", "not http or sse");
	return check_literal(o->string, "url",
			     cJSON_GetObjectItemCaseSensitive(o, "url"), err);
}

static int check_server(cJSON *o, struct err *err)
{
	const cJSON *command, *url;
	const char *type;

	if (!key_ok(o->string, "_-"))
		return bad(err, o->string, "",
			   "a name is 1 to 64 letters, digits, _ or -");
	if (!cJSON_IsObject(o))
		return bad(err, o->string, "", "not an object");
	if (check_keys(o, err) < 0)
		return -1;
	command = cJSON_GetObjectItemCaseSensitive(o, "command");
	url = cJSON_GetObjectItemCaseSensitive(o, "url");
	if (!command == !url)
		return bad(err, o->string, "",
			   "it needs either a command or a url");
	type = json_str(o, "type");
	if (!type) {
		cJSON_DeleteItemFromObjectCaseSensitive(o, "type");
		type = command ? "stdio" : "http";
		json_set_str(o, "type", type);
		type = json_str(o, "type");
	}
	if (url && cJSON_HasObjectItem(o, "args"))
		return bad(err, o->string, "args", "only a command has some");
	if (url ? cJSON_HasObjectItem(o, "env")
		: cJSON_HasObjectItem(o, "headers"))
		return bad(err, o->string, url ? "env" : "headers",
			   url ? "only a command has some"
			       : "only a url has some");
	if (url)
		return check_url(o, type, err) < 0
			   ? -1
			   : check_headers(
				 o->string,
				 cJSON_GetObjectItemCaseSensitive(o, "headers"),
				 err);
	if (strcmp(type, "stdio") != 0)
		return bad(err, o->string, "type", "a command's is stdio");
	if (!json_str_or(o, "command", "")[0])
		return bad(err, o->string, "command", "it is empty");
	if (check_literal(o->string, "command", command, err) < 0 ||
	    check_args(o->string, cJSON_GetObjectItemCaseSensitive(o, "args"),
		       err) < 0)
		return -1;
	return check_env(o->string, cJSON_GetObjectItemCaseSensitive(o, "env"),
			 err);
}

cJSON *mcp_parse(const char *text, size_t len, struct err *err)
{
	cJSON *o = json_parse_object(text, len, err), *servers, *s;

	if (!o) {
		if (err)
			err->kind = ERR_USAGE;
		return NULL;
	}
	servers = cJSON_GetObjectItemCaseSensitive(o, "mcpServers");
	if (!cJSON_IsObject(servers) || cJSON_GetArraySize(o) != 1) {
		err_set(err, ERR_USAGE,
			"it is not {\"mcpServers\": {NAME: {...}}}");
		cJSON_Delete(o);
		return NULL;
	}
	if (cJSON_GetArraySize(servers) > MCP_SERVERS_MAX) {
		err_set(err, ERR_USAGE, "it has more than %d servers",
			MCP_SERVERS_MAX);
		cJSON_Delete(o);
		return NULL;
	}
	servers = cJSON_DetachItemViaPointer(o, servers);
	cJSON_Delete(o);
	cJSON_ArrayForEach (s, servers) {
		if (check_server(s, err) < 0) {
			cJSON_Delete(servers);
			return NULL;
		}
	}
	return servers;
}
