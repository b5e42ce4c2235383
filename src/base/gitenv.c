/* gitenv.c - the only list of the variables that belong to the caller's
 * repository. */
#include "base/gitenv.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

static const char *const local[] = {"GIT_ALTERNATE_OBJECT_DIRECTORIES",
				    "GIT_ATTR_SOURCE",
				    "GIT_CHERRY_PICK_HELP",
				    "GIT_COMMON_DIR",
				    "GIT_CONFIG",
				    "GIT_CONFIG_PARAMETERS",
				    "GIT_DIR",
				    "GIT_GRAFT_FILE",
				    "GIT_IMPLICIT_WORK_TREE",
				    "GIT_INDEX_FILE",
				    "GIT_INTERNAL_SUPER_PREFIX",
				    "GIT_NAMESPACE",
				    "GIT_NO_REPLACE_OBJECTS",
				    "GIT_OBJECT_DIRECTORY",
				    "GIT_PREFIX",
				    "GIT_QUARANTINE_PATH",
				    "GIT_REFLOG_ACTION",
				    "GIT_REPLACE_REF_BASE",
				    "GIT_SHALLOW_FILE",
				    "GIT_WORK_TREE",
				    NULL};

static const char *const author[] = {"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL",
				     "GIT_AUTHOR_DATE", NULL};

static const char *const editor[] = {"GIT_EDITOR", "GIT_SEQUENCE_EDITOR", NULL};

static bool has(const char *const names[], const char *entry)
{
	size_t len = strcspn(entry, "=");

	for (size_t i = 0; names[i]; i++)
		if (strlen(names[i]) == len &&
		    memcmp(names[i], entry, len) == 0)
			return true;
	return false;
}

bool gitenv_is_local(const char *entry)
{
	if (strncmp(entry, "GIT_", 4) != 0)
		return false;
	if (has(local, entry))
		return true;
	if (has(author, entry))
		return getenv("GIT_INDEX_FILE") != NULL;
	return has(editor, entry) &&
	       strcmp(entry + strcspn(entry, "="), "=:") == 0 &&
	       getenv("GIT_EXEC_PATH") != NULL;
}

void gitenv_copy(struct strv *env)
{
	for (char **e = environ; *e; e++)
		if (!gitenv_is_local(*e))
			strv_add(env, *e);
}

const char *gitenv_here(void)
{
	const char *dir = getenv("GIT_DIR");

	return dir && dir[0] ? dir : ".";
}
