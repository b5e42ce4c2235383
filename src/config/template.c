/*
 * template.c - finds templates and reads their files.
 *
 * A repository's template is read from the files of its .af/ that config_load()
 * has compared with the trusted ones; the others are read from disk.
 */
#include "config/template.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/delete_tree.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/random.h"
#include "base/utf8.h"
#include "config/config_load.h"

#define TEMPLATES "templates/" /* in each of the three places */

/* The place of a template. */
struct place {
	enum { REPOSITORY, USER, SHARED, NOWHERE } level; /* of dir */
	char *dir;					  /* NULL: not found */
	char *inside; /* for a repository's: its name in .af/ */
	const struct filetree
	    *trusted; /* and the files there; otherwise NULL */
};

static void place_finish(struct place *p)
{
	free(p->dir);
	free(p->inside);
}

#define _place_ CLEANUP(place_finish)

/* Returns DIR/templates/NAME, to be freed; NULL if dir is NULL. */
static char *dir_below(const char *dir, const char *name)
{
	return dir ? mem_printf("%s/" TEMPLATES "%s", dir, name) : NULL;
}

/* True if the files have that directory. */
static bool has_dir(const struct filetree *files, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < files->n; i++)
		if (strncmp(files->v[i].name, name, len) == 0 &&
		    files->v[i].name[len] == '/')
			return true;
	return false;
}

static struct place find(const struct config *c, const char *name)
{
	_free_ char *inside = mem_printf(TEMPLATES "%s", name);

	if (section_check_name(name))
		return (struct place){.level = NOWHERE};
	if (has_dir(&c->af, inside))
		return (struct place){
		    .level = REPOSITORY,
		    .dir = dir_below(c->af_dir, name),
		    .inside = TAKE_PTR(inside),
		    .trusted = &c->af,
		};
	for (int level = USER; level < NOWHERE; level++) {
		_free_ char *dir =
		    dir_below(level == USER ? c->data_dir : c->share_dir, name);

		if (dir && access(dir, F_OK) == 0)
			return (struct place){.level = level,
					      .dir = TAKE_PTR(dir),
					      .inside = NULL};
	}
	return (struct place){.level = NOWHERE};
}

char *template_dir(const struct config *c, const char *name)
{
	_place_ struct place p = find(c, name);

	return TAKE_PTR(p.dir);
}

/* -- its files --------------------------------------------------------------
 */

/* As template_read(). A file that configures must belong to the user or to
 * afw. */
static int read_file(const struct place *p, const char *file, struct buf *out,
		     struct err *err)
{
	_free_ char *path = p->dir ? file_join(p->dir, file) : NULL;
	_free_ char *real = NULL;
	bool found = true;
	struct stat st;

	if (!path)
		return 0;
	if (p->trusted) {
		_free_ char *name = file_join(p->inside, file);
		const struct filetree_file *f = filetree_find(p->trusted, name);

		if (f)
			buf_add(out, f->text.data, f->text.len);
		return f != NULL;
	}
	if (strcmp(file, TEMPLATE_INI) == 0)
		return ini_load(path, p->level == USER ? INI_OURS : INI_ANY,
				out, &found, err) < 0
			   ? -1
			   : found;
	real = realpath(path, NULL);
	if (real)
		return file_read(AT_FDCWD, real, INI_FILE_MAX, out, err) < 0
			   ? -1
			   : 1;
	if (errno == ENOENT && lstat(path, &st) < 0)
		return 0; /* also a link without a target */
	return err_errno(err, "read %s", path);
}

int template_read(const struct config *c, const char *name, const char *file,
		  struct buf *out, struct err *err)
{
	_place_ struct place p = find(c, name);

	return read_file(&p, file, out, err);
}

/* Reads all files below the template's directory sub; NULL: all of it. */
static int read_files(const struct place *p, const char *sub,
		      struct filetree *out, struct err *err)
{
	_free_ char *path =
	    mem_printf("%s%s%s", p->trusted ? p->inside : p->dir,
		       sub ? "/" : "", sub ? sub : "");

	if (!p->trusted)
		return filetree_read(path, NULL, out, err);
	*out = (struct filetree){0};
	filetree_below(p->trusted, path, out);
	return 0;
}

int template_read_home(const struct config *c, const char *name,
		       struct filetree *out, struct err *err)
{
	_place_ struct place p = find(c, name);

	*out = (struct filetree){0};
	return p.dir ? read_files(&p, "home", out, err) : 0;
}

/* -- all of them ------------------------------------------------------------
 */

static void add_name(struct strv *out, const char *name)
{
	if (!section_check_name(name) && !strv_has(out, name))
		strv_add(out, name);
}

static void add_trusted(const struct filetree *files, struct strv *out)
{
	size_t len = strlen(TEMPLATES);

	for (size_t i = 0; i < files->n; i++) {
		const char *path = files->v[i].name, *end;
		_free_ char *name = NULL;

		if (strncmp(path, TEMPLATES, len) != 0)
			continue;
		path += len;
		end = strchr(path, '/');
		name = mem_strndup(path, end ? (size_t)(end - path) : 0);
		add_name(out, name);
	}
}

static void add_names(const char *dir, struct strv *out)
{
	_free_ char *path = dir_below(dir, "");
	_dir_ DIR *d = path ? opendir(path) : NULL;
	const char *name;

	while (d && (name = file_list_next(d)))
		/* Not a link without a target, as in find(). */
		if (faccessat(dirfd(d), name, F_OK, 0) == 0)
			add_name(out, name);
}

char *template_summary(const struct config *c, const char *name)
{
	_buf_ struct buf text = {0};
	char line[200];

	template_read(c, name, TEMPLATE_PROMPT, &text, NULL);
	utf8_printable(line, sizeof line, text.data ? text.data : "",
		       text.data ? strcspn(text.data, "\n") : 0);
	return mem_strdup(line);
}

void template_names(const struct config *c, struct strv *out)
{
	config_section_names(c, TEMPLATE_KIND, out);
	add_trusted(&c->af, out);
	add_names(c->data_dir, out);
	add_names(c->share_dir, out);
	strv_sort(out);
}

/* -- one that is not there --------------------------------------------------
 */

bool template_is_untrusted(const struct config *c, const char *name,
			   struct err *err)
{
	_free_ char *dir = !section_check_name(name) && c->untrusted
			       ? dir_below(c->af_dir, name)
			       : NULL;

	if (!dir || access(dir, F_OK) < 0)
		return false;
	err_set(err, ERR_REFUSED,
		"template '%.60s': %s is not trusted, or was changed since",
		name, c->untrusted);
	err_hint(err, "`afw trust` shows and trusts it");
	return true;
}

static int refuse_unknown(const struct config *c, const char *name,
			  struct err *err)
{
	_strv_ struct strv names = {0};

	if (template_is_untrusted(c, name, err))
		return -1;
	template_names(c, &names);
	err_set(err, ERR_USAGE, "there is no template '%.60s'", name);
	if (nearest_hint(err, name, (const char *const *)names.v))
		return -1;
	if (c->untrusted)
		err_hint(err, "%s is not trusted and is left out",
			 c->untrusted);
	else
		err_hint(err, "`afw templates` lists them");
	return -1;
}

int template_files(const struct config *c, const char *name,
		   struct filetree *out, struct err *err)
{
	_place_ struct place p = find(c, name);

	*out = (struct filetree){0};
	if (p.dir)
		return read_files(&p, NULL, out, err);
	if (!config_section(c, TEMPLATE_KIND, name))
		return refuse_unknown(c, name, err);
	return err_set(err, ERR_USAGE,
		       "template '%s' has no files: it is a section of afw.ini",
		       name);
}

const char *template_owner(const struct config *c, const char *name,
			   struct err *err)
{
	static const char *const owners[] = {
	    [REPOSITORY] = "repository", [USER] = "user", [SHARED] = "afw"};
	_place_ struct place p = find(c, name);

	if (p.dir)
		return owners[p.level];
	if (config_section(c, TEMPLATE_KIND, name))
		return "section";
	refuse_unknown(c, name, err);
	return NULL;
}

/* -- used -------------------------------------------------------------------
 */

/* Values for no session: to check a template. */
static const struct expand_values sample = {
    .workspace = "name",
    .session = "00000000000000000000000000000000",
    .role = "role",
    .repository = "/repository",
};

int template_prompt(const struct config *c, const char *name,
		    const struct expand_values *values, struct buf *out,
		    struct err *err)
{
	_place_ struct place p = find(c, name);
	_free_ char *path = p.dir ? file_join(p.dir, TEMPLATE_PROMPT) : NULL;
	_buf_ struct buf raw = {0};
	int rc = read_file(&p, TEMPLATE_PROMPT, &raw, err);

	if (rc <= 0)
		return rc;
	/* A file that is not text is reported when it is used. */
	if (memchr(raw.data, '\0', raw.len))
		buf_add(out, raw.data, raw.len);
	else if (config_expand(c, values ? values : &sample, raw.data, false,
			       path, out, err) < 0)
		return -1;
	return 1;
}

/* Sets the options that its section has. */
static int apply_section(struct config *c, const char *name, struct err *err)
{
	const cJSON *key, *said;

	cJSON_ArrayForEach (key, config_section(c, TEMPLATE_KIND, name)) {
		int id = option_find(key->string);

		cJSON_ArrayForEach (said, key)
			if (config_set_from(c, (enum option_id)id,
					    json_str(said, "text"),
					    json_str(said, "place"), err) < 0)
				return -1;
	}
	return 0;
}

int template_apply(struct config *c, const char *name,
		   const struct expand_values *values, struct err *err)
{
	_place_ struct place p = find(c, name);
	_free_ char *path = p.dir ? file_join(p.dir, TEMPLATE_INI) : NULL;
	_buf_ struct buf text = {0};
	struct config_file f = {
	    .c = c,
	    .path = path,
	    .repository = p.level == REPOSITORY,
	    .values = values ? values : &sample,
	};

	if (!p.dir && !config_section(c, TEMPLATE_KIND, name))
		return refuse_unknown(c, name, err);
	if (p.dir && (read_file(&p, TEMPLATE_INI, &text, err) < 0 ||
		      config_load_text(&f, &text, err) < 0))
		return -1;
	return apply_section(c, name, err);
}

int template_check_repository(const struct config_where *where,
			      const struct filetree *af, struct err *err)
{
	struct config *c = config_create(where);
	_strv_ struct strv names = {0};
	int rc = config_load_ini(c, af, err);

	c->af = *af; /* borrowed */
	template_names(c, &names);
	for (size_t i = 0; rc >= 0 && i < names.n; i++) {
		_buf_ struct buf prompt = {0};

		rc = template_apply(c, names.v[i], NULL, err);
		if (rc == 0)
			rc = template_prompt(c, names.v[i], NULL, &prompt, err);
	}
	c->af = (struct filetree){0};
	config_destroy(c);
	return rc < 0 ? -1 : 0;
}

/* -- made -------------------------------------------------------------------
 */

static int refuse_existing(const char *dir, const char *name, struct err *err)
{
	err_set(err, ERR_CONFLICT, "template '%s' exists already: %s", name,
		dir);
	return err_hint(err, "`afw templates edit %s` changes it", name);
}

/* Makes it under another name first, so that it never exists in part. */
static int make_files(const char *dir, const char *name,
		      const struct filetree *files, struct err *err)
{
	_free_ char *staged = NULL;
	char hex[17];
	int rc;

	random_hex(hex, 16);
	staged = mem_printf("%.*s.%s.%s", (int)(strlen(dir) - strlen(name)),
			    dir, name, hex);
	rc = filetree_write(files, staged, err);
	if (rc == 0 && file_rename_new(AT_FDCWD, staged, AT_FDCWD, dir) < 0)
		rc = errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR
			 ? refuse_existing(dir, name, err)
			 : err_errno(err, "make %s", dir);
	if (rc < 0)
		delete_tree(AT_FDCWD, staged, NULL);
	return rc;
}

char *template_create(const struct config *c, const char *name,
		      const struct filetree *files, struct err *err)
{
	const char *why = section_check_name(name);
	_free_ char *dir = dir_below(c->data_dir, name);

	if (why)
		err_set(err, ERR_USAGE, "template '%.60s': %s", name, why);
	else if (!dir)
		err_set(err, ERR_FAILED, "there is no data directory");
	else if (access(dir, F_OK) == 0)
		refuse_existing(dir, name, err);
	else if (make_files(dir, name, files, err) == 0)
		return TAKE_PTR(dir);
	return NULL;
}
