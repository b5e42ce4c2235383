/* place.c - what a workspace's worktree, branch and git entry are called. */
#include "worktrees/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

#define ALNUM "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

/* As git does it: what is not plain becomes a dash. */
static char *make_id(const char *base)
{
	char *id = mem_strdup(base);

	for (char *c = id; *c; c++)
		if (!strchr(ALNUM ".-", *c) || (c[0] == '.' && c[1] == '.') ||
		    (c == id && *c == '.'))
			*c = '-';
	return id;
}

int place_make(struct place *p, const struct repo *r, const char *location,
	       const char *name, const char *prefix, struct err *err)
{
	char *ref;
	int valid = 0;

	memset(p, 0, sizeof *p);
	p->dir = file_join(location ? location : r->parent, PLACE_DIR);
	p->base = mem_printf("%s-%s", r->name, name);
	p->path = file_join(p->dir, p->base);
	p->branch = mem_printf("%s%s", prefix ? prefix : "af/", name);
	p->id = make_id(p->base);
	ref = mem_printf("refs/heads/%s", p->branch);
	git_reference_name_is_valid(&valid, ref);
	free(ref);
	if (!valid || p->branch[0] == '-')
		return err_set(err, ERR_USAGE,
			       "\"%s\" is not a branch that git would take",
			       p->branch);
	return 0;
}

bool place_is(const char *dir)
{
	return strcmp(strrchr(dir, '/') + 1, PLACE_DIR) == 0;
}

void place_finish(struct place *p)
{
	if (!p)
		return;
	free(p->dir);
	free(p->base);
	free(p->path);
	free(p->branch);
	free(p->id);
	memset(p, 0, sizeof *p);
}
