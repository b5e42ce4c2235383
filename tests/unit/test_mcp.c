/* test_mcp.c - MCP servers of one session: what is taken, and what is not. */
#include "adapters/launch.h"
#include "adapters/mcp_file.h"
#include "base/json.h"
#include "support_unit.h"

#define SERVER(inside) "{\"mcpServers\":{\"s\":{" inside "}}}"

static cJSON *parse(const char *text, struct err *err)
{
	return mcp_file_parse(text, strlen(text), err);
}

TEST(mcp__takes_the_common_form)
{
	cJSON *o = parse("{\"mcpServers\":{"
			 "\"a\":{\"command\":\"m\",\"args\":[\"--x\"],"
			 "\"env\":{\"T\":\"${T}\",\"U\":\"${V_1}\"}},"
			 "\"b\":{\"url\":\"https://x/y\","
			 "\"headers\":{\"Authorization\":\"Bearer ${T}\"}},"
			 "\"c\":{\"type\":\"sse\",\"url\":\"http://x\"}}}",
			 NULL);
	struct strv names = {0};
	char *name;

	assert_non_null(o);
	assert_string_equal(json_str(cJSON_GetObjectItem(o, "a"), "type"),
			    "stdio");
	assert_string_equal(json_str(cJSON_GetObjectItem(o, "b"), "type"),
			    "http");
	assert_string_equal(json_str(cJSON_GetObjectItem(o, "c"), "type"),
			    "sse");
	mcp_file_variables(cJSON_GetObjectItem(o, "a"), &names);
	mcp_file_variables(cJSON_GetObjectItem(o, "b"), &names);
	mcp_file_variables(cJSON_GetObjectItem(o, "c"), &names);
	assert_int_equal(names.n, 2);
	assert_string_equal(names.v[0], "T");
	assert_string_equal(names.v[1], "V_1");
	strv_finish(&names);
	cJSON_Delete(o);
	o = parse("{\"mcpServers\":{}}", NULL);
	assert_non_null(o);
	cJSON_Delete(o);
	name = mcp_file_variable("${A_1}");
	assert_string_equal(name, "A_1");
	free(name);
	assert_null(mcp_file_variable("x${A}"));
	assert_null(mcp_file_variable("${A} "));
	assert_null(mcp_file_variable("${1}"));
	assert_null(mcp_file_variable("$A"));
	assert_null(mcp_file_variable(NULL));
}

static void expect_refused(const char *text, const char *why)
{
	struct err err = {0};

	assert_null(parse(text, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	if (!strstr(err.what, why))
		fail_msg("%s: %s", text, err.what);
}

TEST(mcp__keeps_no_values)
{
	struct err err = {0};

	expect_refused(
	    SERVER("\"command\":\"m\",\"env\":{\"T\":\"ghp_secret\"}"),
	    "'s': T: ");
	expect_refused(SERVER("\"command\":\"m\",\"env\":{\"T\":\"a${T}\"}"),
		       "T: ");
	expect_refused(SERVER("\"command\":\"m\",\"env\":{\"T\":7}"), "T: ");
	expect_refused(SERVER("\"command\":\"m\",\"env\":{\"T-\":\"${T}\"}"),
		       "T-: ");
	expect_refused(SERVER("\"command\":\"m\",\"args\":[\"--key=${T}\"]"),
		       "args");
	expect_refused(SERVER("\"url\":\"https://x/${T}\""), "url");
	expect_refused(SERVER("\"url\":\"https://me:pw@x/\""), "url");
	expect_refused(
	    SERVER("\"url\":\"https://x\",\"headers\":{\"A\":\"Bearer x\"}"),
	    "A: ");
	expect_refused(
	    SERVER("\"url\":\"https://x\",\"headers\":{\"A\":\"x${\"}"), "A: ");
	/* The value itself is not reported either. */
	assert_null(parse(SERVER("\"command\":\"m\",\"env\":"
				 "{\"T\":\"ghp_secret\"}"),
			  &err));
	assert_null(strstr(err.what, "ghp_"));
	assert_null(strstr(err.hint, "ghp_"));
	assert_non_null(strstr(err.hint, "${T}"));
}

TEST(mcp__refuses_what_it_does_not_know)
{
	expect_refused("[]", "");
	expect_refused("{}", "mcpServers");
	expect_refused("{\"mcpServers\":[]}", "mcpServers");
	expect_refused("{\"mcpServers\":{},\"more\":1}", "mcpServers");
	expect_refused("{\"mcpServers\":{\"a b\":{\"command\":\"m\"}}}",
		       "a name");
	expect_refused("{\"mcpServers\":{\"s\":[]}}", "object");
	expect_refused(SERVER(""), "either");
	expect_refused(SERVER("\"command\":\"m\",\"url\":\"http://x\""),
		       "either");
	expect_refused(SERVER("\"command\":\"\""), "empty");
	expect_refused(SERVER("\"command\":7"), "command");
	expect_refused(SERVER("\"command\":\"m\\u001b\""), "command");
	expect_refused(SERVER("\"command\":\"m\",\"args\":\"x\""), "args");
	expect_refused(SERVER("\"command\":\"m\",\"args\":[1]"), "args");
	expect_refused(SERVER("\"command\":\"m\",\"type\":\"http\""), "type");
	expect_refused(SERVER("\"command\":\"m\",\"cwd\":\"/\""), "cwd");
	expect_refused(SERVER("\"command\":\"m\",\"headers\":{}"), "headers");
	expect_refused(SERVER("\"url\":\"file:///x\""), "url");
	expect_refused(SERVER("\"url\":\"http://x\",\"type\":\"stdio\""),
		       "type");
	expect_refused(SERVER("\"url\":\"http://x\",\"args\":[]"), "args");
	expect_refused(SERVER("\"url\":\"http://x\",\"env\":{}"), "env");
}

TEST(launch__leaves_out_servers_without_their_variable)
{
	static const char *const env[] = {"T=1", NULL};
	struct spec spec = {0};
	struct launch_request rq = {.spec = &spec, .environ_now = env};
	struct launch l = {0};
	cJSON *o;

	assert_null(launch_mcp(&rq, &l));
	spec.mcp = parse("{\"mcpServers\":{"
			 "\"a\":{\"command\":\"m\",\"env\":{\"U\":\"${U}\"}},"
			 "\"b\":{\"command\":\"m\",\"env\":{\"U\":\"${T}\"}}}}",
			 NULL);
	o = launch_mcp(&rq, &l);
	assert_int_equal(cJSON_GetArraySize(o), 1);
	assert_string_equal(o->child->string, "b");
	assert_int_equal(l.degraded.n, 1);
	assert_string_equal(l.degraded.v[0],
			    "MCP server a is left out: U is not set");
	cJSON_Delete(o);
	launch_finish(&l);
	rq.environ_now = NULL;
	assert_null(launch_mcp(&rq, &l));
	assert_int_equal(l.degraded.n, 2);
	launch_finish(&l);
	spec_finish(&spec);
}

/* Its calls are not asked for, by that name. */
TEST(launch__gives_nobody_else_the_bridges_name)
{
	static const char *const hook[] = {"supervisor", "hook", NULL};
	static const char *const env[] = {"AF_DOOR=/d", NULL};
	struct spec spec = {.bridge = cJSON_CreateObject()};
	struct launch_request rq = {
	    .spec = &spec, .environ_now = env, .hook = hook};
	struct launch l = {0};
	cJSON *o;

	spec.mcp =
	    parse("{\"mcpServers\":{\"afw\":{\"command\":\"m\"}}}", NULL);
	o = launch_mcp(&rq, &l);
	assert_int_equal(cJSON_GetArraySize(o), 1);
	assert_string_equal(json_str(o->child, "command"), "supervisor");
	assert_int_equal(l.degraded.n, 1);
	cJSON_Delete(o);
	launch_finish(&l);
	spec_finish(&spec);
}

TEST(launch__joins_prompt_and_instructions)
{
	struct spec spec = {0};
	struct launch_request rq = {.spec = &spec};
	char *text;

	assert_null(launch_prompt(&rq));
	spec.instructions = mem_strdup("i");
	text = launch_prompt(&rq);
	assert_string_equal(text, "i");
	free(text);
	spec.system_prompt = mem_strdup("p");
	text = launch_prompt(&rq);
	assert_string_equal(text, "p\n\ni");
	free(text);
	spec_finish(&spec);
}
