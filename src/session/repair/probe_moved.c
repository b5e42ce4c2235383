/*
 * probe_moved.c - finds sessions whose repository was moved to here. Only the
 * user can say where it went, by going there; the worktree is known by its
 * inode, and may have been moved with it.
 */
#include "session/repair/probes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/gitfile.h"
#include "session/disk/lock.h"

/* Returns where the worktree of s is, if it is one of the repository here; to
 * be freed. */
static char *find_worktree(const struct spec *s, const char *here)
{
	_free_ char *git = gitfile_dir(here);
	_free_ char *entry =
	    mem_printf("%s/worktrees/%s", git ? git : "", s->worktree_id);
	char *paths[] = {mem_strdup(s->worktree),
			 mem_printf("%.*s/.af_worktrees/%s",
				    (int)(strrchr(here, '/') - here), here,
				    strrchr(s->worktree, '/') + 1)};
	char *found = NULL;
	struct stat st;

	for (int i = 0; i < 2; i++)
		if (!found && access(entry, F_OK) == 0 &&
		    lstat(paths[i], &st) == 0 && st.st_ino == s->worktree_ino)
			found = paths[i];
		else
			free(paths[i]);
	return found;
}

bool repair_moved(const struct survey *v, const struct finding *f)
{
	const struct session *s = survey_session(v, f->id);
	_close_ int lock = lock_acquire(s->dir, NULL);
	_spec_ struct spec now = {0};

	if (lock < 0 || spec_load(&now, s->dir, NULL) < 0)
		return false;
	mem_set(&now.repository, v->repository);
	mem_set(&now.worktree, f->path);
	return spec_save(&now, s->dir, true, NULL) == 0;
}

int probe_moved(struct survey *v, struct err *err)
{
	for (size_t i = 0; v->repository && i < v->sessions.n; i++) {
		struct session *s = &v->sessions.v[i];
		_free_ char *at = NULL;
		struct finding *f;

		if (s->broken || !spec_has_worktree(&s->spec) ||
		    access(s->spec.repository, F_OK) == 0 || errno != ENOENT ||
		    !(at = find_worktree(&s->spec, v->repository)))
			continue;
		f = finding_add(v, "repository_moved", s, at,
				"its repository was moved from %s to %s",
				s->spec.repository, v->repository);
		f->safe = true;
		if (s->alive)
			f->hint =
			    mem_printf("`afw stop %s` first", s->spec.name);
		/* for the other probes */
		mem_set(&s->spec.repository, v->repository);
		mem_set(&s->spec.worktree, at);
	}
	return 0;
}
