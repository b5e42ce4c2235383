/* private_git.c - makes one, and reads what the agent left in one. */
#include "worktrees/private_git.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/delete_tree.h"
#include "base/file.h"
#include "base/mem.h"
#include "worktrees/repo.h"
#include "worktrees/worktree.h"

#define REF_MAX	   4096
#define PACKED_MAX ((size_t)64 * 1024 * 1024)
#define COPY_MAX   ((size_t)256 * 1024 * 1024)
#define REFS_MAX   10000
#define DEPTH_MAX  32

/* -- making ------------------------------------------------------------------
 */

/* As git quotes a value of its configuration. */
static void add_value(struct buf *out, const char *key, const char *value)
{
	buf_addf(out, "\t%s = \"", key);
	for (; *value; value++) {
		if (strchr("\"\\", *value))
			buf_addc(out, '\\');
		if ((unsigned char)*value >= ' ')
			buf_addc(out, *value);
	}
	buf_adds(out, "\"\n");
}

/* Who commits is who would outside; nothing else of the user's. */
static void add_user(git_repository *git, struct buf *out)
{
	static const char *const keys[] = {"name", "email"};
	const char *global = getenv("GIT_CONFIG_GLOBAL"); /* unknown there */
	git_config *config = NULL;

	if (git_repository_config(&config, git) < 0)
		return;
	if (global)
		git_config_add_file_ondisk(config, global,
					   GIT_CONFIG_LEVEL_GLOBAL, git, 1);
	buf_adds(out, "[user]\n");
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		char *key = mem_printf("user.%s", keys[i]);
		git_buf value = {0};

		if (git_config_get_string_buf(&value, config, key) == 0)
			add_value(out, keys[i], value.ptr);
		git_buf_dispose(&value);
		free(key);
	}
	git_config_free(config);
}

static int write_text(int dir, const char *name, const char *text,
		      struct err *err)
{
	return file_replace(dir, name, text, strlen(text), false, err);
}

static int write_config(int dir, git_repository *git, struct err *err)
{
	struct buf text = {0};
	int rc;

	buf_adds(&text, "[core]\n\trepositoryformatversion = 0\n"
			"\tbare = false\n\tlogallrefupdates = true\n");
	add_user(git, &text);
	rc = write_text(dir, "config", text.data, err);
	buf_finish(&text);
	return rc;
}

static int write_refs(int dir, git_repository *git, struct err *err)
{
	git_reference_iterator *it = NULL;
	git_reference *ref = NULL;
	struct buf text = {0};
	int rc;

	if (git_reference_iterator_new(&it, git) < 0)
		return repo_err(err, ERR_FAILED, "read the branches");
	while (git_reference_next(&ref, it) == 0) {
		const git_oid *oid = git_reference_target(ref);

		if (oid)
			buf_addf(&text, "%s %s\n", git_oid_tostr_s(oid),
				 git_reference_name(ref));
		git_reference_free(ref);
	}
	git_reference_iterator_free(it);
	rc = write_text(dir, "packed-refs", text.data ? text.data : "", err);
	buf_finish(&text);
	return rc;
}

/* A file that is not there is not copied. */
static int copy(const char *from_dir, const char *name, int dir, const char *as,
		struct err *err)
{
	char *from = file_join(from_dir, name);
	struct buf text = {0};
	int rc = access(from, F_OK) < 0 && errno == ENOENT
		     ? 0
		     : file_read(AT_FDCWD, from, COPY_MAX, &text, err);

	if (rc == 0 && text.data)
		rc = file_replace(dir, as, text.data, text.len, false, err);
	buf_finish(&text);
	free(from);
	return rc;
}

static int make_dirs(int dir, struct err *err)
{
	static const char *const names[] = {
	    "info",    "refs",	       "refs/heads",  "refs/tags",
	    "objects", "objects/info", "objects/pack"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (mkdirat(dir, names[i], 0700) < 0)
			return err_errno(err, "make %s", names[i]);
	return 0;
}

static int fill(int dir, const struct repo_worktree *w, const cJSON *req,
		struct err *err)
{
	char *head = mem_printf("ref: refs/heads/%s\n",
				json_str_or(req, "branch", "")),
	     *store = mem_printf("%s\n", json_str_or(req, "objects", ""));
	int rc = make_dirs(dir, err);

	if (rc == 0)
		rc = write_text(dir, "objects/info/alternates", store, err);
	if (rc == 0)
		rc = write_config(dir, w->git, err);
	if (rc == 0)
		rc = write_refs(dir, w->git, err);
	if (rc == 0)
		rc = copy(w->git_dir, "info/exclude", dir, "info/exclude", err);
	if (rc == 0)
		rc = copy(w->git_dir, "shallow", dir, "shallow", err);
	if (rc == 0)
		rc = copy(w->admin, "index", dir, "index", err);
	/* The last: without it, it is no git directory. */
	if (rc == 0)
		rc = write_text(dir, "HEAD", head, err);
	free(store);
	free(head);
	return rc;
}

static int make(const char *path, const struct repo_worktree *w,
		const cJSON *req, struct err *err)
{
	char *making = mem_printf("%s.making", path);
	int rc = delete_tree(AT_FDCWD, making, err), dir = -1;

	if (rc == 0)
		rc = file_private_dir(making, err);
	if (rc == 0) {
		dir = open(making, FILE_DIR_FLAGS);
		rc = dir < 0 ? err_errno(err, "open %s", making)
			     : fill(dir, w, req, err);
	}
	if (rc == 0 && rename(making, path) < 0)
		rc = err_errno(err, "make %s", path);
	file_close(dir);
	free(making);
	return rc;
}

int worktree_private(struct output *out, const cJSON *req, cJSON *answer,
		     struct err *err)
{
	const char *path = json_str(req, "private");
	char *file = mem_printf("%s.file", path ? path : ""),
	     *text = mem_printf("gitdir: %s\n", json_str_or(req, "inside", ""));
	struct repo_worktree w;
	int rc;

	if (!path || path[0] != '/' || !json_str(req, "inside") ||
	    !json_str(req, "objects"))
		rc = err_set(err, ERR_USAGE,
			     "bad request: private, inside and objects are "
			     "needed");
	else if (access(path, F_OK) == 0)
		rc = 0;
	else if (repo_worktree_open(&w, req, err) < 0)
		rc = -1;
	else {
		rc = make(path, &w, req, err);
		repo_worktree_finish(&w);
	}
	if (rc == 0)
		rc = write_text(AT_FDCWD, file, text, err);
	free(file);
	free(text);
	return rc;
}

/* -- its references ----------------------------------------------------------
 */

/* "2f1b…\n": 1; anything else, as "ref: refs/heads/x": 0. */
static int parse(const struct buf *text, git_oid *oid)
{
	return text->len >= GIT_OID_HEXSZ &&
	       git_oid_fromstrn(oid, text->data, GIT_OID_HEXSZ) == 0;
}

static int read_loose(int dir, const char *name, git_oid *oid, struct err *err)
{
	struct buf text = {0};
	struct err why = {0};
	int rc = file_read(dir, name, REF_MAX, &text, &why);

	if (rc == 0)
		rc = parse(&text, oid);
	else if (errno == ENOENT || errno == ENOTDIR)
		rc = 0;
	else
		err_set(err, why.kind, "%s", why.what);
	buf_finish(&text);
	return rc;
}

/* The directory that a reference's last part lies in, going through no link;
 * -1 with errno. */
static int open_way(const char *path, const char *ref, const char **last)
{
	int dir = open(path, FILE_DIR_FLAGS), next;
	const char *slash;

	for (; dir >= 0 && (slash = strchr(ref, '/')); ref = slash + 1) {
		char *part = mem_strndup(ref, (size_t)(slash - ref));

		next = openat(dir, part, FILE_DIR_FLAGS);
		file_close(dir);
		free(part);
		dir = next;
	}
	*last = ref;
	return dir;
}

/* Calls fn with each line's "OID NAME" until it returns true. */
static int read_packed(const char *path, const char *ref, git_oid **all,
		       size_t *n, git_oid *found, struct err *err)
{
	char *file = file_join(path, "packed-refs"), *line, *save = NULL;
	struct buf text = {0};
	int rc = 0;
	git_oid oid;

	if (access(file, F_OK) == 0 || errno != ENOENT)
		rc = file_read(AT_FDCWD, file, PACKED_MAX, &text, err);
	free(file);
	buf_addc(&text, '\0');
	for (line = strtok_r(text.data, "\n", &save); line && rc == 0;
	     line = strtok_r(NULL, "\n", &save)) {
		if (strlen(line) < GIT_OID_HEXSZ + 2 ||
		    git_oid_fromstrn(&oid, line, GIT_OID_HEXSZ) < 0)
			continue;
		if (ref && strcmp(line + GIT_OID_HEXSZ + 1, ref) == 0) {
			*found = oid;
			rc = 1;
		} else if (!ref && all) {
			*all = mem_grow(*all, *n, sizeof **all);
			(*all)[(*n)++] = oid;
		}
	}
	buf_finish(&text);
	return rc;
}

int private_git_ref(const char *dir, const char *ref, git_oid *oid,
		    struct err *err)
{
	const char *last;
	int at = open_way(dir, ref, &last), rc = 0;

	if (at >= 0)
		rc = read_loose(at, last, oid, err);
	else if (errno != ENOENT && errno != ENOTDIR)
		rc = err_errno(err, "read %s in %s", ref, dir);
	file_close(at);
	return rc != 0 ? rc : read_packed(dir, ref, NULL, NULL, oid, err);
}

static int read_dir(int parent, const char *name, int depth, git_oid **all,
		    size_t *n, struct err *err)
{
	DIR *d = file_list(parent, name);
	const char *at;
	git_oid oid;
	int rc = 0;

	if (!d)
		return errno == ENOTDIR ? 0 : err_errno(err, "list %s", name);
	while (rc >= 0 && (at = file_list_next(d))) {
		struct stat st;

		if (fstatat(dirfd(d), at, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
			rc = read_dir(dirfd(d), at, depth + 1, all, n, err);
		else
			rc = read_loose(dirfd(d), at, &oid, err);
		if (rc == 1) {
			*all = mem_grow(*all, *n, sizeof **all);
			(*all)[(*n)++] = oid;
			rc = 0;
		}
		if (rc == 0 && *n > REFS_MAX)
			rc = err_set(err, ERR_FAILED, "more than %d references",
				     REFS_MAX);
	}
	file_list_end(d);
	return rc;
}

int private_git_refs(const char *dir, git_oid **out, size_t *n, struct err *err)
{
	int at = open(dir, FILE_DIR_FLAGS), rc;
	git_oid head;

	*out = NULL;
	*n = 0;
	if (at < 0)
		return err_errno(err, "open %s", dir);
	rc = read_packed(dir, NULL, out, n, NULL, err);
	if (rc == 0)
		rc = read_dir(at, "refs", 0, out, n, err);
	if (rc == 0)
		rc = read_loose(at, "HEAD", &head, err);
	if (rc == 1) {
		*out = mem_grow(*out, *n, sizeof **out);
		(*out)[(*n)++] = head;
		rc = 0;
	}
	close(at);
	return rc;
}
