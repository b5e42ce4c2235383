/* registry.c - lists the adapters, in the order that users see. */
#include "adapters/registry.h"

#include <string.h>

#include "base/json.h"
#include "base/words.h"

const struct adapter *const adapters[] = {
    &adapter_claude,   &adapter_codex,	 &adapter_gemini,
    &adapter_opencode, &adapter_generic, NULL,
};

const struct adapter *adapter_find(const char *name)
{
	for (size_t i = 0; adapters[i]; i++)
		if (name && strcmp(adapters[i]->name, name) == 0)
			return adapters[i];
	return &adapter_generic;
}

void adapter_needs(const cJSON *section, const char *key, struct strv *out)
{
	const cJSON *list = json_get(section, key),
		    *last =
			cJSON_GetArrayItem(list, cJSON_GetArraySize(list) - 1);

	if (cJSON_IsString(last))
		words_split(last->valuestring, out, NULL);
}

const struct adapter *adapter_of(const char *name, const cJSON *section)
{
	const cJSON *like = json_get(section, "like");
	const struct adapter *a;

	if (cJSON_GetArraySize(like) > 0)
		name = cJSON_GetStringValue(cJSON_GetArrayItem(like, 0));
	a = adapter_find(name);
	return a == &adapter_generic &&
		       cJSON_HasObjectItem(section, "hook_prompt")
		   ? &adapter_hooked
		   : a;
}
