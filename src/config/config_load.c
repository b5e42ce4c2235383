/*
 * config_load.c - which files are read, in which order they override each
 * other, and which of a repository's are trusted.
 *
 * A file is read whole. Only then are its named sections merged into the
 * earlier ones, so that a key in a later file replaces the lists of an earlier
 * one.
 *
 * The files of a repository's .af/ are read once: the bytes that are compared
 * with the trusted ones are also the bytes that are used. Without trust they
 * are left out, and cannot cause an error.
 */
#include "config/config_load.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "config/trust_store.h"

#define HARNESS "harness" /* a kind of section, of the adapters' keys */

/* Returns the user's directory, to be freed; NULL if neither variable is
 * set. */
static char *find_user_dir(void)
{
	const char *xdg = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	/* The XDG specification: a relative path must be ignored. */
	if (xdg && xdg[0] == '/')
		return file_join(xdg, "afw");
	if (home && home[0] == '/')
		return file_join(home, ".config/afw");
	return NULL;
}

char *config_user_file(void)
{
	_free_ char *dir = find_user_dir();

	return dir ? file_join(dir, "afw.ini") : NULL;
}

struct config *config_create(const struct config_where *where)
{
	struct config *c = mem_alloc(sizeof *c);

	c->values = mem_alloc(OPTION_COUNT * sizeof *c->values);
	c->known = mem_alloc(OPTION_COUNT * sizeof *c->known);
	c->sections = cJSON_CreateObject();
	c->share_dir = mem_strdup(where->share_dir);
	c->user_dir = find_user_dir();
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
	free(c->values);
	free(c->known);
	cJSON_Delete(c->sections);
	free(c->share_dir);
	free(c->user_dir);
	free(c->data_dir);
	free(c->untrusted);
	strv_finish(&c->removed);
	free(c->af_dir);
	filetree_finish(&c->af);
	free(c);
}

const struct option_value *config_value(const struct config *c,
					enum option_id id)
{
	if (!c->known[id] && option_parse(&options[id], options[id].value,
					  &c->values[id], NULL) < 0)
		assert(!"a default that the option's own check refuses");
	c->known[id] = true;
	return &c->values[id];
}

/* -- one entry --------------------------------------------------------------
 */

static int check_owner(const struct config_file *f, const struct option *o,
		       struct err *err)
{
	if (!f->repository || o->repository)
		return 0;
	return err_set(err, ERR_FAILED,
		       "'%s' is for the user to choose: it is only allowed in "
		       "~/.config/afw/afw.ini",
		       o->name);
}

int config_set_from(struct config *c, enum option_id id, const char *value,
		    const char *place, struct err *err)
{
	/* Lists add up, but the default is replaced. */
	bool replaces = options[id].type == OPTION_LIST && !c->origins[id];
	struct option_value list = {0};

	if (option_parse(&options[id], value, replaces ? &list : &c->values[id],
			 err) < 0)
		return -1;
	if (replaces) {
		option_value_finish(&c->values[id]);
		c->values[id] = list;
	}
	c->known[id] = true;
	free(c->origins[id]);
	c->origins[id] = mem_strdup(place);
	return 0;
}

int config_set(struct config *c, enum option_id id, const char *text,
	       struct err *err)
{
	struct option_value v = {0};

	if (option_parse(&options[id], text, &v, err) < 0) {
		if (err)
			err->kind = ERR_USAGE;
		return -1;
	}
	option_value_finish(&c->values[id]);
	c->values[id] = v;
	c->known[id] = true;
	free(c->origins[id]);
	c->origins[id] = mem_strdup("command line");
	return 0;
}

int config_expand(const struct config *c, const struct expand_values *v,
		  const char *text, bool words, const char *file,
		  struct buf *out, struct err *err)
{
	_free_ char *branch =
	    v->branch
		? mem_strdup(v->branch)
		: mem_printf("%s%s",
			     config_value(c, OPTION_BRANCH_PREFIX)->string,
			     v->workspace);
	const struct expand list[] = {
	    {"AFW_WORKSPACE", v->workspace},
	    {"AFW_SESSION", v->session},
	    {"AFW_ROLE", v->role},
	    {"AFW_BRANCH", branch},
	    {"AFW_REPOSITORY", v->repository},
	    {NULL, NULL},
	};

	return expand_text(text, list, words, file, out, err);
}

/* Returns its value, to be freed, with a template's ${AFW_...} expanded. */
static char *expand_value(struct config_file *f, const struct ini_entry *e,
			  bool words, struct err *err)
{
	_buf_ struct buf out = {0};

	if (!f->values || !expand_has(e->value))
		return mem_strdup(e->value);
	f->names_branch |= strstr(e->value, "${AFW_BRANCH}") != NULL;
	return config_expand(f->c, f->values, e->value, words, NULL, &out,
			     err) < 0
		   ? NULL
		   : buf_steal(&out);
}

static bool has_words(enum option_type type)
{
	return type == OPTION_LIST || type == OPTION_COMMAND;
}

static bool is_words(const struct section_harness_keys *keys, const char *name)
{
	struct section_harness_key k;

	for (size_t i = 0; keys && keys->at(i, &k); i++)
		if (strcmp(k.name, name) == 0)
			return k.words;
	return false;
}

static int add_option(struct config_file *f, const struct ini_entry *e,
		      const char *place, struct err *err)
{
	int id = section_find_option(e->section, e->key, err);
	_free_ char *value = NULL;

	if (id < 0 || check_owner(f, &options[id], err) < 0)
		return -1;
	value = expand_value(f, e, has_words(options[id].type), err);
	if (!value)
		return -1;
	if (id == OPTION_BRANCH_PREFIX && f->names_branch)
		return err_set(err, ERR_FAILED,
			       "branch_prefix must come before ${AFW_BRANCH}, "
			       "which it is a part of");
	return config_set_from(f->c, (enum option_id)id, value, place, err);
}

/* Returns the object that is this member of o, and makes it if needed. */
static cJSON *get_object(cJSON *o, const char *name)
{
	cJSON *member = json_get(o, name);

	return member ? member : json_set_object(o, name);
}

/* Adds an entry of a named section. kind NULL: of a harness. */
static int add_named(struct config_file *f, const struct section_kind *kind,
		     const char *name, const struct ini_entry *e,
		     const char *place, struct err *err)
{
	const struct section_harness_keys *keys = f->c->harness_keys;
	const char *why = section_check_name(name);
	const struct option *key = NULL;
	_free_ char *value = NULL;
	cJSON *section;

	if (!why && kind && kind->check)
		why = kind->check(name);
	if (why)
		return err_set(err, ERR_FAILED, "[%s]: %s", e->section, why);
	if (kind) {
		key = section_key(kind, e->key, err);
		if (!key || check_owner(f, key, err) < 0)
			return -1;
	}
	section = get_object(
	    get_object(f->sections, kind ? kind->name : HARNESS), name);
	if (kind && kind->once && json_get(section, e->key))
		return err_set(err, ERR_FAILED,
			       "[%s] has a '%s' already: two sections have one "
			       "name",
			       e->section, e->key);
	value = expand_value(
	    f, e, key ? has_words(key->type) : is_words(keys, e->key), err);
	if (!value)
		return -1;
	return key ? section_add(section, key, value, place, err)
		   : section_add_harness(section, keys, e->key, value, err);
}

/* True, with a text for the user, for an option that there is no more. It is
 * left out: an upgrade must not keep sessions from starting. */
static bool is_removed(struct config_file *f, const struct section_kind *kind,
		       const struct ini_entry *e, const char *place)
{
	bool bare = kind ? !kind->keys : !*e->section;
	_free_ char *name = mem_printf("%s%s%s", bare ? "" : e->section,
				       bare ? "" : ".", e->key);
	const char *instead = f->harness ? NULL : option_removed(name);

	if (instead)
		strv_addf(&f->c->removed,
			  "%s: '%s' is no option any more (%s): remove the "
			  "line",
			  place, e->key, instead);
	return instead != NULL;
}

static int on_entry(void *ctx, const struct ini_entry *e, struct err *err)
{
	struct config_file *f = ctx;
	char place[INI_PLACE_SIZE];
	const char *name = NULL;
	const struct section_kind *kind = section_find(e->section, &name);

	if (strncmp(e->section, HARNESS ".", 8) == 0)
		name = e->section + 8;
	else if (f->harness && e->section[0] == '\0')
		name = f->harness;
	if (f->harness && (kind || !name || strcmp(name, f->harness) != 0))
		return err_set(err, ERR_FAILED,
			       "[%s] does not belong in the file of %s",
			       e->section, f->harness);
	ini_format_place(place, f->path, e->line);
	if (is_removed(f, kind, e, place))
		return 0;
	return name ? add_named(f, kind, name, e, place, err)
		    : add_option(f, e, place, err);
}

/* -- files ------------------------------------------------------------------
 */

int config_load_text(struct config_file *f, const struct buf *text,
		     struct err *err)
{
	const cJSON *kind, *section;
	int rc;

	f->sections = cJSON_CreateObject();
	rc = ini_parse_text(f->path, text->data, text->len, on_entry, f, err);
	cJSON_ArrayForEach (kind, f->sections) {
		cJSON *all = get_object(f->c->sections, kind->string);

		/* An empty list stays: it empties an adapter's list, too. */
		cJSON_ArrayForEach (section, kind) {
			json_replace_members(get_object(all, section->string),
					     section);
		}
	}
	cJSON_Delete(f->sections);
	f->sections = NULL;
	return rc;
}

int config_load_file(struct config_file *f, enum ini_owner owner,
		     struct err *err)
{
	_buf_ struct buf text = {0};
	bool found;

	if (ini_load(f->path, owner, &text, &found, err) < 0)
		return -1;
	return found ? config_load_text(f, &text, err) : 0;
}

static int load_user(struct config *c, struct err *err)
{
	_free_ char *path = config_user_file();
	struct config_file f = {.c = c, .path = path};

	return path ? config_load_file(&f, INI_OURS, err) : 0;
}

int config_load_ini(struct config *c, const struct filetree *af,
		    struct err *err)
{
	const struct filetree_file *ini = filetree_find(af, "afw.ini");
	_free_ char *path = file_join(c->af_dir, "afw.ini");
	struct config_file f = {.c = c, .path = path, .repository = true};

	return ini ? config_load_text(&f, &ini->text, err) : 0;
}

static int load_repository(struct config *c, const struct config_where *where,
			   struct err *err)
{
	CLEANUP(trust_finish) struct trust trust = {0};
	_free_ char *name = NULL;

	if (where->data_dir)
		trust_load(where->data_dir, where->repository, &trust);
	c->trusted = trust.repository;
	if (trust_read(where->repository, &c->af, NULL) < 0)
		c->untrusted = mem_strdup(c->af_dir);
	else if ((name = trust_differs(&trust, &c->af)))
		c->untrusted = file_join(c->af_dir, name);
	if (!c->untrusted)
		return config_load_ini(c, &c->af, err);
	filetree_finish(&c->af);
	return 0;
}

int config_load(struct config **out, const struct config_where *where,
		struct err *err)
{
	_config_ struct config *c = config_create(where);
	struct err first = {0}, second = {0};
	int rc = load_user(c, &first);

	*out = NULL;
	if (where->repository && (rc == 0 || where->mistake) &&
	    load_repository(c, where, rc == 0 ? &first : &second) < 0)
		rc = -1;
	if (rc < 0 && where->mistake) {
		*where->mistake = first;
	} else if (rc < 0) {
		if (err)
			*err = first;
		return -1;
	}
	*out = TAKE_PTR(c);
	return 0;
}
