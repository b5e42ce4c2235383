/*
 * fresh_base.c - fetches the base of a new session from its remote.
 *
 * The local branch is not moved: it may be checked out. The session starts from
 * the remote's commit, and the local branch stays its base.
 */
#include "commands/launch/fresh_base.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/gitenv.h"
#include "base/gitfile.h"
#include "base/git_program.h"
#include "base/spawn.h"
#include "commands/cli/output.h"
#include "commands/command.h"

#define FETCH_MS 30000
#define SAID_MAX ((size_t)64 * 1024)
#define HEADS	 "refs/heads/"
#define REMOTES	 "refs/remotes/"

/* The base, and what it follows. */
struct base {
	char *git_dir;
	char *ref;	/* refs/heads/main, refs/remotes/origin/main */
	char *upstream; /* the reference here of the remote's branch */
	char *remote;	/* "origin" */
	char *branch;	/* refs/heads/main, as the remote calls it */
};

static void base_finish(struct base *b)
{
	free(b->git_dir);
	free(b->ref);
	free(b->upstream);
	free(b->remote);
	free(b->branch);
}

/* Returns what git prints, without the last line's end, to be freed; NULL: it
 * fails or prints nothing. */
static char *read_git(const struct base *b, const char *const *args)
{
	_buf_ struct buf out = {0};

	if (git_program_read(b->git_dir, args, &out, NULL) < 0 || !out.len)
		return NULL;
	return mem_strndup(out.data, out.len - (out.data[out.len - 1] == '\n'));
}
#define GIT(b, ...) read_git(b, (const char *const[]){__VA_ARGS__, NULL})

/* Returns the branch that is checked out where the session is made, or NULL:
 * none, or that of another session. */
static char *head_branch(const struct new_session *n, const struct base *b)
{
	const char *checkout = spec_checkout(&n->spec);
	_free_ char *here = realpath(gitenv_here(), NULL);
	_free_ char *own = gitfile_read(checkout, ".git", "gitdir: ");
	char *branch;

	if (!here || strstr(here, "/.af_worktrees/"))
		return NULL;
	branch = gitfile_branch(own ? own : b->git_dir);
	if (branch && *branch)
		return branch;
	free(branch);
	return NULL;
}

/* Finds the remote whose branch the reference is. */
static void find_remote(struct base *b)
{
	_free_ char *urls = GIT(b, "config", "--name-only", "--get-regexp",
				"^remote\\..*\\.url$");
	const char *name = b->ref + strlen(REMOTES);
	char *line, *save = NULL;

	for (line = urls ? strtok_r(urls, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		const char *remote = line + strlen("remote.");
		size_t len = strlen(remote) - strlen(".url");

		if (strncmp(name, remote, len) != 0 || name[len] != '/')
			continue;
		b->remote = mem_strndup(remote, len);
		b->branch = mem_printf(HEADS "%s", name + len + 1);
		return;
	}
}

/* Splits "REF UPSTREAM REMOTE BRANCH"; a reference has no blank in its name. */
static void split(struct base *b, char *line)
{
	char *save = NULL;

	b->ref = mem_strdup(strtok_r(line, " ", &save));
	b->upstream = mem_strdup(strtok_r(NULL, " ", &save));
	b->remote = mem_strdup(strtok_r(NULL, " ", &save));
	b->branch = mem_strdup(strtok_r(NULL, " ", &save));
}

static void find_base(struct base *b, const struct new_session *n)
{
	const char *given = args_value(n->plan.args, "base");
	_free_ char *head = NULL, *local = NULL, *far = NULL, *line = NULL;

	b->git_dir = gitfile_dir(n->repository);
	if (!given)
		given = config_str(n->plan.config, OPTION_BASE);
	if (!*given || strcmp(given, "HEAD") == 0)
		given = head = head_branch(n, b);
	if (!b->git_dir || !given || strpbrk(given, "*?[\\"))
		return;
	local = mem_printf(HEADS "%s", given);
	far = mem_printf(REMOTES "%s", given);
	line = GIT(b, "for-each-ref", "--count=1",
		   "--format=%(refname) %(upstream) %(upstream:remotename) "
		   "%(upstream:remoteref)",
		   local, far);
	if (line)
		split(b, line);
	if (b->ref && strncmp(b->ref, REMOTES, strlen(REMOTES)) == 0)
		find_remote(b);
}

/* Fetches it without a question. */
static int fetch(const struct base *b, const char *dir, struct err *err)
{
	const char *const argv[] = {"git",
				    "--git-dir",
				    b->git_dir,
				    "fetch",
				    "--quiet",
				    "--no-tags",
				    "--no-recurse-submodules",
				    "--no-write-fetch-head",
				    "--",
				    b->remote,
				    b->branch,
				    NULL};
	_strv_ struct strv env = {0};
	struct spawn sp = {.argv = (char *const *)(size_t)argv,
			   .dir = dir,
			   .fd = {-1, -1, -1}};
	_buf_ struct buf said = {0};
	const char *last;
	int status;

	for (char **e = environ; *e; e++)
		strv_add(&env, *e);
	strv_add(&env, "GIT_TERMINAL_PROMPT=0");
	strv_add(&env, "GIT_ASKPASS=false");
	strv_add(&env, "SSH_ASKPASS_REQUIRE=never");
	sp.envp = env.v;
	if (spawn_run(&sp, NULL, NULL, &said, SAID_MAX, FETCH_MS, &status,
		      err) < 0)
		return -1;
	if (status == 0)
		return 0;
	buf_adds(&said, "");
	while (said.len && said.data[said.len - 1] == '\n')
		said.data[--said.len] = '\0';
	last = strrchr(said.data, '\n');
	return err_set(err, ERR_FAILED, "%s", last ? last + 1 : said.data);
}

/* Returns the upstream's commit if the base is strictly behind it, to be freed,
 * or NULL. */
static char *newer_commit(const struct base *b)
{
	_free_ char *not_base = mem_printf("^%s", b->ref);
	_free_ char *not_upstream = mem_printf("^%s", b->upstream);
	_free_ char *more = GIT(b, "rev-list", "-n1", b->upstream, not_base);
	_free_ char *own = GIT(b, "rev-list", "-n1", b->ref, not_upstream);

	return more && !own ? GIT(b, "rev-list", "-n1", b->upstream) : NULL;
}

void fresh_base_find(struct new_session *n)
{
	const struct args *args = n->plan.args;
	CLEANUP(base_finish) struct base b = {0};
	struct err err = {0};

	if (n->commit || n->from.dir || n->spec.after || n->spec.place ||
	    n->spec.branch_given || args_has(args, "dry-run") ||
	    !(args_has(args, "fetch") ||
	      config_bool(n->plan.config, OPTION_FETCH)))
		return;
	find_base(&b, n);
	if (!b.remote || !b.branch) {
		if (args_has(args, "fetch"))
			output_warn("%s: its base follows no branch of a "
				    "remote: nothing is fetched",
				    n->spec.name);
		return;
	}
	if (fetch(&b, n->repository, &err) < 0)
		output_warn("%s: its base is as it was last fetched: git could "
			    "not fetch %s from %s: %s",
			    n->spec.name, b.branch + strlen(HEADS), b.remote,
			    err.what);
	if (b.upstream)
		n->commit = n->fresh = newer_commit(&b);
}
