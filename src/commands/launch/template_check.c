/* template_check.c - checks that a template can be used. */
#include "commands/launch/template_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "commands/command.h"
#include "commands/launch/briefing.h"
#include "commands/launch/harnesses.h"
#include "commands/launch/mcp_servers.h"
#include "commands/launch/services.h"
#include "commands/launch/settings.h"
#include "config/template.h"

static void add(cJSON *mistakes, const struct err *why)
{
	char *text = mem_printf("%s%s%s%s", why->what, why->hint[0] ? " (" : "",
				why->hint, why->hint[0] ? ")" : "");

	cJSON_AddItemToArray(mistakes, cJSON_CreateString(text));
	free(text);
}

/* Checks the harness that afw new would choose; a harness that another file
 * names is not the template's mistake. */
static void check_harness(const struct config *c, const char *before,
			  cJSON *mistakes)
{
	const char *at = config_origin(c, OPTION_HARNESS);
	struct spec s = {0};
	struct args none = {0};
	struct err why = {0};

	if (strcmp(at, before) == 0)
		return;
	s.sandbox = mem_strdup(config_str(c, OPTION_SANDBOX));
	if (harness_choose(&none, c, &s, &why) < 0) {
		err_prefix(&why, "%s", at);
		add(mistakes, &why);
	}
	spec_finish(&s);
}

static void check_ini(struct config *c, const char *name, cJSON *mistakes)
{
	char *before = mem_strdup(config_origin(c, OPTION_HARNESS));
	struct spec s = {0};
	struct err why = {0};

	if (template_apply(c, name, NULL, &why) < 0) {
		add(mistakes, &why);
	} else {
		check_harness(c, before, mistakes);
		if (services_choose(c, &s, &why) < 0)
			add(mistakes, &why);
		if (mcp_servers_check(c, &why) < 0)
			add(mistakes, &why);
	}
	spec_finish(&s);
	free(before);
}

static void check_prompt(const struct config *c, const char *name,
			 const char *dir, cJSON *mistakes)
{
	char *path = file_join(dir ? dir : "", TEMPLATE_PROMPT);
	struct buf text = {0};
	struct err why = {0};
	int rc = template_prompt(c, name, NULL, &text, &why);

	if (rc > 0 && text.len)
		rc = briefing_check(path, text.data, text.len, &why);
	if (rc < 0)
		add(mistakes, &why);
	buf_finish(&text);
	free(path);
}

static void check_home(const struct config *c, const char *name,
		       cJSON *mistakes)
{
	struct filetree home;
	struct err why = {0};

	if (template_read_home(c, name, &home, &why) < 0)
		add(mistakes, &why);
	filetree_finish(&home);
}

int template_check(const char *name, cJSON *mistakes, struct err *err)
{
	struct config *c;
	char *dir = NULL;
	int rc = settings_load_here(&c, err);

	if (rc == 0 && !template_owner(c, name, err))
		rc = -1;
	if (rc == 0) {
		dir = template_dir(c, name);
		/* Before the prompt, which may contain branch_prefix. */
		check_ini(c, name, mistakes);
		check_prompt(c, name, dir, mistakes);
		check_home(c, name, mistakes);
	}
	free(dir);
	config_destroy(c);
	return rc;
}
