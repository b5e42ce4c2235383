/* merged.c - whether commits would be lost with a branch. */
#include "worktrees/git/merged.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "worktrees/git/repo.h"

#define MAX_TIPS 20000 /* a repository with more gets "not merged" */

static bool keeps(const char *name)
{
	return strncmp(name, "refs/heads/", 11) == 0 ||
	       strncmp(name, "refs/remotes/", 13) == 0 ||
	       strncmp(name, "refs/tags/", 10) == 0;
}

static int tips(git_repository *git, const char *except, git_oid **out,
		size_t *n, struct err *err)
{
	git_reference_iterator *it = NULL;
	git_reference *ref = NULL;
	git_object *commit = NULL;
	size_t cap = 0;

	*out = NULL;
	*n = 0;
	if (git_reference_iterator_new(&it, git) < 0)
		return repo_err(err, ERR_FAILED, "read the branches");
	while (*n < MAX_TIPS && git_reference_next(&ref, it) == 0) {
		const char *name = git_reference_name(ref);

		if (keeps(name) && (!except || strcmp(name, except) != 0) &&
		    git_reference_peel(&commit, ref, GIT_OBJECT_COMMIT) == 0) {
			if (*n == cap) {
				cap = cap ? cap * 2 : 64;
				*out = mem_realloc(*out, cap * sizeof **out);
			}
			(*out)[(*n)++] = *git_object_id(commit);
			git_object_free(commit);
		}
		git_reference_free(ref);
	}
	git_reference_iterator_free(it);
	return 0;
}

static int in_tips(git_repository *git, const git_oid *commit,
		   const git_oid *list, size_t n, struct err *err)
{
	int r;

	for (size_t i = 0; i < n; i++)
		if (git_oid_equal(&list[i], commit))
			return 1;
	r = n ? git_graph_reachable_from_any(git, commit, list, n) : 0;
	if (r < 0)
		repo_err(err, ERR_FAILED, "look for commit %.10s",
			 git_oid_tostr_s(commit));
	return r;
}

int merged_all(git_repository *git, const git_oid *commits, size_t n,
	       const char *except, bool *merged, struct err *err)
{
	size_t n_tips;
	git_oid *list;
	int r = 1;

	*merged = false;
	if (tips(git, except, &list, &n_tips, err) < 0)
		return -1;
	for (size_t i = 0; i < n && r > 0; i++)
		r = in_tips(git, &commits[i], list, n_tips, err);
	*merged = r > 0;
	free(list);
	return r < 0 ? -1 : 0;
}

/* Whether the one line of a file is prefix and ref, or cannot be read. */
static bool names(int dir, const char *file, const char *prefix,
		  const char *ref)
{
	struct buf text = {0};
	size_t len = strlen(prefix);
	bool is;

	if (file_read(dir, file, 8192, &text, NULL) < 0)
		is = errno != ENOENT && errno != ENOTDIR;
	else
		is = text.len > len + strlen(ref) &&
		     strncmp(text.data, prefix, len) == 0 &&
		     strncmp(text.data + len, ref, strlen(ref)) == 0 &&
		     strchr("\r\n", text.data[len + strlen(ref)]);
	buf_finish(&text);
	return is;
}

static bool is_rebasing(int dir, const char *ref)
{
	return names(dir, "rebase-merge/head-name", "", ref) ||
	       names(dir, "rebase-apply/head-name", "", ref);
}

static bool is_at(int dir, const char *ref)
{
	return names(dir, "HEAD", "ref: ", ref) || is_rebasing(dir, ref);
}

/* Its HEAD is checked out nowhere. libgit2 does not see that
 * extensions.worktreeConfig says so. */
static bool is_bare(git_repository *main)
{
	return git_repository_is_bare(main) ||
	       repo_config_bool(main, "core.bare", false);
}

/* libgit2 would open each of the worktrees, and knows of no rebase. */
bool merged_checked_out(git_repository *main, const char *ref, const char *but)
{
	int dir = open(git_repository_commondir(main), FILE_DIR_FLAGS);
	int sub = dir >= 0 ? openat(dir, "worktrees", FILE_DIR_FLAGS) : -1, fd;
	bool out = dir < 0 || (sub < 0 && errno != ENOENT) ||
		   (!is_bare(main) && is_at(dir, ref));
	DIR *d = file_list(sub, ".");
	const char *name;

	while (!out && (name = file_list_next(d))) {
		if (but && strcmp(name, but) == 0)
			continue;
		fd = openat(sub, name, FILE_DIR_FLAGS);
		out = fd >= 0 && is_at(fd, ref);
		file_close(fd);
	}
	file_list_end(d);
	file_close(sub);
	file_close(dir);
	return out;
}

/* dir is the git directory of the worktree that entry names; or -1. */
static int add_holder(int dir, const char *entry, const char *ref,
		      struct strv *out, struct err *err)
{
	if (dir >= 0 && is_rebasing(dir, ref))
		return err_set(err, ERR_CONFLICT,
			       "%s is being rebased in the worktree %s",
			       ref + strlen("refs/heads/"),
			       *entry ? entry : "of the repository");
	if (dir >= 0 && names(dir, "HEAD", "ref: ", ref))
		strv_add(out, entry);
	return 0;
}

int merged_holders(git_repository *main, const char *ref, struct strv *out,
		   struct err *err)
{
	int dir = open(git_repository_commondir(main), FILE_DIR_FLAGS);
	int sub = dir >= 0 ? openat(dir, "worktrees", FILE_DIR_FLAGS) : -1;
	DIR *d = NULL;
	const char *name;
	int rc = 0;

	if (dir < 0 || (sub < 0 && errno != ENOENT))
		rc = err_errno(err, "read %s", git_repository_commondir(main));
	else if (!is_bare(main))
		rc = add_holder(dir, "", ref, out, err);
	if (rc == 0 && sub >= 0)
		d = file_list(sub, ".");
	while (rc == 0 && d && (name = file_list_next(d))) {
		int fd = openat(sub, name, FILE_DIR_FLAGS);

		rc = add_holder(fd, name, ref, out, err);
		file_close(fd);
	}
	file_list_end(d);
	file_close(sub);
	file_close(dir);
	return rc;
}
