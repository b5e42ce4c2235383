/* place.c - what a workspace's worktree, branch and git entry are called. */
#include "worktrees/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

#define NAME_MAX_LEN 64
#define ALNUM	     "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

static bool ends(const char *s, const char *tail)
{
	size_t a = strlen(s), b = strlen(tail);

	return a >= b && strcmp(s + a - b, tail) == 0;
}

int place_check_name(const char *name, struct err *err)
{
	const char *why = NULL;

	if (!name || !name[0])
		why = "it is empty";
	else if (strlen(name) > NAME_MAX_LEN)
		why = "it is longer than 64 characters";
	else if (!strchr(ALNUM, name[0]))
		why = "it must begin with a letter, a digit or _";
	else if (name[strspn(name, ALNUM ".-")])
		why = "only letters, digits, . _ and - can be in it";
	else if (strstr(name, ".."))
		why = "it has .. in it";
	else if (ends(name, ".") || ends(name, ".lock"))
		why = "git allows no branch that ends in . or .lock";
	if (!why)
		return 0;
	err_set(err, ERR_USAGE, "the name \"%.80s\" cannot be used: %s",
		name ? name : "", why);
	return err_hint(err, "a name is like fix-login or v2.1_docs");
}

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

int place_make(struct place *p, const struct repo *r, const char *name,
	       const char *prefix, struct err *err)
{
	char *ref;
	int valid = 0;

	memset(p, 0, sizeof *p);
	if (place_check_name(name, err) < 0)
		return -1;
	p->dir = file_join(r->parent, ".af_worktrees");
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
