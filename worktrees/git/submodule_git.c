/* submodule_git.c - makes the git directory of a worktree's submodule. */
#include "worktrees/git/submodule_git.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/file.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/packed_refs.h"
#include "worktrees/git/repo.h"

#define SHALLOW_MAX ((size_t)16 << 20)

/* submodule.NAME.update could name a command. */
#define COPIED                                                                 \
	"^(remote\\..*\\.(url|pushurl|fetch)|branch\\..*\\.(remote|merge)|"    \
	"submodule\\..*\\.(url|active))$"

/* Copies what git has configured in that file when it cloned. */
static int copy_config(git_repository *to, git_repository *source)
{
	_free_ char *from_file =
			file_join(git_repository_path(source), "config"),
		    *to_file = file_join(git_repository_path(to), "config");
	_git_config_ git_config *from = NULL, *config = NULL;
	git_config_iterator *it = NULL;
	git_config_entry *e;
	int rc = git_config_open_ondisk(&from, from_file);

	if (rc == 0)
		rc = git_config_open_ondisk(&config, to_file);
	if (rc == 0)
		rc = git_config_iterator_glob_new(&it, from, COPIED);
	while (rc == 0 && (rc = git_config_next(&e, it)) == 0)
		rc = git_config_set_multivar(config, e->name, "^$", e->value);
	git_config_iterator_free(it);
	return rc == GIT_ITEROVER ? 0 : rc;
}

static int write_text(const char *dir, const char *name, const struct buf *text,
		      struct err *err)
{
	_free_ char *path = file_join(dir, name);

	return file_replace(AT_FDCWD, path, text->len ? text->data : "",
			    text->len, false, err);
}

static int borrow(const char *dir, git_repository *source, struct err *err)
{
	_free_ char *shallow =
	    file_join(git_repository_path(source), "shallow");
	_buf_ struct buf objects = {0}, refs = {0}, cut = {0};

	buf_addf(&objects, "%sobjects\n", git_repository_path(source));
	if (write_text(dir, "objects/info/alternates", &objects, err) < 0 ||
	    packed_refs_list(source, &refs, err) < 0 ||
	    write_text(dir, "packed-refs", &refs, err) < 0)
		return -1;
	if (file_read(AT_FDCWD, shallow, SHALLOW_MAX, &cut, err) < 0)
		return errno == ENOENT ? 0 : -1;
	return write_text(dir, "shallow", &cut, err);
}

/* Without the slash that libgit2 has written at its end, as git does it. */
static int tidy_link(const char *worktree, struct err *err)
{
	_free_ char *path = file_join(worktree, ".git"),
		    *line = repo_line(AT_FDCWD, path);
	_buf_ struct buf text = {0};
	size_t len = line ? strlen(line) : 0;

	while (len > 0 && line[len - 1] == '/')
		len--;
	buf_addf(&text, "%.*s\n", (int)len, line ? line : "");
	return write_text(worktree, ".git", &text, err);
}

int submodule_git_make(git_repository **out, const char *dir,
		       git_repository *source, const char *worktree,
		       const git_oid *commit, struct err *err)
{
	_git_repository_ git_repository *git = NULL;
	git_repository_init_options opt;

	git_repository_init_options_init(&opt,
					 GIT_REPOSITORY_INIT_OPTIONS_VERSION);
	opt.flags = GIT_REPOSITORY_INIT_NO_REINIT | GIT_REPOSITORY_INIT_MKPATH |
		    GIT_REPOSITORY_INIT_NO_DOTGIT_DIR |
		    GIT_REPOSITORY_INIT_RELATIVE_GITLINK;
	opt.workdir_path = worktree;
	if (git_repository_init_ext(&git, dir, &opt) < 0 ||
	    copy_config(git, source) < 0)
		return repo_err(err, ERR_FAILED, "make %s", dir);
	if (borrow(dir, source, err) < 0 || tidy_link(worktree, err) < 0)
		return -1;
	if (git_repository_set_head_detached(git, commit) < 0)
		return repo_err(err, ERR_FAILED, "find the commit %s",
				git_oid_tostr_s(commit));
	*out = TAKE_PTR(git);
	return 0;
}
