/*
 * config_load.c - which files there are, and whose word counts. What stands
 * in one is config_file.c's.
 */
#include "config/config_load.h"

#include <assert.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "config/ini.h"
#include "config/layer.h"

/* To be freed; NULL where neither variable helps. */
static char *user_dir(void)
{
	const char *xdg = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	/* The XDG specification: what is not absolute is to be ignored. */
	if (xdg && xdg[0] == '/')
		return file_join(xdg, "afw");
	if (home && home[0] == '/')
		return file_join(home, ".config/afw");
	return NULL;
}

struct config *config_create(const struct config_where *where)
{
	struct config *c = mem_alloc(sizeof *c);

	for (int i = 0; i < OPTION_COUNT; i++) {
		struct err err;

		if (option_parse(&options[i], options[i].value, &c->values[i],
				 &err) < 0)
			assert(!"a default that its own option refuses");
	}
	c->sections = cJSON_CreateObject();
	c->share_dir = mem_strdup(where->share_dir);
	c->user_dir = user_dir();
	c->data_dir = mem_strdup(where->data_dir);
	if (where->repository)
		c->af_dir = file_join(where->repository, ".af");
	c->harness_keys = where->harness_keys;
	return c;
}

void config_destroy(struct config *c)
{
	if (!c)
		return;
	for (int i = 0; i < OPTION_COUNT; i++) {
		option_value_finish(&c->values[i]);
		free(c->origins[i]);
	}
	cJSON_Delete(c->sections);
	free(c->share_dir);
	free(c->user_dir);
	free(c->data_dir);
	free(c->untrusted);
	free(c->af_dir);
	filetree_finish(&c->af);
	free(c);
}

/* --- which files ---------------------------------------------------------- */

char *config_user_file(void)
{
	char *dir = user_dir();
	char *file = dir ? file_join(dir, "afw.ini") : NULL;

	free(dir);
	return file;
}

static int load_user(struct config *c, struct err *err)
{
	char *path = c->user_dir ? file_join(c->user_dir, "afw.ini") : NULL;
	struct config_file f = {.c = c, .path = path};
	int rc = path ? config_file_load(&f, INI_OURS, err) : 0;

	free(path);
	return rc;
}

int config_load(struct config **out, const struct config_where *where,
		struct err *err)
{
	struct config *c = config_create(where);
	struct err first = {0}, second = {0};
	int rc = load_user(c, &first);

	*out = NULL;
	if (where->repository && (rc == 0 || where->mistake) &&
	    config_load_repository(c, where, rc == 0 ? &first : &second) < 0)
		rc = -1;
	if (rc < 0 && where->mistake) {
		*where->mistake = first;
	} else if (rc < 0) {
		if (err)
			*err = first;
		config_destroy(c);
		return -1;
	}
	*out = c;
	return 0;
}

/* --- harnesses ------------------------------------------------------------ */

/* Lays dir/adapters/name.ini over out. */
static int add_file(const struct config *c, const char *dir, const char *name,
		    enum ini_owner owner, cJSON *out, struct err *err)
{
	char *path = mem_printf("%s/adapters/%s.ini", dir, name);
	struct config scratch = {
	    .harness_keys = c->harness_keys,
	    .sections = cJSON_CreateObject(),
	};
	struct config_file f = {.c = &scratch, .path = path, .harness = name};
	int rc = config_file_load(&f, owner, err);

	if (rc == 0)
		layer_over(out, config_named(&scratch, "harness", name));
	cJSON_Delete(scratch.sections);
	free(path);
	return rc;
}

cJSON *config_harness(const struct config *c, const char *name, struct err *err)
{
	const char *why = section_check_name(name);
	cJSON *out;

	if (why) {
		err_set(err, ERR_USAGE, "harness '%.40s': %s", name, why);
		return NULL;
	}
	out = cJSON_CreateObject();
	/* What is installed with afw is trusted as afw's programs are. */
	if (c->share_dir &&
	    add_file(c, c->share_dir, name, INI_ANY, out, err) < 0)
		goto fail;
	if (c->share_dir)
		layer_find_shared(out, c->share_dir);
	if (c->user_dir &&
	    add_file(c, c->user_dir, name, INI_OURS, out, err) < 0)
		goto fail;
	layer_over(out, config_named(c, "harness", name));
	return out;
fail:
	cJSON_Delete(out);
	return NULL;
}

static void add_name(struct strv *out, const char *name)
{
	if (!strv_has(out, name) && !section_check_name(name))
		strv_add(out, name);
}

void config_harness_names(const struct config *c, struct strv *out)
{
	char *dir = c->user_dir ? file_join(c->user_dir, "adapters") : NULL;
	DIR *d = dir ? opendir(dir) : NULL; /* a link is fine */
	const char *file;
	const cJSON *h;

	cJSON_ArrayForEach (h, config_named(c, "harness", NULL)) {
		add_name(out, h->string);
	}
	while ((file = file_list_next(d))) {
		size_t len = strlen(file);

		if (len > 4 && strcmp(file + len - 4, ".ini") == 0) {
			char *name = mem_strndup(file, len - 4);

			add_name(out, name);
			free(name);
		}
	}
	file_list_end(d);
	free(dir);
	strv_sort(out);
}
