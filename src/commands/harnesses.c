/* harnesses.c - adapters and configured harnesses, and their programs. */
#include "commands/harnesses.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "adapters/rules.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/utf8.h"

extern char **environ;

#define VERSION_TIMEOUT_MS 5000
#define VERSION_MAX	   4096

/* The first line that it prints; NULL where it prints none in time. */
static char *ask_version(const char *path)
{
	char program[4096], option[] = "--version", line[80];
	char *argv[] = {program, option, NULL}, *found = NULL;
	struct spawn sp = {
	    .argv = argv,
	    .fd = {-1, -1, -1},
	    .new_session = true,
	};
	struct buf out = {0};
	int status;

	if (strlen(path) >= sizeof program)
		return NULL;
	memcpy(program, path, strlen(path) + 1);
	if (spawn_run(&sp, NULL, &out, NULL, VERSION_MAX, VERSION_TIMEOUT_MS,
		      &status, NULL) == 0 &&
	    WIFEXITED(status) && WEXITSTATUS(status) == 0 && out.len > 0) {
		utf8_printable(line, sizeof line, out.data,
			       strcspn(out.data, "\r\n"));
		found = mem_strdup(line);
	}
	buf_finish(&out);
	return found;
}

static void add(struct harness_list *l, const struct config *c,
		const char *name, bool versions)
{
	struct err err = {0};
	struct harness h = {
	    .name = mem_strdup(name),
	    .adapter = adapter_find(name),
	};
	cJSON *settings = config_harness(c, name, &err);
	const struct auth_request rq = {
	    .environ_now = (const char *const *)environ,
	};
	struct rules *r = settings ? rules_create(settings, &err) : NULL;

	if (r)
		h.path = adapter_program(h.adapter, r);
	else
		h.problem = mem_strdup(err.what);
	if (h.path && versions)
		h.version = ask_version(h.path);
	h.has_auth = adapter_auth(h.adapter, &rq, &h.auth);
	rules_destroy(r);
	cJSON_Delete(settings);
	l->v = mem_realloc(l->v, (l->n + 1) * sizeof *l->v);
	l->v[l->n++] = h;
}

void harness_list_load(struct harness_list *l, const struct config *c,
		       bool versions)
{
	struct strv names = {0};

	*l = (struct harness_list){0};
	for (size_t i = 0; adapters[i]; i++)
		if (strcmp(adapters[i]->name, "generic") != 0)
			add(l, c, adapters[i]->name, versions);
	config_harness_names(c, &names);
	for (size_t i = 0; i < names.n; i++)
		if (strcmp(adapter_find(names.v[i])->name, names.v[i]) != 0)
			add(l, c, names.v[i], versions);
	strv_finish(&names);
}

void harness_list_finish(struct harness_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->v[i].name);
		free(l->v[i].path);
		free(l->v[i].version);
		free(l->v[i].problem);
		auth_finish(&l->v[i].auth);
	}
	free(l->v);
	*l = (struct harness_list){0};
}
