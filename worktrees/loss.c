/*
 * loss.c - what would be lost with a worktree.
 *
 * `git status` is not enough: what is ignored may be somebody's notes, a
 * repository may have commits and no files (hidden.c), a submodule keeps its
 * commits in git's entry of this worktree, and files marked "assume
 * unchanged" or "skip worktree" are not looked at at all.
 *
 * libgit2 reads what the harness has written, without a deadline of its own.
 */
#include "worktrees/loss.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "worktrees/hidden.h"
#include "worktrees/merged.h"

#define TICK_MS 100

static bool has_files(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	bool has = false;

	while (d && !has && (e = readdir(d)))
		has =
		    strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	if (d)
		closedir(d);
	return has;
}

static void look_at_entries(struct loss *l, const struct repo_worktree *w,
			    git_index *index)
{
	for (size_t i = 0; i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);
		bool module = e->mode == GIT_FILEMODE_COMMIT;
		struct stat st;
		char *path;

		if (!module && !(e->flags & GIT_INDEX_ENTRY_VALID) &&
		    !(e->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE))
			continue;
		path = file_join(w->path, e->path);
		if (module)
			l->submodule = l->submodule || has_files(path);
		else
			l->marked = l->marked || lstat(path, &st) == 0;
		free(path);
	}
}

static int read_hidden(struct loss *l, const struct repo_worktree *w,
		       bool ignored, struct output *out, struct err *err)
{
	git_index *index = NULL;
	struct hidden h = {0};
	int r = -1;

	if (git_repository_index(&index, w->git) < 0) {
		repo_err(err, ERR_FAILED, "read the index of %s", w->path);
	} else {
		look_at_entries(l, w, index);
		r = hidden_find(&h, w, index, ignored, out, err);
	}
	l->ignored = h.ignored;
	l->nested = h.nested;
	/* Else git and we are not of one mind; then it is not looked at. */
	l->marked = l->marked || (ignored && h.other && !l->untracked);
	git_index_free(index);
	return r;
}

/* HEAD's commits must be kept by some branch. */
static int read_head(struct loss *l, const struct repo_worktree *w,
		     const struct changes *ch, const git_oid *tip,
		     struct err *err)
{
	bool kept = true;

	if (ch->head_known && !(tip && git_oid_equal(tip, &ch->head)) &&
	    merged_into_any(w->git, &ch->head, NULL, &kept, err) < 0)
		return -1;
	l->head = !kept;
	l->commit = ch->head;
	return 0;
}

int loss_read(struct loss *l, const struct repo_worktree *w,
	      const git_oid *base, const git_oid *tip, enum loss_depth depth,
	      struct output *out, struct err *err)
{
	struct changes ch;

	*l = (struct loss){0};
	if (changes_read(&ch, w, base, false, out, err) < 0)
		return -1;
	l->uncommitted = ch.uncommitted;
	l->untracked = ch.untracked;
	l->in_progress = ch.in_progress;
	if (read_head(l, w, &ch, tip, err) < 0)
		return -1;
	return depth == LOSS_SHOWN
		   ? 0
		   : read_hidden(l, w, depth == LOSS_ALL, out, err);
}

/* What the look has to say; its pointers are to what is static, and the same
 * in both processes. */
struct verdict {
	struct loss loss;
	struct err err;
	int r;
};

/* 0: it is there; 1: the time is over, or there is none; -1: stopped. */
static int wait_for(int fd, struct verdict *v, int64_t ms, struct output *out,
		    struct err *err)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int64_t end = clock_mono_ms() + ms;

	for (;;) {
		int64_t left = end - clock_mono_ms();

		if (output_go_on(out, err) < 0)
			return -1;
		if (left <= 0)
			return 1;
		if (poll(&p, 1, left < TICK_MS ? (int)left : TICK_MS) > 0)
			return read(fd, v, sizeof *v) == sizeof *v ? 0 : 1;
	}
}

int loss_read_within(struct loss *l, const struct repo_worktree *w,
		     const git_oid *base, const git_oid *tip,
		     enum loss_depth depth, int64_t ms, struct output *out,
		     struct err *err)
{
	struct verdict v = {.r = -1};
	int fds[2], r;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return err_errno(err, "look at %s", w->path);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		v.r = loss_read(&v.loss, w, base, tip, depth, out, &v.err);
		_exit(write(fds[1], &v, sizeof v) < 0);
	}
	close(fds[1]);
	r = pid < 0 ? err_errno(err, "look at %s", w->path)
		    : wait_for(fds[0], &v, ms, out, err);
	close(fds[0]);
	if (pid > 0) {
		kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (r != 0)
		return r;
	*l = v.loss;
	if (v.r < 0)
		*err = v.err;
	return v.r;
}

bool loss_any(const struct loss *l)
{
	return l->uncommitted || l->untracked || l->in_progress || l->head ||
	       l->ignored || l->nested || l->submodule || l->marked;
}

static void add(struct buf *b, const char *text)
{
	buf_addf(b, "%s%s", b->len ? ", " : "", text);
}

char *loss_words(const struct loss *l)
{
	struct buf b = {0};

	if (l->in_progress)
		buf_addf(&b, "a %s half done", l->in_progress);
	if (l->uncommitted)
		buf_addf(&b, "%s%lld file%s changed", b.len ? ", " : "",
			 (long long)l->uncommitted,
			 l->uncommitted == 1 ? "" : "s");
	if (l->untracked)
		buf_addf(&b, "%s%lld untracked", b.len ? ", " : "",
			 (long long)l->untracked);
	if (l->ignored)
		add(&b, "ignored files");
	if (l->nested)
		add(&b, "a nested repository");
	if (l->submodule)
		add(&b, "a submodule");
	if (l->marked)
		add(&b, "files that git does not look at");
	if (l->head)
		buf_addf(&b, "%scommit %.10s, which no branch has",
			 b.len ? ", " : "", git_oid_tostr_s(&l->commit));
	if (!b.len)
		buf_adds(&b, "nothing");
	return b.data;
}
