/* generated.c - searches git's index for tracked files of such directories. */
#include "supervisor/chores/generated.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/gitfile.h"

#define INDEX_MAX ((size_t)64 << 20)

static const char *const names[GENERATED_NAMES] = {
    "node_modules", "target", ".venv", "__pycache__",
    "dist",	    "build",  ".cache"};

static void read_index(struct generated *g, const struct spec *s)
{
	_free_ char *git = s->private_git ? mem_strdup(s->private_git)
					  : gitfile_dir(s->worktree);
	_free_ char *path = file_join(git ? git : "", "index");

	g->has_index = true;
	file_read(AT_FDCWD, path, INDEX_MAX, &g->index, NULL);
}

static bool index_has(const struct generated *g, const char *dir)
{
	_free_ char *inside = mem_printf("%s/", dir);

	return g->index.len &&
	       memmem(g->index.data, g->index.len, inside, strlen(inside));
}

bool generated_is_left_out(struct generated *g, const struct spec *s,
			   const char *name, const char *path)
{
	size_t i = 0;

	while (i < GENERATED_NAMES && strcmp(name, names[i]) != 0)
		i++;
	if (i == GENERATED_NAMES)
		return false;
	if (!g->has_index)
		read_index(g, s);
	/* One search for all directories of a name that no tracked file has. */
	if (g->named[i] == GENERATED_UNKNOWN)
		g->named[i] =
		    index_has(g, name) ? GENERATED_SOME : GENERATED_NONE;
	return g->named[i] == GENERATED_NONE || !index_has(g, path);
}

void generated_finish(struct generated *g)
{
	buf_finish(&g->index);
	*g = (struct generated){0};
}
