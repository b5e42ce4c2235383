/* reads.c - lists the user's files that an agent may read. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "base/spawn.h"
#include "sandbox/sandbox.h"

#define ALTERNATES_DEPTH 5  /* as in git */
#define LINKS_MAX	 40 /* as in the kernel */

/* Returns the target of the link path, to be freed; NULL: it is none. */
static char *link_target(const char *path)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof target - 1);

	if (n <= 0)
		return NULL;
	target[n] = '\0';
	return target[0] == '/'
		   ? mem_strdup(target)
		   : mem_printf("%.*s/%s", (int)(strrchr(path, '/') - path),
				path, target);
}

/* True if dir is one of the directories on the way to path, by whatever name:
 * a link of the user may be above both, and each link may lead there. links:
 * how many more are followed. */
static bool leads_through(const char *path, const char *dir, int *links)
{
	_free_ char *above = mem_strdup(path);
	struct stat want, is;
	bool in = *links == 0;
	char *slash = above;

	if (stat(dir, &want) < 0)
		return false;
	while (!in && slash) {
		_free_ char *target = link_target(above);

		*links -= target != NULL;
		in = target && leads_through(target, dir, links);
		slash = strrchr(above, '/');
		if (slash == above)
			break;
		*slash = '\0';
		in |= stat(above, &is) == 0 && is.st_ino == want.st_ino &&
		      is.st_dev == want.st_dev;
	}
	return in;
}

bool sandbox_can_grant(const struct sandbox_start *st, const char *path)
{
	int links = LINKS_MAX;
	bool can = path[0] == '/' && !leads_through(path, st->dir, &links);

	for (size_t i = 0; can && i < spec_count(st->spec); i++) {
		links = LINKS_MAX;
		can =
		    !leads_through(path, spec_of(st->spec, i).worktree, &links);
	}
	return can;
}

static void add_named(const struct sandbox_start *st, struct strv *out)
{
	struct stat file;

	for (size_t i = 0; i < st->env->n; i++) {
		const char *value = strchr(st->env->v[i], '=');

		if (value && value[1] == '/' && stat(value + 1, &file) == 0 &&
		    S_ISREG(file.st_mode) && sandbox_can_grant(st, value + 1))
			strv_add(out, value + 1);
	}
}

/* Adds the object stores in a file, and those that they borrow from: git clone
 * --shared. */
static void add_stores(const char *file, int depth, struct strv *out)
{
	char *line, *save = NULL;
	_buf_ struct buf text = {0};

	file_read(AT_FDCWD, file, 65536, &text, NULL);
	buf_adds(&text, "");
	for (line = strtok_r(text.data, "\n", &save); line && depth > 0;
	     line = strtok_r(NULL, "\n", &save))
		if (line[0] == '/') {
			_free_ char *more = file_join(line, "info/alternates");

			strv_add(out, line);
			add_stores(more, depth - 1, out);
		}
}

/* Adds what the i-th repository and its submodules borrow, and the targets of
 * `link`. */
static void add_repository(const struct spec *spec, size_t i, struct strv *out)
{
	struct spec one = spec_of(spec, i);
	_free_ char *git = gitfile_dir(one.repository),
		    *own = file_join(git ? git : "", "objects/info/alternates"),
		    *modules =
			mem_printf("%s" GITFILE_BORROWED,
				   one.private_git ? one.private_git : "");
	_strv_ struct strv linked = {0};

	add_stores(own, ALTERNATES_DEPTH, out);
	if (one.private_git)
		add_stores(modules, ALTERNATES_DEPTH, out);
	if (i)
		json_strv(cJSON_GetArrayItem(spec->with, (int)i - 1), "linked",
			  &linked);
	else
		strv_copy(&linked, &spec->linked);
	for (size_t k = 0; k < linked.n; k++)
		strv_take(out, file_join(spec_checkout(&one), linked.v[k]));
}

void sandbox_reads(const struct sandbox_start *st, struct strv *out)
{
	const struct spec *spec = st->spec;
	const char *home = getenv("HOME");

	for (size_t i = 0; i < spec_count(spec); i++)
		add_repository(spec, i, out);
	add_named(st, out);
	for (size_t i = 0; i < spec->sandbox_read.n; i++) {
		const char *path = spec->sandbox_read.v[i];
		_free_ char *full = home && strncmp(path, "~/", 2) == 0
					? file_join(home, path + 2)
					: mem_strdup(path);

		if (sandbox_can_grant(st, full))
			strv_add(out, full);
	}
}

char *sandbox_program(const struct sandbox_start *st, const char *name,
		      struct strv *read)
{
	static const char modules[] = "/node_modules/";
	_free_ char *found = spawn_find(name);
	char *path = found && sandbox_can_grant(st, found)
			 ? realpath(found, NULL)
			 : NULL;
	const char *end = path ? strstr(path, modules) : NULL;

	if (end)
		strv_take(read, mem_strndup(path, (size_t)(end - path) +
						      strlen(modules) - 1));
	else if (path)
		strv_add(read, path);
	return path;
}
