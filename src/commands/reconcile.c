/* reconcile.c - afw reconcile: compares what is recorded with what exists. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/launch/settings.h"
#include "sandbox/podman.h"
#include "session/disk/dirs.h"
#include "session/disk/lock.h"
#include "session/repair/survey.h"

static const struct command_option reconcile_options[] = {
    {.name = "apply", .help = "repair what can be repaired without loss"},
    {.name = "json", .help = "one array of objects"},
    {.name = NULL},
};

static void print_json(const struct findings *f, bool apply)
{
	cJSON *all = cJSON_CreateArray();

	for (size_t i = 0; i < f->n; i++) {
		const struct finding *x = &f->v[i];
		cJSON *o = cJSON_CreateObject();

		json_set_str(o, "kind", x->kind);
		json_set_str(o, "id", x->id[0] ? x->id : NULL);
		json_set_str(o, "name", x->name);
		json_set_str(o, "path", x->path);
		if (x->pid)
			json_set_int(o, "pid", x->pid);
		json_set_str(o, "text", x->text);
		json_set_str(o, "hint", x->hint);
		json_set_bool(o, "safe", x->safe);
		if (apply)
			json_set_bool(o, "repaired", x->repaired);
		cJSON_AddItemToArray(all, o);
	}
	output_json(all);
}

static void print(const struct findings *f, bool apply)
{
	size_t safe = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct finding *x = &f->v[i];

		output_line(stdout, "%s%s%s%s", x->name ? x->name : "",
			    x->name ? ": " : "", x->text,
			    x->repaired	       ? " (repaired)"
			    : x->safe && apply ? " (could not be repaired)"
					       : "");
		if (x->hint && !x->repaired)
			output_line(stdout, "    %s", x->hint);
		safe += x->safe;
	}
	if (f->n == 0)
		puts("everything is as it is recorded");
	else if (safe && !apply)
		printf(
		    "%zu of these can be repaired: `afw reconcile --apply`\n",
		    safe);
}

/* Returns whether podman was ever used: running it for the first time would
 * leave a process and files. */
static bool has_podman(void)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	char *dir = data && data[0] ? file_join(data, "containers")
				    : file_join(home ? home : "",
						".local/share/containers");
	bool there = geteuid() != 0 && access(dir, F_OK) == 0;

	free(dir);
	return there;
}

/* Removes a container, which has nothing but its image. The lock is held
 * meanwhile, so that no supervisor starts that could use it. */
static bool remove_container(const struct survey *v, const struct finding *f)
{
	const struct session *s = survey_session(v, f->id);
	_close_ int lock = s ? lock_acquire(s->dir, NULL) : -1;

	return (!s || lock >= 0) && podman_remove(f->engine, f->id, NULL) == 0;
}

/* Returns whether a supervisor is running whose files were deleted: the
 * container is in use. */
static bool is_supervised(const struct survey *v, const char *dir)
{
	for (size_t i = 0; i < v->found.n; i++)
		if (strcmp(v->found.v[i].kind, "supervisor_left") == 0 &&
		    strcmp(v->found.v[i].path, dir) == 0)
			return true;
	return false;
}

/* Adds a container of this data directory without a supervisor. */
static void on_container(void *ctx, const char *engine, const char *container,
			 const char *was)
{
	const char *slash = strrchr(was, '/'), *id = slash ? slash + 1 : was;
	const struct session *s = survey_session(ctx, id);
	_free_ char *dir = dirs_session(id, NULL);
	struct finding *f;

	if (!dir || strcmp(dir, was) != 0 || is_supervised(ctx, was))
		return;
	if (s ? lock_is_held(s->dir)
	      : access(dir, F_OK) == 0 || errno != ENOENT)
		return;
	f = finding_add(ctx, "container_left", s, was,
			s ? "its container %s outlived its supervisor"
			  : "container %s is of a session whose files are gone",
			container);
	snprintf(f->id, sizeof f->id, "%s", id);
	f->engine = engine;
	f->hint =
	    mem_printf("`%s rm --force %s` removes it", engine, container);
	finding_set_repair(f, remove_container);
}

static int probe_containers(struct survey *s, struct err *err)
{
	return has_podman() ? podman_containers("podman", on_container, s, err)
			    : 0;
}

static int probe_docker(struct survey *s, struct err *err)
{
	return podman_containers("docker", on_container, s, err);
}

static int cmd_reconcile(const struct args *args, struct err *err)
{
	struct probe more[] = {{"containers", FOR_RECONCILE, probe_containers},
			       {.name = NULL},
			       {.name = NULL}};
	_free_ char *here = session_repository_here();
	struct survey s = {.apply = args_has(args, "apply"),
			   .branch_prefix = "af/",
			   .repository = here};
	struct config *config = NULL;
	struct err why;
	int rc = 0;

	if (settings_load_here(&config, &why) == 0) {
		s.branch_prefix = config_str(config, OPTION_BRANCH_PREFIX);
		if (strcmp(config_str(config, OPTION_ENGINE), "docker") == 0)
			more[1] = (struct probe){"docker's containers",
						 FOR_RECONCILE, probe_docker};
	}
	survey_run(&s, FOR_RECONCILE, more);
	if (args_has(args, "json"))
		print_json(&s.found, s.apply);
	else
		print(&s.found, s.apply);
	if (s.found.failed)
		rc = err_set(err, ERR_FAILED,
			     "reconcile: not everything could be checked");
	survey_finish(&s);
	config_destroy(config);
	return rc;
}

const struct command command_reconcile = {
    .name = "reconcile",
    .usage = "",
    .summary = "compare what is recorded with what is there",
    .options = reconcile_options,
    .run = cmd_reconcile,
};
