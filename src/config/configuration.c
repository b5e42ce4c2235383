/*
 * configuration.c - files laid over each other. A file is read whole, checked
 * whole and only then laid over what was there, so that a mistake in its
 * last line does not leave its first ones in force.
 */
#include "config/configuration_internal.h"

#include <assert.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "config/inifile.h"
#include "config/layer.h"
#include "config/section.h"
#include "config/trusted.h"

#define HARNESS "harness" /* the kind of section that layer.h reads */

/* One file being read. */
struct loader {
	struct config *c;
	const char *file;
	bool repository;
	cJSON *sections;     /* of this file alone */
	const char *harness; /* an adapter's file: all is about this one */
};

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

static struct config *create(const struct config_where *where)
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
	free(c);
}

/* --- what stands in a file ----------------------------------------------- */

static int set_option(struct loader *l, const struct inifile_entry *e,
		      struct err *err)
{
	char place[INIFILE_PLACE_SIZE];
	int id = option_find_in(e->section, e->key, err);

	if (id < 0)
		return -1;
	if (l->repository && !options[id].repository)
		return err_set(err, ERR_FAILED,
			       "'%s' is for the user to choose: it can only "
			       "stand in ~/.config/afw/afw.ini",
			       options[id].name);
	/* Lists add up, but not to the default. */
	if (options[id].type == OPTION_LIST && !l->c->origins[id])
		option_value_finish(&l->c->values[id]);
	if (option_parse(&options[id], e->value, &l->c->values[id], err) < 0)
		return -1;
	inifile_place(place, l->file, e->line);
	free(l->c->origins[id]);
	l->c->origins[id] = mem_strdup(place);
	return 0;
}

static int on_entry(void *ctx, const struct inifile_entry *e, struct err *err)
{
	struct loader *l = ctx;
	const char *name = NULL, *why;
	const struct section_kind *kind = section_find(e->section, &name);
	cJSON *section;

	if (strncmp(e->section, HARNESS ".", 8) == 0)
		name = e->section + 8;
	else if (l->harness && e->section[0] == '\0')
		name = l->harness;
	if (l->harness && (kind || !name || strcmp(name, l->harness) != 0))
		return err_set(err, ERR_FAILED,
			       "[%s] does not belong in the file of %s",
			       e->section, l->harness);
	if (!name)
		return set_option(l, e, err);
	why = layer_check_name(name);
	if (why)
		return err_set(err, ERR_FAILED, "[%s]: %s", e->section, why);
	section =
	    layer_of(layer_of(l->sections, kind ? kind->name : HARNESS), name);
	if (kind)
		return section_set(kind, section, e->key, e->value, err);
	return layer_add(section, l->c->harness_keys, e->key, e->value, err);
}

/* An empty list stays: it takes an adapter's away too. */
static void lay_over(cJSON *mine, const cJSON *section)
{
	const cJSON *k;

	cJSON_ArrayForEach (k, section) {
		cJSON_DeleteItemFromObjectCaseSensitive(mine, k->string);
		cJSON_AddItemToObject(mine, k->string,
				      cJSON_Duplicate(k, true));
	}
}

static int load_text(struct loader *l, const char *text, size_t len,
		     struct err *err)
{
	const cJSON *kind, *section;
	int rc;

	l->sections = cJSON_CreateObject();
	rc = inifile_parse(l->file, text, len, on_entry, l, err);
	cJSON_ArrayForEach (kind, l->sections) {
		cJSON *all = layer_of(l->c->sections, kind->string);

		cJSON_ArrayForEach (section, kind) {
			lay_over(layer_of(all, section->string), section);
		}
	}
	cJSON_Delete(l->sections);
	l->sections = NULL;
	return rc;
}

/* One that is not there says nothing. */
static int load_file(struct loader *l, enum inifile_owner owner,
		     struct err *err)
{
	struct buf text = {0};
	bool found;
	int rc = inifile_read(l->file, owner, &text, &found, err);

	if (rc == 0 && found)
		rc = load_text(l, text.data, text.len, err);
	buf_finish(&text);
	return rc;
}

/* --- which files ---------------------------------------------------------- */

char *config_user_file(void)
{
	char *dir = user_dir();
	char *file = dir ? file_join(dir, "afw.ini") : NULL;

	free(dir);
	return file;
}

char *config_repository_file(const char *repository)
{
	return file_join(repository, ".af/afw.ini");
}

int config_lay(struct config *c, const char *path, bool ours, struct err *err)
{
	struct loader l = {.c = c, .file = path};

	return load_file(&l, ours ? INIFILE_OURS : INIFILE_ANY, err);
}

static int load_user(struct config *c, struct err *err)
{
	char *path = c->user_dir ? file_join(c->user_dir, "afw.ini") : NULL;
	int rc = path ? config_lay(c, path, true, err) : 0;

	free(path);
	return rc;
}

/*
 * The bytes that are compared with what was trusted are the bytes that are
 * then parsed: the file is read once. Without trust nothing that a
 * repository holds is an error, it is only left out.
 */
static int load_repository(struct config *c, const struct config_where *where,
			   struct err *err)
{
	char *path = config_repository_file(where->repository);
	struct loader l = {.c = c, .file = path, .repository = true};
	struct trust trust = {0};
	struct buf text = {0};
	struct err why = {0};
	bool found = false;
	int rc = 0;

	if (where->data_dir)
		rc =
		    trust_load(where->data_dir, where->repository, &trust, err);
	if (rc < 0)
		goto out;
	c->trusted = trust.repository;
	if (inifile_read(path, INIFILE_ANY, &text, &found, &why) < 0 ||
	    (found && !trust_covers(&trust, text.data, text.len)))
		c->untrusted = mem_strdup(path);
	else if (found)
		rc = load_text(&l, text.data, text.len, err);
out:
	trust_finish(&trust);
	buf_finish(&text);
	free(path);
	return rc;
}

int config_load(struct config **out, const struct config_where *where,
		struct err *err)
{
	struct config *c = create(where);

	*out = NULL;
	if (load_user(c, err) < 0 ||
	    (where->repository && load_repository(c, where, err) < 0)) {
		config_destroy(c);
		return -1;
	}
	*out = c;
	return 0;
}

int config_check_repository(const struct config_where *where, const char *text,
			    size_t len, struct err *err)
{
	char *path = config_repository_file(where->repository);
	struct config *c = create(where);
	struct loader l = {.c = c, .file = path, .repository = true};
	int rc = load_text(&l, text, len, err);

	config_destroy(c);
	free(path);
	return rc;
}

/* --- harnesses --------------------------------------------------------------
 */

/* All sections of that kind, or the one of that name; NULL: there is none. */
static const cJSON *named(const struct config *c, const char *kind,
			  const char *name)
{
	const cJSON *all = cJSON_GetObjectItemCaseSensitive(c->sections, kind);

	return name ? cJSON_GetObjectItemCaseSensitive(all, name) : all;
}

cJSON *config_sections(const struct config *c, const char *kind,
		       struct err *err)
{
	char *any = mem_printf("%s.", kind);
	const char *name;
	const struct section_kind *k = section_find(any, &name);
	cJSON *out = cJSON_CreateArray(), *whole;
	const cJSON *section;

	free(any);
	cJSON_ArrayForEach (section, named(c, kind, NULL)) {
		whole = section_whole(k, section, err);
		if (!whole) {
			cJSON_Delete(out);
			return NULL;
		}
		cJSON_AddItemToArray(out, whole);
	}
	return out;
}

/* Lays dir/adapters/name.ini over out. */
static int add_file(const struct config *c, const char *dir, const char *name,
		    enum inifile_owner owner, cJSON *out, struct err *err)
{
	char *path = mem_printf("%s/adapters/%s.ini", dir, name);
	struct config scratch = {
	    .harness_keys = c->harness_keys,
	    .sections = cJSON_CreateObject(),
	};
	struct loader l = {.c = &scratch, .file = path, .harness = name};
	int rc = load_file(&l, owner, err);

	if (rc == 0)
		layer_over(out, named(&scratch, HARNESS, name));
	cJSON_Delete(scratch.sections);
	free(path);
	return rc;
}

cJSON *config_harness(const struct config *c, const char *name, struct err *err)
{
	const char *why = layer_check_name(name);
	cJSON *out;

	if (why) {
		err_set(err, ERR_USAGE, "harness '%.40s': %s", name, why);
		return NULL;
	}
	out = cJSON_CreateObject();
	/* What is installed with afw is trusted as afw's programs are. */
	if (c->share_dir &&
	    add_file(c, c->share_dir, name, INIFILE_ANY, out, err) < 0)
		goto fail;
	if (c->share_dir)
		layer_find_shared(out, c->share_dir);
	if (c->user_dir &&
	    add_file(c, c->user_dir, name, INIFILE_OURS, out, err) < 0)
		goto fail;
	layer_over(out, named(c, HARNESS, name));
	return out;
fail:
	cJSON_Delete(out);
	return NULL;
}

static void add_name(struct strv *out, const char *name)
{
	if (!strv_has(out, name) && !layer_check_name(name))
		strv_add(out, name);
}

void config_harness_names(const struct config *c, struct strv *out)
{
	char *dir = c->user_dir ? file_join(c->user_dir, "adapters") : NULL;
	DIR *d = dir ? opendir(dir) : NULL; /* a link is fine */
	const char *file;
	const cJSON *h;

	cJSON_ArrayForEach (h, named(c, HARNESS, NULL)) {
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
