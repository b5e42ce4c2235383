/* venv.c - moves a virtual environment to another worktree. */
#include "base/venv.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/file.h"

/* Replaces from in PATH; removes it if to is NULL. */
static void move_path(struct strv *env, const char *from, const char *to)
{
	const char *at = env_get(env, "PATH");
	_buf_ struct buf path = {0};

	if (!at)
		return;
	for (size_t n; *at; at += n + (at[n] == ':')) {
		n = strcspn(at, ":");
		if (n != strlen(from) || memcmp(at, from, n) != 0)
			buf_addf(&path, "%s%.*s", path.len ? ":" : "", (int)n,
				 at);
		else if (to)
			buf_addf(&path, "%s%s", path.len ? ":" : "", to);
	}
	env_set(env, "PATH", path.len ? path.data : "/usr/bin:/bin");
}

bool venv_move(struct strv *env, const char *main, const char *tree)
{
	const char *venv = getenv("VIRTUAL_ENV");
	_free_ char *own = NULL, *bin = NULL, *own_bin = NULL;

	if (!venv || !main || !tree || !file_is_below(venv, main) ||
	    file_is_below(venv, tree))
		return true;
	own = mem_printf("%s%s", tree, venv + strlen(main));
	bin = file_join(venv, "bin");
	own_bin = file_join(own, "bin");
	if (access(own_bin, X_OK) < 0) {
		env_apply(env, "VIRTUAL_ENV");
		move_path(env, bin, NULL);
		return false;
	}
	if (env_get(env, "VIRTUAL_ENV"))
		env_set(env, "VIRTUAL_ENV", own);
	move_path(env, bin, own_bin);
	return true;
}
