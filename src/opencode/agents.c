/* agents.c - an agent's name, and a model only where it is that agent's. */
#include "opencode/agents.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"

#define AGENTS_MAX 200

/* The agent that the composer names: "Plan" is plan. NULL: none. */
static const char *agent_of_mode(const struct agents *a, const char *mode)
{
	for (size_t i = 0; i < a->names.n; i++)
		if (strcasecmp(a->names.v[i], mode) == 0)
			return a->names.v[i];
	return NULL;
}

/* "provider/model" as a request wants it. */
static cJSON *model_of(const char *name)
{
	const char *slash = name ? strchr(name, '/') : NULL;
	cJSON *o;
	char *provider;

	if (!slash)
		return NULL;
	o = cJSON_CreateObject();
	provider = mem_strndup(name, (size_t)(slash - name));
	json_set_str(o, "providerID", provider);
	json_set_str(o, "modelID", slash + 1);
	free(provider);
	return o;
}

/* The model of the last message goes with its agent only; another may have its
 * own. */
void agents_choose(const struct agents *a, const char *mode,
		   const struct choice *last, cJSON *o)
{
	const char *agent = agent_of_mode(a, mode);
	bool first = !last->agent[0];

	if (!agent)
		agent = first ? a->agent : last->agent;
	json_set_str(o, "agent", agent);
	if (first && a->model) {
		cJSON *model = model_of(a->model);

		if (model)
			cJSON_AddItemToObject(o, "model", model);
	} else if (agent && strcmp(agent, last->agent) == 0 && last->model) {
		cJSON_AddItemToObject(o, "model",
				      cJSON_Duplicate(last->model, 1));
		if (last->variant[0])
			json_set_str(o, "variant", last->variant);
	}
}

void agents_defaults(struct agents *a, const char *agent, const char *model)
{
	a->agent = mem_strdup(agent);
	a->model = mem_strdup(model);
}

void agents_keep(struct agents *a, const cJSON *list)
{
	const cJSON *one;

	strv_finish(&a->names);
	cJSON_ArrayForEach(one, list)
	{
		const char *name = json_str(one, "name");

		if (name && strlen(name) < CHOICE_WORD &&
		    a->names.n < AGENTS_MAX &&
		    strcmp(json_str_or(one, "mode", ""), "subagent") != 0)
			strv_add(&a->names, name);
	}
}

void agents_finish(struct agents *a)
{
	strv_finish(&a->names);
	free(a->agent);
	free(a->model);
	*a = (struct agents){0};
}
