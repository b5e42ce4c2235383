/*
 * identity.c - the author and the committer of what afw commits.
 *
 * libgit2 knows neither author.name nor includeIf "hasconfig:...": a commit
 * would silently carry another address than git's own commits.
 */
#include "worktrees/git/identity.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/git_program.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/repo.h"

static int read_signature(git_signature **out, git_repository *git,
			  const char *variable, struct err *err)
{
	const char *const args[] = {"var", variable, NULL};
	_buf_ struct buf text = {0};

	if (git_program_read(git_repository_path(git), args, &text, err) < 0)
		return err_hint(err,
				"`git config --global user.name NAME` and `git "
				"config --global user.email ADDRESS` set it");
	buf_adds(&text, "");
	text.data[strcspn(text.data, "\n")] = '\0';
	return git_signature_from_buffer(out, text.data) < 0
		   ? repo_err(err, ERR_FAILED, "commit as \"%.100s\"",
			      text.data)
		   : 0;
}

int identity_load_committer(struct identity *id, git_repository *git,
			    struct err *err)
{
	*id = (struct identity){0};
	return read_signature(&id->committer, git, "GIT_COMMITTER_IDENT", err);
}

int identity_load(struct identity *id, git_repository *git, struct err *err)
{
	return identity_load_committer(id, git, err) < 0
		   ? -1
		   : read_signature(&id->author, git, "GIT_AUTHOR_IDENT", err);
}

int identity_load_one(struct identity *id, git_repository *git, struct err *err)
{
	static const char *const apart[] = {
	    "GIT_AUTHOR_NAME",	  "GIT_AUTHOR_EMAIL",	 "GIT_AUTHOR_DATE",
	    "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE"};

	for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
		if (getenv(apart[i]))
			return identity_load(id, git, err);
	if (identity_load_committer(id, git, err) < 0)
		return -1;
	return git_signature_dup(&id->author, id->committer) < 0
		   ? repo_err(err, ERR_FAILED, "read the identity")
		   : 0;
}

int identity_take_committer(struct identity *id, git_repository *git,
			    const git_oid *commit)
{
	_git_commit_ git_commit *c = NULL;
	const git_signature *who;
	int rc = git_commit_lookup(&c, git, commit);

	*id = (struct identity){0};
	if (rc < 0)
		return rc;
	who = git_commit_committer(c);
	return git_signature_now(&id->committer, who->name, who->email);
}

void identity_finish(struct identity *id)
{
	git_signature_free(id->author);
	git_signature_free(id->committer);
	*id = (struct identity){0};
}
