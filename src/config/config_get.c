/*
 * config_get.c - returns values and their origins: options, named sections,
 * harnesses.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/spawn.h"
#include "base/words.h"
#include "config/config_load.h"

const char *config_str(const struct config *c, enum option_id id)
{
	return config_value(c, id)->string;
}

bool config_bool(const struct config *c, enum option_id id)
{
	return config_value(c, id)->number != 0;
}

int64_t config_int(const struct config *c, enum option_id id)
{
	return config_value(c, id)->number;
}

const struct strv *config_list(const struct config *c, enum option_id id)
{
	return &config_value(c, id)->list;
}

int config_editor(const struct strv *option, struct strv *argv, struct err *err)
{
	static const char *const names[] = {"VISUAL", "EDITOR"};
	_free_ char *debian = NULL;
	const char *editor;

	if (option && option->n) {
		strv_copy(argv, option);
		return 0;
	}
	debian = spawn_find("editor");
	editor = debian ? "editor" : "vi";
	for (size_t i = 2; i-- > 0;) {
		const char *said = getenv(names[i]);

		if (said && *said)
			editor = said;
	}
	if (words_split(editor, argv, err) < 0)
		return -1;
	return argv->n ? 0
		       : err_set(err, ERR_USAGE, "the editor's name is empty");
}

char *config_text(const struct config *c, enum option_id id)
{
	return option_format(&options[id], config_value(c, id));
}

const char *config_origin(const struct config *c, enum option_id id)
{
	return c->origins[id] ? c->origins[id] : "default";
}

const char *config_untrusted(const struct config *c)
{
	return c->untrusted;
}

const struct strv *config_removed(const struct config *c)
{
	return &c->removed;
}

bool config_repository_trusted(const struct config *c)
{
	return c->trusted;
}

/* -- sections that the user gives a name ------------------------------------
 */

/* Returns all sections of that kind, or the section of that name; NULL if none.
 */
static const cJSON *find_named(const struct config *c, const char *kind,
			       const char *name)
{
	const cJSON *all = json_get(c->sections, kind);

	return name ? json_get(all, name) : all;
}

cJSON *config_sections(const struct config *c, const char *kind,
		       struct err *err)
{
	_json_ cJSON *out = cJSON_CreateArray();
	const cJSON *section;

	cJSON_ArrayForEach (section, find_named(c, kind, NULL)) {
		cJSON *whole = section_whole(section_kind(kind), section, err);

		if (!whole)
			return NULL;
		cJSON_AddItemToArray(out, whole);
	}
	return TAKE_PTR(out);
}

void config_section_names(const struct config *c, const char *kind,
			  struct strv *out)
{
	const cJSON *section;

	cJSON_ArrayForEach (section, find_named(c, kind, NULL)) {
		strv_add(out, section->string);
	}
}

const cJSON *config_section(const struct config *c, const char *kind,
			    const char *name)
{
	return find_named(c, kind, name);
}

/* -- by name ----------------------------------------------------------------
 */

int config_name_parse(const char *name, struct config_name *out,
		      struct err *err)
{
	const char *dot = strrchr(name, '.'), *of = NULL, *why;
	const struct section_kind *kind;

	*out = (struct config_name){
	    .section = mem_strndup(name, dot ? (size_t)(dot - name) : 0),
	    .key = dot ? dot + 1 : name,
	};
	kind = section_find(out->section, &of);
	why = kind ? section_check_name(of) : NULL;
	if (why) {
		err_set(err, ERR_FAILED, "'%.60s': %s", name, why);
	} else if (kind) {
		out->option = section_key(kind, out->key, err);
	} else if (strncmp(name, "harness.", 8) == 0) {
		err_set(err, ERR_FAILED, "'%.60s' is not an option", name);
		err_hint(err, "`afw config edit` changes an agent's section");
	} else {
		int id = section_find_option(out->section, out->key, err);

		out->option = id < 0 ? NULL : &options[id];
	}
	if (out->option)
		return 0;
	config_name_finish(out);
	return -1;
}

void config_name_finish(struct config_name *n)
{
	free(n->section);
	*n = (struct config_name){0};
}

int config_get(const struct config *c, const char *name,
	       struct config_setting *out, struct err *err)
{
	CLEANUP(config_name_finish) struct config_name parts = {0};
	const struct option_value *value;
	const struct section_kind *kind;
	const cJSON *section, *said, *one;
	const char *of;
	int id = option_find(name);

	*out = (struct config_setting){.origin = "default"};
	if (id >= 0) {
		out->option = &options[id];
		out->origin = config_origin(c, (enum option_id)id);
		value = config_value(c, (enum option_id)id);
		out->value.number = value->number;
		out->value.string = mem_strdup(value->string);
		strv_copy(&out->value.list, &value->list);
		return 0;
	}
	if (config_name_parse(name, &parts, err) < 0)
		return -1;
	kind = section_find(parts.section, &of);
	section = find_named(c, kind->name, of);
	if (!section)
		return err_set(err, ERR_FAILED, "there is no [%s]",
			       parts.section);
	out->option = parts.option;
	said = section_read_key(section, parts.option, &out->value);
	cJSON_ArrayForEach (one, said)
		out->origin = json_str(one, "place");
	return 0;
}

void config_setting_finish(struct config_setting *s)
{
	option_value_finish(&s->value);
	*s = (struct config_setting){0};
}

void config_names(const struct config *c, struct strv *out)
{
	const cJSON *section, *key;

	for (int i = 0; i < OPTION_COUNT; i++)
		strv_add(out, options[i].name);
	for (const struct section_kind *k = section_kinds; k->name; k++)
		cJSON_ArrayForEach (section, find_named(c, k->name, NULL))
			cJSON_ArrayForEach (key, section)
				strv_addf(out, "%s.%s.%s", k->name,
					  section->string, key->string);
}

/* -- harnesses --------------------------------------------------------------
 */

/* Merges a file's keys into harness, replacing existing ones. */
static void merge_harness(cJSON *harness, const cJSON *what)
{
	const cJSON *c;

	cJSON_ArrayForEach (c, what) {
		cJSON_DeleteItemFromObjectCaseSensitive(harness, c->string);
		if (cJSON_GetArraySize(c) > 0)
			cJSON_AddItemToObject(harness, c->string,
					      cJSON_Duplicate(c, true));
	}
}

/* Merges dir/adapters/name.ini. */
static int merge_file(cJSON *harness, const struct config *c, const char *dir,
		      const char *name, enum ini_owner owner, struct err *err)
{
	_free_ char *path = mem_printf("%s/adapters/%s.ini", dir, name);
	_json_ cJSON *sections = cJSON_CreateObject();
	struct config alone = {
	    .harness_keys = c->harness_keys,
	    .sections = sections,
	};
	struct config_file f = {.c = &alone, .path = path, .harness = name};

	if (config_load_file(&f, owner, err) < 0)
		return -1;
	merge_harness(harness, find_named(&alone, "harness", name));
	return 0;
}

/* Replaces "{share}/" in the values of key with dir, for files that are
 * installed with afw. words: the value is split into words. */
static void find_shared(cJSON *harness, const char *key, bool words,
			const char *dir)
{
	static const char mark[] = "{share}/";
	cJSON *c, *list = json_get(harness, key);

	cJSON_ArrayForEach (c, list) {
		const char *s = c->valuestring, *at;
		_buf_ struct buf text = {0};

		for (; (at = strstr(s, mark)); s = at) {
			_free_ char *path = NULL;

			buf_add(&text, s, (size_t)(at - s));
			at += strlen(mark);
			path = mem_printf("%s/%.*s", dir,
					  (int)strcspn(at, WORDS_BLANKS), at);
			if (words)
				words_format(&text, path);
			else
				buf_adds(&text, path);
			at += strcspn(at, WORDS_BLANKS);
		}
		buf_adds(&text, s);
		cJSON_SetValuestring(c, text.data);
	}
}

/* Returns what the files say about that harness alone. */
static cJSON *one_harness(const struct config *c, const char *name,
			  struct err *err)
{
	_json_ cJSON *out = cJSON_CreateObject();

	/* Files installed with afw are trusted like its programs. */
	if (c->share_dir &&
	    merge_file(out, c, c->share_dir, name, INI_ANY, err) < 0)
		return NULL;
	if (c->share_dir) {
		find_shared(out, "command", true, c->share_dir);
		find_shared(out, "resume", true, c->share_dir);
		find_shared(out, "env", false, c->share_dir);
	}
	if (c->user_dir &&
	    merge_file(out, c, c->user_dir, name, INI_OURS, err) < 0)
		return NULL;
	merge_harness(out, find_named(c, "harness", name));
	return TAKE_PTR(out);
}

/* Merges harness over the one that it is like, and returns that one's name,
 * borrowed from the result; NULL: it is like no other, or with err. names:
 * those that were seen. */
static const char *merge_like(const struct config *c, cJSON **harness,
			      struct strv *names, struct err *err)
{
	_json_ cJSON *list =
	    cJSON_DetachItemFromObjectCaseSensitive(*harness, "like");
	const char *like = cJSON_GetStringValue(
	    cJSON_GetArrayItem(list, cJSON_GetArraySize(list) - 1));
	const char *name = names->v[names->n - 1];
	cJSON *base;

	if (!like)
		return NULL;
	if (strv_has(names, like) || section_check_name(like)) {
		err_set(err, ERR_USAGE, "[harness.%s] like = %.40s: %s", name,
			like,
			strv_has(names, like) ? "it is like itself"
					      : section_check_name(like));
		return NULL;
	}
	base = one_harness(c, like, err);
	if (base && !base->child)
		err_set(err, ERR_USAGE,
			"[harness.%s] like = %.40s: there is no such agent",
			name, like);
	if (!base || !base->child) {
		cJSON_Delete(base);
		return NULL;
	}
	strv_add(names, like);
	merge_harness(base, *harness);
	cJSON_Delete(*harness);
	*harness = base;
	return names->v[names->n - 1];
}

cJSON *config_harness(const struct config *c, const char *name, struct err *err)
{
	const char *why = section_check_name(name), *like, *last = NULL;
	_strv_ struct strv names = {0};
	_json_ cJSON *out = NULL;
	struct err none = {0};

	if (why) {
		err_set(err, ERR_USAGE, "agent '%.40s': %s", name, why);
		return NULL;
	}
	out = one_harness(c, name, err);
	strv_add(&names, name);
	while (out && (like = merge_like(c, &out, &names, &none)))
		last = like;
	if (none.kind != ERR_NONE) {
		*err = none;
		return NULL;
	}
	if (last)
		cJSON_AddItemToArray(json_set_array(out, "like"),
				     cJSON_CreateString(last));
	return TAKE_PTR(out);
}

/* Appends the names of the files dir/adapters/NAME.ini; dir may be NULL. */
static void add_file_names(const char *dir, struct strv *out)
{
	_free_ char *path = dir ? file_join(dir, "adapters") : NULL;
	_dir_ DIR *d = path ? opendir(path) : NULL; /* may be a link */
	const char *file;

	while ((file = file_list_next(d))) {
		size_t len = strlen(file);

		if (len > 4 && strcmp(file + len - 4, ".ini") == 0)
			strv_addf(out, "%.*s", (int)len - 4, file);
	}
}

void config_shared_harness_names(const struct config *c, struct strv *out)
{
	add_file_names(c->share_dir, out);
	strv_sort(out);
}

void config_harness_names(const struct config *c, struct strv *out)
{
	_strv_ struct strv names = {0};

	config_section_names(c, "harness", &names);
	add_file_names(c->user_dir, &names);
	for (size_t i = 0; i < names.n; i++)
		if (!strv_has(out, names.v[i]) &&
		    !section_check_name(names.v[i]))
			strv_add(out, names.v[i]);
	strv_sort(out);
}
