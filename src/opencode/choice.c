/* choice.c - taken from what the server says of a message, word by word. */
#include "opencode/choice.h"

#include <string.h>

#include "base/json.h"
#include "base/utf8.h"

static void keep(char *dst, const char *text)
{
	utf8_printable(dst, CHOICE_WORD, text, strlen(text));
}

void choice_clear(struct choice *c)
{
	cJSON_Delete(c->model);
	*c = (struct choice){0};
}

void choice_keep(struct choice *c, const cJSON *info)
{
	const cJSON *model = cJSON_GetObjectItemCaseSensitive(info, "model");
	const char *provider = json_str_or(model, "providerID", "");
	const char *id = json_str_or(model, "modelID", "");

	choice_clear(c);
	keep(c->agent, json_str_or(info, "agent", ""));
	keep(c->variant, json_str_or(model, "variant", ""));
	if (strlen(provider) - 1 >= CHOICE_WORD ||
	    strlen(id) - 1 >= CHOICE_WORD)
		return; /* absent, or no name */
	c->model = cJSON_CreateObject();
	json_set_str(c->model, "providerID", provider);
	json_set_str(c->model, "modelID", id);
}
