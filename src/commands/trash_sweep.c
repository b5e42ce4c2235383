/*
 * trash_sweep.c - deletes entries of the trash that need not be kept.
 *
 * It holds the lock in the session's directory there, as restore does, so that
 * only one of them has the entry. A sweep that is killed has deleted only what
 * it should; the rest is deleted after trash_keep.
 */
#include "commands/trash_sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/spawn.h"
#include "session/disk/lock.h"
#include "wire/worktree_client.h"

static bool has_repository(const struct spec *s)
{
	const char *repository = s->repository;
	char *path = repository ? realpath(repository, NULL) : NULL;
	char *found = path ? session_repository_of(path) : NULL;
	bool has = found && strcmp(found, path) == 0;

	free(found);
	free(path);
	return has;
}

bool trash_sweep_has_repository(const struct trashed *t)
{
	for (size_t i = 0; i < spec_count(&t->spec); i++) {
		struct spec one = spec_of(&t->spec, i);

		if (!has_repository(&one))
			return false;
	}
	return true;
}

int64_t trash_sweep_due(const struct trashed *t, int64_t keep_ms)
{
	bool stays = t->worktree && json_str(t->worktree, "submodule");

	return keep_ms > 0 && !stays ? t->removed_at + keep_ms : 0;
}

/* Its place, without the inode: another worktree may have taken that place; it
 * is not touched. */
static struct repo_place trash_place(const struct spec *s)
{
	struct repo_place place = spec_place(s);

	place.ino = 0;
	return place;
}

static int purge_worktree(const struct spec *s, struct err *err)
{
	struct purge_request rq = {
	    .place = trash_place(s), .id = s->id, .was_ino = s->worktree_ino};
	_json_ cJSON *answer =
	    worktree_client_run(purge_request(&rq), NULL, NULL, 0, err);

	return answer ? 0 : -1;
}

static int purge_worktrees(const struct trashed *t, struct err *err)
{
	for (size_t i = 0; i < spec_count(&t->spec); i++) {
		struct spec one = spec_of(&t->spec, i);

		if (spec_has_worktree(&one) && has_repository(&one) &&
		    purge_worktree(&one, err) < 0)
			return -1;
	}
	return 0;
}

/* Sets *why, which the caller frees, to the first unsaved work; NULL: none. */
static int sweep_worktree(const struct spec *s, bool delete_ignored,
			  bool only_look, char **why, struct err *err)
{
	struct sweep_request rq = {.place = trash_place(s),
				   .id = s->id,
				   .was_ino = s->worktree_ino,
				   .delete_ignored = delete_ignored,
				   .only_look = only_look};
	_json_ cJSON *answer =
	    worktree_client_run(sweep_request(&rq), NULL, NULL, 0, err);

	*why = mem_strdup(json_str(answer, "why"));
	return answer ? 0 : -1;
}

static void name_repository(const struct spec *s, char **why)
{
	char *named = mem_printf("%s: %s", s->repository_name, *why);

	free(*why);
	*why = named;
}

static int sweep_worktrees(const struct trashed *t, bool delete_ignored,
			   bool only_look, char **why, struct err *err)
{
	int rc = 0;

	*why = NULL;
	for (size_t i = 0; rc == 0 && !*why && i < spec_count(&t->spec); i++) {
		struct spec one = spec_of(&t->spec, i);

		if (spec_has_worktree(&one))
			rc = sweep_worktree(&one, delete_ignored, only_look,
					    why, err);
		if (*why && t->spec.with)
			name_repository(&one, why);
	}
	return rc;
}

int trash_sweep_purge(const struct trashed *t, struct err *err)
{
	int lock = lock_acquire_soon(t->dir, err), rc = 0;

	if (lock < 0)
		return -1;
	if (t->worktree)
		rc = purge_worktrees(t, err);
	if (rc == 0)
		rc = trash_delete(t, err);
	close(lock);
	return rc;
}

int trash_sweep_check(const struct trashed *t, bool delete_ignored, char **why,
		      struct err *err)
{
	*why = NULL;
	if (!t->worktree && spec_has_worktree(&t->spec) && t->spec.private_git)
		*why = mem_strdup("its repository was not there, and it may "
				  "have commits of its own");
	if (spec_has_scratch_files(&t->spec, t->dir))
		*why = mem_strdup("its directory has files");
	if (!t->worktree)
		return 0;
	if (!trash_sweep_has_repository(t))
		return err_set(err, ERR_FAILED, "its repository is not at %s",
			       t->spec.repository);
	return sweep_worktrees(t, delete_ignored, true, why, err);
}

/* rm has checked already; checks again for what has changed since. */
static void sweep_clean(const struct trashed *t, bool delete_ignored)
{
	struct err err;
	char *why = NULL;
	int lock = lock_acquire_soon(t->dir, &err);

	if (lock < 0)
		return;
	if (trash_sweep_has_repository(t) &&
	    (!t->spec.with ||
	     (sweep_worktrees(t, delete_ignored, true, &why, &err) == 0 &&
	      !why)) &&
	    sweep_worktrees(t, delete_ignored, false, &why, &err) == 0 && !why)
		trash_delete(t, &err);
	else
		trash_set_deleting(t, false);
	free(why);
	close(lock);
}

static void sweep(const struct strv *ids, bool delete_ignored, int64_t keep_ms)
{
	struct trashed_list l;

	trash_list(&l, NULL);
	for (size_t i = 0; i < l.n; i++) {
		const struct trashed *t = &l.v[i];
		int64_t due = trash_sweep_due(t, keep_ms);
		bool over = due && clock_wall_ms() >= due &&
			    (t->spec.place || trash_sweep_has_repository(t));
		struct err err;

		if (over)
			trash_sweep_purge(t, &err);
		else if (strv_has(ids, t->spec.id))
			sweep_clean(t, delete_ignored);
	}
	trash_list_finish(&l);
}

void trash_sweep(const struct strv *ids, bool delete_ignored, int64_t keep_ms)
{
	if ((ids->n == 0 && keep_ms == 0) || !spawn_background())
		return;
	sweep(ids, delete_ignored, keep_ms);
	_exit(0);
}
