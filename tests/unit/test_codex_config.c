/*
 * test_codex_config.c - what Codex is configured with on its command line:
 * hooks that it trusts, MCP servers, all of it TOML.
 */
#include "adapters/adapter.h"
#include "adapters/launch.h"
#include "adapters/mcp_file.h"
#include "adapters/registry.h"
#include "adapters/toml.h"
#include "base/buf.h"
#include "base/json.h"
#include "support_unit.h"
#include "support_view.h"

static bool has_config(const struct launch *l, const char *value)
{
	for (size_t i = 0; i + 1 < l->argv.n; i++)
		if (strcmp(l->argv.v[i], "-c") == 0 &&
		    strstr(l->argv.v[i + 1], value))
			return true;
	return false;
}

TEST(codex__trusts_its_own_hooks_alone)
{
	static const char *const hook[] = {"/a b/x", "hook", NULL};
	struct spec spec = {.harness = mem_strdup("codex")};
	struct rules *rules = rules_of("codex");
	struct launch_request rq = {
	    .spec = &spec, .rules = rules, .hook = hook};
	struct launch l;

	assert_int_equal(adapter_prepare(&adapter_codex, &rq, &l, NULL), 0);
	assert_true(has_config(&l, "hooks.Stop=[{hooks=[{type=\"command\","
				   "command=\"'/a b/x' 'hook' 'Stop'\","
				   "timeout=3}]}]"));
	assert_true(has_config(
	    &l, "\"/<session-flags>/config.toml:stop:0:0\"={trusted_hash=\""
		"sha256:"
		"2525ef9aed5d944cb3bdb4a6cc30c90529ae2fe671aa3030458b5911b99dec"
		"45\"}"));
	for (size_t i = 0; i < l.argv.n; i++)
		assert_null(strstr(l.argv.v[i], "bypass"));
	launch_finish(&l);
	rules_destroy(rules);
	spec_finish(&spec);
}

TEST(codex__gets_servers_it_can_be_given)
{
	static const char *const env[] = {"T=very-secret", NULL};
	static const char mcp[] =
	    "{\"mcpServers\":{"
	    "\"a\":{\"command\":\"m\",\"args\":[\"-x\",\"q\\\"\"],"
	    "\"env\":{\"T\":\"${T}\"}},"
	    "\"b\":{\"url\":\"http://x\","
	    "\"headers\":{\"Authorization\":\"Bearer ${T}\","
	    "\"X-Key\":\"${T}\"}},"
	    "\"c\":{\"command\":\"m\",\"env\":{\"U\":\"${T}\"}},"
	    "\"d\":{\"url\":\"http://x\",\"type\":\"sse\"}}}";
	struct spec spec = {.harness = mem_strdup("codex"),
			    .mcp = mcp_file_parse(mcp, strlen(mcp), NULL)};
	struct launch_request rq = {.spec = &spec, .environ_now = env};
	struct launch l;

	assert_non_null(spec.mcp);
	assert_int_equal(adapter_prepare(&adapter_codex, &rq, &l, NULL), 0);
	assert_true(has_config(&l, "mcp_servers.a={\"command\"=\"m\","
				   "\"args\"=[\"-x\",\"q\\\"\"],"
				   "\"env_vars\"=[\"T\"]}"));
	assert_true(has_config(&l, "mcp_servers.b={\"url\"=\"http://x\","
				   "\"bearer_token_env_var\"=\"T\","
				   "\"env_http_headers\"={\"X-Key\"=\"T\"}}"));
	assert_false(has_config(&l, "mcp_servers.c"));
	assert_false(has_config(&l, "mcp_servers.d"));
	assert_false(has_config(&l, "very-secret"));
	assert_int_equal(l.degraded.n, 2);
	launch_finish(&l);
	spec_finish(&spec);
}

TEST(toml__quotes_everything)
{
	cJSON *o = cJSON_Parse("{\"a b\":[1,true,null,\"\\\\ \\\" "
			       "\\u001b\\u007f ü\"],\"c\":{}}");
	struct buf b = {0};

	toml_value(&b, o);
	assert_string_equal(b.data, "{\"a b\"=[1,true,\"\\\\ \\\" "
				    "\\u001b\\u007f ü\"],\"c\"={}}");
	buf_finish(&b);
	cJSON_Delete(o);
}
