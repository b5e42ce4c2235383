/* host_list.c - the other machines of the user, from their configuration. */
#include "hosts/host_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/mem.h"
#include "config/config.h"

int host_list_load(struct host_list *l, const struct config *c, struct err *err)
{
	_json_ cJSON *sections = config_sections(c, "host", err);
	const cJSON *o;

	*l = (struct host_list){0};
	if (!sections)
		return -1;
	l->v = mem_alloc((size_t)cJSON_GetArraySize(sections) * sizeof *l->v);
	cJSON_ArrayForEach (o, sections)
		l->v[l->n++] =
		    (struct host){.name = mem_strdup(json_str(o, "name")),
				  .url = mem_strdup(json_str(o, "url"))};
	return 0;
}

void host_list_finish(struct host_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->v[i].name);
		free(l->v[i].url);
	}
	free(l->v);
	*l = (struct host_list){0};
}

static const struct host *find(const struct host_list *l, const char *name,
			       size_t len)
{
	for (size_t i = 0; i < l->n; i++)
		if (strlen(l->v[i].name) == len &&
		    strncmp(l->v[i].name, name, len) == 0)
			return &l->v[i];
	return NULL;
}

const struct host *host_find(const struct host_list *l, const char *name)
{
	return find(l, name, strlen(name));
}

bool host_is_here(const char *name)
{
	return strcmp(name, "here") == 0 || strcmp(name, "local") == 0;
}

const struct host *host_of_session(const struct host_list *l, const char *word,
				   const char **session)
{
	const char *mark = strchr(word, HOST_MARK);
	const struct host *h =
	    mark ? find(l, word, (size_t)(mark - word)) : NULL;

	if (h)
		*session = mark + 1;
	return h;
}
