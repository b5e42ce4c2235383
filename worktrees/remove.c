/*
 * remove.c - takes a worktree away, but never work.
 *
 * Refused while anything would be lost: changed or untracked files, an
 * operation half done, commits that HEAD has and no branch keeps. Ignored
 * files do not count: they are build products. The directory is first
 * renamed away (one step, also for whoever looks at its name), then looked
 * at once more, and only what is that directory by device and inode is
 * deleted. What git's files claim is compared, never followed.
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
#include "base/random.h"
#include "worktrees/branch.h"
#include "worktrees/changes.h"
#include "worktrees/merged.h"
#include "worktrees/worktree.h"

#define AWAY	       ".removed-"
#define AWAY_HEX       16
#define DELETE_WAIT_MS 400

struct removal {
	struct repo_worktree w;
	struct repo repo;
	const char *branch; /* borrowed from the request; may be NULL */
	char *ref;
	git_oid tip; /* of the branch */
	bool has_tip;
	char away[40]; /* the directory's name after the rename, or "" */
	struct strv warnings;
};

static const char *plural(int64_t n)
{
	return n == 1 ? "" : "s";
}

static int check_files(const struct changes *ch, const char *path,
		       struct err *err)
{
	if (ch->in_progress) {
		err_set(err, ERR_FAILED,
			"%s is in the middle of a %s (%lld file%s changed, "
			"%lld untracked)",
			path, ch->in_progress, (long long)ch->uncommitted,
			plural(ch->uncommitted), (long long)ch->untracked);
		return err_hint(err, "finish it or abort it there first");
	}
	if (ch->uncommitted == 0 && ch->untracked == 0)
		return 0;
	err_set(err, ERR_FAILED,
		"%s has work that is not committed: %lld file%s changed, "
		"%lld untracked",
		path, (long long)ch->uncommitted, plural(ch->uncommitted),
		(long long)ch->untracked);
	return err_hint(err,
			"commit it, or keep it in the trash (afw rm --trash), "
			"or throw it away there: git -C %s stash -u",
			path);
}

/*
 * HEAD's commits must be kept by some branch. The session's own branch
 * counts, unless it is to be deleted whatever happens.
 */
static int check_head(struct removal *m, const struct changes *ch,
		      struct err *err)
{
	bool kept;

	if (!ch->head_known ||
	    (m->has_tip && git_oid_equal(&m->tip, &ch->head)))
		return 0;
	if (merged_into_any(m->w.git, &ch->head, NULL, &kept, err) < 0)
		return -1;
	if (kept)
		return 0;
	err_set(err, ERR_FAILED,
		"%s is on commit %.10s, which no branch has: it would be lost",
		m->w.path, git_oid_tostr_s(&ch->head));
	return err_hint(err, "make a branch of it: git branch <name> %.10s",
			git_oid_tostr_s(&ch->head));
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

static int check(struct removal *m, const cJSON *req, struct output *out,
		 struct err *err)
{
	struct changes ch;
	git_oid base;

	if (!m->w.admin_missing && check_locked(m, err) < 0)
		return -1;
	if (m->w.missing)
		return 0;
	if (m->w.admin_missing) {
		err_set(err, ERR_FAILED,
			"git knows nothing of %s any more, so that nobody can "
			"tell what is in it",
			m->w.path);
		return err_hint(err, "look at it and delete it yourself");
	}
	if (changes_base(req, &base, err) < 0 ||
	    changes_read(&ch, &m->w, NULL, false, out, err) < 0 ||
	    check_files(&ch, m->w.path, err) < 0)
		return -1;
	return check_head(m, &ch, err);
}

/* Renames the directory away, and back if it was not the one. */
static int take_away(struct removal *m, struct err *err)
{
	struct stat st;
	char hex[AWAY_HEX + 1];

	random_hex(hex, AWAY_HEX);
	snprintf(m->away, sizeof m->away, AWAY "%s", hex);
	if (renameat(m->w.parent, m->w.base, m->w.parent, m->away) < 0) {
		m->away[0] = '\0';
		return err_errno(err, "rename %s away", m->w.path);
	}
	if (fstatat(m->w.parent, m->away, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISDIR(st.st_mode) && st.st_dev == m->w.dev &&
	    st.st_ino == m->w.ino)
		return 0;
	renameat(m->w.parent, m->away, m->w.parent, m->w.base);
	m->away[0] = '\0';
	return err_set(err, ERR_FAILED,
		       "%s was replaced by something else just now", m->w.path);
}

static int remove_entry(struct removal *m, struct err *err)
{
	int r = delete_tree(m->w.admins, repo_basename(m->w.admin), err);

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

/*
 * Deletes what this run and (after a crash) runs before it renamed away. Two
 * at once in one directory do no harm.
 */
static int sweep(const struct removal *m)
{
	int fd = openat(m->w.parent, ".",
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	struct err err;
	int r = 0;

	while (dir && (e = readdir(dir)))
		if (strncmp(e->d_name, AWAY, strlen(AWAY)) == 0 &&
		    strlen(e->d_name) == strlen(AWAY) + AWAY_HEX &&
		    delete_tree(m->w.parent, e->d_name, &err) < 0 &&
		    strcmp(e->d_name, m->away) == 0)
			r = -1;
	if (dir)
		closedir(dir);
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

static int run(struct removal *m, struct output *out, const cJSON *req,
	       cJSON *answer, struct err *err)
{
	const char *when = json_str_or(req, "delete_branch", "merged");
	char *kept = NULL;
	bool deleted = false, deleting = false;
	struct err sub;

	if (check(m, req, out, err) < 0 || output_go_on(out, err) < 0)
		return -1;
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
	if (m->away[0])
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

int worktree_remove(struct output *out, const cJSON *req, cJSON *answer,
		    struct err *err)
{
	struct removal m = {0};
	int r = -1;

	m.branch = json_str(req, "branch");
	if (repo_worktree_open(&m.w, req, true, err) < 0 ||
	    repo_open(&m.repo, json_str(req, "repository"), err) < 0)
		goto out;
	if (m.branch) {
		m.ref = mem_printf("refs/heads/%s", m.branch);
		m.has_tip =
		    git_reference_name_to_id(&m.tip, m.repo.main, m.ref) == 0;
	}
	r = run(&m, out, req, answer, err);
out:
	repo_finish(&m.repo);
	repo_worktree_finish(&m.w);
	strv_finish(&m.warnings);
	free(m.ref);
	return r;
}
