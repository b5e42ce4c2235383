/*
 * remove.c - takes a worktree away, but never work.
 *
 * Where anything would be lost (loss.h) it goes to the trash, if the request
 * has the id to find it by; without one it is refused. Else the directory is
 * first renamed away (one step, also for whoever looks at its name), then
 * looked at once more, and only what is that directory by device and inode,
 * and has not changed since the look, is deleted. What git's files claim is
 * compared, never followed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/delete_tree.h"
#include "base/file.h"
#include "base/leaving.h"
#include "worktrees/branch.h"
#include "worktrees/loss.h"
#include "worktrees/making.h"
#include "worktrees/merged.h"
#include "worktrees/ref.h"
#include "worktrees/trash.h"
#include "worktrees/untouched.h"
#include "worktrees/worktree.h"

#define DIR_FLAGS      (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define DELETE_WAIT_MS 400
#define LOOK_MS	       30000

struct removal {
	struct repo_worktree w;
	struct repo repo;
	const char *branch, *id; /* borrowed from the request, or NULL */
	char *ref;
	git_oid tip; /* of the branch */
	bool has_tip;
	char away[LEAVING_SIZE]; /* the name after the rename, or "" */
	int held;		 /* the directory, until we end; or -1 */
	struct timespec since;	 /* it was looked at */
	bool changed;		 /* after that */
	struct strv warnings;
};

/* Where nobody has said that it is to be kept. */
static int refuse(const struct loss *l, const char *path, struct err *err)
{
	char *words = loss_words(l);

	if (l->in_progress) {
		err_set(err, ERR_FAILED, "%s is in the middle of a %s (%s)",
			path, l->in_progress, words);
		err_hint(err, "finish it or abort it there first");
	} else if (l->uncommitted || l->untracked) {
		err_set(err, ERR_FAILED,
			"%s has work that is not committed: %s", path, words);
		err_hint(err, "commit it, or `afw rm` keeps it in the trash");
	} else {
		err_set(err, ERR_FAILED, "%s has %s: it would be lost", path,
			words);
		err_hint(err, "make a branch of it: git branch <name> %.10s",
			 git_oid_tostr_s(&l->commit));
	}
	free(words);
	return -1;
}

static int check_locked(const struct removal *m, struct err *err)
{
	char *file = file_join(m->w.admin, "locked");
	int there = access(file, F_OK) == 0;

	free(file);
	if (!there)
		return 0;
	err_set(err, ERR_FAILED, "the worktree %s is locked", m->w.path);
	return err_hint(err,
			"somebody wants it kept; to allow it: git "
			"worktree unlock %s",
			m->w.path);
}

/* What nobody can tell is in it is kept, all of it. */
static int not_looked_at(const struct removal *m, bool late, int64_t ms,
			 char **save, struct err *err)
{
	if (late) {
		err_set(err, ERR_TIMEOUT,
			"git could not look at %s within %lld ms", m->w.path,
			(long long)ms);
		err_hint(err, "is there a FIFO where a file should be?");
	}
	if (!m->id)
		return -1;
	*save = late ? mem_strdup("what git could not look at")
		     : mem_printf("what git could not look at (%s)", err->what);
	err_clear(err);
	return 0;
}

/*
 * Whether there is something to save first, in words (to be freed): files
 * and commits that nothing else has, or what a run that died has moved to
 * the trash. Only where the request has "id"; not asked where it has
 * "trash": then all is saved.
 */
static int look(struct removal *m, const cJSON *req, struct output *out,
		char **save, struct err *err)
{
	int64_t ms = json_int(req, "look_timeout_ms", LOOK_MS);
	enum loss_depth depth = !m->id ? LOSS_SHOWN
				: json_bool(req, "keep_ignored", true)
				    ? LOSS_ALL
				    : LOSS_HIDDEN;
	bool merged = true, always;
	struct loss l;
	git_oid base;
	int r;

	*save = NULL;
	if (!m->w.admin_missing && check_locked(m, err) < 0)
		return -1;
	if (m->w.missing) {
		if (m->id && trash_holds(&m->w, m->id))
			*save = mem_strdup("what an earlier run has put there");
		return 0;
	}
	if (m->w.admin_missing) {
		err_set(err, ERR_FAILED,
			"git knows nothing of %s any more, so that nobody can "
			"tell what is in it",
			m->w.path);
		return err_hint(err, "look at it and delete it yourself");
	}
	if (json_bool(req, "trash", false))
		return 0;
	if (changes_base(req, &base, err) < 0)
		return -1;
	r = loss_read_within(&l, &m->w, &base, m->has_tip ? &m->tip : NULL,
			     depth, ms, out, err);
	if (r != 0)
		return output_go_on(out, err) < 0
			   ? -1
			   : not_looked_at(m, r > 0, ms, save, err);
	if (loss_any(&l) && !m->id)
		return refuse(&l, m->w.path, err);
	always = strcmp(json_str_or(req, "delete_branch", ""), "always") == 0;
	if (loss_any(&l))
		*save = loss_words(&l);
	else if (m->id && m->has_tip && always &&
		 merged_into_any(m->repo.main, &m->tip, m->ref, &merged, err) <
		     0)
		return -1;
	else if (!merged)
		*save = mem_printf("the commits of %s", m->branch);
	return 0;
}

/* Renames the directory away, and back if it was not the one, or is not any
 * more what was looked at: somebody has saved a file. */
static int take_away(struct removal *m, struct err *err)
{
	struct stat st;

	leaving_name(m->away);
	m->held = leaving_hold(m->w.parent, m->w.base);
	if (renameat(m->w.parent, m->w.base, m->w.parent, m->away) < 0) {
		m->away[0] = '\0';
		return err_errno(err, "rename %s away", m->w.path);
	}
	if (fstatat(m->w.parent, m->away, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISDIR(st.st_mode) && st.st_dev == m->w.dev &&
	    st.st_ino == m->w.ino) {
		if (untouched_since(openat(m->w.parent, m->away, DIR_FLAGS),
				    &m->since, true))
			return 0;
		m->changed = true;
	}
	renameat2(m->w.parent, m->away, m->w.parent, m->w.base,
		  RENAME_NOREPLACE);
	m->away[0] = '\0';
	if (m->changed)
		return err_set(err, ERR_CONFLICT,
			       "%s has changed while it was looked at",
			       m->w.path);
	return err_set(err, ERR_FAILED,
		       "%s was replaced by something else just now", m->w.path);
}

static int remove_entry(struct removal *m, struct err *err)
{
	int r =
	    making_remove_entry(m->w.admins, repo_basename(m->w.admin), err);

	if (r < 0 && m->away[0] &&
	    renameat(m->w.parent, m->away, m->w.parent, m->w.base) == 0)
		m->away[0] = '\0';
	return r;
}

/* git, too, takes the directory of its entries away with the last one. */
static void drop_empty(const struct removal *m)
{
	char *dir = file_join(m->w.git_dir, "worktrees");

	rmdir(dir);
	rmdir(m->w.parent_path);
	free(dir);
}

/* Deletes what this run and (after a crash) runs before it renamed away. */
static int sweep(const struct removal *m)
{
	int fd = openat(m->w.parent, ".",
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	struct err err;
	int r = 0;

	while (dir && (e = readdir(dir)))
		if (strcmp(e->d_name, m->away) == 0)
			r = delete_tree(m->w.parent, m->away, &err);
		else if (leaving_is(e->d_name))
			leaving_delete(m->w.parent, e->d_name, &err);
	if (dir)
		closedir(dir);
	if (m->w.admins >= 0)
		making_sweep(m->w.admins, true);
	drop_empty(m);
	return r;
}

/*
 * In a process of its own, which is waited for a little: 50,000 files take
 * a second, and the worktree is gone already. True: it still works.
 */
static bool delete_files(struct removal *m)
{
	int64_t end = clock_mono_ms() + DELETE_WAIT_MS;
	int status = 0, null;
	pid_t pid = fork(), done = 0;

	if (pid == 0) {
		setsid();
		null = open("/dev/null", O_RDWR);
		for (int i = 0; i < 3 && null >= 0; i++)
			dup2(null, i);
		_exit(sweep(m) < 0);
	}
	if (pid < 0)
		status = sweep(m) < 0 ? 1 : 0;
	while (pid > 0 && (done = waitpid(pid, &status, WNOHANG)) == 0 &&
	       clock_mono_ms() < end)
		poll(NULL, 0, 1);
	if (pid > 0 && done == 0)
		return true;
	if (status != 0)
		strv_addf(&m->warnings, "%s/%s could not be deleted whole",
			  m->w.parent_path, m->away);
	return false;
}

static int run(struct removal *m, const cJSON *req, cJSON *answer,
	       struct err *err)
{
	const char *when = json_str_or(req, "delete_branch", "merged");
	char *kept = NULL;
	bool deleted = false, deleting = false;
	struct err sub;

	/* Nothing is in the trash: what only this branch has by now, another
	 * being gone since we looked, or the worktree before that, stays. */
	if (m->id && strcmp(when, "always") == 0)
		when = "merged";
	if (!m->w.missing && take_away(m, err) < 0)
		return -1;
	if (!m->w.admin_missing && remove_entry(m, err) < 0)
		return -1;
	/* From here on the worktree is gone: the rest can only be told. */
	if (m->branch && m->has_tip &&
	    branch_delete(m->repo.main, m->branch, &m->tip, when, &deleted,
			  &kept, &sub) < 0) {
		strv_add(&m->warnings, sub.what);
		kept =
		    mem_printf("the branch %s could not be deleted", m->branch);
	}
	/* Gone already: perhaps a run that died has renamed it away. */
	if (m->w.parent >= 0)
		deleting = delete_files(m);
	else
		drop_empty(m);
	if (m->w.missing)
		strv_addf(&m->warnings, "the directory %s was gone already; %s",
			  m->w.path,
			  m->w.admin_missing ? "git had no entry for it"
					     : "git's entry for it is removed");
	json_set_bool(answer, "branch_deleted", deleted);
	if (kept)
		json_set_str(answer, "kept", kept);
	else
		cJSON_AddNullToObject(answer, "kept");
	json_set_bool(answer, "missing", m->w.missing);
	json_set_bool(answer, "deleting", deleting);
	json_set_strv(answer, "warnings", &m->warnings);
	free(kept);
	return 0;
}

/* One that was never finished is taken back, then there is none. */
static void undo_unfinished(const struct removal *m, const cJSON *req)
{
	const char *path = json_str(req, "worktree");
	const char *id = json_str(req, "worktree_id");
	char *admins = file_join(m->repo.git_dir, "worktrees");
	char *place = path && path[0] == '/' ? repo_dirname(path) : NULL;
	int fd = open(admins, DIR_FLAGS);
	int dir = place ? open(place, DIR_FLAGS) : -1;

	if (fd >= 0 && place && repo_id_valid(id) &&
	    repo_basename(path)[0] != '.')
		making_undo_stale(m->repo.main, fd, id, dir,
				  repo_basename(path));
	if (fd >= 0)
		close(fd);
	if (dir >= 0)
		close(dir);
	free(admins);
	free(place);
}

int worktree_remove(struct output *out, const cJSON *req, cJSON *answer,
		    struct err *err)
{
	struct removal m = {.w = {.parent = -1, .admins = -1}, .held = -1};
	char *save = NULL;
	bool trash;
	int r = -1;

	m.branch = json_str(req, "branch");
	m.id = json_str(req, "id");
	if (repo_open(&m.repo, json_str(req, "repository"), err) < 0)
		goto out;
	ref_recover(m.repo.main);
	undo_unfinished(&m, req);
	if (repo_worktree_open(&m.w, req, true, err) < 0)
		goto out;
	if (m.branch) {
		m.ref = mem_printf("refs/heads/%s", m.branch);
		m.has_tip =
		    git_reference_name_to_id(&m.tip, m.repo.main, m.ref) == 0;
	}
	if (m.w.parent >= 0)
		untouched_now(m.w.parent, &m.since);
	if (look(&m, req, out, &save, err) < 0 || output_go_on(out, err) < 0)
		goto out;
	trash = save || (!m.w.missing && json_bool(req, "trash", false));
	if (!trash) {
		r = run(&m, req, answer, err);
		trash = r < 0 && m.changed && m.id;
		if (trash)
			save = mem_strdup("what changed just now");
		/* What a run has saved that died before it moved. */
		if (r == 0 && trash_id_valid(m.id))
			trash_delete_refs(m.repo.main, m.id);
	}
	if (trash) {
		r = worktree_trash(out, req, answer, err);
		json_set_str(answer, "saved", save);
	}
out:
	if (m.held >= 0)
		close(m.held);
	free(save);
	repo_finish(&m.repo);
	repo_worktree_finish(&m.w);
	strv_finish(&m.warnings);
	free(m.ref);
	return r;
}
