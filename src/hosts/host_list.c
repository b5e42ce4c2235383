/* host_list.c - the other machines of the user, from their configuration. */
#include "hosts/host_list.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/mem.h"
#include "config/config.h"
#include "hosts/engine.h"
#include "session/disk/dirs.h"

static struct host *add(struct host_list *l)
{
	l->v = mem_grow(l->v, l->all, sizeof *l->v);
	l->v[l->all] = (struct host){0};
	return &l->v[l->all++];
}

static void finish(struct host *h)
{
	free(h->name);
	free(h->url);
	free(h->engine);
	free(h->image);
	strv_finish(&h->options);
}

/* name: of the place, or the host's own. */
static void add_host(struct host_list *l, const cJSON *o, const char *name)
{
	const char *path = json_str_or(o, "path", "");
	struct host *h = add(l);
	const cJSON *word;

	h->name = mem_strdup(name);
	h->url = mem_strdup(json_str_or(o, "url", ""));
	if (*h->url)
		return;
	h->engine = mem_strdup(json_str(o, "engine"));
	free(h->url);
	h->url =
	    mem_printf("ssh://%s%s%s", name, *path == '~' ? "/" : "", path);
	cJSON_ArrayForEach (word, json_get(o, "options"))
		strv_add(&h->options, word->valuestring);
	h->image = mem_strdup(json_str_or(o, "image", ""));
	h->up_timeout_ms = json_int(o, "up_timeout_ms", 0);
	h->keep = strcmp(json_str_or(o, "keep", ""), "turn") == 0;
	h->each = json_bool(o, "each", false) &&
		  strcmp(name, json_str(o, "name")) == 0;
}

/* Returns whether name is HOST.SESSION. */
static bool is_place_of(const char *name, const char *host)
{
	size_t len = strlen(host);

	return strncmp(name, host, len) == 0 && name[len] == '.' &&
	       name[len + 1];
}

static bool is_made(const char *place)
{
	_free_ char *config = engine_ssh_config(place);

	return config != NULL;
}

/* Adds the places that were made for a host's sessions. */
static void add_places(struct host_list *l, const cJSON *o)
{
	_free_ char *data = dirs_data(NULL);
	_free_ char *dir = data ? file_join(data, "hosts") : NULL;
	_dir_ DIR *d = dir ? file_list(AT_FDCWD, dir) : NULL;
	_strv_ struct strv names = {0};
	const char *name;

	while (d && (name = file_list_next(d)))
		if (is_place_of(name, json_str(o, "name")))
			strv_add(&names, name);
	strv_sort(&names);
	for (size_t i = 0; i < names.n; i++)
		if (is_made(names.v[i]))
			add_host(l, o, names.v[i]);
}

static bool has_place(const cJSON *o)
{
	return *json_str_or(o, "url", "") || is_made(json_str(o, "name"));
}

int host_list_load(struct host_list *l, const struct config *c, struct err *err)
{
	_json_ cJSON *sections = config_sections(c, "host", err);
	const cJSON *o;

	*l = (struct host_list){0};
	if (!sections)
		return -1;
	cJSON_ArrayForEach (o, sections) {
		if (json_bool(o, "each", false))
			add_places(l, o);
		else if (has_place(o))
			add_host(l, o, json_str(o, "name"));
	}
	l->n = l->all;
	cJSON_ArrayForEach (o, sections) {
		if (json_bool(o, "each", false) || !has_place(o))
			add_host(l, o, json_str(o, "name"));
	}
	return 0;
}

void host_list_finish(struct host_list *l)
{
	for (size_t i = 0; i < l->all; i++)
		finish(&l->v[i]);
	free(l->v);
	*l = (struct host_list){0};
}

static const struct host *find(const struct host_list *l, const char *name,
			       size_t len)
{
	for (size_t i = 0; i < l->all; i++)
		if (strlen(l->v[i].name) == len &&
		    strncmp(l->v[i].name, name, len) == 0)
			return &l->v[i];
	return NULL;
}

const struct host *host_find(const struct host_list *l, const char *name)
{
	return find(l, name, strlen(name));
}

const struct host *host_of_place(const struct host_list *l, const char *place)
{
	size_t len = strcspn(place, ".");
	const struct host *h = place[len] ? find(l, place, len) : NULL;

	return h && h->each ? h : NULL;
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
