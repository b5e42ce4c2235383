/* config_check.c - afw config check: checks all files that apply here, and
 * reports every mistake. */
#include "commands/config_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/launch/harnesses.h"
#include "commands/launch/mcp_servers.h"
#include "commands/launch/services.h"
#include "commands/launch/settings.h"
#include "config/keymap.h"
#include "config/template.h"
#include "config/trust_store.h"

struct check {
	cJSON *all; /* NULL: print as text */
	int rc;
	struct err *err; /* the newest mistake, which main prints */
};

static void report_file(struct check *k, const char *what, int rc,
			const struct err *why)
{
	cJSON *o;

	if (k->all) {
		o = cJSON_CreateObject();
		json_set_str(o, "file", what);
		json_set_bool(o, "ok", rc == 0);
		json_set_text(o, "error", rc == 0 ? NULL : why->what);
		cJSON_AddItemToArray(k->all, o);
	} else if (rc == 0) {
		output_line(stdout, "%s: ok", what);
	}
	if (rc < 0)
		k->rc = output_one_failed(k->rc, why, k->err);
}

static void check_user(struct check *k)
{
	struct err why = {0};
	struct config *c = NULL;
	char *path = config_user_file();
	int rc = settings_load(&c, NULL, &why);

	if (path && (rc < 0 || access(path, F_OK) == 0))
		report_file(k, path, rc, &why);
	config_destroy(c);
	free(path);
}

/* Checks the repository's files as `afw trust` would, trusted or not. */
static void check_repository(struct check *k, const char *repository)
{
	struct filetree af = {0};
	struct err why = {0};
	char *path = file_join(repository, ".af");
	int rc = trust_read(repository, &af, &why);

	if (rc == 0)
		rc = settings_check_repository(repository, &af, &why);
	if (rc < 0 || af.n)
		report_file(k, path, rc, &why);
	filetree_finish(&af);
	free(path);
}

void config_check_sections(const struct config *c, config_mistake_fn *fn,
			   void *ctx)
{
	static const char *const kinds[] = {"host", "approve"};
	struct keymap keys;
	struct spec s = {0};
	struct err why = {0};

	if (services_choose(c, &s, &why) < 0)
		fn(ctx, "service", &why);
	if (mcp_servers_check(c, &why) < 0)
		fn(ctx, "mcp", &why);
	if (harness_check_handoff(c, &why) < 0)
		fn(ctx, "on_limit", &why);
	if (keymap_make(&keys, c, &why) < 0)
		fn(ctx, "keys", &why);
	keymap_finish(&keys);
	spec_finish(&s);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		cJSON *all = config_sections(c, kinds[i], &why);

		if (!all)
			fn(ctx, kinds[i], &why);
		cJSON_Delete(all);
	}
}

static void report_mistake(void *k, const char *what, const struct err *why)
{
	report_file(k, what, -1, why);
}

/* Checks what depends on several files. */
static void check_together(struct check *k, struct config *c)
{
	struct strv names = {0};
	struct err why = {0};

	config_check_sections(c, report_mistake, k);
	config_harness_names(c, &names);
	for (size_t i = 0; i < names.n; i++) {
		cJSON *harness = config_harness(c, names.v[i], &why);

		if (!harness)
			report_file(k, names.v[i], -1, &why);
		cJSON_Delete(harness);
	}
	strv_finish(&names);
	template_names(c, &names);
	for (size_t i = 0; i < names.n; i++) {
		if (template_apply(c, names.v[i], NULL, &why) < 0)
			report_file(k, names.v[i], -1, &why);
	}
	strv_finish(&names);
}

int config_check_run(const struct args *args, struct err *err)
{
	struct check k = {.err = err};
	char *repository = session_checkout_here();
	struct config *c = NULL;
	bool has_check = false;

	if (args_has(args, "json"))
		k.all = cJSON_CreateArray();
	check_user(&k);
	if (repository)
		check_repository(&k, repository);
	if (k.rc == 0) {
		k.rc = settings_load(&c, repository, err);
		has_check = k.rc == 0 && config_list(c, OPTION_CHECK)->n;
		if (k.rc == 0)
			check_together(&k, c);
	}
	if (c)
		settings_warn_untrusted(c);
	if (k.rc == 0 && !k.all && has_check)
		output_hint("`afw config get check` prints the option check");
	if (k.all)
		output_json(k.all);
	config_destroy(c);
	free(repository);
	return k.rc;
}
