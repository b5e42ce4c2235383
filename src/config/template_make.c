/* template_make.c - a template of the user's own. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/delete_tree.h"
#include "base/file.h"
#include "base/random.h"
#include "config/config_load.h"
#include "config/layer.h"
#include "config/template.h"

static int there_already(const char *dir, const char *name, struct err *err)
{
	err_set(err, ERR_CONFLICT, "template '%s' is there already: %s", name,
		dir);
	return err_hint(err, "`afw templates edit %s` changes it", name);
}

/* Under another name first: nobody finds half of it. */
static int make(const char *dir, const char *name, const struct filetree *files,
		struct err *err)
{
	char hex[17], *staged;
	int rc;

	random_hex(hex, 16);
	staged = mem_printf("%.*s.%s.%s", (int)(strlen(dir) - strlen(name)),
			    dir, name, hex);
	rc = filetree_write(files, staged, err);
	if (rc == 0 && file_rename_new(AT_FDCWD, staged, AT_FDCWD, dir) < 0)
		rc = errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR
			 ? there_already(dir, name, err)
			 : err_errno(err, "make %s", dir);
	if (rc < 0)
		delete_tree(AT_FDCWD, staged, NULL);
	free(staged);
	return rc;
}

char *template_make(const struct config *c, const char *name,
		    const struct filetree *files, struct err *err)
{
	const char *why = section_check_name(name);
	char *dir = config_template_below(c->data_dir, name);
	int rc;

	if (why)
		rc = err_set(err, ERR_USAGE, "template '%.60s': %s", name, why);
	else if (access(dir, F_OK) == 0)
		rc = there_already(dir, name, err);
	else
		rc = make(dir, name, files, err);
	if (rc == 0)
		return dir;
	free(dir);
	return NULL;
}
