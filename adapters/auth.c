/* auth.c - helpers of the adapters for finding ways to log in. */
#include "adapters/auth.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

void auth_finish(struct auth *a)
{
	if (a == NULL)
		return;
	strv_finish(&a->found);
	free(a->chosen);
	free(a->needs);
	*a = (struct auth){0};
}

const char *environ_get(const char *const *env, const char *name)
{
	size_t len = strlen(name);

	for (; env && *env; env++)
		if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
			return *env + len + 1;
	return NULL;
}

const char *auth_env(const char *const *env, const char *name)
{
	const char *value = environ_get(env, name);

	return value && *value ? value : NULL;
}

void auth_add(struct auth *out, const char *what)
{
	strv_add(&out->found, what);
	if (!out->chosen)
		out->chosen = mem_strdup(what);
}

bool auth_add_env(const char *const *env, const char *name, struct auth *out)
{
	if (!auth_env(env, name))
		return false;
	auth_add(out, name);
	return true;
}

bool auth_add_file(char *path, struct auth *out)
{
	struct stat st;
	bool there =
	    path && stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size;

	if (there)
		auth_add(out, path);
	free(path);
	return there;
}

char *auth_path(const char *const *env, const char *variable, const char *dir,
		const char *name)
{
	const char *base = variable ? auth_env(env, variable) : NULL;
	const char *home = auth_env(env, "HOME");
	char *path;

	if (!base && !home)
		return NULL;
	path = base ? mem_strdup(base) : file_join(home, dir);
	if (name) {
		char *whole = file_join(path, name);

		free(path);
		path = whole;
	}
	return path;
}
