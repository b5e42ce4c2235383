/*
 * image_chain.c - lists everything that can choose the image of a session's
 * container.
 *
 * An option's origin is the file that sets it; to see whether that is the
 * user's or the repository's file, the user's is loaded alone.
 */
#include "commands/image_chain.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "commands/cli/table.h"
#include "commands/launch/settings.h"
#include "config/template.h"
#include "sandbox/podman_image.h"

/* Adds a row; name (NULL: none) is the name of a template or harness. */
static cJSON *add_row(cJSON *rows, const char *from, const char *name,
		      const char *image, const char *origin)
{
	_free_ char *words =
	    name ? mem_printf("%s %s", from, name) : mem_strdup(from);
	cJSON *row = cJSON_CreateObject();

	json_set_str(row, "from", words);
	json_set_str(row, "image", image);
	json_set_str(row, "origin", origin);
	cJSON_AddItemToArray(rows, row);
	return row;
}

/* Marks the row, unless a row before it is marked. */
static void mark_row(cJSON *row, bool *found)
{
	if (!*found)
		json_set_str(row, "applies", "here");
	*found = true;
}

static int add_templates(cJSON *rows, const struct config *c, struct err *err)
{
	_strv_ struct strv names = {0};

	template_names(c, &names);
	for (size_t i = 0; i < names.n; i++) {
		_config_ struct config *own = NULL;

		if (settings_load_here(&own, err) < 0 ||
		    template_apply(own, names.v[i], NULL, err) < 0)
			return -1;
		if (strcmp(config_origin(own, OPTION_IMAGE),
			   config_origin(c, OPTION_IMAGE)) != 0)
			add_row(rows, "template", names.v[i],
				config_str(own, OPTION_IMAGE),
				config_origin(own, OPTION_IMAGE));
	}
	return 0;
}

/* Adds afw.ini of the repository, then that of the user. An empty image means
 * none. */
static int add_files(cJSON *rows, const struct config *c, bool *found,
		     struct err *err)
{
	const char *image = config_str(c, OPTION_IMAGE);
	const char *origin = config_origin(c, OPTION_IMAGE);
	_config_ struct config *user = NULL;
	const char *of_user;
	cJSON *row;

	if (settings_load(&user, NULL, err) < 0)
		return -1;
	of_user = config_origin(user, OPTION_IMAGE);
	if (strcmp(origin, of_user) != 0) {
		row = add_row(rows, "repository", NULL, image, origin);
		if (*image)
			mark_row(row, found);
	}
	if (strcmp(of_user, "default") == 0)
		return 0;
	row =
	    add_row(rows, "you", NULL, config_str(user, OPTION_IMAGE), of_user);
	if (*image)
		mark_row(row, found);
	return 0;
}

static int add_harnesses(cJSON *rows, const struct config *c, bool *found,
			 struct err *err)
{
	_strv_ struct strv names = {0};

	config_harness_names(c, &names);
	for (size_t i = 0; i < names.n; i++) {
		_free_ char *image = NULL,
			    *origin = mem_printf("[harness.%s]", names.v[i]);
		cJSON *row;

		if (settings_harness_image(c, names.v[i], &image, err) < 0)
			return -1;
		if (!image)
			continue;
		row = add_row(rows, "harness", names.v[i], image, origin);
		if (strcmp(names.v[i], config_str(c, OPTION_HARNESS)) == 0)
			mark_row(row, found);
	}
	return 0;
}

cJSON *image_chain(const struct config *c, struct err *err)
{
	_json_ cJSON *rows = cJSON_CreateArray();
	_free_ char *image = podman_image_name(config_str(c, OPTION_HARNESS));
	bool found = false;

	add_row(rows, "command line", NULL, "", "--image, -o image=");
	if (add_templates(rows, c, err) < 0 ||
	    add_files(rows, c, &found, err) < 0 ||
	    add_harnesses(rows, c, &found, err) < 0)
		return NULL;
	mark_row(add_row(rows, "default", NULL, image, "afw image build"),
		 &found);
	return TAKE_PTR(rows);
}

int image_chain_print(const struct config *c, const struct args *args,
		      struct err *err)
{
	static const struct list_column columns[] = {
	    {.key = "from", .title = "FROM", .sgr = "\033[1m"},
	    {.key = "image", .title = "IMAGE"},
	    {.key = "origin", .title = "ORIGIN"},
	    {.key = "applies", .title = "APPLIES"},
	    {.key = NULL},
	};
	cJSON *rows = image_chain(c, err), *row;

	if (!rows)
		return -1;
	json_set_str(rows->child, "image", "as given");
	cJSON_ArrayForEach (row, rows)
		if (json_str(row, "applies"))
			json_set_str(row, "applies", "yes");
	return list_print(rows, columns, args, NULL);
}
