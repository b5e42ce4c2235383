/*
 * snapshot.c - a directory's files as a git tree.
 *
 * Written and verified by the same walk, so that neither can see what the
 * other does not: with each file it either makes a blob, or reads the tree's
 * blob back and compares. Everything is opened relative to its directory,
 * without following a symlink; a name that changes under the walk fails it.
 */
#include "worktrees/snapshot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "worktrees/repo.h"

#define FILE_BYTES_MAX ((int64_t)512 * 1024 * 1024)
#define DEPTH_MAX      200
#define DIR_FLAGS      (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

struct walk {
	git_repository *git;
	git_odb *odb; /* verify: what is on the disk */
	struct snapshot *s;
	struct output *out;
	struct err *err;
	struct buf path; /* of where the walk is, for messages */
	int depth;
	bool verify;
	size_t next_missing; /* verify */
};

static int walk_dir(struct walk *w, int fd, const git_tree *tree, git_oid *made,
		    bool *empty);

void snapshot_finish(struct snapshot *s)
{
	strv_finish(&s->missing);
}

static void leave_out(struct walk *w)
{
	if (!w->verify)
		strv_add(&w->s->missing, w->path.data);
}

/* They come again in the order in which they were left out. */
static bool is_left_out(struct walk *w)
{
	const struct strv *missing = &w->s->missing;

	for (size_t i = 0; i < missing->n; i++) {
		size_t at = (w->next_missing + i) % missing->n;

		if (strcmp(missing->v[at], w->path.data) != 0)
			continue;
		w->next_missing = at + 1;
		return true;
	}
	return false;
}

static int differs(struct walk *w)
{
	return err_set(w->err, ERR_FAILED,
		       "%s is not what was saved: it has changed meanwhile, "
		       "or could not be written",
		       w->path.data);
}

/* The bytes of a file or a symlink. */
static int content(struct walk *w, int dir, const char *name,
		   const struct stat *st, struct buf *out)
{
	char link[PATH_MAX];
	ssize_t n;

	if (!S_ISLNK(st->st_mode))
		return file_read(dir, name, (size_t)FILE_BYTES_MAX, out,
				 w->err);
	n = readlinkat(dir, name, link, sizeof link);
	if (n < 0 || n == (ssize_t)sizeof link)
		return err_errno(w->err, "read the link %s", w->path.data);
	buf_add(out, link, (size_t)n);
	return 0;
}

static int save(struct walk *w, const struct buf *data, git_oid *oid)
{
	if (git_blob_create_from_buffer(
		oid, w->git, data->data ? data->data : "", data->len) < 0)
		return repo_err(w->err, ERR_FAILED, "save %s", w->path.data);
	w->s->files++;
	w->s->bytes += (int64_t)data->len;
	return 0;
}

static int compare(struct walk *w, const struct buf *data, const git_oid *oid)
{
	git_odb_object *o = NULL;
	int r = 0;

	if (git_odb_read(&o, w->odb, oid) < 0)
		return repo_err(w->err, ERR_FAILED, "read %s back",
				w->path.data);
	if (git_odb_object_type(o) != GIT_OBJECT_BLOB ||
	    git_odb_object_size(o) != data->len ||
	    (data->len &&
	     memcmp(git_odb_object_data(o), data->data, data->len) != 0))
		r = differs(w);
	git_odb_object_free(o);
	return r;
}

static git_filemode_t mode_of(const struct stat *st)
{
	if (S_ISLNK(st->st_mode))
		return GIT_FILEMODE_LINK;
	return st->st_mode & S_IXUSR ? GIT_FILEMODE_BLOB_EXECUTABLE
				     : GIT_FILEMODE_BLOB;
}

/* entry: verify, what the tree has for it. */
static int walk_file(struct walk *w, int dir, const char *name,
		     const struct stat *st, const git_tree_entry *entry,
		     git_oid *oid)
{
	struct buf data = {0};
	int r = content(w, dir, name, st, &data);

	if (r == 0 && !w->verify)
		r = save(w, &data, oid);
	else if (r == 0 && git_tree_entry_filemode(entry) != mode_of(st))
		r = differs(w);
	else if (r == 0)
		r = compare(w, &data, git_tree_entry_id(entry));
	buf_finish(&data);
	return r;
}

static int walk_sub(struct walk *w, int dir, const char *name,
		    const git_tree_entry *entry, git_oid *oid, bool *empty)
{
	int fd = openat(dir, name, DIR_FLAGS), r = -1;
	git_tree *tree = NULL;

	if (fd < 0)
		return err_errno(w->err, "open %s", w->path.data);
	if (entry &&
	    git_tree_lookup(&tree, w->git, git_tree_entry_id(entry)) < 0)
		repo_err(w->err, ERR_FAILED, "read %s back", w->path.data);
	else
		r = walk_dir(w, fd, tree, oid, empty);
	git_tree_free(tree);
	close(fd);
	return r;
}

/* One name of a directory. tree: verify; builder: not. */
static int walk_name(struct walk *w, int dir, const char *name,
		     const git_tree *tree, git_treebuilder *builder,
		     size_t *count)
{
	const git_tree_entry *entry =
	    tree ? git_tree_entry_byname(tree, name) : NULL;
	bool empty = false, is_dir;
	struct stat st;
	git_oid oid;
	int r;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_errno(w->err, "look at %s", w->path.data);
	is_dir = S_ISDIR(st.st_mode);
	if (!is_dir && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return 0;
	/* The worktree's own link to git. */
	if (w->depth == 1 && !is_dir && strcmp(name, ".git") == 0)
		return 0;
	if (w->verify && !entry && is_left_out(w))
		return 0;
	if (strcmp(name, ".git") == 0 || (is_dir && w->depth >= DEPTH_MAX) ||
	    (S_ISREG(st.st_mode) && st.st_size > FILE_BYTES_MAX)) {
		leave_out(w);
		return w->verify ? differs(w) : 0;
	}
	if (w->verify && !entry && !is_dir)
		return differs(w);
	r = is_dir ? walk_sub(w, dir, name, entry, &oid, &empty)
		   : walk_file(w, dir, name, &st, entry, &oid);
	if (r < 0 || empty)
		return r;
	if (w->verify) {
		*count += 1;
		return entry ? 0 : differs(w);
	}
	if (git_treebuilder_insert(NULL, builder, name, &oid,
				   is_dir ? GIT_FILEMODE_TREE : mode_of(&st)) <
	    0)
		leave_out(w); /* a name that no tree may have */
	else
		*count += 1;
	return 0;
}

static int walk_names(struct walk *w, DIR *d, const git_tree *tree,
		      git_treebuilder *builder, size_t *count)
{
	size_t len = w->path.len;
	struct dirent *e;
	int r = 0;

	while (r == 0 && (errno = 0, e = readdir(d))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		buf_addf(&w->path, "%s%s", len ? "/" : "", e->d_name);
		r = output_go_on(w->out, w->err);
		if (r == 0)
			r = walk_name(w, dirfd(d), e->d_name, tree, builder,
				      count);
		w->path.len = len;
		w->path.data[len] = '\0';
	}
	if (r == 0 && errno)
		r = err_errno(w->err, "list %s", len ? w->path.data : "it");
	return r;
}

/* tree: verify, what was saved; NULL there: nothing may be in it. */
static int walk_dir(struct walk *w, int fd, const git_tree *tree, git_oid *made,
		    bool *empty)
{
	git_treebuilder *builder = NULL;
	int mine = openat(fd, ".", DIR_FLAGS), r = -1;
	DIR *d = mine >= 0 ? fdopendir(mine) : NULL;
	size_t count = 0;

	w->depth++;
	if (!d)
		err_errno(w->err, "open %s", w->path.data ? w->path.data : "");
	else if (!w->verify && git_treebuilder_new(&builder, w->git, NULL) < 0)
		repo_err(w->err, ERR_FAILED, "make a tree");
	else
		r = walk_names(w, d, tree, builder, &count);
	*empty = count == 0;
	if (r == 0 && w->verify && tree && count != git_tree_entrycount(tree))
		r = differs(w); /* something is gone */
	if (r == 0 && !w->verify && (count || w->depth == 1) &&
	    git_treebuilder_write(made, builder) < 0)
		r = repo_err(w->err, ERR_FAILED, "write a tree");
	w->depth--;
	git_treebuilder_free(builder);
	if (d)
		closedir(d);
	else if (mine >= 0)
		close(mine);
	return r;
}

int snapshot_write(struct snapshot *s, git_repository *git, int dir,
		   struct output *out, struct err *err)
{
	struct walk w = {.git = git, .s = s, .out = out, .err = err};
	bool empty;
	int r;

	*s = (struct snapshot){0};
	buf_adds(&w.path, "");
	r = walk_dir(&w, dir, NULL, &s->tree, &empty);
	buf_finish(&w.path);
	return r;
}

int snapshot_verify(const struct snapshot *s, git_repository *git, int dir,
		    struct output *out, struct err *err)
{
	struct snapshot copy = *s;
	struct walk w = {
	    .git = git, .s = &copy, .out = out, .err = err, .verify = true};
	git_tree *tree = NULL;
	bool empty;
	int r = -1;

	buf_adds(&w.path, "");
	if (git_tree_lookup(&tree, git, &s->tree) < 0 ||
	    git_repository_odb(&w.odb, git) < 0)
		repo_err(err, ERR_FAILED, "read what was saved back");
	else
		r = walk_dir(&w, dir, tree, NULL, &empty);
	git_odb_free(w.odb);
	git_tree_free(tree);
	buf_finish(&w.path);
	return r;
}
