/*
 * undo_run.c - carries out an undo: the files, then the index and the branch.
 *
 * Before the first change, JOURNAL names the checkpoint of the present state
 * and the restored one. The journal is removed at the end. If it is there when
 * another run begins, and the list does not say that all was done, that run
 * puts everything back: each file that is absent or as in the target, then the
 * index and the branch. All of it is in the checkpoint. A file that another
 * program has changed since is kept.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worktrees/checkpoint/modes.h"
#include "worktrees/checkpoint/undo.h"
#include "worktrees/checkpoint/undo_recover.h"
#include "worktrees/git/cleanup.h"

#define JOURNAL	    "afw-undo"
#define NEW_JOURNAL "afw-undo.new"
#define JOURNAL_MAX ((size_t)1024 * 1024)

/* -- the files -------------------------------------------------------------
 */

/* Gives each file the permissions that it had. If those were the usual ones,
 * only the executable bits change here, so that what is private stays so until
 * it is in place. */
static int set_modes(const struct swap *s, const struct strv *modes,
		     struct err *err)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct swap_file *f = &s->v[i];
		_close_ int dir = -1;
		const char *name;
		mode_t mode = f->seen.st_mode & 0666;
		mode_t had = modes_find(modes, f->path);

		if (f->skip || !f->mode || f->mode == GIT_FILEMODE_LINK ||
		    (!S_ISREG(f->seen.st_mode) && !had))
			continue;
		if (f->mode == GIT_FILEMODE_BLOB_EXECUTABLE)
			mode |= 0100 | (mode & 0444) >> 2;
		if (had)
			mode = had;
		dir = file_open_parent(s->dir, "new", f->path, 0, &name);
		if (dir < 0 || fchmodat(dir, name, mode, 0) < 0)
			return err_errno(err, "write %s", f->path);
	}
	return 0;
}

static int make_dir(const struct swap *s, const char *path, struct err *err)
{
	const char *last;
	_close_ int dir = file_open_parent(s->worktree, ".", path, 0777, &last);

	if (dir < 0 || (mkdirat(dir, last, 0777) < 0 && errno != EEXIST))
		return err_errno(err, "make directory %s", path);
	return 0;
}

/* Removes the directories that are empty now, and makes those that were. */
static int set_dirs(const struct undo_plan *p, const struct strv *had,
		    const struct strv *want, struct err *err)
{
	int rc = 0;

	swap_prune(&p->swap);
	for (size_t i = 0; i < had->n; i++)
		if (undo_plan_has(p, had->v[i]) && !strv_has(want, had->v[i]))
			swap_remove_dirs(&p->swap, had->v[i], 0);
	for (size_t i = 0; rc == 0 && i < want->n; i++)
		if (undo_plan_has(p, want->v[i]))
			rc = make_dir(&p->swap, want->v[i], err);
	return rc;
}

static void put_back(struct undo_plan *p, struct err *err)
{
	mode_t shared = umask(p->umask);

	swap_undo(&p->swap, err);
	umask(shared);
}

static int change_files(struct undo_plan *p, const struct checkpoint *had,
			const struct checkpoint *want, struct output *out,
			struct err *err)
{
	mode_t shared = umask(want->umask);
	int rc = 0;

	if (swap_open(&p->swap, p->w->git, p->w->path, err) < 0 ||
	    swap_make(&p->swap, p->w->git, NULL, true, out, err) < 0 ||
	    set_modes(&p->swap, &want->modes, err) < 0 ||
	    swap_run(&p->swap, err) < 0) {
		rc = -1;
	} else if (set_dirs(p, &had->empty, &want->empty, err) < 0) {
		put_back(p, err);
		rc = -1;
	}
	if (rc == 0)
		undo_plan_modes(p, had, want, NULL);
	umask(shared);
	return rc;
}

/* -- all -------------------------------------------------------------------
 */

static int write_journal(const struct undo_run *r, struct err *err)
{
	_free_ char *file = file_join(r->w->admin, JOURNAL),
		    *new = file_join(r->w->admin, NEW_JOURNAL);
	_json_ cJSON *o = cJSON_CreateObject();
	_buf_ struct buf text = {0};

	json_set_str(o, "now", git_oid_tostr_s(&r->now_id));
	json_set_str(o, "to", git_oid_tostr_s(&r->to_id));
	json_set_bool(o, "moves", r->moves);
	json_set_strv(o, "only", &r->plan->only);
	json_print(o, &text);
	if (file_write(new, text.data, text.len, err) < 0)
		return -1;
	return rename(new, file) < 0 ? err_errno(err, "write %s", file) : 0;
}

static void remove_journal(const struct repo_worktree *w)
{
	_free_ char *file = file_join(w->admin, JOURNAL);

	unlink(file);
}

/* Writes into the checkpoint of the state before what was undone. Its commit is
 * another one then, which is how undo_recover() knows that all was done. */
static int mark_done(struct undo_run *r, struct err *err)
{
	r->now->undone_to = r->to->number;
	r->now->redo_of = r->redo ? r->to->number : 0;
	return checkpoint_store(r->now, r->w->git, &r->log->v[r->log->n - 1],
				err) < 0
		   ? -1
		   : checkpoint_log_write(r->log, r->w, err);
}

static int run(struct undo_run *r, struct err *err)
{
	if (change_files(r->plan, r->now, r->to, r->out, err) < 0)
		return -1;
	if (undo_verify(r, err) == 0 &&
	    (!r->moves || undo_set_git(r->lock, r->w, r->place, r->now, r->to,
				       r->answer, err) == 0) &&
	    mark_done(r, err) == 0) {
		undo_plan_modes(r->plan, r->now, r->to, &r->found);
		return 0;
	}
	put_back(r->plan, err);
	return -1;
}

static void add_hint(struct err *err, const char *text)
{
	if (err->hint[0])
		err_hint_line(err, "%s", text);
	else
		err_hint(err, "%s", text);
}

/* Writes the store to the disk: after the undo, the old contents exist only
 * there. One syncfs() costs less than two fsync() for each object. */
static int sync_store(const struct repo_worktree *w, struct err *err)
{
	const char *path = git_repository_commondir(w->git);
	_close_ int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0 || syncfs(dir) < 0)
		return err_errno(err, "write %s to the disk", path);
	/* From here on libgit2 does so with what it writes. */
	if (git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1) < 0)
		return repo_err(err, ERR_FAILED, "sync the object store");
	return 0;
}

int undo_run(struct undo_run *r, struct err *err)
{
	struct err sub;

	if (sync_store(r->w, err) < 0 || write_journal(r, err) < 0)
		return -1;
	if (run(r, err) == 0) {
		remove_journal(r->w);
		return 0;
	}
	/* The files are back, unless that failed, too; now the rest. */
	git_lock_release(r->lock);
	if (undo_recover(r->w, r->plan->umask, r->place, r->out, &sub) < 0)
		add_hint(err, "not all of it could be put back: the next afw "
			      "tries it again");
	return -1;
}

/* -- after a killed run ----------------------------------------------------
 */

struct journal {
	struct checkpoint now, to;
};

static void journal_finish(struct journal *j)
{
	checkpoint_finish(&j->now);
	checkpoint_finish(&j->to);
}

static int load_commit(struct checkpoint *c, git_repository *git,
		       const cJSON *o, const char *key, struct err *err)
{
	struct checkpoint_entry e = {0};

	return git_oid_fromstr(&e.id, json_str_or(o, key, "")) < 0
		   ? err_set(err, ERR_FAILED, "read " JOURNAL ": no commit")
		   : checkpoint_load(c, git, &e, err);
}

static int recover_files(const struct repo_worktree *w, mode_t umask,
			 const struct journal *j, const cJSON *o, git_odb *odb,
			 struct output *out, struct err *err)
{
	CLEANUP(undo_plan_finish)
	struct undo_plan plan = {.w = w,
				 .odb = odb,
				 .repairs = true,
				 .umask = umask,
				 .swap = {.dir = -1, .worktree = -1}};

	json_strv(o, "only", &plan.only);
	strv_copy(&plan.left_alone, &j->now.left_out);
	for (size_t i = 0; i < j->to.left_out.n; i++)
		strv_add(&plan.left_alone, j->to.left_out.v[i]);
	return undo_plan_make(&plan, &j->to, &j->now, err) < 0
		   ? -1
		   : change_files(&plan, &j->to, &j->now, out, err);
}

/* Only if the index is the target's: then git was not used there since. */
static int recover_git(const struct repo_worktree *w, const struct journal *j,
		       const struct repo_place *place, git_odb *odb,
		       struct err *err)
{
	_git_lock_ struct git_lock lock = GIT_LOCK_NONE;
	_checkpoint_ struct checkpoint is = {0};
	_scan_ struct scan s = {
	    .w = w, .odb = odb, .file_max = CHECKPOINT_FILE_MAX};
	_json_ cJSON *answer = cJSON_CreateObject();

	if (git_lock_take(&lock, w, place, NULL, err) < 0 ||
	    checkpoint_take(&is, &s, place->private, NULL, err) < 0)
		return -1;
	if (strcmp(is.index_is, j->to.index_is) != 0 ||
	    (!git_oid_equal(&is.commit, &j->to.commit) &&
	     !git_oid_equal(&is.commit, &j->now.commit)))
		return 0;
	return undo_set_git(&lock, w, place, &is, &j->now, answer, err);
}

/* True if that undo was done: see mark_done(). */
static bool was_done(const struct repo_worktree *w, const cJSON *o)
{
	_checkpoint_log_ struct checkpoint_log log = {0};
	git_oid now;
	struct err err;

	if (git_oid_fromstr(&now, json_str_or(o, "now", "")) < 0 ||
	    checkpoint_log_read(&log, w, &err) < 0)
		return false;
	for (size_t i = 0; i < log.n; i++)
		if (git_oid_equal(&log.v[i].id, &now))
			return false;
	return log.n > 0;
}

static int recover(const struct repo_worktree *w, mode_t umask, const cJSON *o,
		   const struct repo_place *place, struct output *out,
		   struct err *err)
{
	CLEANUP(journal_finish) struct journal j = {0};
	_git_odb_ git_odb *odb = NULL;

	if (git_repository_odb(&odb, w->git) < 0)
		return repo_err(err, ERR_FAILED, "open the object store");
	if (load_commit(&j.now, w->git, o, "now", err) < 0 ||
	    load_commit(&j.to, w->git, o, "to", err) < 0)
		return -1;
	if (recover_files(w, umask, &j, o, odb, out, err) < 0 ||
	    (json_bool(o, "moves", false) &&
	     recover_git(w, &j, place, odb, err) < 0))
		return -1;
	remove_journal(w);
	return 0;
}

bool undo_is_pending(const struct repo_worktree *w)
{
	_free_ char *file = file_join(w->admin, JOURNAL);

	return access(file, F_OK) == 0;
}

int undo_recover(const struct repo_worktree *w, mode_t umask,
		 const struct repo_place *place, struct output *out,
		 struct err *err)
{
	_close_ int admin = open(w->admin, FILE_DIR_FLAGS);
	_json_ cJSON *o = json_load(admin, JOURNAL, JOURNAL_MAX, err);
	int no_journal = errno;

	git_lock_clear(w, admin, place);
	undo_clear_index(admin);
	unlinkat(admin, NEW_JOURNAL, 0);
	if (o && was_done(w, o)) {
		remove_journal(w);
	} else if (o && recover(w, umask, o, place, out, err) < 0) {
		add_hint(err, "the next afw tries it again");
		return err_prefix(err, "reverse an unfinished undo");
	}
	if (o)
		return 0;
	if (no_journal != ENOENT)
		return -1;
	err_clear(err);
	return 0;
}
