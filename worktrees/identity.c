/* identity.c - in whose name something is committed: the user's. */
#include "worktrees/identity.h"

#include <stdlib.h>

#include "base/mem.h"
#include "worktrees/repo.h"

char *identity_value(git_repository *git, const char *key)
{
	const char *global = getenv("GIT_CONFIG_GLOBAL"); /* unknown there */
	git_config *config = NULL;
	git_buf value = {0};
	char *text = NULL;

	if (git_repository_config(&config, git) < 0)
		return NULL;
	if (global)
		git_config_add_file_ondisk(config, global,
					   GIT_CONFIG_LEVEL_GLOBAL, git, 1);
	if (git_config_get_string_buf(&value, config, key) == 0)
		text = mem_strdup(value.ptr);
	git_buf_dispose(&value);
	git_config_free(config);
	return text;
}

static char *value_of(git_repository *git, const char *variable,
		      const char *key)
{
	const char *given = getenv(variable);

	return given && *given ? mem_strdup(given) : identity_value(git, key);
}

static int signature(git_signature **out, git_repository *git,
		     const char *name_var, const char *email_var,
		     struct err *err)
{
	char *name = value_of(git, name_var, "user.name");
	char *email = value_of(git, email_var, "user.email");
	int rc = 0;

	if (!name || !email) {
		err_set(err, ERR_FAILED, "git does not know who you are");
		rc = err_hint(err, "git config --global user.name NAME; git "
				   "config --global user.email ADDRESS");
	} else if (git_signature_now(out, name, email) < 0) {
		rc = repo_err(err, ERR_FAILED, "commit as \"%.100s\"", name);
	}
	free(name);
	free(email);
	return rc;
}

int identity_load(struct identity *id, git_repository *git, struct err *err)
{
	*id = (struct identity){0};
	if (signature(&id->author, git, "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL",
		      err) < 0)
		return -1;
	return signature(&id->committer, git, "GIT_COMMITTER_NAME",
			 "GIT_COMMITTER_EMAIL", err);
}

void identity_finish(struct identity *id)
{
	git_signature_free(id->author);
	git_signature_free(id->committer);
	*id = (struct identity){0};
}
