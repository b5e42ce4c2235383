/*
 * hidden.c - what lies in a worktree and `git status` says nothing of.
 *
 * By a walk of our own over all names: what is not in the index is either
 * untracked, which git tells of, or hidden. git tells nothing of a repository
 * whose files are all gone or ignored, though its commits are nowhere else,
 * nor of ignored files in a directory that has nothing else.
 */
#include "worktrees/hidden.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "worktrees/brought.h"

#define DEPTH_MAX 200
#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

struct search {
	struct hidden *h;
	const struct repo_worktree *w;
	git_index *index;
	bool ignored;
	struct brought brought;
	struct output *out;
	struct err *err;
	struct buf path; /* of where the walk is */
	int depth;
	int nested; /* how deep in repositories */
};

static int walk_dir(struct search *s, int fd);

static bool is_found(const struct search *s)
{
	return s->h->ignored || s->h->nested;
}

static bool is_ignored(const struct search *s)
{
	int ignored = 0;

	return git_ignore_path_is_ignored(&ignored, s->w->git, s->path.data) ==
		   0 &&
	       ignored;
}

static bool is_dir(int dir, const struct dirent *e, bool *is_file)
{
	struct stat st;
	mode_t mode = e->d_type == DT_DIR   ? S_IFDIR
		      : e->d_type == DT_REG ? S_IFREG
		      : e->d_type == DT_LNK ? S_IFLNK
					    : 0;

	if (e->d_type == DT_UNKNOWN &&
	    fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		mode = st.st_mode & S_IFMT;
	*is_file = mode == S_IFREG || mode == S_IFLNK;
	return mode == S_IFDIR;
}

/* Whether git has anything below it; the path ends in a slash. */
static bool has_tracked(const struct search *s)
{
	size_t at;

	return git_index_find_prefix(&at, s->index, s->path.data) == 0;
}

/* A submodule is looked at elsewhere (loss.c). */
static bool is_submodule(struct search *s)
{
	const git_index_entry *e =
	    git_index_get_bypath(s->index, s->path.data, 0);

	return e && e->mode == GIT_FILEMODE_COMMIT;
}

static int walk_sub(struct search *s, int dir, const char *name)
{
	int fd, r = 0;

	if (is_submodule(s))
		return 0;
	buf_addc(&s->path, '/');
	if (!s->ignored && !s->nested && !has_tracked(s) && is_ignored(s))
		return 0;
	if (s->depth >= DEPTH_MAX)
		return err_set(s->err, ERR_FAILED, "%s is too deep",
			       s->path.data);
	fd = openat(dir, name, DIR_FLAGS);
	if (fd < 0)
		return errno == ENOENT
			   ? 0
			   : err_errno(s->err, "open %s", s->path.data);
	s->depth++;
	r = walk_dir(s, fd);
	s->depth--;
	return r;
}

static void look_at_file(struct search *s)
{
	size_t at;

	if (git_index_find(&at, s->index, s->path.data) == 0 ||
	    brought_has(&s->brought, s->w, s->path.data))
		return;
	if (s->nested)
		s->h->nested = true;
	else if (s->ignored && is_ignored(s))
		s->h->ignored = true;
	else
		s->h->other = true;
}

static int look_at(struct search *s, int dir, const struct dirent *e)
{
	bool git = strcmp(e->d_name, ".git") == 0, file;
	int r = 0;

	/* The worktree's own link to git. */
	if (git && s->depth == 0)
		return 0;
	s->nested += git;
	if (is_dir(dir, e, &file))
		r = walk_sub(s, dir, e->d_name);
	else if (file)
		look_at_file(s);
	s->nested -= git;
	return r;
}

/* Takes fd over. */
static int walk_dir(struct search *s, int fd)
{
	size_t len = s->path.len;
	DIR *d = fdopendir(fd);
	struct dirent *e;
	int r = output_go_on(s->out, s->err);

	if (!d) {
		close(fd);
		return err_errno(s->err, "list %s", s->path.data);
	}
	while (r == 0 && !is_found(s) && (errno = 0, e = readdir(d))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		buf_adds(&s->path, e->d_name);
		r = look_at(s, dirfd(d), e);
		s->path.len = len;
		s->path.data[len] = '\0';
	}
	if (r == 0 && !is_found(s) && errno)
		r = err_errno(s->err, "list %s", s->path.data);
	closedir(d);
	return r;
}

int hidden_find(struct hidden *h, const struct repo_worktree *w,
		git_index *index, bool ignored, struct output *out,
		struct err *err)
{
	struct search s = {.h = h,
			   .w = w,
			   .index = index,
			   .ignored = ignored,
			   .out = out,
			   .err = err};
	int fd = openat(w->parent, w->base, DIR_FLAGS), r;

	*h = (struct hidden){0};
	if (fd < 0)
		return err_errno(err, "open %s", w->path);
	buf_adds(&s.path, "");
	brought_read(&s.brought, w);
	r = walk_dir(&s, fd);
	brought_finish(&s.brought);
	buf_finish(&s.path);
	return r;
}
