/* template.c - where a template is, and what it says. */
#include "config/template.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/nearest.h"
#include "config/config_load.h"
#include "config/expand.h"
#include "config/layer.h"

#define TEMPLATES "templates/" /* in each of the three */

/* Where one is. A repository's is read from c->af: as it was trusted. */
struct place {
	enum { REPOSITORY, USER, SHARED, NOWHERE } level;
	char *dir; /* to be freed */
};

char *config_template_below(const char *dir, const char *name)
{
	return dir ? mem_printf("%s/" TEMPLATES "%s", dir, name) : NULL;
}

/* Whether the files begin with that directory. */
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
	const char *const dirs[] = {c->af_dir, c->data_dir, c->share_dir};
	struct place p = {.level = NOWHERE};
	char *inside;
	bool there;

	if (section_check_name(name))
		return p;
	inside = mem_printf(TEMPLATES "%s", name);
	for (int level = REPOSITORY; level < NOWHERE; level++) {
		p.dir = config_template_below(dirs[level], name);
		there =
		    p.dir && (level == REPOSITORY ? has_dir(&c->af, inside)
						  : access(p.dir, F_OK) == 0);
		p.level = level;
		if (there)
			break;
		free(p.dir);
		p = (struct place){.level = NOWHERE};
	}
	free(inside);
	return p;
}

char *template_dir(const struct config *c, const char *name)
{
	return find(c, name).dir;
}

/* -- a file of one ----------------------------------------------------------
 */

static int read_trusted(const struct config *c, const char *name,
			const char *file, struct buf *out)
{
	char *path = mem_printf(TEMPLATES "%s/%s", name, file);
	const struct filetree_file *f = filetree_find(&c->af, path);

	if (f)
		buf_add(out, f->text.data, f->text.len);
	free(path);
	return f != NULL;
}

/* What configures must be the user's own, or afw's. */
static int read_there(const struct place *p, const char *file, struct buf *out,
		      struct err *err)
{
	char *path = file_join(p->dir, file), *real = realpath(path, NULL);
	bool ini = strcmp(file, TEMPLATE_INI) == 0, found = true;
	struct stat st;
	int rc = 0;

	if (ini)
		rc = ini_load(path, p->level == USER ? INI_OURS : INI_ANY, out,
			      &found, err);
	else if (real)
		rc = file_read(AT_FDCWD, real, INI_FILE_MAX, out, err);
	else if (errno == ENOENT && lstat(path, &st) < 0)
		found = false; /* and no link that leads nowhere */
	else
		rc = err_errno(err, "read %s", path);
	free(real);
	free(path);
	return rc < 0 ? -1 : found;
}

static int read_at(const struct config *c, const struct place *p,
		   const char *name, const char *file, struct buf *out,
		   struct err *err)
{
	switch (p->level) {
	case REPOSITORY:
		return read_trusted(c, name, file, out);
	case USER:
	case SHARED:
		return read_there(p, file, out, err);
	case NOWHERE:
		break;
	}
	return 0;
}

int template_read(const struct config *c, const char *name, const char *file,
		  struct buf *out, struct err *err)
{
	struct place p = find(c, name);
	int rc = read_at(c, &p, name, file, out, err);

	free(p.dir);
	return rc;
}

/* dir below the template's own; NULL: all of it. */
static int read_files(const struct config *c, const struct place *p,
		      const char *name, const char *dir, struct filetree *out,
		      struct err *err)
{
	bool trusted = p->level == REPOSITORY;
	char *path =
	    mem_printf(trusted ? TEMPLATES "%s%s%s" : "%s%s%s",
		       trusted ? name : p->dir, dir ? "/" : "", dir ? dir : "");
	int rc = 0;

	*out = (struct filetree){0};
	if (trusted)
		filetree_below(&c->af, path, out);
	else
		rc = filetree_read(path, NULL, out, err);
	free(path);
	return rc;
}

int template_home(const struct config *c, const char *name,
		  struct filetree *out, struct err *err)
{
	struct place p = find(c, name);
	int rc = 0;

	*out = (struct filetree){0};
	if (p.dir)
		rc = read_files(c, &p, name, "home", out, err);
	free(p.dir);
	return rc;
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
	for (size_t i = 0; i < files->n; i++) {
		const char *path = files->v[i].name, *end;
		char *name;

		if (strncmp(path, TEMPLATES, strlen(TEMPLATES)) != 0)
			continue;
		path += strlen(TEMPLATES);
		end = strchr(path, '/');
		if (!end)
			continue;
		name = mem_strndup(path, (size_t)(end - path));
		add_name(out, name);
		free(name);
	}
}

static void add_names(const char *dir, struct strv *out)
{
	char *path = config_template_below(dir, "");
	DIR *d = path ? opendir(path) : NULL;
	const char *name;

	while ((name = file_list_next(d)))
		/* No link that leads nowhere: find() has none either. */
		if (faccessat(dirfd(d), name, F_OK, 0) == 0)
			add_name(out, name);
	file_list_end(d);
	free(path);
}

void template_names(const struct config *c, struct strv *out)
{
	add_trusted(&c->af, out);
	add_names(c->data_dir, out);
	add_names(c->share_dir, out);
	strv_sort(out);
}

/* -- laid over the configuration --------------------------------------------
 */

bool template_is_untrusted(const struct config *c, const char *name,
			   struct err *err)
{
	char *dir = !section_check_name(name) && c->untrusted
			? config_template_below(c->af_dir, name)
			: NULL;
	bool there = dir && access(dir, F_OK) == 0;

	if (there) {
		err_set(err, ERR_REFUSED,
			"template '%.60s': %s is not trusted, or was changed "
			"since",
			name, c->untrusted);
		err_hint(err, "`afw trust` shows and trusts it");
	}
	free(dir);
	return there;
}

static int unknown(const struct config *c, const char *name, struct err *err)
{
	_strv_ struct strv names = {0};

	if (template_is_untrusted(c, name, err))
		return -1;
	template_names(c, &names);
	err_set(err, ERR_USAGE, "there is no template '%.60s'", name);
	if (!nearest_hint(err, name, (const char *const *)names.v))
		err_hint(err, "`afw templates` lists them");
	return -1;
}

int template_files(const struct config *c, const char *name,
		   struct filetree *out, struct err *err)
{
	struct place p = find(c, name);
	int rc = -1;

	*out = (struct filetree){0};
	if (p.dir)
		rc = read_files(c, &p, name, NULL, out, err);
	else
		unknown(c, name, err);
	free(p.dir);
	return rc;
}

const char *template_owner(const struct config *c, const char *name,
			   struct err *err)
{
	static const char *const from[] = {
	    [REPOSITORY] = "repository", [USER] = "user", [SHARED] = "afw"};
	struct place p = find(c, name);

	free(p.dir);
	if (p.level != NOWHERE)
		return from[p.level];
	unknown(c, name, err);
	return NULL;
}

/* -- what they stand for -------------------------------------------------- */

/* Of no session: for who only looks whether a template is sound. */
static const struct expand_values sample = {
    .workspace = "name",
    .session = "00000000000000000000000000000000",
    .role = "role",
    .repository = "/repository",
};

int config_expand(const struct config *c, const struct expand_values *v,
		  const char *text, bool words, const char *file,
		  struct buf *out, struct err *err)
{
	const char *prefix = config_str(c, OPTION_BRANCH_PREFIX);
	char *branch = v->branch ? mem_strdup(v->branch)
				 : mem_printf("%s%s", prefix, v->workspace);
	const struct expand list[] = {
	    {"AFW_WORKSPACE", v->workspace},
	    {"AFW_SESSION", v->session},
	    {"AFW_ROLE", v->role},
	    {"AFW_BRANCH", branch},
	    {"AFW_REPOSITORY", v->repository},
	    {NULL, NULL},
	};
	int rc = expand_text(text, list, words, file, out, err);

	free(branch);
	return rc;
}

int template_prompt(const struct config *c, const char *name,
		    const struct expand_values *values, struct buf *out,
		    struct err *err)
{
	char *dir = template_dir(c, name);
	char *path = dir ? file_join(dir, TEMPLATE_PROMPT) : NULL;
	struct buf raw = {0};
	int rc = template_read(c, name, TEMPLATE_PROMPT, &raw, err);

	/* What is no text is told of where it is used. */
	if (rc > 0 && memchr(raw.data, '\0', raw.len))
		buf_add(out, raw.data, raw.len);
	else if (rc > 0 && config_expand(c, values ? values : &sample, raw.data,
					 false, path, out, err) < 0)
		rc = -1;
	buf_finish(&raw);
	free(path);
	free(dir);
	return rc;
}

int template_apply(struct config *c, const char *name,
		   const struct expand_values *values, struct err *err)
{
	struct place p = find(c, name);
	char *path = p.dir ? file_join(p.dir, TEMPLATE_INI) : NULL;
	struct config_file f = {
	    .c = c,
	    .path = path,
	    .repository = p.level == REPOSITORY,
	    .values = values ? values : &sample,
	};
	struct buf text = {0};
	int rc = path ? read_at(c, &p, name, TEMPLATE_INI, &text, err)
		      : unknown(c, name, err);

	if (rc > 0)
		rc = config_file_text(&f, text.data ? text.data : "", text.len,
				      err);
	buf_finish(&text);
	free(path);
	free(p.dir);
	return rc;
}
