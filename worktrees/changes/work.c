/* work.c - the work in a session's worktree. */
#include "worktrees/changes/work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "worktrees/changes/changes.h"
#include "worktrees/git/cleanup.h"

int work_on_branch(const struct repo_worktree *w, const char *branch,
		   struct err *err)
{
	_free_ char *on = repo_branch(w->git), *ref = NULL;
	git_oid tip, head;

	if (git_repository_state(w->git) != GIT_REPOSITORY_STATE_NONE) {
		err_set(err, ERR_CONFLICT,
			"a merge, rebase or the like is unfinished in %s",
			w->path);
		return err_hint(err,
				"`git -C %s status` prints what is left to do",
				w->path);
	}
	if (on && strcmp(on, branch) == 0)
		return 0;
	err_set(err, ERR_CONFLICT, "%s is on %s, not on its branch %s", w->path,
		on ? on : "no branch", branch);
	ref = mem_printf("refs/heads/%s", branch);
	if (git_reference_name_to_id(&tip, w->git, ref) < 0)
		return err_hint(err,
				on ? "`git -C %s branch -m %s` renames it back"
				   : "`git -C %s switch -c %s` makes it again",
				w->path, branch);
	/* Takes what was committed since along, if it loses nothing. */
	return err_hint(err, "`git -C %s switch %s%s`", w->path,
			git_reference_name_to_id(&head, w->git, "HEAD") == 0 &&
				git_graph_descendant_of(w->git, &head, &tip) > 0
			    ? "-C "
			    : "",
			branch);
}

int work_uncommitted(const struct repo_worktree *w, struct strv *out,
		     struct strv *nested, struct err *err)
{
	_git_diff_ git_diff *diff = NULL;
	git_oid head;

	if (git_reference_name_to_id(&head, w->git, "HEAD") < 0)
		return repo_err(err, ERR_FAILED, "read HEAD of %s", w->path);
	diff = changes_since(w, &head, false, err);
	if (!diff)
		return -1;
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
		const git_diff_delta *d = git_diff_get_delta(diff, i);
		const char *path =
		    d->new_file.path ? d->new_file.path : d->old_file.path;

		if (d->status == GIT_DELTA_UNMODIFIED)
			continue;
		if (path[strlen(path) - 1] != '/')
			strv_add(out, path);
		else if (nested)
			strv_add(nested, path);
	}
	return 0;
}

int work_is_file(const struct repo_worktree *w, const char *path,
		 struct err *err)
{
	const char *last;
	_close_ int at = file_open_parent(AT_FDCWD, w->path, path, 0, &last);
	struct stat st;

	if (at >= 0 && fstatat(at, last, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return S_ISREG(st.st_mode) || S_ISLNK(st.st_mode);
	if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)
		return 0;
	return err_errno(err, "read %s/%s", w->path, path);
}

char *work_message(const char *text, bool comments, struct err *err)
{
	_git_buf_ git_buf clean = {0};

	if (git_message_prettify(&clean, text, comments, '#') == 0 &&
	    clean.size)
		return mem_strdup(clean.ptr);
	err_set(err, ERR_USAGE, "the message is empty");
	return NULL;
}
