/* repo.c - finds and opens repositories, and reads what git says of them. */
#include "worktrees/git/repo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/gitfile.h"
#include "wire/worktree_client.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/place.h"
#include "worktrees/limits.h"

#define LINE_FILE_MAX ((size_t)8192)

/* libgit2 keeps what was read, but by default no tree of over 120 files, which
 * it would then read again for each path (tree_find()). */
#define CACHED_TREE_MAX ((size_t)32 << 20)

int repo_init(struct err *err)
{
	/* read_config() reads config.worktree, and libgit2 never fetches. */
	static const char *const known[] = {"worktreeconfig", "partialclone"};

	if (git_libgit2_init() < 0 ||
	    git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, known,
			     sizeof known / sizeof known[0]) < 0 ||
	    git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE,
			     CACHED_TREE_MAX) < 0)
		return repo_err(err, ERR_FAILED, "set up libgit2");
	return 0;
}

char *repo_dirname(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash || slash == path)
		return mem_strdup("/");
	return mem_strndup(path, (size_t)(slash - path));
}

const char *repo_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static char *without_slash(const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return mem_strndup(path, len);
}

static int open_main(struct repo *r, struct err *err)
{
	const char *common = git_repository_commondir(r->here);
	const char *own = git_repository_path(r->here);
	size_t len = strlen(common);

	if (!git_repository_is_worktree(r->here)) {
		r->main = r->here;
		return 0;
	}
	if (strncmp(own, common, len) != 0 ||
	    strncmp(own + len, "worktrees/", 10) != 0)
		return err_set(err, ERR_FAILED,
			       "%s says that it belongs to %s, which does not "
			       "have it",
			       own, common);
	if (repo_open_git(&r->main, common) < 0)
		return repo_err(err, ERR_FAILED, "open repository %s", common);
	return 0;
}

/*
 * True if the main worktree is known: its .git must lead back to the
 * repository, as core.worktree may name a directory of another user. For a
 * separate git directory (git init --separate-git-dir) only the .git file in
 * the worktree shows where that is; from a linked worktree libgit2 uses the
 * parent directory, git worktree list the git directory itself, as afw does.
 */
static bool has_worktree(const struct repo *r)
{
	const char *dir = git_repository_workdir(r->main);

	return dir && gitfile_leads_to(dir, r->git_dir);
}

bool repo_config_bool(git_repository *git, const char *key, bool other)
{
	_git_config_ git_config *config = NULL;
	int value = other;

	if (git_repository_config_snapshot(&config, git) == 0)
		git_config_get_bool(&value, config, key);
	return value;
}

bool repo_is_partial(git_repository *git)
{
	git_config_iterator *it = NULL;
	git_config *config = NULL;
	git_config_entry *entry;
	bool is = git_repository_config(&config, git) == 0 &&
		  git_config_iterator_glob_new(
		      &it, config, "^remote\\..*\\.promisor$") == 0 &&
		  git_config_next(&entry, it) == 0;

	git_config_iterator_free(it);
	git_config_free(config);
	return is;
}

bool repo_lacks_object(git_repository *git, const struct err *err)
{
	return strstr(err->what, "object not found") && repo_is_partial(git);
}

/* libgit2 reads config.worktree by itself from version 1.8 on. */
static int read_config(git_repository *git)
{
	static const char *const users[] = {"core.excludesfile",
					    "core.attributesfile"};
	_free_ char *own =
	    file_join(git_repository_path(git), "config.worktree");
	_git_config_ git_config *config = NULL;
	int rc = git_repository_config(&config, git);

	if (rc == 0 &&
	    repo_config_bool(git, "extensions.worktreeconfig", false))
		rc = git_config_add_file_ondisk(config, own,
						GIT_CONFIG_LEVEL_APP, git, 0);
	for (size_t i = 0; rc == 0 && i < 2; i++) {
		_git_buf_ git_buf file = {0};

		if (git_config_get_path(&file, config, users[i]) == 0)
			limits_follow(i, file.ptr);
	}
	/* A tree may name objects that are not fetched yet. */
	if (rc == 0 && repo_is_partial(git))
		rc = git_libgit2_opts(GIT_OPT_ENABLE_STRICT_OBJECT_CREATION, 0);
	return rc;
}

int repo_open_git(git_repository **git, const char *path)
{
	int rc = git_repository_open(git, path);

	if (rc == 0 && (rc = read_config(*git)) < 0) {
		git_repository_free(*git);
		*git = NULL;
	}
	return rc;
}

/* Reports that there is no repository, or one of another user without
 * safe.directory: libgit2 1.5 has the same error for both. */
static int not_found(const char *path, struct err *err)
{
	_git_buf_ git_buf git_dir = {0};

	if (git_repository_discover(&git_dir, path, 0, NULL) == 0) {
		err_set(err, ERR_FAILED,
			"the repository of %s belongs to another user", path);
		return repo_hint_owner(err);
	}
	err_set(err, ERR_FAILED, "%s is not in a git repository", path);
	return err_hint(err, REPOSITORY_MOVED);
}

static char *checkout_of(const struct repo *r)
{
	const char *here = git_repository_workdir(r->here);
	_free_ char *top = NULL, *in = NULL;

	if (!r->bare)
		return mem_strdup(r->path);
	if (!here || r->here == r->main)
		return NULL;
	top = without_slash(here);
	in = repo_dirname(top);
	return place_is(in) ? NULL : TAKE_PTR(top);
}

/* Refuses a normal repository that a hook, or git init with GIT_DIR, has made
 * bare: its files would not follow its branch. */
static int check_bare(const struct repo *r, struct err *err)
{
	_free_ char *index = file_join(r->git_dir, "index");

	if (!r->bare || strcmp(repo_basename(r->git_dir), ".git") != 0 ||
	    access(index, F_OK) < 0 ||
	    !repo_config_bool(r->main, "core.bare", false))
		return 0;
	err_set(err, ERR_REFUSED,
		"core.bare is true in %s, which has an index as a repository "
		"with files has",
		r->git_dir);
	return err_hint(err,
			"`git -C %s config core.bare false`; if it is bare, "
			"remove %s",
			r->git_dir, index);
}

int repo_open(struct repo *r, const char *path, struct err *err)
{
	int e;

	memset(r, 0, sizeof *r);
	if (!path || path[0] != '/')
		return err_set(err, ERR_USAGE,
			       "open repository: the path is not absolute");
	e = git_repository_open_ext(&r->here, path, 0, NULL);
	if (e == GIT_ENOTFOUND)
		return not_found(path, err);
	if (e < 0 || read_config(r->here) < 0)
		e = repo_err(err, ERR_FAILED, "open the repository of %s",
			     path);
	else
		e = open_main(r, err);
	if (e < 0) {
		repo_finish(r);
		return -1;
	}
	r->git_dir = without_slash(git_repository_commondir(r->main));
	r->bare = !has_worktree(r);
	r->path = r->bare ? mem_strdup(r->git_dir)
			  : without_slash(git_repository_workdir(r->main));
	if (check_bare(r, err) < 0) {
		repo_finish(r);
		return -1;
	}
	r->parent = repo_dirname(r->path);
	r->checkout = checkout_of(r);
	r->name = gitfile_repository_name(r->path);
	return 0;
}

void repo_finish(struct repo *r)
{
	if (!r)
		return;
	if (r->main != r->here)
		git_repository_free(r->main);
	git_repository_free(r->here);
	free(r->path);
	free(r->git_dir);
	free(r->parent);
	free(r->checkout);
	free(r->name);
	memset(r, 0, sizeof *r);
}

bool repo_id_valid(const char *id)
{
	return id && id[0] && id[0] != '.' && !strchr(id, '/') &&
	       strlen(id) < 256;
}

mode_t repo_share(git_repository *git)
{
	_git_config_ git_config *config = NULL;
	const char *text = NULL;
	mode_t mine = umask(0), shared = 0;
	int on = 0;

	if (git_repository_config_snapshot(&config, git) == 0)
		git_config_get_string(&text, config, "core.sharedrepository");
	if (!text || strcmp(text, "umask") == 0)
		shared = 0;
	else if (text[0] == '0' && text[1])
		shared = (mode_t)strtoul(text, NULL, 8);
	else if (strcmp(text, "all") == 0 || strcmp(text, "world") == 0 ||
		 strcmp(text, "everybody") == 0 || strcmp(text, "2") == 0)
		shared = 0664;
	else if (strcmp(text, "group") == 0 ||
		 (git_config_parse_bool(&on, text) == 0 && on))
		shared = 0660;
	/* Users who may read a directory may enter it. */
	umask(mine & ~(shared | (shared & 0444) >> 2));
	return mine;
}

char *repo_branch(git_repository *git)
{
	_git_reference_ git_reference *head = NULL;
	const char *target, *prefix = "refs/heads/";

	/* HEAD itself, so that an unborn branch is named too */
	if (git_reference_lookup(&head, git, "HEAD") < 0)
		return NULL;
	target = git_reference_symbolic_target(head);
	return target && strncmp(target, prefix, strlen(prefix)) == 0
		   ? mem_strdup(target + strlen(prefix))
		   : NULL;
}

char *repo_resolve(git_repository *git, const char *ref, git_oid *oid)
{
	_git_reference_ git_reference *first = NULL, *last = NULL;

	if (git_reference_lookup(&first, git, ref) < 0 ||
	    git_reference_resolve(&last, first) < 0)
		return NULL;
	*oid = *git_reference_target(last);
	return mem_strdup(git_reference_name(last));
}

git_tree *repo_tree(git_repository *git, const git_oid *commit, struct err *err)
{
	_git_commit_ git_commit *at = NULL;
	git_tree *tree = NULL;

	if (git_commit_lookup(&at, git, commit) < 0 ||
	    git_commit_tree(&tree, at) < 0)
		repo_err(err, ERR_FAILED, "read the commit %s",
			 git_oid_tostr_s(commit));
	return tree;
}

int repo_write_tree(git_oid *tree, git_index *index, git_repository *git)
{
	int rc;

	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_OBJECT_CREATION, 0);
	rc = git_index_write_tree_to(tree, index, git);
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_OBJECT_CREATION, 1);
	return rc;
}

char *repo_line(int dir, const char *name)
{
	struct buf text = {0};

	if (file_read(dir, name, LINE_FILE_MAX, &text, NULL) < 0)
		return NULL;
	buf_adds(&text, "");
	while (text.len && strchr("\r\n", text.data[text.len - 1]))
		text.data[--text.len] = '\0';
	return text.data;
}

int repo_set_workdir(git_repository *git, const char *path)
{
	const char *now = git_repository_workdir(git);
	size_t len = strlen(path);

	if (now && strncmp(now, path, len) == 0 && strcmp(now + len, "/") == 0)
		return 0;
	return git_repository_set_workdir(git, path, 0);
}

const char *repo_library(void)
{
	static char text[48];
	int major, minor, patch;

	git_libgit2_version(&major, &minor, &patch);
	snprintf(text, sizeof text, "libgit2 %d.%d.%d", major, minor, patch);
	return text;
}
