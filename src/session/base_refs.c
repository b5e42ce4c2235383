/* base_refs.c - where git stores the branch that a session's work goes to. */
#include "session/base_refs.h"

#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/gitfile.h"
#include "base/random.h"

#define SHA1_LEN 40

/* Returns the name of "feature" in base, which may be "origin/feature". */
static const char *without_remote(const char *base, const struct strv *remotes)
{
	size_t len;

	for (size_t i = 0; i < remotes->n; i++) {
		len = strlen(remotes->v[i]);
		if (strncmp(base, remotes->v[i], len) == 0 && base[len] == '/')
			return base + len + 1;
	}
	return base;
}

void base_refs(const struct spec *s, struct strv *out)
{
	_free_ char *git = gitfile_dir(s->repository ? s->repository : "/");
	_free_ char *dir = file_join(git ? git : "/", "refs/remotes");
	_dir_ DIR *d = file_list(AT_FDCWD, dir);
	_strv_ struct strv remotes = {0};
	_free_ char *on = NULL;
	const char *base, *name;

	while (d && (name = file_list_next(d)))
		strv_add(&remotes, name);
	base = without_remote(s->base ? s->base : "", &remotes);
	if ((s->branch && strcmp(base, s->branch) == 0) ||
	    random_is_hex(base, SHA1_LEN))
		base = on = gitfile_branch(git ? git : "/");
	if (!git || !base || !*base)
		return;
	strv_addf(out, "%s/refs/heads/%s", git, base);
	strv_addf(out, "%s/%s", dir, base); /* where a remote may appear */
	for (size_t i = 0; i < remotes.n; i++)
		strv_addf(out, "%s/%s/%s", dir, remotes.v[i], base);
}
