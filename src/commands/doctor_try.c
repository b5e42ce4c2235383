/* doctor_try.c - finds main worktrees that have the state of a session. */
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/gitfile.h"
#include "commands/doctor.h"
#include "wire/tried.h"

/* The journal of afw-worktree. */
#define JOURNAL "afw-undo"

static int check(struct survey *s, const char *repository, struct err *err)
{
	_free_ char *git = gitfile_dir(repository),
		    *journal = git ? file_join(git, JOURNAL) : NULL;
	_tried_ struct tried t = {0};
	bool half = journal && access(journal, F_OK) == 0;
	struct finding *f;

	if (!git || tried_load(&t, git, err) < 0)
		return git ? -1 : 0;
	if (!t.session)
		return 0;
	f = finding_add(s, "tried", NULL, repository,
			half ? "%s has only a part of the state of %s: afw was "
			       "killed there"
			     : "%s has the state of %s",
			repository, t.name);
	f->name = mem_strdup("main worktree");
	f->level = WARN;
	f->hint = mem_strdup("`afw try --end`, there, puts back what was "
			     "there before");
	return 0;
}

int doctor_try(struct survey *s, struct err *err)
{
	_free_ char *here = session_repository_here();
	int rc = 0;

	if (here && !strv_has(&s->repositories, here))
		rc = check(s, here, err);
	for (size_t i = 0; i < s->repositories.n; i++)
		if (check(s, s->repositories.v[i], err) < 0)
			rc = -1;
	return rc;
}
