/* discover.c - where a repository is, and which worktrees it has. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "worktrees/repo.h"
#include "worktrees/worktree.h"

int worktree_discover(struct output *out, const cJSON *req, cJSON *answer,
		      struct err *err)
{
	struct repo r;
	char *branch, *in = NULL;
	const char *dir;

	(void)out;
	if (repo_open(&r, json_str(req, "path"), err) < 0)
		return -1;
	branch = repo_branch(r.here);
	dir = git_repository_workdir(r.here);
	if (dir)
		in = mem_strndup(dir, strlen(dir) - 1);
	json_set_str(answer, "repository", r.path);
	json_set_str(answer, "git_dir", r.git_dir);
	json_set_bool(answer, "bare", r.bare);
	json_set_str(answer, "name", r.name);
	json_set_text(answer, "branch", branch);
	json_set_text(answer, "in_worktree", in);
	free(branch);
	free(in);
	repo_finish(&r);
	return 0;
}

/* The directory that git's entry names, without "/.git"; NULL if it cannot. */
static char *entry_path(const char *admin)
{
	char *file = file_join(admin, "gitdir");
	struct buf text = {0};
	struct err err;
	size_t len;

	if (file_read(AT_FDCWD, file, 8192, &text, &err) < 0)
		buf_clear(&text);
	free(file);
	len = text.len;
	while (len && strchr("\r\n", text.data[len - 1]))
		len--;
	if (len > 5 && memcmp(text.data + len - 5, "/.git", 5) == 0)
		len -= 5;
	if (!len) {
		buf_finish(&text);
		return NULL;
	}
	text.data[len] = '\0';
	return buf_steal(&text);
}

static void list_one(const struct repo *r, const char *id, cJSON *array)
{
	char *admin = mem_printf("%s/worktrees/%s", r->git_dir, id);
	char *path = entry_path(admin), *branch = NULL;
	cJSON *o = cJSON_CreateObject();
	git_repository *git = NULL;
	git_worktree *wt = NULL;
	char head[GIT_OID_HEXSZ + 1];
	git_oid oid;
	bool has_head = false;

	if (git_repository_open(&git, admin) == 0) {
		branch = repo_branch(git);
		has_head = git_reference_name_to_id(&oid, git, "HEAD") == 0;
		if (has_head)
			git_oid_tostr(head, sizeof head, &oid);
		git_repository_free(git);
	}
	json_set_str(o, "id", id);
	json_set_text(o, "worktree", path);
	json_set_text(o, "branch", branch);
	json_set_text(o, "head", has_head ? head : NULL);
	git_worktree_lookup(&wt, r->main, id);
	json_set_bool(o, "locked", wt && git_worktree_is_locked(NULL, wt) > 0);
	json_set_bool(o, "valid", wt && git_worktree_validate(wt) == 0);
	git_worktree_free(wt);
	cJSON_AddItemToArray(array, o);
	free(admin);
	free(path);
	free(branch);
}

int worktree_list(struct output *out, const cJSON *req, cJSON *answer,
		  struct err *err)
{
	git_strarray ids = {0};
	struct repo r;
	cJSON *array;
	int result = 0;

	(void)out;
	if (repo_open(&r, json_str(req, "path"), err) < 0)
		return -1;
	array = json_set_array(answer, "worktrees");
	if (git_worktree_list(&ids, r.main) < 0)
		result = repo_err(err, ERR_FAILED, "list the worktrees of %s",
				  r.path);
	for (size_t i = 0; i < ids.count; i++)
		list_one(&r, ids.strings[i], array);
	git_strarray_dispose(&ids);
	repo_finish(&r);
	return result;
}
