/*
 * try_main.c - changes the main worktree from one state to another.
 *
 * It is an undo to a checkpoint that was taken elsewhere: the same plan, the
 * same journal, so that the next run reverses what a killed one has left. No
 * filter or hook runs: a checkpoint has the files as they are on disk.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "worktrees/checkpoint/modes.h"
#include "worktrees/checkpoint/try.h"
#include "worktrees/checkpoint/undo_recover.h"
#include "worktrees/git/cleanup.h"

/* A bare repository has no main worktree. */
static int check_main(const char *repository, struct err *err)
{
	_repo_ struct repo r = {0};

	if (repo_open(&r, repository, err) < 0)
		return -1;
	return r.bare
		   ? err_set(err, ERR_FAILED,
			     "%s is bare: it has no main worktree", repository)
		   : 0;
}

int try_open(struct try_main *m, const char *repository, struct output *out,
	     struct err *err)
{
	m->out = out;
	m->place = (struct repo_place){.repository = repository,
				       .worktree = repository,
				       .worktree_id = ".",
				       .branch = "",
				       .adopted = true};
	if (check_main(repository, err) < 0 ||
	    repo_worktree_open(&m->w, &m->place, err) < 0 ||
	    (m->lock = checkpoint_lock(&m->w, out, err)) < 0)
		return -1;
	m->umask = repo_share(m->w.git);
	if (undo_recover(&m->w, m->umask, &m->place, out, err) < 0 ||
	    checkpoint_log_read(&m->log, &m->w, err) < 0 ||
	    tried_load(&m->tried, m->w.git_dir, err) < 0)
		return -1;
	return git_repository_odb(&m->odb, m->w.git) < 0
		   ? repo_err(err, ERR_FAILED, "open the object store")
		   : 0;
}

void try_finish(struct try_main *m)
{
	git_lock_release(&m->git_lock);
	checkpoint_log_finish(&m->log);
	tried_finish(&m->tried);
	git_odb_free(m->odb);
	file_close(m->lock);
	repo_worktree_finish(&m->w);
}

int try_take(struct try_main *m, struct checkpoint *c, const git_oid *also,
	     struct err *err)
{
	_git_tree_ git_tree *files = NULL;
	_scan_ struct scan s = {.w = &m->w,
				.out = m->out,
				.odb = m->odb,
				.umask = m->umask,
				.file_max = CHECKPOINT_FILE_MAX};

	if (git_tree_lookup(&files, m->w.git, also) < 0)
		return repo_err(err, ERR_FAILED, "read a checkpoint's files");
	s.also = files;
	c->kind = mem_strdup(TRY_KIND);
	if ((!m->git_lock.record &&
	     git_lock_take(&m->git_lock, &m->w, &m->place, NULL, err) < 0) ||
	    checkpoint_take(c, &s, NULL, NULL, err) < 0)
		return -1;
	scan_remember(&s);
	return 0;
}

int try_add(struct try_main *m, struct checkpoint *c, struct err *err)
{
	return checkpoint_add(&m->log, c, &m->w, CHECKPOINT_KEEP,
			      m->tried.before, err);
}

static const git_oid *find_id(const struct checkpoint_log *log, int64_t number)
{
	size_t i = log->n - 1;

	while (i > 0 && log->v[i].number != number)
		i--;
	return &log->v[i].id;
}

int try_replace(struct try_main *m, struct checkpoint *now,
		struct checkpoint *to, struct strv *left_alone, struct err *err)
{
	CLEANUP(undo_plan_finish)
	struct undo_plan plan = {.w = &m->w,
				 .odb = m->odb,
				 .at = to->at,
				 .umask = m->umask,
				 .swap = {.dir = -1, .worktree = -1}};
	_json_ cJSON *answer = cJSON_CreateObject();
	struct undo_run run = {.w = &m->w,
			       .place = &m->place,
			       .answer = answer,
			       .out = m->out,
			       .moves = true,
			       .now = now,
			       .to = to,
			       .now_id = *find_id(&m->log, now->number),
			       .to_id = *find_id(&m->log, to->number),
			       .log = &m->log,
			       .plan = &plan,
			       .lock = &m->git_lock,
			       .file_max = CHECKPOINT_FILE_MAX};
	int rc;

	strv_copy(&plan.left_alone, &now->left_out);
	strv_copy(&plan.left_alone, &to->left_out);
	rc = undo_plan_make(&plan, now, to, err);
	if (rc == 0)
		rc = undo_run(&run, err);
	strv_copy(left_alone, &run.found);
	strv_finish(&run.found);
	git_lock_release(&m->git_lock);
	return rc;
}

void try_drop_left(struct try_main *m)
{
	bool left = true;

	while (left && m->log.n) {
		_checkpoint_ struct checkpoint last = {0};

		checkpoint_newest(&last, &m->log, m->w.git);
		left = last.kind && strcmp(last.kind, TRY_KIND) == 0;
		m->log.n -= left;
	}
}

int try_drop(struct try_main *m, struct err *err)
{
	if (undo_is_pending(&m->w)) {
		err_set(err, ERR_FAILED, "the change of %s is unfinished",
			m->w.path);
		return err_hint(err, "`afw try --end` finishes it");
	}
	tried_drop(m->w.git_dir);
	try_drop_left(m);
	scan_forget(&(struct scan){.w = &m->w});
	return checkpoint_log_write(&m->log, &m->w, err);
}

void try_add_modes(struct strv *list, const struct strv *more)
{
	mode_t mode;

	for (size_t i = 0; i < more->n; i++)
		if (!modes_find(list, modes_read(more->v[i], &mode)))
			strv_add(list, more->v[i]);
	strv_sort(list);
}
