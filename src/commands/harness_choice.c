/* harness_choice.c - which harness a new session gets. */
#include "commands/harness_choice.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "adapters/rules.h"
#include "base/nearest.h"
#include "base/spawn.h"
#include "base/words.h"
#include "commands/command.h"
#include "commands/output.h"

static bool is_adapter(const char *name)
{
	for (size_t i = 0; adapters[i]; i++)
		if (strcmp(adapters[i]->name, name) == 0)
			return true;
	return false;
}

static int unknown(const char *name, const struct config *config,
		   struct err *err)
{
	struct strv names = {0};
	const char *near;

	for (size_t i = 0; adapters[i]; i++)
		strv_add(&names, adapters[i]->name);
	config_harness_names(config, &names);
	near = nearest_of(name, (const char *const *)names.v);
	err_set(err, ERR_USAGE, "there is no harness '%.40s'", name);
	if (near)
		err_hint(err, "did you mean %s?", near);
	else
		err_hint(err,
			 "`afw adapters` lists them; any command can be "
			 "one: afw new %s -- COMMAND",
			 "NAME");
	strv_finish(&names);
	return -1;
}

/* The program is the first word of the command, if there is one. */
static int not_installed(const struct adapter *a, const struct spec *s,
			 const char *command, struct err *err)
{
	struct strv words = {0};

	if (command)
		words_split(command, &words, NULL);
	err_set(err, ERR_FAILED, "%s is not installed: '%s' is not in PATH",
		adapter_called(a, s),
		words.n	  ? words.v[0]
		: command ? command
			  : a->programs[0]);
	strv_finish(&words);
	return a->install_hint ? err_hint(err, "%s; `-a demo` needs no agent",
					  a->install_hint)
			       : -1;
}

static int check_program(const struct adapter *a, const struct spec *s,
			 const struct rules *r, struct err *err)
{
	char *path;

	if (!a->programs && s->command.n && !rules_get(r, "command")) {
		path = spawn_find(s->command.v[0]);
		if (!path) {
			err_set(err, ERR_FAILED,
				"run %s: it is not in PATH, or is no program",
				s->command.v[0]);
			return -1;
		}
		free(path);
		return 0;
	}
	path = adapter_program(a, r);
	if (path) {
		free(path);
		return 0;
	}
	if (!a->programs && !rules_get(r, "command")) {
		err_set(err, ERR_USAGE, "harness '%s' needs a command",
			s->harness);
		return err_hint(err, "afw new %s -- COMMAND ARGS",
				s->name ? s->name : "NAME");
	}
	return not_installed(a, s, rules_get(r, "command"), err);
}

/* Where nobody has chosen one and the default is not there: the first whose
 * program is. The default's name where none is. */
static const char *choose_default(const struct config *config)
{
	const char *name = config_str(config, OPTION_HARNESS);

	if (strcmp(config_origin(config, OPTION_HARNESS), "default") != 0)
		return name;
	for (size_t i = 0; adapters[i]; i++) {
		const struct adapter *a = adapters[i];
		cJSON *section = config_harness(config, a->name, NULL);
		struct rules *r = section ? rules_create(section, NULL) : NULL;
		char *path = r && a->programs ? adapter_program(a, r) : NULL;

		rules_destroy(r);
		cJSON_Delete(section);
		if (!path)
			continue;
		free(path);
		if (strcmp(a->name, name) != 0)
			output_warn("the default, %s, is not installed: this "
				    "is %s (`harness = %s` in afw.ini makes "
				    "it the default)",
				    name, a->name, a->name);
		return a->name;
	}
	return name;
}

int harness_choose(const struct args *args, const struct config *config,
		   struct spec *s, struct err *err)
{
	const char *name = args_value(args, "harness");
	const struct adapter *a;
	struct rules *r;
	int rc;

	if (!name)
		name = args->n_rest ? "generic" : choose_default(config);
	s->harness_config = config_harness(config, name, err);
	if (!s->harness_config)
		return -1;
	if (!is_adapter(name) && !s->harness_config->child)
		return unknown(name, config, err);
	s->harness = mem_strdup(name);
	for (size_t i = 0; i < args->n_rest; i++)
		strv_add(&s->command, args->rest[i]);
	r = rules_create(s->harness_config, err);
	if (!r)
		return -1;
	a = adapter_find(name);
	rc = check_program(a, s, r, err);
	rules_destroy(r);
	return rc;
}
