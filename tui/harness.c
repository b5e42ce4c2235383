/* harness.c - the choices of the form for a new session. */
#include "tui/harness.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "base/mem.h"
#include "config/configuration.h"
#include "session/dirs.h"

static void add(struct harnesses *h, const char *name, const char *title)
{
	for (size_t i = 0; i < h->n; i++)
		if (strcmp(h->v[i].name, name) == 0)
			return;
	h->v = mem_realloc(h->v, (h->n + 1) * sizeof *h->v);
	h->v[h->n++] = (struct harness){
	    .name = mem_strdup(name),
	    .title = mem_strdup(title),
	};
}

static void add_installed(struct harnesses *h)
{
	for (size_t i = 0; adapters[i]; i++) {
		char *program;

		if (!adapters[i]->programs)
			continue;
		program = adapter_program(adapters[i], NULL);
		if (program)
			add(h, adapters[i]->name, adapters[i]->title);
		free(program);
	}
}

/* Whether its keys and values are right is for `afw new` to say. */
static void add_configured(struct harnesses *h, const char *repository)
{
	char *data = dirs_data(NULL);
	struct config_where where = {.data_dir = data,
				     .repository = repository};
	struct config *c = NULL;
	struct strv names = {0};

	if (config_load(&c, &where, NULL) == 0)
		config_harness_names(c, &names);
	for (size_t i = 0; i < names.n; i++)
		add(h, names.v[i], names.v[i]);
	strv_finish(&names);
	config_destroy(c);
	free(data);
}

void harnesses_load(struct harnesses *h, const char *repository)
{
	*h = (struct harnesses){0};
	add_installed(h);
	add_configured(h, repository);
	add(h, "generic", "a command");
}

void harnesses_finish(struct harnesses *h)
{
	for (size_t i = 0; i < h->n; i++) {
		free(h->v[i].name);
		free(h->v[i].title);
	}
	free(h->v);
	*h = (struct harnesses){0};
}
