/* configuration_template.c - where a template is, and what it says. */
#include "config/template.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/nearest.h"
#include "config/configuration_internal.h"
#include "config/layer.h"

static char *below(const char *dir, const char *name)
{
	return dir ? mem_printf("%s/templates/%s", dir, name) : NULL;
}

/* Its directory; *ours: the user's own. */
static char *find(const struct config *c, const char *name, bool *ours)
{
	const char *const dirs[] = {c->data_dir, c->share_dir};

	for (int i = 0; i < 2 && !layer_check_name(name); i++) {
		char *dir = below(dirs[i], name);

		*ours = i == 0;
		if (dir && access(dir, F_OK) == 0)
			return dir;
		free(dir);
	}
	return NULL;
}

char *template_dir(const struct config *c, const char *name)
{
	bool ours;

	return find(c, name, &ours);
}

char *template_file(const struct config *c, const char *name, const char *file)
{
	char *dir = template_dir(c, name);
	char *path = dir ? file_join(dir, file) : NULL;

	free(dir);
	if (path && access(path, F_OK) == 0)
		return path;
	free(path);
	return NULL;
}

static void add_names(const char *dir, struct strv *out)
{
	char *path = below(dir, "");
	DIR *d = path ? opendir(path) : NULL;
	const char *name;

	while ((name = file_list_next(d)))
		if (!layer_check_name(name) && !strv_has(out, name))
			strv_add(out, name);
	file_list_end(d);
	free(path);
}

void template_names(const struct config *c, struct strv *out)
{
	add_names(c->data_dir, out);
	add_names(c->share_dir, out);
	strv_sort(out);
}

static int unknown(const struct config *c, const char *name, struct err *err)
{
	struct strv names = {0};
	const char *best;

	template_names(c, &names);
	best = names.n ? nearest_of(name, (const char *const *)names.v) : NULL;
	err_set(err, ERR_USAGE, "there is no template '%.60s'", name);
	if (best)
		err_hint(err, "did you mean %s?", best);
	else
		err_hint(err, "`afw templates` lists them");
	strv_finish(&names);
	return -1;
}

int template_lay(struct config *c, const char *name, struct err *err)
{
	bool ours;
	char *dir = find(c, name, &ours), *path;
	int rc;

	if (!dir)
		return unknown(c, name, err);
	path = file_join(dir, "template.ini");
	rc = config_lay(c, path, ours, err);
	free(path);
	free(dir);
	return rc;
}
