/*
 * config_repository.c - what a repository has in its .af/.
 *
 * The bytes that are compared with what was trusted are the bytes that are
 * then used: its files are read once. Without trust nothing that a repository
 * holds is an error, it is only left out.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "config/config_load.h"
#include "config/template.h"
#include "config/trust_store.h"

/* Its afw.ini, where it has one. */
static int load_ini(struct config *c, const struct filetree *af,
		    struct err *err)
{
	const struct filetree_file *ini = filetree_find(af, "afw.ini");
	char *path = file_join(c->af_dir, "afw.ini");
	struct config_file f = {.c = c, .path = path, .repository = true};
	int rc = 0;

	if (ini)
		rc = config_file_text(&f, ini->text.data, ini->text.len, err);
	free(path);
	return rc;
}

int config_load_repository(struct config *c, const struct config_where *where,
			   struct err *err)
{
	struct trust trust = {0};
	char *name = NULL;
	int rc = 0;

	if (where->data_dir)
		trust_load(where->data_dir, where->repository, &trust);
	c->trusted = trust.repository;
	if (trust_read(where->repository, &c->af, NULL) < 0)
		c->untrusted = mem_strdup(c->af_dir);
	else if ((name = trust_differs(&trust, &c->af)))
		c->untrusted = file_join(c->af_dir, name);
	if (c->untrusted)
		filetree_finish(&c->af);
	else
		rc = load_ini(c, &c->af, err);
	trust_finish(&trust);
	free(name);
	return rc;
}

int template_check_repository(const struct config_where *where,
			      const struct filetree *af, struct err *err)
{
	struct config *c = config_create(where);
	struct strv names = {0};
	int rc = load_ini(c, af, err);

	c->af = *af; /* borrowed */
	template_names(c, &names);
	for (size_t i = 0; rc >= 0 && i < names.n; i++) {
		struct buf prompt = {0};

		rc = template_apply(c, names.v[i], NULL, err);
		if (rc == 0)
			rc = template_prompt(c, names.v[i], NULL, &prompt, err);
		buf_finish(&prompt);
	}
	strv_finish(&names);
	c->af = (struct filetree){0};
	config_destroy(c);
	return rc < 0 ? -1 : 0;
}
