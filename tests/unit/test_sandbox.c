/* Which variables of our environment a sandbox gets, and which program it asks.
 */
#include "support_unit.h"

#include <stdbool.h>

#include "base/env_list.h"
#include "sandbox/landlock.h"
#include "sandbox/podman_check.h"
#include "sandbox/sandbox.h"

extern char **environ;

static const char *const here[] = {"PATH=/bin",	 "LC_TIME=C",	 "TOKEN=t",
				   "AGENT_X=1",	 "PROJECT_A=a",	 "MINE=m",
				   "GIT_DIR=/x", "GIVEN=secret", NULL};
static const char *const needs[] = {"AGENT_*", NULL};
static char tier[] = "none";
static struct spec spec = {.sandbox = tier};

/* The names that it gets, in one line. */
static const char *names(bool secrets)
{
	static char line[200];
	char **before = environ;
	struct strv env = {0};

	environ = (char **)(size_t)here;
	sandbox_env(&spec, needs, secrets, &env);
	environ = before;
	line[0] = '\0';
	for (size_t i = 0; i < env.n; i++) {
		strncat(line, env.v[i], strcspn(env.v[i], "="));
		strcat(line, " ");
	}
	strv_finish(&env);
	return line;
}

TEST(sandbox_env__without_a_list_none_passes_all_but_git_s)
{
	assert_string_equal(names(true), "PATH LC_TIME TOKEN AGENT_X PROJECT_A "
					 "MINE GIVEN ");
}

TEST(sandbox_env__a_list_adds_to_what_all_and_the_harness_need)
{
	strv_add(&spec.env_pass, "PROJECT_*");
	assert_string_equal(names(true), "PATH LC_TIME AGENT_X PROJECT_A ");
	strv_add(&spec.env_pass, "*");
	assert_string_equal(names(true), "PATH LC_TIME TOKEN AGENT_X PROJECT_A "
					 "MINE GIVEN ");
	strv_finish(&spec.env_pass);
}

TEST(sandbox_env__what_was_given_is_for_the_harness_alone)
{
	strv_add(&spec.env_names, "GIVEN");
	strv_add(&spec.env_names, "PATH"); /* the caller's own: not a secret */
	assert_string_equal(names(false), "PATH LC_TIME TOKEN AGENT_X "
					  "PROJECT_A MINE ");
	strv_add(&spec.env_pass, "NONE_OF_THEM");
	assert_string_equal(names(true), "PATH LC_TIME AGENT_X GIVEN ");
	strv_finish(&spec.env_pass);
	strv_finish(&spec.env_names);
}

TEST(env_put__sets_replaces_and_removes)
{
	struct strv env = {0};

	env_apply(&env, "GONE");
	env_set(&env, "A", "1");
	env_apply(&env, "AB=2");
	env_apply(&env, "A=3=4");
	env_apply(&env, "AB");
	assert_int_equal(env.n, 1);
	assert_string_equal(env.v[0], "A=3=4");
	assert_null(env.v[1]);
	strv_finish(&env);
}

TEST(sandbox__a_tier_that_is_not_there_is_refused)
{
	const cJSON *handle = cJSON_Parse("{\"tier\":\"other\"}");
	struct spec none = {.sandbox = (char *)"none"};
	struct spec magic = {.sandbox = (char *)"magic"};
	struct err err = {0};

	assert_int_equal(sandbox_check(&none, NULL, &err), 0);
	assert_int_equal(sandbox_check(&magic, NULL, &err), -1);
	assert_string_equal(err.what, "there is no sandbox 'magic'");
	/* The path that it was opened by is used, not that of the spec. */
	assert_int_equal(sandbox_stop(&spec, handle, 0, &err), -1);
	assert_string_equal(err.what, "there is no sandbox 'other'");
	cJSON_Delete((cJSON *)(size_t)handle);
}

static size_t lacks(int version, const char *namespaces, bool ports)
{
	struct strv out = {0};
	size_t n;

	landlock_lacks(version, namespaces, ports, &out);
	n = out.n;
	strv_finish(&out);
	return n;
}

TEST(landlock__what_a_kernel_lacks_is_said)
{
	assert_int_equal(lacks(6, "yes", true), 0);
	assert_int_equal(lacks(4, "yes", true), 1);  /* signals */
	assert_int_equal(lacks(3, "yes", false), 1); /* no port is asked for */
	assert_int_equal(lacks(3, "yes", true), 2);
	assert_int_equal(lacks(6, "Operation not permitted", false), 1);
}

TEST(podman__is_new_enough)
{
	struct err err = {0};

	assert_int_equal(podman_check_version("4.3.1\n", &err), 0);
	assert_int_equal(podman_check_version("5.0.0-rc1\n", &err), 0);
	assert_int_equal(podman_check_version("3.4.4\n", &err), -1);
	assert_int_equal(podman_check_version("", &err), -1);
}

TEST(podman__keeps_to_limits_by_its_controllers)
{
	assert_true(podman_check_limits("cpuset cpu io memory pids\n"));
	assert_false(podman_check_limits("cpuset io memory pids\n"));
	assert_false(podman_check_limits("memory pids\n"));
	assert_false(podman_check_limits(""));
}
