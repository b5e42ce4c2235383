/*
 * private_modules.c - makes git directories for the submodules of a session in
 * a sandbox, from which the others cannot be written.
 */
#include "worktrees/private/private_modules.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/identity.h"
#include "worktrees/git/submodule_git.h"

#define DEPTH_MAX 32
#define INDEX_MAX ((size_t)1 << 30)

struct modules {
	const struct repo_worktree *w;
	const char *dir, *inside;
	struct buf *objects;
};

static int copy_index(const char *from, const char *to, struct err *err)
{
	_free_ char *old = file_join(from, "index"),
		    *new = file_join(to, "index");
	_buf_ struct buf text = {0};

	return file_read(AT_FDCWD, old, INDEX_MAX, &text, err) < 0
		   ? -1
		   : file_replace(AT_FDCWD, new, text.data, text.len, false,
				  err);
}

static int set_person(git_config *config, const char *name_key,
		      const char *email_key, const git_signature *who)
{
	return git_config_set_string(config, name_key, who->name) < 0
		   ? -1
		   : git_config_set_string(config, email_key, who->email);
}

/* Its files are where its .git is, in the sandbox at another path. Commits have
 * the user's name, as in private_git.c. */
static int adapt_config(const struct modules *m, git_repository *git,
			struct err *err)
{
	_free_ char *file = file_join(git_repository_path(git), "config");
	_git_config_ git_config *config = NULL;
	_identity_ struct identity who = {0};
	int rc = git_config_open_ondisk(&config, file);

	if (rc == 0)
		rc = git_config_delete_entry(config, "core.worktree");
	if (rc == 0 && identity_load(&who, m->w->git, NULL) == 0)
		rc = set_person(config, "user.name", "user.email",
				who.committer) < 0
			 ? -1
			 : set_person(config, "author.name", "author.email",
				      who.author);
	return rc < 0 ? repo_err(err, ERR_FAILED, "write %s", file) : 0;
}

static int write_link(const struct modules *m, const char *worktree,
		      const char *name, struct err *err)
{
	_free_ char *file = file_join(worktree, ".git");
	_buf_ struct buf text = {0};

	buf_addf(&text, "gitdir: %s/%s\n", m->inside, name);
	return file_replace(AT_FDCWD, file, text.data, text.len, false, err);
}

/* name: "modules/NAME", in git's entry and in the main git directory. */
static int make_one(const struct modules *m, const char *name, struct err *err)
{
	_free_ char *old = file_join(m->w->admin, name),
		    *dir = file_join(m->dir, name),
		    *from = file_join(m->w->git_dir, name);
	_git_repository_ git_repository *was = NULL, *source = NULL,
					*git = NULL;
	const char *worktree;
	git_oid head;

	if (git_repository_open_bare(&source, from) < 0)
		return 0; /* cloned here: it is not in the sandbox */
	if (git_repository_open(&was, old) < 0 ||
	    git_reference_name_to_id(&head, was, "HEAD") < 0)
		return repo_err(err, ERR_FAILED, "open %s", old);
	worktree = git_repository_workdir(was);
	if (!worktree)
		return 0;
	buf_addf(m->objects, "%sobjects\n", git_repository_path(source));
	return submodule_git_make(&git, dir, source, worktree, &head, err) <
			   0 ||
		       adapt_config(m, git, err) < 0 ||
		       copy_index(old, dir, err) < 0
		   ? -1
		   : write_link(m, worktree, name, err);
}

static int make_all(const struct modules *m, const char *name, int depth,
		    struct err *err)
{
	_free_ char *dir = file_join(m->w->admin, name),
		    *head = file_join(dir, "HEAD");
	bool is_git = access(head, F_OK) == 0;
	_dir_ DIR *d = depth < DEPTH_MAX ? file_list(AT_FDCWD, dir) : NULL;
	const char *at;
	int rc = is_git ? make_one(m, name, err) : 0;

	while (d && rc == 0 && (at = file_list_next(d))) {
		_free_ char *sub = file_join(name, at);

		if (!is_git || strcmp(at, "modules") == 0)
			rc = make_all(m, sub, depth + 1, err);
	}
	return rc;
}

int private_modules_make(const struct repo_worktree *w, const char *dir,
			 const char *inside, struct buf *objects,
			 struct err *err)
{
	const struct modules m = {
	    .w = w, .dir = dir, .inside = inside, .objects = objects};

	return make_all(&m, "modules", 0, err);
}
