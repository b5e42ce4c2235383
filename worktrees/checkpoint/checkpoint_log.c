/* checkpoint_log.c - the list of a worktree's checkpoints, and their commits.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worktrees/checkpoint/checkpoint.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/wait_lock.h"

#define LOG_MAX ((size_t)16 * 1024 * 1024)

/* The year 2100. */
#define LINE_FORMAT "%s %s afw <afw@localhost> 4102444800 +0000\t%" PRId64 "\n"

/* -- the list --------------------------------------------------------------
 */

int checkpoint_lock(const struct repo_worktree *w, struct output *out,
		    struct err *err)
{
	_close_ int fd = open(w->admin, FILE_DIR_FLAGS);

	if (fd < 0)
		return err_errno(err, "open %s", w->admin);
	return wait_lock(fd, w->admin, out, err) < 0 ? -1 : TAKE_FD(fd);
}

/* Reads one line, "OLD NEW who when\tNUMBER". Ignores one of another form. */
static void add_line(struct checkpoint_log *log, const char *line)
{
	const char *tab = strchr(line, '\t');
	struct checkpoint_entry e = {.number =
					 tab ? strtoll(tab + 1, NULL, 10) : 0};

	if (e.number <= 0 || strlen(line) < (size_t)2 * GIT_OID_HEXSZ + 1 ||
	    git_oid_fromstrn(&e.id, line + GIT_OID_HEXSZ + 1, GIT_OID_HEXSZ) <
		0)
		return;
	log->v = mem_grow(log->v, log->n, sizeof *log->v);
	log->v[log->n++] = e;
}

int checkpoint_log_read(struct checkpoint_log *log,
			const struct repo_worktree *w, struct err *err)
{
	_free_ char *file =
	    file_join(w->admin, CHECKPOINT_LOG_DIR "/" CHECKPOINT_LOG_NAME);
	_buf_ struct buf text = {0};
	char *line, *save = NULL;

	*log = (struct checkpoint_log){0};
	if (file_read(AT_FDCWD, file, LOG_MAX, &text, err) < 0) {
		if (errno != ENOENT)
			return -1;
		err_clear(err);
		return 0;
	}
	for (line = strtok_r(text.data, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		add_line(log, line);
	return 0;
}

void checkpoint_log_finish(struct checkpoint_log *log)
{
	free(log->v);
	*log = (struct checkpoint_log){0};
}

static bool is_same_file(int dir, const char *a, const char *b)
{
	struct stat x, y;

	return fstatat(dir, a, &x, AT_SYMLINK_NOFOLLOW) == 0 &&
	       fstatat(dir, b, &y, AT_SYMLINK_NOFOLLOW) == 0 &&
	       x.st_ino == y.st_ino;
}

/*
 * Replaces the file under git's lock for it: `git gc` rewrites it, too. The
 * lock is a second name of the new file, so that a lock that a killed run has
 * left is recognized. All users of the repository must be able to read the
 * file: `git gc` deletes objects that no readable reflog names.
 */
static int replace(int dir, const struct buf *text, struct err *err)
{
	static const char new[] = CHECKPOINT_LOG_NAME ".new",
			  lock[] = CHECKPOINT_LOG_NAME ".lock";
	_close_ int fd = -1;
	int rc = 0;

	if (is_same_file(dir, new, lock))
		unlinkat(dir, lock, 0);
	unlinkat(dir, new, 0); /* it may be the list itself */
	fd = openat(dir, new,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0 || file_write_all(fd, text->data, text->len) < 0)
		return err_errno(err, "write the list of checkpoints");
	if (linkat(dir, new, dir, lock, 0) < 0 && errno == EEXIST) {
		err_set(err, ERR_CONFLICT,
			"another git is running: it has locked the list of "
			"checkpoints");
		rc = err_hint(err, "try again when `git gc` has ended");
	} else if (renameat(dir, lock, dir, CHECKPOINT_LOG_NAME) < 0) {
		rc = err_errno(err, "write the list of checkpoints");
		unlinkat(dir, lock, 0);
	}
	unlinkat(dir, new, 0);
	return rc;
}

int checkpoint_log_write(const struct checkpoint_log *log,
			 const struct repo_worktree *w, struct err *err)
{
	_free_ char *path = file_join(w->admin, CHECKPOINT_LOG_DIR);
	_close_ int dir = -1;
	_buf_ struct buf text = {0};
	char zero[GIT_OID_HEXSZ + 1] = {0};

	memset(zero, '0', GIT_OID_HEXSZ);
	for (size_t i = 0; i < log->n; i++)
		buf_addf(&text, LINE_FORMAT, zero,
			 git_oid_tostr_s(&log->v[i].id), log->v[i].number);
	if (file_make_dirs(path, 0777) < 0 ||
	    (dir = open(path, FILE_DIR_FLAGS)) < 0)
		return err_errno(err, "make directory %s", path);
	return replace(dir, &text, err);
}

/* -- a commit --------------------------------------------------------------
 */

void checkpoint_finish(struct checkpoint *c)
{
	free(c->kind);
	free(c->text);
	free(c->head);
	free(c->index_is);
	free(c->index_stat);
	strv_finish(&c->empty);
	strv_finish(&c->left_out);
	strv_finish(&c->modes);
	*c = (struct checkpoint){0};
}

static bool same_list(const struct strv *a, const struct strv *b)
{
	bool same = a->n == b->n;

	for (size_t i = 0; same && i < a->n; i++)
		same = strcmp(a->v[i], b->v[i]) == 0;
	return same;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

bool checkpoint_equal(const struct checkpoint *a, const struct checkpoint *b)
{
	return git_oid_equal(&a->files, &b->files) &&
	       git_oid_equal(&a->commit, &b->commit) &&
	       same_text(a->head, b->head) &&
	       same_text(a->index_is, b->index_is) &&
	       same_list(&a->empty, &b->empty) &&
	       same_list(&a->left_out, &b->left_out);
}

bool checkpoint_equal_modes(const struct checkpoint *a,
			    const struct checkpoint *b)
{
	return checkpoint_equal(a, b) && same_list(&a->modes, &b->modes);
}

static int entry_id(git_oid *id, const git_tree *tree, const char *name)
{
	const git_tree_entry *e = git_tree_entry_byname(tree, name);

	if (!e)
		return -1;
	*id = *git_tree_entry_id(e);
	return 0;
}

/* A list is a blob, each name with a NUL after it. */
static int load_list(struct strv *out, git_repository *git,
		     const git_tree *tree, const char *name)
{
	_git_blob_ git_blob *blob = NULL;
	const char *at, *end;
	git_oid id;

	if (entry_id(&id, tree, name) < 0 ||
	    git_blob_lookup(&blob, git, &id) < 0)
		return -1;
	at = git_blob_rawcontent(blob);
	end = at + git_blob_rawsize(blob);
	for (const char *nul; at < end; at = nul + 1) {
		nul = memchr(at, 0, (size_t)(end - at));
		if (!nul)
			return -1;
		strv_add(out, at);
	}
	return 0;
}

static int load_tree(struct checkpoint *c, git_repository *git,
		     const git_commit *commit)
{
	_git_tree_ git_tree *tree = NULL;

	/* One of an older version has no rules. */
	if (git_commit_tree(&tree, commit) < 0 ||
	    entry_id(&c->files, tree, "files") < 0 ||
	    entry_id(&c->index, tree, "index") < 0 ||
	    entry_id(&c->staged, tree, "staged") < 0 ||
	    (git_tree_entry_byname(tree, "rules") &&
	     entry_id(&c->rules, tree, "rules") < 0) ||
	    load_list(&c->empty, git, tree, "empty") < 0 ||
	    load_list(&c->left_out, git, tree, "left-out") < 0 ||
	    (git_tree_entry_byname(tree, "modes") &&
	     load_list(&c->modes, git, tree, "modes") < 0))
		return -1;
	return 0;
}

static int load_message(struct checkpoint *c, const git_commit *commit)
{
	const char *text = git_commit_message_raw(commit);
	_json_ cJSON *o = json_parse_object(text, strlen(text), NULL);
	uint64_t ns;

	if (!o || !json_str(o, "kind") || !json_str(o, "index_is"))
		return -1;
	ns = json_u64(o, "index_mtime", 0);
	c->number = json_int(o, "number", 0);
	c->at = json_int(o, "at", 0);
	c->undone_to = json_int(o, "undone_to", 0);
	c->redo_of = json_int(o, "redo_of", 0);
	c->umask = (mode_t)json_int(o, "umask", 022) & 0777;
	c->after_gap = json_bool(o, "after_gap", false);
	c->unfinished = json_bool(o, "unfinished", false);
	mem_set(&c->kind, json_str(o, "kind"));
	mem_set(&c->text, json_str(o, "text"));
	mem_set(&c->head, json_str(o, "head"));
	mem_set(&c->index_is, json_str(o, "index_is"));
	mem_set(&c->index_stat, json_str(o, "index_stat"));
	c->index_mtime = (struct timespec){(time_t)(ns / 1000000000),
					   (long)(ns % 1000000000)};
	return 0;
}

int checkpoint_load(struct checkpoint *c, git_repository *git,
		    const struct checkpoint_entry *e, struct err *err)
{
	_git_commit_ git_commit *commit = NULL;

	*c = (struct checkpoint){0};
	if (git_commit_lookup(&commit, git, &e->id) < 0 ||
	    load_message(c, commit) < 0 || load_tree(c, git, commit) < 0)
		return repo_err(err, ERR_FAILED, "read checkpoint %" PRId64,
				e->number);
	c->number = e->number;
	if (git_commit_parentcount(commit))
		c->commit = *git_commit_parent_id(commit, 0);
	return 0;
}

int checkpoint_find(struct checkpoint *c, const struct checkpoint_log *log,
		    git_repository *git, int64_t number, struct err *err)
{
	int64_t below = 0, above = 0;

	*c = (struct checkpoint){0};
	for (size_t i = 0; i < log->n; i++) {
		int64_t at = log->v[i].number;

		if (at == number)
			return checkpoint_load(c, git, &log->v[i], err);
		if (at < number)
			below = at;
		else if (!above)
			above = at;
	}
	err_set(err, ERR_FAILED, "there is no checkpoint %" PRId64, number);
	if (below && above)
		err_hint(err, "the nearest are %" PRId64 " and %" PRId64, below,
			 above);
	else if (below || above)
		err_hint(err, "the nearest is %" PRId64, below ? below : above);
	return -1;
}

int checkpoint_find_kind(struct checkpoint *c, const struct checkpoint_log *log,
			 git_repository *git, const char *kind, size_t end,
			 struct err *err)
{
	*c = (struct checkpoint){0};
	while (end-- > 0) {
		if (checkpoint_load(c, git, &log->v[end], err) < 0)
			return -1;
		if (strcmp(c->kind, kind) == 0)
			return 1;
		checkpoint_finish(c);
	}
	return 0;
}

static void print_message(const struct checkpoint *c, struct buf *out)
{
	_json_ cJSON *o = cJSON_CreateObject();

	json_set_int(o, "number", c->number);
	json_set_int(o, "at", c->at);
	json_set_str(o, "kind", c->kind);
	json_set_str(o, "text", c->text);
	json_set_str(o, "head", c->head);
	json_set_str(o, "index_is", c->index_is);
	json_set_str(o, "index_stat", c->index_stat);
	json_set_u64(o, "index_mtime",
		     (uint64_t)c->index_mtime.tv_sec * 1000000000 +
			 (uint64_t)c->index_mtime.tv_nsec);
	json_set_int(o, "umask", c->umask);
	if (c->after_gap)
		json_set_bool(o, "after_gap", true);
	if (c->unfinished)
		json_set_bool(o, "unfinished", true);
	if (c->undone_to)
		json_set_int(o, "undone_to", c->undone_to);
	if (c->redo_of)
		json_set_int(o, "redo_of", c->redo_of);
	json_print(o, out);
}

static int add_list(git_treebuilder *to, git_repository *git, const char *name,
		    const struct strv *list)
{
	_buf_ struct buf text = {0};
	git_oid id;

	buf_adds(&text, "");
	for (size_t i = 0; i < list->n; i++)
		buf_add(&text, list->v[i], strlen(list->v[i]) + 1);
	return git_blob_create_from_buffer(&id, git, text.data, text.len) < 0
		   ? -1
		   : git_treebuilder_insert(NULL, to, name, &id,
					    GIT_FILEMODE_BLOB);
}

static int write_tree(const struct checkpoint *c, git_repository *git,
		      git_oid *id)
{
	git_treebuilder *to = NULL;
	int rc = git_treebuilder_new(&to, git, NULL);

	if (rc == 0)
		rc = git_treebuilder_insert(NULL, to, "files", &c->files,
					    GIT_FILEMODE_TREE);
	if (rc == 0)
		rc = git_treebuilder_insert(NULL, to, "index", &c->index,
					    GIT_FILEMODE_BLOB);
	if (rc == 0)
		rc = git_treebuilder_insert(NULL, to, "staged", &c->staged,
					    GIT_FILEMODE_TREE);
	if (rc == 0)
		rc = git_treebuilder_insert(NULL, to, "rules", &c->rules,
					    GIT_FILEMODE_BLOB);
	if (rc == 0)
		rc = add_list(to, git, "empty", &c->empty);
	if (rc == 0)
		rc = add_list(to, git, "left-out", &c->left_out);
	if (rc == 0 && c->modes.n)
		rc = add_list(to, git, "modes", &c->modes);
	if (rc == 0)
		rc = git_treebuilder_write(id, to);
	git_treebuilder_free(to);
	return rc;
}

int checkpoint_store(const struct checkpoint *c, git_repository *git,
		     struct checkpoint_entry *e, struct err *err)
{
	_git_tree_ git_tree *tree = NULL;
	_git_commit_ git_commit *parent = NULL;
	_buf_ struct buf text = {0};
	git_signature *who = NULL;
	bool born = !git_oid_is_zero(&c->commit);
	git_oid id;
	int rc = write_tree(c, git, &id);

	print_message(c, &text);
	if (rc == 0)
		rc = git_tree_lookup(&tree, git, &id);
	if (rc == 0 && born)
		rc = git_commit_lookup(&parent, git, &c->commit);
	if (rc == 0)
		rc = git_signature_new(&who, "afw", "afw@localhost",
				       c->at / 1000, 0);
	if (rc == 0)
		rc = git_commit_create(&e->id, git, NULL, who, who, NULL,
				       text.data, tree, born,
				       (const git_commit *[]){parent});
	git_signature_free(who);
	e->number = c->number;
	return rc < 0 ? repo_err(err, ERR_FAILED, "store the checkpoint") : 0;
}
