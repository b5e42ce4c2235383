/* services.c - reads services from the configuration for a start. */
#include "commands/launch/services.h"

#include <stdlib.h>
#include <string.h>

#include "base/env_list.h"
#include "base/json.h"
#include "base/ready.h"
#include "commands/cli/output.h"
#include "sandbox/sandbox.h"

/* A command that ends before the next service, and the agent, starts. */
static cJSON *new_once(const struct config *c, enum option_id id)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "name", options[id].name);
	json_set_strv(o, "command", config_list(c, id));
	json_set_bool(o, "once", true);
	json_set_int(o, "ready_timeout_ms", SETUP_MOST_MS);
	return o;
}

int services_choose(const struct config *c, struct spec *spec, struct err *err)
{
	cJSON *list = config_sections(c, "service", err), *first;
	int n;

	if (!list)
		return -1;
	if (config_list(c, OPTION_BEFORE_START)->n) {
		first = new_once(c, OPTION_BEFORE_START);
		json_set_bool(first, "each_start", true);
		cJSON_InsertItemInArray(list, 0, first);
	}
	n = cJSON_GetArraySize(list);
	if (n > 0 && n <= SERVICES_MAX) {
		spec->services = list;
		return 0;
	}
	cJSON_Delete(list);
	return n == 0 ? 0
		      : err_set(err, ERR_LIMIT,
				"%d services: a session has %d at most", n,
				SERVICES_MAX);
}

static int add_once(const struct config *c, enum option_id id,
		    struct spec *spec, struct err *err)
{
	_strv_ struct strv env = {0};
	cJSON *o;

	if (config_list(c, id)->n == 0)
		return 0;
	strv_addf(&env, "AF_WORKTREE=%s", spec->worktree);
	strv_addf(&env, "AF_REPOSITORY=%s", spec->repository);
	if (!spec->services)
		spec->services = cJSON_CreateArray();
	if (cJSON_GetArraySize(spec->services) >= SERVICES_MAX)
		return err_set(err, ERR_LIMIT,
			       "%s and %d services: a session has %d at most",
			       options[id].name, SERVICES_MAX, SERVICES_MAX);
	o = new_once(c, id);
	json_set_strv(o, "env", &env);
	cJSON_InsertItemInArray(spec->services, 0, o);
	return 0;
}

int services_add_setup(const struct config *c, bool ahead, struct spec *spec,
		       struct err *err)
{
	return add_once(c, OPTION_SETUP, spec, err) < 0 ? -1
	       : ahead ? add_once(c, OPTION_SETUP_SPARE, spec, err)
		       : 0;
}

int64_t services_ms(const struct spec *spec)
{
	const cJSON *service;
	struct ready ready;
	int64_t ms = spec->stop_timeout_ms;

	cJSON_ArrayForEach (service, spec->services) {
		ready_parse(json_str_or(service, "ready", ""), &ready);
		ms += json_int(service, "ready_timeout_ms", 0) + ready.delay_ms;
	}
	return ms;
}

/* Returns "NAME=VALUE" from given or from our own environment; NULL: neither
 * has it. */
static char *find_variable(const struct strv *given, const char *name)
{
	const char *value = env_get(given, name);

	if (!value)
		value = getenv(name);
	return value ? mem_printf("%s=%s", name, value) : NULL;
}

static void add_named(cJSON *o, const cJSON *service, const struct strv *given)
{
	const char *name = json_str_or(service, "name", "");
	struct strv out = {0};
	const cJSON *e;

	cJSON_ArrayForEach (e, json_get(service, "env")) {
		const char *text = cJSON_GetStringValue(e);
		char *found;

		if (!text || strchr(text, '='))
			continue;
		found = find_variable(given, text);
		if (found)
			strv_take(&out, found);
		else
			output_warn("service '%s': %s is not set here", name,
				    text);
	}
	json_set_strv(o, name, &out);
	strv_finish(&out);
}

cJSON *services_env(const struct spec *spec, const struct strv *given)
{
	cJSON *o = cJSON_CreateObject();
	const cJSON *service;
	struct strv all = {0};

	sandbox_env(spec, NULL, false, &all);
	for (size_t i = 0; i < given->n; i++) {
		char *name =
		    mem_strndup(given->v[i], strcspn(given->v[i], "="));

		env_apply(&all, name);
		free(name);
	}
	json_set_strv(o, "", &all);
	strv_finish(&all);
	cJSON_ArrayForEach (service, spec->services) {
		add_named(o, service, given);
	}
	return o;
}
